// `drawbridge alerts`: the alerts that were sent, and a test of the channels.
#include "call_api.hpp"
#include "commands.hpp"
#include "drawbridge/app/programs.hpp"
#include "listing.hpp"
#include "show.hpp"
#include "table.hpp"

namespace drawbridge::cli {
namespace {

std::string attempt_text(const ledger::AlertSend& send) {
    std::string text = plain(send.channel) + " " + plain(send.outcome);
    if (send.outcome != "sent" && send.last_error) {
        text += " (" + counted(send.failed_attempts, "failure") + ": " + plain(send.last_error) + ")";
    }
    return text;
}

void show_alerts(const json& answer) {
    if (api::from_json<records::AlertChannels>(answer["ways"]).channels.empty())
        print_line("no channel is configured: set alerts.webhook or alerts.email in drawbridge.yaml");
    Table table({{"AT", Align::left}, {"KIND", Align::left}, {"WHAT", Align::left}, {"SENT", Align::left}});
    for (const auto& alert : records_in<records::Alert>(answer["alerts"])) {
        std::string attempts;
        for (const auto& send : alert.sends)
            attempts += (attempts.empty() ? "" : "; ") + attempt_text(send);
        table.add({moment(alert.at), plain(alert.kind), plain(alert.title), attempts});
    }
    if (table.empty()) return print_line("no alerts yet");
    table.print();
}

int test_alerts(const Options& options) {
    const auto answer = call_api(options, "POST", "/alerts/test", {{"reason", options.reason}});
    if (!answer) return answer.error();
    bool good = true;
    for (const auto& test : (*answer)["tests"])
        good = good && test["taken"].get<bool>();
    if (options.json) {
        print_json(*answer);
        return good ? app::exit_ok : app::exit_failed;
    }
    for (const auto& test : (*answer)["tests"]) {
        const std::string channel = plain(test["channel"]);
        if (test["taken"].get<bool>()) {
            print_line(channel + ": the test message was accepted");
        } else {
            print_error(channel + ": " + plain(test["error"]));
        }
    }
    return good ? app::exit_ok : app::exit_failed;
}

}  // namespace

int alerts_command(const Options& options) {
    if (options.test) return test_alerts(options);
    return print_listing(options, {.path = "/alerts", .rows = "alerts", .show = show_alerts});
}

}  // namespace drawbridge::cli
