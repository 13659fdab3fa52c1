// `drawbridge status`: first what needs a person, then the state of the pipeline.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <string>

#include "drawbridge/admin/status_record.hpp"
#include "drawbridge/text/show.hpp"
#include "show.hpp"
#include "table.hpp"

namespace drawbridge::cli {
namespace {

void show_exception_counts(const records::NeedsAttention& needs) {
    if (needs.open_exceptions == 0) return;
    std::map<std::string, std::int64_t> counts;  // several steps may raise the same reason
    for (const auto& row : needs.exceptions_by_reason)
        counts[row.reason_code] += row.count;
    std::string reasons;
    for (const auto& [reason, count] : counts)
        reasons += (reasons.empty() ? "" : ", ") + plain(reason) + " " + plain(count);
    print_line("  " + counted(needs.open_exceptions, "open exception") + " (" + reasons + "): drawbridge exceptions");
}

// Who is around a ledger in PostgreSQL.
void show_hosts(const ledger::Hosts& hosts, Instant now) {
    print_line("ledger    in PostgreSQL, written by " + plain(hosts.writer) + " since " + moment(hosts.since));
    for (const auto& standby : hosts.standbys)
        print_line(
            "          " + plain(standby.host) + " stands by, seen " + age(standby.seen_at, now) + " ago, " +
            plain(standby.entries_behind) + " entries behind" +
            (standby.differs.empty()
                 ? ""
                 : "; it has other " + plain(fmt::format("{}", fmt::join(standby.differs, ", "))) + " than this host"));
    for (const auto& standby : hosts.server_standbys)
        print_line("          the server has standby " + plain(standby.name) +
                   (standby.sync.empty() ? "" : ", " + plain(standby.sync)) +
                   (standby.lag_ms ? ", lag " + plain(*standby.lag_ms) + " ms" : ""));
    if (hosts.owns_tables)
        print_line(
            "          the daemon's role owns the tables: docs/high-availability.md has a role with fewer rights");
}

// Draws that wait for a person's decision.
std::int64_t show_held(const records::Status& status) {
    std::int64_t held = 0;
    for (const auto& state : status.states) {
        if ((state.state != "held" && state.state != "returned") || state.count == 0) continue;
        held += state.count;
        print_line("  " + counted(state.count, "draw") + " " + plain(state.state) + " (" + money(state.amount) +
                   "): drawbridge draws --state " + plain(state.state));
    }
    return held;
}

// A restored ledger: what a person must do before money moves again.
void show_restoration(const ledger::Restoration& restoration) {
    print_line("  THE LEDGER IS RESTORED (" + plain(restoration.how) + ") at " + moment(restoration.at) + ": " +
               plain(restoration.detail));
    if (!restoration.compared_at) {
        return print_line("    waiting for a full sweep, which compares it with the service and the files sent");
    }
    print_line("    compared: " + plain(restoration.summary));
    if (restoration.held != 0) {
        print_line("    " + counted(restoration.held, "draw") + " held: drawbridge exceptions");
    }
    print_line("    resolve the exceptions, then: drawbridge resume --reason ...");
}

// Alerts whose sending failed at least once. Returns true if there are any.
bool show_failing_alerts(const records::Status& status) {
    bool any = false;
    for (const auto& waiting : status.alerts.waiting) {
        if (!waiting.last_error) continue;
        any = true;
        print_line("  " + counted(waiting.count, "alert") + " cannot be sent by " + plain(waiting.channel) +
                   ", the oldest for " + age(waiting.oldest, status.at) + ": " + plain(waiting.last_error));
    }
    return any;
}

// Inbox files that Drawbridge does not read. Returns true if there are any.
bool show_inbox(const records::Inbox& inbox, Instant now) {
    bool any = false;
    for (const auto& file : inbox.left_alone) {
        any = true;
        print_line("  inbox/" + plain(file.name) + " is ignored: " + plain(file.reason));
    }
    constexpr std::chrono::minutes grace_period{30};
    for (const auto& file : inbox.waiting) {
        if (now - file.changed_at < grace_period) continue;
        any = true;
        print_line("  inbox/" + plain(file.name) + " has waited for " + age(file.changed_at, now) + ": " +
                   plain(file.reason));
    }
    return any;
}

}  // namespace

// Who acted in the portal has no uid there, and may be named with one elsewhere: "Ben", "Ben (uid 61002)".
static bool is_named_with_uid(const std::vector<records::Maker>& makers, const records::Maker& maker) {
    return !maker.uid && std::ranges::any_of(makers, [&](const records::Maker& other) {
        return other.uid && other.by.starts_with(maker.by + " (");
    });
}

std::string maker_names(const std::vector<records::Maker>& makers) {
    std::vector<std::string> names;
    std::string text;
    for (const auto& maker : makers) {
        const std::string name = plain(maker.by);
        if (std::ranges::find(names, name) != names.end() || is_named_with_uid(makers, maker)) continue;
        names.push_back(name);
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
}

namespace {

// Lists a few files by name, many as a count.
void show_files_that_wait(const std::vector<records::File>& files) {
    constexpr std::size_t by_name = 2;
    if (files.size() > by_name) {
        print_line("  " + counted(static_cast<std::int64_t>(files.size()), "payment file") +
                   " waiting for release: drawbridge files, drawbridge release NAME --reason …");
        return;
    }
    for (const auto& file : files) {
        const auto ordered = release_that_waits(file);
        if (file.may_be_at_bank.value_or(false)) {
            print_line("  " + plain(file.name) + " may be at the bank since before the restore: " + items_of(file) +
                       ": ask the bank, then drawbridge deliver " + plain(file.name) +
                       " --by-hand --reason …, or drawbridge void " + plain(file.name) + " --reason …");
            continue;
        }
        if (ordered.empty() && file.missed_settlement.value_or(false)) {
            print_line("  " + plain(file.name) + " is too late for its settlement date: " + items_of(file) +
                       ": drawbridge void " + plain(file.name) + " --reason …");
            continue;
        }
        print_line("  " + plain(file.name) + (ordered.empty() ? " waits for release: " : ": " + ordered + ": ") +
                   items_of(file) +
                   (file.makers->empty() ? "" : ", by someone other than " + maker_names(*file.makers)));
    }
}

void show_attention(const records::Status& status) {
    const auto& needs = status.needs_attention;
    print_line("Needs a person:");
    if (needs.paused) {
        print_line("  PAUSED since " + moment(needs.paused->since) + " by " + plain(needs.paused->by) + ": " +
                   plain(needs.paused->reason));
    }
    if (status.no_space) print_line("  STOPPED: " + plain(status.no_space));
    if (needs.restoration) show_restoration(*needs.restoration);
    if (!status.reconciliation.adds_up) print_line("  THE DRAWS DO NOT ADD UP: drawbridge verify");
    show_exception_counts(needs);
    bool failed = false;
    for (const auto& run : status.runs) {
        if (run.ok) continue;
        failed = true;
        print_line("  " + plain(run.step) + " FAILED: " + plain(run.summary));
    }
    show_files_that_wait(needs.files_waiting_for_release);
    for (const auto& problem : status.reload_problems)
        print_line("  not in force: " + plain(problem));
    const bool alerts_fail = show_failing_alerts(status);
    const bool held = show_held(status) > 0;
    const bool inbox = show_inbox(status.inbox, status.at);
    const bool is_quiet = !failed && !held && !alerts_fail && !inbox && !needs.restoration && !status.no_space &&
                          !needs.paused && needs.files_waiting_for_release.empty() && needs.open_exceptions == 0 &&
                          status.reload_problems.empty() && status.reconciliation.adds_up;
    if (is_quiet) print_line("  nothing");
}

void show_states(const records::Status& status) {
    Table table({{"STATE", Align::left}, {"DRAWS", Align::right}, {"AMOUNT", Align::right}, {"OLDEST", Align::right}});
    for (const auto& state : status.states) {
        if (state.count == 0) continue;
        table.add({plain(state.state), text::grouped(state.count), money(state.amount), age(state.oldest, status.at)});
    }
    if (table.empty()) return print_line("no draws yet");
    table.print();
}

// Approved = exported + held + exceptions, to the cent.
void show_last_pay_run(const records::PayRun& run) {
    print_line("last pay run: approved " + money(run.approved.amount) + " = exported " + money(run.exported.amount) +
               " + held " + money(run.held.amount) + " + exceptions " + money(run.exceptions.amount) +
               (run.complete ? "" : ": DOES NOT ADD UP: release nothing, run `drawbridge verify`"));
}

// The age of each step's last run. `runs` shows more.
void show_last_runs(const records::Status& status) {
    std::string line;
    for (const auto& run : status.runs) {
        line += (line.empty() ? "" : ", ") + plain(run.step) + " " + age(run.ended_at, status.at) +
                (run.ok ? "" : " FAILED");
    }
    print_line(line.empty() ? "no step has run yet" : "ago       " + line);
}

void show_service(const records::ServiceHealth& service) {
    std::string line = service.circuit == "closed" && service.consecutive_failures == 0
                           ? "answers"
                           : "circuit " + plain(service.circuit) + ", " +
                                 counted(service.consecutive_failures, "failure") + " in a row";
    if (service.last_error) line += "; last error: " + plain(service.last_error);
    print_line("service   " + line);
}

void show_checks(const ledger::OutstandingChecks& checks) {
    if (checks.outstanding == 0 && checks.orders_not_transmitted == 0) return;
    std::string line = counted(checks.outstanding, "check") + " outstanding (" + money(checks.amount) + ")";
    if (checks.stale != 0) {
        line += ", " + plain(checks.stale) + " of them stale (" + money(checks.stale_amount) + ")";
    }
    if (checks.orders_not_transmitted != 0) {
        line += "; " + counted(checks.orders_not_transmitted, "void or stop order") + " not yet at the bank";
    }
    print_line("checks    " + line);
}

void show_undelivered(const records::Status& status) {
    const auto& waiting = status.undelivered;
    if (waiting.files == 0) return;
    print_line("delivery  " + counted(waiting.files, "released file") + " not yet at the bank, the oldest for " +
               age(waiting.oldest, status.at) + ": drawbridge files");
}

void show_waiting_for_portal(const records::Status& status) {
    const auto& waiting = status.waiting_for_portal;
    if (waiting.count == 0) return;
    print_line("portal    " + counted(waiting.count, "paid draw") + " (" + money(waiting.amount) +
               ") not yet marked as disbursed in the portal, the oldest for " + age(waiting.oldest, status.at));
}

// Lists only the controls that are off.
void show_controls(const std::vector<reconciliation::ConfiguredControl>& controls) {
    bool all_on = true;
    for (const auto& control : controls) {
        if (control.on) continue;
        print_line("control   OFF " + plain(control.key) + ": " + plain(control.state));
        all_on = false;
    }
    if (all_on) print_line("controls  all on");
}

void show_daemon(const records::DaemonState& daemon) {
    print_line(
        "daemon    " +
        (daemon.running ? "running since " + moment(daemon.started_at) + ", " + plain(daemon.doing) : "not running") +
        (daemon.next_cutoff ? "; next cut-off " + moment(daemon.next_cutoff) : ""));
}

void show_pipeline(const records::Status& status) {
    show_states(status);
    show_last_runs(status);
    if (status.last_pay_run) show_last_pay_run(*status.last_pay_run);
    show_waiting_for_portal(status);
    show_checks(status.checks);
    show_undelivered(status);
    show_daemon(status.daemon);
    if (status.service) show_service(*status.service);
    print_line("backup    " + (status.backup ? age(status.backup->at, status.at) + " old: " + plain(status.backup->file)
                                             : "none yet: drawbridge backup"));
    print_line("witness   " + (!status.witness ? "not configured: after a snapshot rollback, draws may be paid twice"
                               : *status.witness == "none" ? "none, on purpose"
                                                           : plain(status.witness)));
    if (status.ledger.hosts) show_hosts(*status.ledger.hosts, status.at);
    if (status.ledger.reports) print_line("reports   " + plain(*status.ledger.reports));
    for (const auto& rate : status.return_rates) {
        if (rate.returned != 0) print_line("returns   " + plain(rate.text));
    }
    show_controls(status.controls);
    print_line("changes   rules " + plain(status.change_control.rules) + ", payees " +
               plain(status.change_control.payees) +
               (status.change_control.waiting.empty() ? "" : "; waiting for two people: drawbridge changes"));
    print_line("rules     " + (status.rule_set ? "set " + short_hash(status.rule_set) : "none in force"));
    print_line("sum       " + plain(status.reconciliation.line));
}

}  // namespace

// Wrapped to the screen's width.
static std::vector<std::string> fitted(const std::vector<std::string>& lines, std::size_t indent) {
    std::vector<std::string> all;
    for (const auto& line : lines) {
        for (auto& part : wrapped(line, screen().columns, indent))
            all.push_back(std::move(part));
    }
    return all;
}

// On a terminal the output fits the screen: what needs a person is shown in full, and the rest is cut off at the end.
void show_status(const json& answer) {
    const auto status = api::from_json<records::Status>(answer);
    const auto first = fitted(lines_of([&] { show_attention(status); }), 4);
    const auto rest = fitted(lines_of([&] { show_pipeline(status); }), 10);
    const Screen size = screen();
    constexpr std::size_t min_rest = 8;
    const std::size_t usable = size.lines - 1;  // one line for the prompt
    const bool fits = first.size() + 1 + rest.size() <= usable;
    const std::size_t first_shown =
        fits ? first.size() : std::min(first.size(), usable - std::min(usable, std::min(rest.size(), min_rest)));
    for (std::size_t i = 0; i < first_shown; ++i) {
        const bool cut_off = i + 1 == first_shown && first_shown < first.size();
        print_line(cut_off ? "  and " + std::to_string(first.size() - i) + " more lines: drawbridge status | less"
                           : first[i]);
    }
    if (fits) print_line("");
    for (std::size_t i = 0; i < rest.size() && (fits || first_shown + i < usable); ++i)
        print_line(rest[i]);
}

}  // namespace drawbridge::cli
