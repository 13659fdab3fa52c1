// alerts and metrics.
#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <utility>

#include "drawbridge/domain/web_address.hpp"
#include "secret_files.hpp"
#include "sections.hpp"

namespace drawbridge::config {
namespace {

using text::YamlNode;

bool is_loopback_address(const std::string& address) {
    in_addr four{};
    if (::inet_pton(AF_INET, address.c_str(), &four) == 1) return (ntohl(four.s_addr) >> 24U) == 127;
    in6_addr six{};
    return ::inet_pton(AF_INET6, address.c_str(), &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

std::optional<Secret> read_url(const Section& section, const Origin& origin) {
    const YamlNode* in_file = section.find("url_file");
    const YamlNode* here = section.find("url");
    if (in_file != nullptr && here != nullptr) {
        section.reader().error(*here, section.what("url") + " and " + section.what("url_file") + " are both set",
                               "remove one of them");
        return std::nullopt;
    }
    if (in_file == nullptr && here == nullptr) {
        static_cast<void>(section.require("url_file"));
        return std::nullopt;
    }
    const std::string key = here != nullptr ? "url" : "url_file";
    std::optional<Secret> url;
    if (here != nullptr) {
        if (auto text = section.reader().text(*here, section.what(key))) url = Secret(std::move(*text));
    } else {
        const auto file = section.required_text(key);
        if (file) url = read_secret(section.reader(), *in_file, section.what(key), origin, *file);
    }
    if (!url) return std::nullopt;
    if (const auto address = parse_web_address(url->reveal()); !address) {
        section.reader().error(here != nullptr ? *here : *in_file, section.what(key) + " " + address.error().message,
                               "write it like https://alerts.example.gov/drawbridge");
        return std::nullopt;
    }
    return url;
}

std::optional<Webhook> read_webhook(const Section& section, const Origin& origin) {
    if (!section.present()) return std::nullopt;
    auto url = read_url(section, origin);
    Webhook webhook;
    if (section.find("signing_key_file") != nullptr || section.find("signing_key") != nullptr) {
        webhook.signing_key = read_secret_of(section, origin, "signing_key_file", "signing_key");
    }
    webhook.ca_file = read_ca_file(section, origin);
    webhook.proxy = read_proxy(section);
    if (!url) return std::nullopt;
    webhook.url = std::move(*url);
    return webhook;
}

std::optional<Heartbeat> read_heartbeat(const Section& section, const Origin& origin) {
    auto to = read_webhook(section, origin);
    Heartbeat heartbeat;
    heartbeat.every = section.duration("every");
    if (!to) return std::nullopt;
    heartbeat.to = std::move(*to);
    return heartbeat;
}

// One mailbox, and nothing that could start another header line or be read as an option.
bool is_mail_address(const std::string& text) {
    const auto at = text.find('@');
    const bool plain = std::ranges::all_of(text, [](char c) {
        return c > ' ' && c < 0x7F && std::string_view("<>()[],;:\\\"").find(c) == std::string_view::npos;
    });
    return plain && at != std::string::npos && at > 0 && at + 1 < text.size() &&
           text.find('@', at + 1) == std::string::npos && text.front() != '-' && text.size() <= 254;
}

std::optional<Email> read_email(const Section& alerts, const Origin& origin) {
    const Section section = alerts.child("email");
    if (!section.present()) return std::nullopt;
    const std::string hint = "write it like finance@example.gov";
    Email email;
    if (const YamlNode* node = section.require("to")) {
        const auto texts = section.reader().texts(*node, section.what("to"));
        for (std::size_t i = 0; texts && i < texts->size(); ++i) {
            if (!is_mail_address((*texts)[i])) {
                section.reader().error(node->items()[i],
                                       section.what("to") + ": '" + (*texts)[i] + "' is not an email address", hint);
            }
            email.to.push_back((*texts)[i]);
        }
        if (texts && texts->empty()) section.reader().error(*node, section.what("to") + " is an empty list", hint);
    }
    if (auto from = section.required_text("from")) {
        if (!is_mail_address(*from)) {
            section.reader().error(*section.find("from"),
                                   section.what("from") + ": '" + *from + "' is not an email address", hint);
        }
        email.from = std::move(*from);
    }
    email.sendmail = origin.resolve(section.text("sendmail", email.sendmail.native()));
    std::error_code error;
    if (const YamlNode* node = section.find("sendmail"); !std::filesystem::is_regular_file(email.sendmail, error)) {
        section.reader().warning(node != nullptr ? *node : *alerts.find("email"),
                                 section.what("sendmail") + ": no such program: " + email.sendmail.string(),
                                 "install one (msmtp-mta), or name it; until then no mail is sent");
    }
    return email;
}

}  // namespace

Alerts read_alerts(const Section& root, const Origin& origin) {
    const Section section = root.child("alerts");
    Alerts alerts;
    if (!section.present()) return alerts;
    alerts.webhook = read_webhook(section.child("webhook"), origin);
    alerts.heartbeat = read_heartbeat(section.child("heartbeat"), origin);
    alerts.email = read_email(section, origin);
    alerts.daily_digest = read_time(section, "daily_digest");
    alerts.nothing_confirmed_by = read_time(section, "nothing_confirmed_by");
    if (section.find("webhook") == nullptr && section.find("email") == nullptr &&
        section.find("heartbeat") == nullptr) {
        section.reader().error(*root.find("alerts"), "alerts: no destination is configured",
                               "add alerts.webhook, alerts.email or alerts.heartbeat, or remove the section");
    }
    return alerts;
}

std::optional<Listen> read_metrics(const Section& root) {
    const Section section = root.child("metrics");
    const auto* node = section.find("listen");
    if (node == nullptr) return std::nullopt;
    const auto text = section.reader().text(*node, "metrics.listen");
    if (!text) return std::nullopt;
    const auto colon = text->rfind(':');
    Listen listen{text->substr(0, colon == std::string::npos ? 0 : colon), 0};
    if (listen.address.starts_with('[') && listen.address.ends_with(']')) {
        listen.address = listen.address.substr(1, listen.address.size() - 2);
    }
    const char* port = text->data() + (colon == std::string::npos ? text->size() : colon + 1);
    const char* end = text->data() + text->size();
    const auto [stop, error] = std::from_chars(port, end, listen.port);
    if (error != std::errc() || stop != end || !is_loopback_address(listen.address)) {
        section.reader().error(*node, "metrics.listen: '" + *text + "' is not a loopback address with a port",
                               "write it like 127.0.0.1:9464 or [::1]:9464; for other machines, put a proxy with "
                               "authentication in front");
        return std::nullopt;
    }
    return listen;
}

}  // namespace drawbridge::config
