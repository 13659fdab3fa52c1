// The sub-commands that make one or a few requests to the operators' API.
#include "commands.hpp"

#include <unistd.h>

#include <functional>
#include <iostream>
#include <utility>

#include "call_api.hpp"
#include "drawbridge/app/programs.hpp"
#include "several_programs.hpp"
#include "show.hpp"
#include "table.hpp"

namespace drawbridge::cli {
namespace {

int act_on_check(const Options& options, const std::string& what) {
    const std::string number = std::to_string(options.check_number);
    return act(options, "/checks/" + number + "/" + what, [&](const json& answer) {
        const auto& check = answer["check"];
        const std::string name =
            "check " + number + " of " + money(check["amount"]) + " to " + plain(check["payee_name"]);
        if (what == "withdraw") return name + ": the order is canceled; the check remains payable";
        return name + ": " + what + " ordered. The next pay run writes the file for the bank, and another person " +
               "releases it. Until then the check remains payable";
    });
}

// What happens to the draws of a voided file. After a restore, for example, they stay held as possibly_paid.
constexpr const char* may_be_paid_again =
    " may be paid again by the next pay run, unless held or Disbursed (drawbridge exceptions)";

}  // namespace

int status_command(const Options& options) {
    if (options.configs.size() > 1) return status_of_programs(options);
    return show_answer(options, "/status", show_status);
}

int draw_command(const Options& options) {
    return show_answer(options, "/draws/" + std::to_string(options.id), show_draw);
}

int refresh_command(const Options& options) {
    const auto answer = call_api(options, "POST", "/draws/refresh", {{"ids", options.ids}});
    if (!answer) return answer.error();
    const auto failed = (*answer)["failed"].get<std::int64_t>();
    if (options.json) {
        print_json(*answer);
    } else {
        print_line(counted((*answer)["asked"].get<std::int64_t>() - failed, "draw") + " read again, " +
                   plain((*answer)["changed"]) + " changed");
        if (failed > 0) print_error("drawbridge: " + plain((*answer)["problem"]));
    }
    return failed > 0 ? app::exit_failed : app::exit_ok;
}

// The draws may have changed since they were listed.
bool wants_to_approve(const json& preview) {
    Table table({{"DRAW", Align::right}, {"AMOUNT", Align::right}, {"PAYEE"}});
    for (const auto& draw : preview["draws"])
        table.add({plain(draw["id"]), money(draw["amount"]), plain(draw["payee"])});
    table.print();
    std::fputs(("Approve " + counted(static_cast<std::int64_t>(preview["draws"].size()), "draw") + " (" +
                money(preview["total"]) + ")? [y/N] ")
                   .c_str(),
               stdout);
    std::fflush(stdout);
    std::string answer;
    std::getline(std::cin, answer);
    return answer == "y" || answer == "Y" || answer == "yes";
}

int approve_command(const Options& options) {
    json body = {{"reason", options.reason}, {"ids", options.ids}};
    if (options.approver_id != 0) body["approver_id"] = options.approver_id;
    if (::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1 && !options.json) {
        json question = body;
        question["preview"] = true;
        const auto preview = call_api(options, "POST", "/draws/approve", question);
        if (!preview) return preview.error();
        if (!wants_to_approve(*preview)) {
            print_error("drawbridge: nothing is approved");
            return app::exit_failed;
        }
        body["expect"] = (*preview)["expect"];
    }
    const auto answer = call_api(options, "POST", "/draws/approve", body);
    if (!answer) return answer.error();
    if (options.json) {
        print_json(*answer);
    } else {
        print_line(counted(static_cast<std::int64_t>((*answer)["approved"].size()), "draw") + " (" +
                   money((*answer)["amount"]) + ") approved by " + plain((*answer)["decided_by"]) +
                   ": the next run submits " + ((*answer)["approved"].size() == 1 ? "it" : "them"));
    }
    return app::exit_ok;
}

int reissue_command(const Options& options) {
    const std::string what = options.reissue ? "/exceptions/" : "/draws/";
    return act(options, what + std::to_string(options.id) + "/reissue", [](const json& answer) {
        return "draw " + plain(answer["draw_id"]) + " is paid again by the next pay run, after payment " +
               plain(answer["after_payment"]) + " came back";
    });
}

int file_command(const Options& options) {
    const std::string target = "/files/" + percent_encoded(options.name);
    auto file = call_api(options, "GET", target);
    if (!file) return file.error();
    while (!(*file)["next_payments_after"].is_null()) {
        const auto page = call_api(options, "GET", target + "?payments_after=" + (*file)["next_payments_after"].dump());
        if (!page) return page.error();
        for (const auto& payment : (*page)["payments"])
            (*file)["payments"].push_back(payment);
        (*file)["next_payments_after"] = (*page)["next_payments_after"];
    }
    print_answer(options, *file, show_file);
    return app::exit_ok;
}

int release_command(const Options& options) {
    return act(options, "/files/" + percent_encoded(options.name) + "/release", [](const json& answer) {
        const auto file = api::from_json<records::File>(answer["file"]);
        if (const auto waits = release_that_waits(file); !waits.empty())
            return plain(file.name) + ": " + waits + "; Drawbridge then sends it without another order";
        return plain(file.name) + " released by " + plain(file.release_ordered_by) + ": " + items_of(file);
    });
}

int stop_command(const Options& options) {
    return act_on_check(options, options.withdraw ? "withdraw" : "stop");
}

int void_command(const Options& options) {
    if (options.check_number != 0) return act_on_check(options, options.withdraw ? "withdraw" : "void");
    if (!options.payment_id.empty()) {
        return act(options, "/payments/" + percent_encoded(options.payment_id) + "/void", [](const json& answer) {
            const auto file = api::from_json<records::File>(answer["file"]);
            return "payment " + plain(answer["payment_id"]) + " is void, and so is its whole file " + plain(file.name) +
                   ": draw " + plain(answer["draw_id"]) + " is held until its exception is resolved; the other " +
                   counted(file.payments - 1, "draw") + may_be_paid_again;
        });
    }
    if (options.name.empty()) {
        print_error(
            "drawbridge: void: nothing to void is named: name a payment file (drawbridge files), a payment that was "
            "not released with --payment ID, or a check with --check NUMBER");
        return app::exit_usage;
    }
    return act(options, "/files/" + percent_encoded(options.name) + "/void", [](const json& answer) {
        const auto file = api::from_json<records::File>(answer["file"]);
        if (file.kind == disbursement::FileKind::check_orders) {
            return plain(file.name) + " is void: its orders go into the next file; to cancel one: drawbridge " +
                   "void --check NUMBER --withdraw";
        }
        return plain(file.name) + " is void: its " + counted(file.payments, "draw") + may_be_paid_again;
    });
}

int pay_command(const Options& options) {
    const std::string reason = options.reason.empty() ? "pay --now" : options.reason;
    const auto answer = call_api(options, "POST", "/pay", {{"reason", reason}});
    if (!answer) return answer.error();
    if (options.json) {
        print_json(*answer);
    } else {
        print_line("pay: " + plain((*answer)["summary"]));
        for (const auto& problem : (*answer)["problems"])
            print_error("drawbridge: " + plain(problem));
    }
    return (*answer)["ok"].get<bool>() ? app::exit_ok : app::exit_failed;
}

int pause_command(const Options& options) {
    return act(options, "/pause", [](const json&) {
        return "paused: nothing is approved, planned or released until `drawbridge resume --reason …`";
    });
}

int resume_command(const Options& options) {
    const auto answer = call_api(options, "POST", "/resume",
                                 {{"reason", options.reason},
                                  {"nothing_else_sent", options.nothing_else_sent},
                                  {"despite_exceptions", options.despite_exceptions}});
    if (!answer) return answer.error();
    if (options.json) {
        print_json(*answer);
    } else {
        print_line("resumed");
    }
    return app::exit_ok;
}

int reload_command(const Options& options) {
    Options ordered = options;
    if (ordered.reason.empty()) ordered.reason = "reload";
    return act(ordered, "/reload", [](const json& answer) { return plain(answer["in_force"]); });
}

int metrics_command(const Options& options) {
    const auto text = call_api_for_text(options, "/metrics");
    if (!text) return text.error();
    print_bytes(*text);
    return app::exit_ok;
}

}  // namespace drawbridge::cli
