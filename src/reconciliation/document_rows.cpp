// The report for programs: CSV and JSON.
#include <nlohmann/json.hpp>

#include "drawbridge/reconciliation/document.hpp"
#include "drawbridge/reconciliation/programs.hpp"
#include "drawbridge/text/csv.hpp"
#include "drawbridge/text/sanitize.hpp"
#include "words.hpp"

namespace drawbridge::reconciliation {
namespace {

using Json = nlohmann::ordered_json;

Json moment_or_null(const std::optional<Instant>& at) {
    return at ? Json(format_instant(*at)) : Json(nullptr);
}

Json text_or_null(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

Json view(const Sum& sum) {
    return {{"count", sum.count}, {"amount", sum.amount.to_string()}};
}

Json view(const ThreeSides& sides) {
    return {
        {"ledger", sides.ledger.to_string()}, {"service", sides.service.to_string()}, {"bank", sides.bank.to_string()}};
}

Json view(const ClassTotal& total) {
    return {{"lines", total.lines},
            {"draws", total.draws},
            {"payments", total.payments},
            {"amount", total.amount.to_string()},
            {"sides", view(total.sides)}};
}

Json view(const Line& line) {
    const auto& info = words(line.line_class);
    return {{"group", to_string(info.group)},
            {"class", to_string(line.line_class)},
            {"draw_id", line.draw_id ? Json(*line.draw_id) : Json(nullptr)},
            {"payment_id", text_or_null(line.payment_id_text)},
            {"reference", text_or_null(line.reference)},
            {"file", text_or_null(line.file_name)},
            {"file_line", line.file_line > 0 ? Json(line.file_line) : Json(nullptr)},
            {"name", text_or_null(line.name)},
            {"amount", line.amount.to_string()},
            {"sides", view(line.sides)},
            {"since", format_date(line.since)},
            {"age_days", line.age_days},
            {"why", text_or_null(line.why)}};
}

Json view(const ReportHead& head) {
    const auto& service = head.service;
    Json controls = Json::array();
    for (const auto& control : head.configured_controls)
        controls.push_back({{"key", control.key}, {"on", control.on}, {"state", control.state}});
    return {{"ledger_id", head.ledger_id},
            {"from", format_date(head.period.from)},
            {"to", format_date(head.period.to)},
            {"time_zone", head.zone},
            {"as_of", format_instant(head.period.as_of)},
            {"overdue_after_days", head.overdue_after_days},
            {"service",
             {{"all_read_at", moment_or_null(service.all_read_at)},
              {"changes_read_at", moment_or_null(service.changes_read_at)},
              {"fresh_at", moment_or_null(service.fresh_at)},
              {"fresh_asked", service.fresh_asked},
              {"fresh_changed", service.fresh_changed},
              {"fresh_failed", service.fresh_failed}}},
            {"configured_controls", std::move(controls)},
            {"read_from", text_or_null(head.read_from)}};
}

Json classes_view(const Totals& totals) {
    Json classes = Json::array();
    for (const auto group : groups_in_order) {
        for (const auto line_class : classes_of(totals, group)) {
            Json row = {{"class", to_string(line_class)},
                        {"group", to_string(group)},
                        {"title", words(line_class).title},
                        {"what_to_do", text_or_null(std::string(words(line_class).what_to_do))}};
            row.update(view(totals.of(line_class)));
            classes.push_back(std::move(row));
        }
    }
    return classes;
}

Json groups_view(const Totals& totals) {
    Json groups = Json::object();
    for (const auto group : groups_in_order)
        groups[std::string(to_string(group))] = view(totals.of(group));
    return groups;
}

Json ages_view(const Totals& totals) {
    const auto sums = totals.ages_in_flight();
    Json ages = Json::array();
    for (std::size_t age = 0; age < sums.size(); ++age) {
        Json row = {{"age", age_words(age)}};
        row.update(view(sums[age]));
        ages.push_back(std::move(row));
    }
    return ages;
}

Json flows_view(const Totals& totals) {
    const auto& draws = totals.draws;
    const auto& payments = totals.payments;
    return {{"draws",
             {{"opening", view(draws.opening)},
              {"new", view(draws.came)},
              {"reopened", view(draws.reopened)},
              {"done", view(draws.done)},
              {"revalued", draws.revalued.to_string()},
              {"closing", view(draws.closing)}}},
            {"to_the_bank",
             {{"opening", view(payments.in_flight_opening)},
              {"made", view(payments.made)},
              {"confirmed", view(payments.confirmed)},
              {"ended", view(payments.ended_in_flight)},
              {"closing", view(payments.in_flight_closing)}}},
            {"confirmed",
             {{"opening", view(payments.confirmed_opening)},
              {"confirmed", view(payments.confirmed)},
              {"reported", view(payments.reported)},
              {"ended", view(payments.ended_confirmed)},
              {"closing", view(payments.confirmed_closing)}}},
            {"reported",
             {{"opening", view(payments.reported_opening)},
              {"reported", view(payments.reported)},
              {"ended", view(payments.ended_reported)},
              {"closing", view(payments.reported_closing)}}}};
}

Json days_view(const Totals& totals) {
    Json days = Json::array();
    for (const auto& [day, flow] : totals.days) {
        days.push_back({{"day", format_date(day)},
                        {"made", view(flow.made)},
                        {"confirmed", view(flow.confirmed)},
                        {"reported", view(flow.reported)},
                        {"ended", view(flow.ended)}});
    }
    return days;
}

Json files_view(const Report& report) {
    Json files = Json::array();
    for (const auto& file : report.files) {
        files.push_back({{"name", file.name},
                         {"made_at", format_instant(file.made_at)},
                         {"released_at", moment_or_null(file.released_at)},
                         {"voided_at", moment_or_null(file.voided_at)},
                         {"released_by", file.released_by},
                         {"makers", file.makers},
                         {"total", view(Sum{file.payment_count, file.total})},
                         {"paid", view(Sum{file.paid_count, file.paid})},
                         {"ended", view(Sum{file.ended_count, file.ended})},
                         {"open", view(Sum{file.open_count, file.open})}});
    }
    return files;
}

Json bank_view(const BankTotals& bank) {
    return {{"files", bank.files},
            {"refused_files", bank.refused_files},
            {"paid", view(bank.paid)},
            {"returned", view(bank.returned)},
            {"voided", view(bank.voided)},
            {"duplicates", view(bank.duplicates)},
            {"exceptions", view(bank.exceptions)},
            {"no_effect", view(bank.no_effect)},
            {"by_person", view(bank.by_person)},
            {"by_time", view(bank.by_time)}};
}

Json controls_view(const std::vector<Control>& controls) {
    Json list = Json::array();
    for (const auto& control : controls)
        list.push_back({{"title", control.title}, {"detail", control.detail}, {"holds", control.holds}});
    return list;
}

std::string dump(const Json& value) {
    return text::for_json(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

std::string csv_header() {
    return text::write_csv_row({"group", "class", "draw_id", "payment_id", "reference", "file", "file_line", "name",
                                "amount", "ledger_amount", "service_amount", "bank_amount", "since", "age_days", "why",
                                "what_to_do"});
}

std::string csv_row(const Line& line) {
    const auto& info = words(line.line_class);
    return text::write_csv_row({std::string(to_string(info.group)), std::string(to_string(line.line_class)),
                                line.draw_id ? std::to_string(*line.draw_id) : "", line.payment_id_text,
                                text::for_csv(line.reference), text::for_csv(line.file_name),
                                line.file_line > 0 ? std::to_string(line.file_line) : "", text::for_csv(line.name),
                                line.amount.to_string(), line.sides.ledger.to_string(), line.sides.service.to_string(),
                                line.sides.bank.to_string(), format_date(line.since), std::to_string(line.age_days),
                                text::for_csv(line.why), std::string(info.what_to_do)});
}

std::string json_begin(const ReportHead& head) {
    std::string text = dump({{"head", view(head)}});
    text.pop_back();
    return text + ",\n\"lines\":[";
}

std::string json_row(const Line& line, bool is_first) {
    return (is_first ? "\n" : ",\n") + dump(view(line));
}

namespace {

Json view_of_totals(const Report& report) {
    return {{"verdict", verdict(report)},
            {"differences", report.differences()},
            {"adds_up", report.adds_up()},
            {"groups", groups_view(report.totals)},
            {"classes", classes_view(report.totals)},
            {"in_flight_by_age", ages_view(report.totals)},
            {"flows", flows_view(report.totals)},
            {"days", days_view(report.totals)},
            {"payment_files", files_view(report)},
            {"bank", bank_view(report.totals.bank)},
            {"controls", controls_view(report.controls)}};
}

}  // namespace

std::string json_end(const Report& report) {
    return "\n],\n" + dump(view_of_totals(report)).substr(1) + "\n";
}

std::string json_sum(const std::vector<ProgramReport>& programs) {
    const auto sum = sum_of(programs);
    Json view = view_of_totals(sum);
    view.erase("payment_files");
    view["from"] = format_date(sum.head.period.from);
    view["to"] = format_date(sum.head.period.to);
    view["notes"] = reading_rules(programs);
    return "\"sum\":" + dump(view);
}

}  // namespace drawbridge::reconciliation
