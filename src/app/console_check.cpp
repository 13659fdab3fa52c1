#include "console_check.hpp"

#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "drawbridge/daemon/run_to_end.hpp"
#include "drawbridge/daemon/system_clock.hpp"
#include "drawbridge/ledger/store/engine.hpp"
#include "drawbridge/service/site_look.hpp"
#include "drawbridge/text/json.hpp"
#include "drawbridge/text/show.hpp"

namespace drawbridge::app {
namespace {

using nlohmann::json;
using text::Severity;

constexpr std::chrono::seconds site_timeout{10};
constexpr std::chrono::days renew_within{21};

void add(CheckResult& result, const config::Config& config, std::string message, std::string hint, Severity severity) {
    result.diagnostics.push_back({config.file.string(), 0, 0, std::move(message), std::move(hint), severity});
}

// Over plain HTTP it is for this machine only, and nobody signs there.
void look_at_page(CheckResult& result, const config::Config& config) {
    const std::string& origin = config.console.origin;
    if (!origin.starts_with("https://")) return;
    boost::asio::io_context io(1);
    const auto seen =
        daemon::run_to_end(io, service::look_at_site(io.get_executor(), origin, "/sign-in", site_timeout));
    if (!seen) {
        return add(result, config, "the console at " + origin + ": " + seen.error().message,
                   "browsers make and use passkeys only on a page without certificate warnings: see docs/console.md",
                   Severity::error);
    }
    if (seen->status != 200 || !seen->body.contains("Drawbridge")) {
        return add(result, config,
                   fmt::format("the console at {}: /sign-in answers with status {} and is not the console's page",
                               origin, seen->status),
                   "look at what answers there: `systemctl status drawbridge-console`, or the proxy in front",
                   Severity::error);
    }
    const auto left = std::chrono::floor<std::chrono::days>(*seen->certificate_ends - daemon::SystemClock().now());
    result.lines.push_back(fmt::format("console   {}: answers, and its certificate is valid for {}", origin,
                                       text::counted(left.count(), "day")));
    if (left >= renew_within) return;
    add(result, config,
        fmt::format("the console at {}: its certificate ends in {}", origin, text::counted(left.count(), "day")),
        "renew it and restart drawbridge-console: with an expired one nobody can sign", Severity::warning);
}

void compare_passkeys(CheckResult& result, const config::Config& config) {
    if (!ledger::has_ledger(config.state_dir)) return;
    admin::Request request;
    request.method = "GET";
    request.target = "/passkeys";
    const auto answer = call(config.file, request);
    const auto listed =
        answer && answer->status == 200 ? text::parse_json(answer->body) : fail(ErrorCode::unavailable, "no list");
    if (!listed) return;
    std::set<std::string> sites;
    std::int64_t lost = 0;
    for (const json& key : listed->value("passkeys", json::array())) {
        const std::string site = key.value("site", "");
        if (site == config.console.site || key.value("state", "") == "locked") continue;
        sites.insert(site);
        ++lost;
    }
    if (lost == 0) return;
    add(result, config,
        fmt::format("{} {} made for {} and {} nothing on {}", text::counted(lost, "passkey"),
                    lost == 1 ? "was" : "were", *sites.begin(), lost == 1 ? "signs" : "sign", config.console.site),
        "set console.origin (and console.site) to the old host, or invite these people again: `drawbridge people keys`",
        Severity::warning);
}

}  // namespace

void check_console(CheckResult& result, const config::Config& config) {
    look_at_page(result, config);
    compare_passkeys(result, config);
}

}  // namespace drawbridge::app
