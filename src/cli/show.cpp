#include "show.hpp"

#include <set>

#include "drawbridge/domain/money.hpp"
#include "drawbridge/domain/time.hpp"
#include "drawbridge/ledger/reports/draw_states.hpp"
#include "drawbridge/pipeline/forecast.hpp"
#include "drawbridge/text/sanitize.hpp"
#include "drawbridge/text/show.hpp"
#include "table.hpp"

namespace drawbridge::cli {

using ledger::FileState;

std::string money(const json& amount) {
    if (!amount.is_string()) return "-";
    const auto parsed = Money::parse(amount.get<std::string>());
    return parsed ? parsed->to_display() : amount.get<std::string>();
}

std::string moment(const json& instant) {
    if (!instant.is_string()) return "-";
    const auto text = instant.get<std::string>();
    return text.size() < 19 ? text : text.substr(0, 10) + " " + text.substr(11, 8) + "Z";
}

std::string plain(const json& value) {
    if (value.is_null()) return "-";
    return text::for_terminal(value.is_string() ? value.get<std::string>() : value.dump());
}

std::string short_hash(const json& sha256) {
    constexpr std::size_t digits = 12;
    return plain(sha256).substr(0, digits);
}

std::string counted(const json& count, std::string_view what) {
    return text::counted(count.get<std::int64_t>(), what);
}

std::string age(const json& since, const json& now) {
    if (!since.is_string() || !now.is_string()) return "-";
    const auto from = parse_instant(since.get<std::string>());
    const auto to = parse_instant(now.get<std::string>());
    return from && to ? text::short_duration(*to - *from) : "-";
}

void show_draws(const json& answer) {
    Table table({{"DRAW", Align::right},
                 {"STATE", Align::left},
                 {"AMOUNT", Align::right},
                 {"WORKFLOW", Align::right},
                 {"SINCE", Align::left},
                 {"WHY", Align::left},
                 {"CASE", Align::left}});
    for (const auto& draw : records_in<records::Draw>(answer["draws"])) {
        table.add({plain(draw.id), plain(draw.state), money(draw.amount), plain(draw.workflow_id), moment(draw.since),
                   draw.why ? plain(draw.why) : "", plain(draw.case_name)});
    }
    if (table.empty()) return print_line("no draws");
    table.print();
    const auto without = answer["without_amount"].get<std::int64_t>();
    print_line("sum: " + counted(answer["total"], "draw") + ", " + money(answer["sum"]) +
               (without == 0 ? "" : ", " + text::grouped(without) + " without an amount"));
}

void show_draw(const json& answer) {
    const auto draw = api::from_json<records::Draw>(answer["draw"]);
    print_line("draw " + plain(draw.id) + ": " + plain(draw.state) + ", " + money(draw.amount) + ", " +
               plain(draw.status_name) + " at the service" + (draw.why ? ": " + plain(draw.why) : ""));
    if (const auto forecast = api::from_json<std::optional<pipeline::Forecast>>(answer["forecast"])) {
        const auto& date = forecast->effective_entry_date;
        print_line((date ? "would settle on " + plain(*date) + ": " : "would be paid: ") + plain(forecast->because));
    }
    if (answer.contains("fields")) {
        print_line("");
        for (const auto& [name, value] : answer["fields"].items()) {
            if (!value.is_null()) print_line("  " + name + ": " + plain(value));
        }
    }
    bool open = false;
    for (const auto& exception : records_in<records::Exception>(answer["exceptions"])) {
        if (exception.closed_at) continue;
        if (!open) print_line("\nopen exceptions");
        open = true;
        print_line("  " + plain(exception.id) + "  " + plain(exception.step) + "  " + plain(exception.reason_code) +
                   ": " + plain(exception.detail));
        if (exception.what_to_do) print_line("      what to do: " + plain(exception.what_to_do));
    }
    print_line("\ntimeline");
    for (const auto& entry : records_in<ledger::TimelineEntry>(answer["timeline"])) {
        print_line("  " + moment(entry.at) + "  " + plain(entry.what) + ": " + plain(entry.detail));
    }
}

namespace {

// Below the list: each reason in it once.
void show_what_to_do(const std::vector<records::Exception>& exceptions) {
    std::set<std::string> shown;
    for (const auto& row : exceptions) {
        if (!row.what_to_do || !shown.insert(plain(row.title)).second) continue;
        print_line("\n" + plain(row.reason_code) + ": " + plain(row.title) + "\n  " + plain(row.what_to_do));
    }
}

}  // namespace

void show_exceptions(const std::vector<records::Exception>& exceptions, const std::string& when_empty) {
    Table table({{"ID", Align::right},
                 {"OPENED", Align::left},
                 {"STEP", Align::left},
                 {"REASON", Align::left},
                 {"DRAW", Align::right},
                 {"AMOUNT", Align::right},
                 {"DETAIL", Align::left}});
    for (const auto& row : exceptions) {
        const std::string subject = !row.subject ? "" : plain(row.subject) + ": ";
        const auto proposal = row.proposal.value_or(std::nullopt);
        const std::string may_be = proposal
                                       ? " (may be " + plain(proposal->payment_id) + ", score " +
                                             plain(proposal->score) + ": drawbridge exception " + plain(row.id) + ")"
                                       : "";
        const std::string closed = !row.closed_at ? ""
                                                  : " (closed " + moment(row.closed_at) + " by " +
                                                        plain(row.closed_by) + ": " + plain(row.closed_reason) + ")";
        table.add({plain(row.id), moment(row.opened_at), plain(row.step), plain(row.reason_code), plain(row.draw_id),
                   money(row.amount), subject + plain(row.detail) + may_be + closed});
    }
    if (table.empty()) return print_line(when_empty);
    table.print();
    show_what_to_do(exceptions);
}

std::string release_that_waits(const records::File& file) {
    if (file.state != FileState::staged && file.state != FileState::releasing) return "";
    if (!file.release_ordered_by) return "";
    std::string text = "release ordered by " + plain(file.release_ordered_by);
    if (file.release_waits_for)
        text += ", waits for " + plain(file.release_waits_for) + " since " + moment(file.release_waits_since);
    return text;
}

std::string items_of(const records::File& file) {
    return counted(file.payments, item_of(file.kind)) + ", " + money(file.total);
}

// Who released the file. A voided file may have an ended order.
static std::string released_by(const records::File& file) {
    return file.released_at ? plain(file.release_ordered_by) : "-";
}

void show_files(const std::vector<records::File>& files) {
    Table table({{"FILE", Align::left},
                 {"STATE", Align::left},
                 {"PAYMENTS", Align::right},
                 {"TOTAL", Align::right},
                 {"CREATED", Align::left},
                 {"STARTED BY", Align::left},
                 {"RELEASED BY", Align::left},
                 {"DELIVERY", Align::left},
                 {"SHA-256", Align::left}});
    for (const auto& file : files) {
        const auto waits = release_that_waits(file);
        const bool for_another = file.state == FileState::staged && waits.empty() && !file.makers->empty();
        table.add({plain(file.name), plain(file.state) + (for_another ? ", needs another person" : ""),
                   file.kind == disbursement::FileKind::payments ? text::grouped(file.payments)
                                                                 : counted(file.payments, "order"),
                   money(file.total), moment(file.created_at), plain(file.started_by),
                   waits.empty() ? released_by(file) : waits, delivery_state(file), short_hash(file.sha256)});
    }
    if (table.empty()) return print_line("no payment files");
    table.print();
}

void show_file(const json& answer) {
    const auto file = api::from_json<records::File>(answer["file"]);
    const bool has_prenotes = file.prenotes > 0;
    print_line(plain(file.name) + ": " + plain(file.state) + ", " + items_of(file) +
               (has_prenotes ? ", " + counted(file.prenotes, "prenote") : ""));
    print_line("  SHA-256      " + plain(file.sha256));
    if (file.entry_hash) print_line("  entry hash   " + plain(file.entry_hash));
    print_line("  started by   " + plain(file.started_by) + " at " + moment(file.created_at));
    for (const auto& maker : *file.makers)
        print_line("  maker        " + plain(maker.by) + ": " + plain(maker.hand));
    print_line("  staged       " + moment(file.staged_at));
    if (const auto waits = release_that_waits(file); !waits.empty()) {
        print_line("  " + waits);
    } else if (file.release_ordered_by && !file.released_at) {
        print_line("  released     never; ordered by " + plain(file.release_ordered_by));
    } else {
        print_line("  released     " + moment(file.released_at) +
                   (file.released_at ? " by " + plain(file.release_ordered_by) : ""));
    }
    if (file.voided_at) {
        print_line("  voided       " + moment(file.voided_at) + " by " + plain(file.voided_by) + ": " +
                   plain(answer["file"]["void_reason"]));
    }
    show_delivery(file);
    print_line("");
    Table table({{"PAYMENT", Align::left},
                 {"DRAW", Align::right},
                 {"AMOUNT", Align::right},
                 {"TRACE OR CHECK", Align::right},
                 {"ACCOUNT", Align::left},
                 {"PAYEE", Align::left}});
    for (const auto& payment : records_in<records::FilePayment>(answer["payments"])) {
        table.add({plain(payment.payment_id), plain(payment.draw_id), money(payment.amount),
                   payment.trace_number ? plain(payment.trace_number) : plain(payment.check_number),
                   plain(payment.account), plain(payment.payee_name)});
    }
    table.print();
}

void show_runs(const std::vector<records::Run>& runs) {
    Table table({{"STEP", Align::left},
                 {"LAST RUN", Align::left},
                 {"RESULT", Align::left},
                 {"LAST GOOD RUN", Align::left},
                 {"SUMMARY", Align::left}});
    for (const auto& run : runs) {
        table.add(
            {plain(run.step), moment(run.ended_at), run.ok ? "ok" : "failed", moment(run.last_ok), plain(run.summary)});
    }
    if (table.empty()) return print_line("no step has run yet");
    table.print();
}

void show_pay_runs(const std::vector<records::PayRun>& runs) {
    if (runs.empty()) return;
    print_line("");
    Table table({{"PAY RUN", Align::left},
                 {"APPROVED", Align::right},
                 {"= EXPORTED", Align::right},
                 {"+ HELD", Align::right},
                 {"+ EXCEPTIONS", Align::right},
                 {"", Align::left}});
    const auto cell = [](const Sum& part) { return text::grouped(part.count) + " / " + money(part.amount); };
    for (const auto& run : runs) {
        table.add({moment(run.at), cell(run.approved), cell(run.exported), cell(run.held), cell(run.exceptions),
                   run.complete ? "adds up" : "DOES NOT ADD UP"});
    }
    table.print();
}

void show_verify(const json& answer) {
    for (const auto& result : records_in<records::Invariant>(answer["invariants"])) {
        const bool good = result.ok;
        print_broken(std::string(good ? "ok    " : "FAIL  ") + plain(result.number) + "  " + plain(result.title) +
                         " (" + text::grouped(result.checked) + " checked)",
                     9);
        for (const auto& violation : result.violations)
            print_broken("         " + plain(violation), 9);
    }
    const auto trail = api::from_json<records::TrailEntry>(answer["trail"]);
    print_broken("audit trail at " + plain(trail.at) + ": " + std::to_string(trail.entry) + ":" + plain(trail.hash), 9);
    print_line(answer["clean"].get<bool>()
                   ? "the ledger is clean"
                   : "THE LEDGER IS NOT CLEAN: run `drawbridge pause --reason …`, then investigate");
}

}  // namespace drawbridge::cli
