#include <filesystem>
#include <limits>
#include <string>
#include <utility>

#include "drawbridge/domain/web_address.hpp"
#include "secret_files.hpp"
#include "sections.hpp"

namespace drawbridge::config {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;
using text::YamlNode;

std::string read_url(const Section& section, std::string_view key) {
    const YamlNode* node = section.find(key);
    if (node == nullptr) return {};
    auto text = section.reader().text(*node, section.what(key));
    if (!text) return {};
    if (const auto address = parse_base_address(*text); !address) {
        section.reader().error(*node, section.what(key) + " " + address.error().message,
                               "write it like https://draws.example.gov/api");
        return {};
    }
    while (text->ends_with('/'))
        text->pop_back();
    return std::move(*text);
}

std::vector<std::int64_t> read_workflows(const Section& section) {
    const YamlNode* node = section.find("workflows");
    if (node == nullptr) return {};
    auto workflows = section.reader().integers(*node, "service.workflows");
    if (!workflows) return {};
    if (workflows->empty()) {
        section.reader().error(*node, "service.workflows is an empty list",
                               "list workflow ids, or remove the key to pay the draws of all workflows");
    }
    return std::move(*workflows);
}

}  // namespace

std::optional<std::string> read_proxy(const Section& section) {
    const YamlNode* node = section.find("proxy");
    if (node == nullptr) return std::nullopt;
    auto text = section.reader().text(*node, section.what("proxy"));
    if (!text) return std::nullopt;
    const auto address = parse_proxy_address(*text);
    if (!address || address->has_credentials) {
        section.reader().error(*node,
                               section.what("proxy") + " " +
                                   (address ? "must not contain a user name or password" : address.error().message),
                               "write it like http://proxy.example.gov:3128");
        return std::nullopt;
    }
    return text;
}

std::optional<std::filesystem::path> read_ca_file(const Section& section, const Origin& origin) {
    const YamlNode* node = section.find("ca_file");
    if (node == nullptr) return std::nullopt;
    const auto text = section.reader().text(*node, section.what("ca_file"));
    if (!text) return std::nullopt;
    std::filesystem::path path = origin.resolve(*text);
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) {
        section.reader().error(*node, section.what("ca_file") + ": no such file: " + path.string(),
                               "name a PEM file, or remove the key to use the system's certificates");
    }
    return path;
}

std::optional<Secret> read_secret_of(const Section& section, const Origin& origin, std::string_view key,
                                     std::string_view forbidden_key) {
    if (const YamlNode* value = section.find(forbidden_key)) {
        section.reader().error(*value, section.what(forbidden_key) + " must not be in this file",
                               "write the value to a file of mode 0600 and name that file in " + std::string(key));
    }
    const auto file = section.required_text(key);
    if (!file) return std::nullopt;
    return read_secret(section.reader(), *section.find(key), section.what(key), origin, *file);
}

Service read_service(const Section& root, const Origin& origin) {
    static_cast<void>(root.require("service"));
    const Section section = root.child("service");
    Service service;
    static_cast<void>(section.require("base_url"));
    service.base_url = read_url(section, "base_url");
    service.moved_from = read_url(section, "moved_from");
    service.client_id = read_secret_of(section, origin, "client_id_file", "client_id").value_or(Secret());
    service.client_secret = read_secret_of(section, origin, "client_secret_file", "client_secret").value_or(Secret());
    service.page_size = static_cast<int>(section.integer("page_size"));
    service.workflows = read_workflows(section);
    service.ca_file = read_ca_file(section, origin);
    service.proxy = read_proxy(section);
    service.request_deadline = section.duration("request_deadline");
    service.connect_deadline = section.duration("connect_deadline");
    service.max_connections = static_cast<int>(section.integer("max_connections"));
    service.max_requests_per_second = static_cast<int>(section.integer("max_requests_per_second"));
    service.max_body_bytes = section.integer("max_body_bytes");
    service.retries = static_cast<int>(section.integer("retries"));
    return service;
}

}  // namespace drawbridge::config
