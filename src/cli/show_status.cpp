// `drawbridge status`: what needs a person first; then where everything is.
#include "drawbridge/domain/money.hpp"
#include "drawbridge/text/show.hpp"
#include "show.hpp"
#include "table.hpp"

namespace drawbridge::cli {
namespace {

void show_exception_counts(const json& attention) {
    const auto count = attention["open_exceptions"].get<std::int64_t>();
    if (count == 0) return;
    std::string reasons;
    for (const auto& row : attention["exceptions_by_reason"]) {
        reasons += (reasons.empty() ? "" : ", ") + plain(row["reason_code"]) + " " + plain(row["count"]);
    }
    print_line("  " + counted(count, "open exception") + " (" + reasons + "): drawbridge exceptions");
}

// Draws that wait for a decision by a person.
std::int64_t show_held(const json& status) {
    std::int64_t held = 0;
    for (const auto& stage : status["stages"]) {
        if ((stage["stage"] != "held" && stage["stage"] != "returned") || stage["count"] == 0) continue;
        held += stage["count"].get<std::int64_t>();
        print_line("  " + counted(stage["count"], "draw") + " " + plain(stage["stage"]) + " (" +
                   money(stage["amount"]) + "): drawbridge draws --stage " + plain(stage["stage"]));
    }
    return held;
}

// A ledger that was put back: what a person has to do before money moves again.
void show_restoration(const json& restoration) {
    if (restoration.is_null()) return;
    print_line("  THE LEDGER WAS PUT BACK (" + plain(restoration["how"]) + ") at " + moment(restoration["at"]) + ": " +
               plain(restoration["detail"]));
    if (restoration["compared_at"].is_null()) {
        return print_line("    it waits for a full sweep, to be held against the service and the files sent");
    }
    print_line("    compared: " + plain(restoration["summary"]));
    if (restoration["held"] != 0) {
        print_line("    " + counted(restoration["held"], "draw") + " held: drawbridge exceptions");
    }
    print_line("    look at the exceptions, then: drawbridge resume --reason ...");
}

void show_attention(const json& status) {
    const auto& attention = status["needs_attention"];
    const auto& paused = attention["paused"];
    const auto& files = attention["files_waiting_for_release"];
    print_line("Needs a person:");
    if (!paused.is_null()) {
        print_line("  PAUSED since " + moment(paused["since"]) + " by " + plain(paused["by"]) + ": " +
                   plain(paused["reason"]));
    }
    show_restoration(attention["restoration"]);
    if (!status["reconciliation"]["adds_up"].get<bool>()) {
        print_line("  THE DRAWS DO NOT ADD UP: drawbridge verify");
    }
    show_exception_counts(attention);
    for (const auto& file : files) {
        print_line("  " + plain(file["name"]) + " waits for release: " + counted(file["payments"], "payment") + ", " +
                   money(file["total"]) + ": drawbridge file, drawbridge release");
    }
    for (const auto& problem : status["reload_problems"])
        print_line("  not in force: " + plain(problem));
    const bool held = show_held(status) > 0;
    const bool calm = !held && paused.is_null() && files.empty() && attention["open_exceptions"] == 0 &&
                      status["reload_problems"].empty() && status["reconciliation"]["adds_up"].get<bool>();
    if (calm) print_line("  nothing");
}

void show_stages(const json& status) {
    Table table({{"STAGE", Align::left}, {"DRAWS", Align::right}, {"AMOUNT", Align::right}, {"OLDEST", Align::right}});
    for (const auto& stage : status["stages"]) {
        if (stage["count"] == 0) continue;
        table.add({plain(stage["stage"]), text::grouped(stage["count"].get<std::int64_t>()), money(stage["amount"]),
                   age(stage["oldest"], status["at"])});
    }
    if (table.empty()) return print_line("no draws yet");
    table.print();
}

// Approved = exported + held + exceptions, to the cent.
void show_last_pay_run(const json& run) {
    if (run.is_null()) return;
    const auto part = [&](const char* name) { return money(run[name]["amount"]); };
    print_line("last pay run: approved " + part("approved") + " = exported " + part("exported") + " + held " +
               part("held") + " + exceptions " + part("exceptions") +
               (run["complete"].get<bool>() ? "" : ": DOES NOT ADD UP: release nothing, run `drawbridge verify`"));
}

void show_last_runs(const json& status) {
    Table table({{"RUN", Align::left}, {"AGO", Align::right}, {"RESULT", Align::left}, {"SUMMARY", Align::left}});
    for (const auto& run : status["runs"]) {
        table.add({plain(run["stage"]), age(run["ended_at"], status["at"]), run["ok"].get<bool>() ? "ok" : "FAILED",
                   plain(run["summary"])});
    }
    if (table.empty()) return print_line("no stage has run yet");
    table.print();
}

void show_service(const json& service) {
    if (service.is_null()) return;
    std::string line = service["circuit"] == "closed" && service["consecutive_failures"] == 0
                           ? "answers"
                           : "circuit " + plain(service["circuit"]) + ", " +
                                 counted(service["consecutive_failures"], "failure") + " in a row";
    if (!service["last_error"].is_null()) line += "; last error: " + plain(service["last_error"]);
    print_line("service   " + line);
}

void show_checks(const json& checks) {
    if (checks.is_null() || (checks["outstanding"] == 0 && checks["orders_not_transmitted"] == 0)) return;
    std::string line = counted(checks["outstanding"], "check") + " out (" + money(checks["amount"]) + ")";
    if (checks["stale"] != 0) {
        line += ", " + plain(checks["stale"]) + " of them stale (" + money(checks["stale_amount"]) + ")";
    }
    if (checks["orders_not_transmitted"] != 0) {
        line += "; " + counted(checks["orders_not_transmitted"], "void or stop order") + " not yet at the bank";
    }
    print_line("checks    " + line);
}

void show_daemon(const json& status) {
    const auto& daemon = status["daemon"];
    const std::string cutoff = daemon["next_cutoff"].is_null() ? "" : "; next cut-off " + moment(daemon["next_cutoff"]);
    if (daemon["running"].get<bool>()) {
        print_line("daemon    runs since " + moment(daemon["started_at"]) + ", " + plain(daemon["doing"]) + cutoff);
    } else {
        print_line("daemon    does not run" + cutoff);
    }
}

}  // namespace

void show_status(const json& status) {
    show_attention(status);
    print_line("");
    show_stages(status);
    print_line("");
    show_last_runs(status);
    show_last_pay_run(status["last_pay_run"]);
    print_line("");
    const auto& waiting = status["waiting_for_portal"];
    if (waiting["count"] != 0) {
        print_line("portal    " + counted(waiting["count"], "paid draw") + " (" + money(waiting["amount"]) +
                   ") to be marked as disbursed there, the oldest for " + age(waiting["oldest"], status["at"]));
    }
    show_checks(status["checks"]);
    show_daemon(status);
    show_service(status["service"]);
    const auto& backup = status["backup"];
    print_line("backup    " + (backup.is_null() ? "none was made yet: drawbridge backup"
                                                : age(backup["at"], status["at"]) + " old: " + plain(backup["file"])));
    print_line("rules     " +
               (status["rule_set"].is_null() ? "none in force" : "set " + plain(status["rule_set"]).substr(0, 12)));
    print_line("sum       " + plain(status["reconciliation"]["line"]));
}

}  // namespace drawbridge::cli
