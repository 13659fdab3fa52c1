// `drawbridge deliver` and `acknowledge`, and the display of a file's delivery.
#include "call_api.hpp"
#include "commands.hpp"
#include "drawbridge/app/programs.hpp"
#include "show.hpp"
#include "table.hpp"

namespace drawbridge::cli {

int deliver_command(const Options& options) {
    if (options.by_hand == options.again) {
        print_error(
            "drawbridge: deliver: neither --by-hand nor --again is given: add --by-hand (the bank has the file) or "
            "--again (the bank does not have it: upload it again)");
        return app::exit_usage;
    }
    const std::string target = options.name.empty() ? "/exceptions/" + std::to_string(options.id) + "/deliver"
                                                    : "/files/" + percent_encoded(options.name) + "/deliver";
    const auto answer =
        call_api(options, "POST", target, {{"reason", options.reason}, {"how", options.again ? "again" : "by_hand"}});
    if (!answer) return answer.error();
    if (options.json) {
        print_json(*answer);
    } else {
        const std::string name = plain((*answer)["file"]["name"]);
        print_line(options.again ? name + " is uploaded again by the next run, unless the server has it by then"
                                 : name + " counts as delivered");
    }
    return app::exit_ok;
}

int acknowledge_command(const Options& options) {
    const auto answer =
        call_api(options, "POST", "/files/" + percent_encoded(options.name) + "/acknowledge",
                 {{"reason", options.reason}, {"payments", options.payments}, {"total", options.total}});
    if (!answer) return answer.error();
    const auto found = api::from_json<records::Comparison>(*answer);
    const bool differs = found.outcome == "differs";
    if (options.json) {
        print_json(*answer);
    } else if (differs) {
        print_error("drawbridge: " + plain(found.detail) +
                    ": all movement of money is paused: ask the bank what it received");
    } else {
        print_line(plain(found.file) + " is at the bank: " + plain(found.detail) +
                   (found.outcome == "repeated" ? "; already acknowledged" : ""));
    }
    return differs ? app::exit_failed : app::exit_ok;
}

std::string delivery_state(const records::File& file) {
    const auto delivery = file.delivery.value_or(std::nullopt);
    const bool has_phases = delivery && delivery->by == "sftp";
    for (const auto& one : *file.evidence) {
        if (one.kind == disbursement::EvidenceKind::acknowledged) return "acknowledged";
    }
    if (!has_phases && !file.evidence->empty()) return "by hand";
    if (!delivery) return "-";
    std::string words = plain(delivery->state);
    for (auto& c : words)
        c = c == '_' ? ' ' : c;
    return words;
}

void show_delivery(const records::File& file) {
    for (const auto& one : *file.evidence) {
        const bool is_by_us = one.kind == disbursement::EvidenceKind::sftp;
        print_line("  at the bank  " + moment(one.at) + ", " +
                   (is_by_us ? plain(one.detail) : "says " + plain(one.by) + ": " + plain(one.detail)));
    }
    const auto delivery = file.delivery.value_or(std::nullopt);
    if (!delivery) return;
    print_line("  delivery: " + delivery_state(file) + " by " + plain(delivery->by) + " as " + plain(delivery->name) +
               (delivery->sha256 ? ", SHA-256 " + plain(delivery->sha256) : ""));
    if (delivery->encrypted_to) print_line("  encrypted to: " + plain(delivery->encrypted_to));
    if (delivery->archived_as) print_line("  copy: " + plain(delivery->archived_as));
    for (const auto& step : *delivery->steps) {
        const auto what =
            step.step == "intent" ? plain(step.server) + " as " + plain(step.temporary_name) : plain(step.detail);
        print_line("    " + moment(step.at) + "  " + plain(step.step) + " by " + plain(step.by) + ": " + what);
    }
}

}  // namespace drawbridge::cli
