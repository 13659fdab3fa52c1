#include "messages.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/domain/exception_catalog.hpp"
#include "drawbridge/text/json.hpp"
#include "drawbridge/text/mask.hpp"
#include "drawbridge/text/sanitize.hpp"
#include "drawbridge/text/show.hpp"
#include "drawbridge/text/utf8.hpp"

namespace drawbridge::alerts {
namespace {

using nlohmann::json;

// Keeps a message readable. It names the command that lists the rest.
constexpr std::size_t max_list = 40;

constexpr std::string_view return_codes[] = {"returned",        "voided",           "returned_after_paid",
                                             "case_stopped",    "prenote_returned", "duplicate_entry_returned",
                                             "disputed_return", "impossible_return"};

enum class Kind { returns, corrections, exceptions };

Kind kind_of(const ledger::ExceptionRow& row) {
    if (row.what.reason_code == "payee_correction") return Kind::corrections;
    const bool is_return = std::ranges::find(return_codes, row.what.reason_code) != std::end(return_codes);
    return is_return ? Kind::returns : Kind::exceptions;
}

std::string dump(const json& value) {
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string line_of(const ledger::ExceptionRow& row) {
    std::string line = "#" + std::to_string(row.exception_id) + " " + row.what.step + " " + row.what.reason_code;
    if (row.what.draw_id) line += ", draw " + std::to_string(*row.what.draw_id);
    if (!row.what.subject.empty()) line += ", " + outgoing(row.what.subject);
    return line + ": " + outgoing(row.what.detail);
}

// "file.release_ordered", "file ACH-20260304-A.ach": "release ordered, file ACH-20260304-A.ach".
std::string act_words(const ledger::JournalEntry& act) {
    std::string words = act.action.starts_with("file.") ? act.action.substr(5) : act.action;
    std::ranges::replace(words, '_', ' ');
    std::ranges::replace(words, '.', ' ');
    return words + ", " + outgoing(act.subject);
}

const ExceptionKind* kind_in_catalog(const ledger::ExceptionDetails& what) {
    return find_exception_kind(what.reason_code, what.step);
}

// What to do, once for each reason in the list.
std::string advice(const std::vector<ledger::ExceptionRow>& rows) {
    std::string text;
    std::set<const ExceptionKind*> told;
    for (std::size_t i = 0; i < std::min(rows.size(), max_list); ++i) {
        const auto* const kind = kind_in_catalog(rows[i].what);
        if (kind == nullptr || !told.insert(kind).second) continue;
        text += "\n" + std::string(kind->reason_code) + ": " + std::string(kind->title) + ".\n" +
                std::string(kind->what_to_do) + "\n";
    }
    return text;
}

json item_of(const ledger::ExceptionRow& row) {
    const auto& what = row.what;
    const auto* const kind = kind_in_catalog(what);
    return {{"exception", row.exception_id},
            {"step", what.step},
            {"reason_code", what.reason_code},
            {"title", kind != nullptr ? json(kind->title) : json(nullptr)},
            {"what_to_do", kind != nullptr ? json(kind->what_to_do) : json(nullptr)},
            {"draw_id", what.draw_id ? json(*what.draw_id) : json(nullptr)},
            {"payment_id", what.payment_id ? json(disbursement::format_payment_id(*what.payment_id)) : json(nullptr)},
            {"subject", outgoing(what.subject)},
            {"detail", outgoing(what.detail)},
            {"opened_at", format_instant(row.opened_at)}};
}

// Adds the first `max_list` rows as text and as JSON items.
template <class Row, class Line, class Item>
void add_list(ledger::NewAlert& alert, const std::vector<Row>& rows, Line line, Item item) {
    json items = json::array();
    for (const auto& row : rows) {
        if (items.size() == max_list) break;
        alert.text += line(row) + "\n";
        items.push_back(item(row));
    }
    if (rows.size() > max_list) {
        alert.text += "and " + text::grouped(static_cast<std::int64_t>(rows.size() - max_list)) + " more\n";
    }
    alert.items_json = dump(items);
}

ledger::NewAlert exception_message(Kind kind, const std::vector<ledger::ExceptionRow>& rows) {
    const auto count = static_cast<std::int64_t>(rows.size());
    ledger::NewAlert alert;
    alert.source = ledger::AlertSource::exception;
    for (const auto& row : rows)
        alert.about.push_back(row.exception_id);
    switch (kind) {
        case Kind::returns:
            alert.kind = "returns";
            alert.title =
                text::counted(count, "payment") + (count == 1 ? " was" : " were") + " returned or must be stopped";
            break;
        case Kind::corrections:
            alert.kind = "corrections";
            alert.title = "the bank sent corrections for " + text::counted(count, "payee");
            break;
        case Kind::exceptions:
            alert.kind = "exceptions";
            alert.title = text::counted(count, "exception") + (count == 1 ? " needs" : " need") + " a person";
            break;
    }
    if (count == 1) {
        const auto& what = rows.front().what;
        const auto* const known = kind_in_catalog(what);
        alert.title += ": " + (known != nullptr ? std::string(known->title) : what.reason_code);
        if (what.draw_id) alert.title += ", draw " + std::to_string(*what.draw_id);
    }
    add_list(alert, rows, line_of, item_of);
    alert.text += advice(rows);
    alert.text +=
        "\n`drawbridge exceptions` lists open exceptions; `drawbridge draw ID` shows a draw's full history.\n";
    return alert;
}

}  // namespace

std::string outgoing(std::string_view text) {
    constexpr std::size_t max_bytes = 500;
    std::string masked = text::mask_numbers(text);
    if (masked.size() <= max_bytes) return masked;
    return std::string(text::utf8_prefix(masked, max_bytes)) + "…";
}

std::int64_t day_number(BusinessDate date) {
    return std::chrono::sys_days(date).time_since_epoch().count();
}

std::string clock_time(std::chrono::minutes time_of_day) {
    const auto two = [](std::int64_t number) { return (number < 10 ? "0" : "") + std::to_string(number); };
    return two(time_of_day.count() / 60) + ":" + two(time_of_day.count() % 60);
}

std::vector<ledger::NewAlert> exception_messages(const std::vector<ledger::ExceptionRow>& rows) {
    std::vector<ledger::NewAlert> alerts;
    for (const Kind kind : {Kind::returns, Kind::corrections, Kind::exceptions}) {
        std::vector<ledger::ExceptionRow> of_kind;
        std::ranges::copy_if(rows, std::back_inserter(of_kind), [&](const auto& row) { return kind_of(row) == kind; });
        if (!of_kind.empty()) alerts.push_back(exception_message(kind, of_kind));
    }
    return alerts;
}

ledger::NewAlert release_message(const std::vector<ledger::FileRow>& files) {
    ledger::NewAlert alert;
    alert.kind = "release";
    alert.source = ledger::AlertSource::file;
    for (const auto& file : files)
        alert.about.push_back(file.file_id);
    const auto count = static_cast<std::int64_t>(files.size());
    alert.title = text::counted(count, "payment file") + (count == 1 ? " waits" : " wait") + " for release";
    add_list(
        alert, files,
        [](const ledger::FileRow& file) {
            return file.name + ": " + text::counted(file.payment_count, item_of(file.kind)) + ", " +
                   file.total.to_display() + ", started by " + file.started_by;
        },
        [](const ledger::FileRow& file) {
            return json{{"file", file.name},
                        {"payments", file.payment_count},
                        {"total", file.total.to_string()},
                        {"started_by", file.started_by}};
        });
    alert.text +=
        "\n`drawbridge file NAME` shows a file; `drawbridge release NAME --reason ...` releases it. The person who "
        "started a file cannot release it.\n";
    return alert;
}

ledger::NewAlert correction_message(const std::vector<ledger::OpenCorrection>& rows, BusinessDate today) {
    ledger::NewAlert alert;
    alert.kind = "correction_deadline";
    alert.source = ledger::AlertSource::correction;
    for (const auto& row : rows)
        alert.about.push_back(row.hold_id);
    const auto count = static_cast<std::int64_t>(rows.size());
    alert.title = text::counted(count, "correction") + " from the bank " + (count == 1 ? "is" : "are") + " due";
    add_list(
        alert, rows,
        [&](const ledger::OpenCorrection& row) {
            return "payee '" + outgoing(row.payee_key) + "', " + row.code +
                   (row.draw_id ? ", draw " + std::to_string(*row.draw_id) : ", prenote") + ": due in payees.csv by " +
                   format_date(row.apply_by) + (row.apply_by < today ? " (OVERDUE)" : "");
        },
        [](const ledger::OpenCorrection& row) {
            return json{{"payee_key", outgoing(row.payee_key)},
                        {"code", row.code},
                        {"draw_id", row.draw_id ? json(*row.draw_id) : json(nullptr)},
                        {"apply_by", format_date(row.apply_by)}};
        });
    alert.text +=
        "\nThe Nacha rules allow six banking days. Put the correction in payees.csv, then resolve its exception.\n";
    return alert;
}

ledger::NewAlert unconfirmed_message(const ledger::Unconfirmed& waiting, BusinessDate today, std::chrono::minutes by) {
    ledger::NewAlert alert;
    alert.kind = "nothing_confirmed";
    alert.source = ledger::AlertSource::confirmation;
    alert.about = {day_number(today)};
    alert.title = "nothing confirmed by " + clock_time(by) + " on " + format_date(today);
    alert.text = text::counted(waiting.count, "payment") + " (" + waiting.amount.to_display() + ") from earlier days " +
                 (waiting.count == 1 ? "waits" : "wait") +
                 " for the bank's confirmation, and no confirmation file was read today.\n"
                 "Check `drawbridge status` and the folder inbox/ for today's file, or ask the bank.\n";
    alert.items_json = dump(json::array({{{"payments", waiting.count}, {"amount", waiting.amount.to_string()}}}));
    return alert;
}

ledger::NewAlert acts_message(const std::vector<ledger::JournalEntry>& acts,
                              const std::map<std::string, ledger::FileRow>& files) {
    ledger::NewAlert alert;
    alert.kind = "acts";
    alert.source = ledger::AlertSource::act;
    for (const auto& act : acts)
        alert.about.push_back(act.seq);
    alert.title = acts.size() == 1 ? acts.front().actor + ": " + act_words(acts.front())
                                   : text::counted(static_cast<std::int64_t>(acts.size()), "act") +
                                         " that sent money out or changed who may do what";
    const auto file_of = [&](const ledger::JournalEntry& act) {
        const auto found = files.find(act.subject);
        return found == files.end() ? nullptr : &found->second;
    };
    add_list(
        alert, acts,
        [&](const ledger::JournalEntry& act) {
            std::string line = format_instant(act.at) + " " + act.actor + ": " + act_words(act);
            if (const auto* file = file_of(act)) {
                line +=
                    ", " + text::counted(file->payment_count, item_of(file->kind)) + ", " + file->total.to_display();
            }
            return act.detail.empty() ? line : line + ": " + outgoing(act.detail);
        },
        [&](const ledger::JournalEntry& act) {
            json item{{"seq", act.seq},       {"at", format_instant(act.at)},     {"actor", act.actor},
                      {"action", act.action}, {"subject", outgoing(act.subject)}, {"detail", outgoing(act.detail)}};
            if (const auto* file = file_of(act)) {
                item["payments"] = file->payment_count;
                item["total"] = file->total.to_string();
            }
            return item;
        });
    alert.text +=
        "\nNothing to do if you know of it. Otherwise run `drawbridge pause --reason …` and ask who did this: "
        "`drawbridge audit` shows every act.\n";
    return alert;
}

std::string webhook_body(const ledger::AlertRow& alert, const std::string& message_id, const std::string& office) {
    json items = text::parse_json(alert.items_json).value_or(json::array());
    return text::for_json(dump({{"id", message_id},
                                {"kind", alert.kind},
                                {"at", format_instant(alert.raised_at)},
                                {"office", office},
                                {"title", alert.title},
                                {"text", alert.title + "\n\n" + alert.text},
                                {"items", items.is_array() ? std::move(items) : json::array()}}));
}

}  // namespace drawbridge::alerts
