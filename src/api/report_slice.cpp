// Encodes a slice of the reconciliation report for the operators' API. Sums are [count, cents], may be negative, and
// are for addition; the report itself shows amounts as decimal text.
#include <utility>

#include "drawbridge/api/report_slice.hpp"

namespace drawbridge::api {
namespace {

using nlohmann::json;
using reconciliation::Line;
using reconciliation::LineClass;
using reconciliation::PaymentFileFacts;
using reconciliation::ReportHead;
using reconciliation::Sum;
using reconciliation::Totals;

// Every total that is not by class, age or day, with its name in the API.
template <class T, class Visit>
void each_number(T& totals, const Visit& visit) {
    auto& draws = totals.draws;
    visit("draws_opening", draws.opening);
    visit("draws_came", draws.came);
    visit("draws_reopened", draws.reopened);
    visit("draws_done", draws.done);
    visit("draws_closing", draws.closing);
    visit("draws_revalued", draws.revalued);
    auto& payments = totals.payments;
    visit("in_flight_opening", payments.in_flight_opening);
    visit("made", payments.made);
    visit("confirmed", payments.confirmed);
    visit("ended_in_flight", payments.ended_in_flight);
    visit("in_flight_closing", payments.in_flight_closing);
    visit("confirmed_opening", payments.confirmed_opening);
    visit("reported", payments.reported);
    visit("ended_confirmed", payments.ended_confirmed);
    visit("confirmed_closing", payments.confirmed_closing);
    visit("reported_opening", payments.reported_opening);
    visit("ended_reported", payments.ended_reported);
    visit("reported_closing", payments.reported_closing);
    auto& bank = totals.bank;
    visit("bank_files", bank.files);
    visit("bank_refused_files", bank.refused_files);
    visit("bank_paid", bank.paid);
    visit("bank_returned", bank.returned);
    visit("bank_voided", bank.voided);
    visit("bank_duplicates", bank.duplicates);
    visit("bank_exceptions", bank.exceptions);
    visit("bank_no_effect", bank.no_effect);
    visit("bank_by_person", bank.by_person);
    visit("bank_by_time", bank.by_time);
    auto& met = totals.control_counts;
    visit("met_draws", met.draws);
    visit("met_draws_listed", met.draws_listed);
    visit("met_draws_done_before", met.draws_done_before);
    visit("met_draws_after", met.draws_after);
    visit("met_payments", met.payments);
    visit("met_payments_listed", met.payments_listed);
    visit("met_payments_done_before", met.payments_done_before);
    visit("met_payments_after", met.payments_after);
    visit("met_settlements", met.settlements);
    visit("met_applied_lines", met.applied_lines);
    visit("met_bank_lines", met.bank_lines);
    visit("met_disagreeing", met.disagreeing);
    auto& file_ends = met.file_ends;
    visit("files_open", file_ends.open);
    visit("files_paid", file_ends.paid);
    visit("files_ended", file_ends.ended);
}

json encode(std::int64_t number) {
    return number;
}
json encode(Money amount) {
    return amount.cents();
}
json encode(const Sum& sum) {
    return json::array({sum.count, sum.amount.cents()});
}

void decode(const json& from, std::int64_t& to) {
    to = from.get<std::int64_t>();
}
void decode(const json& from, Money& to) {
    to = Money::from_cents(from.get<std::int64_t>());
}
void decode(const json& from, Sum& to) {
    decode(from.at(0), to.count);
    decode(from.at(1), to.amount);
}

constexpr auto day_sums = [](auto& flow, const auto& visit) {
    visit(0, flow.made);
    visit(1, flow.confirmed);
    visit(2, flow.reported);
    visit(3, flow.ended);
};

constexpr auto class_numbers = [](auto& total, const auto& visit) {
    visit(0, total.lines);
    visit(1, total.draws);
    visit(2, total.payments);
    visit(3, total.amount);
    visit(4, total.sides.ledger);
    visit(5, total.sides.service);
    visit(6, total.sides.bank);
};

json encode(const Totals& totals) {
    json all = json::object();
    each_number(totals, [&](const char* name, const auto& number) { all[name] = encode(number); });
    json classes = json::object(), ages = json::object(), days = json::object();
    for (std::size_t i = 0; i < reconciliation::line_class_count; ++i) {
        if (totals.classes[i].lines == 0) continue;
        const std::string name(reconciliation::words(static_cast<LineClass>(i)).name);
        json row = json::array();
        class_numbers(totals.classes[i], [&](int, const auto& number) { row.push_back(encode(number)); });
        classes[name] = std::move(row);
        json of_class = json::array();
        for (const auto& sum : totals.ages[i])
            of_class.push_back(encode(sum));
        ages[name] = std::move(of_class);
    }
    for (const auto& [day, flow] : totals.days) {
        json row = json::array();
        day_sums(flow, [&](int, const Sum& sum) { row.push_back(encode(sum)); });
        days[format_date(day)] = std::move(row);
    }
    all["classes"] = std::move(classes);
    all["ages"] = std::move(ages);
    all["days"] = std::move(days);
    return all;
}

// Throws JSON exceptions, and std::out_of_range for an unknown class.
Totals decode_totals(const json& from) {
    Totals totals;
    each_number(totals, [&](const char* name, auto& number) { decode(from.at(name), number); });
    const auto index_of = [](const std::string& name) {
        const auto found = reconciliation::find_line_class(name);
        if (!found) throw std::out_of_range(name);
        return static_cast<std::size_t>(*found);
    };
    for (const auto& [name, row] : from.at("classes").items()) {
        class_numbers(totals.classes[index_of(name)],
                      [&](std::size_t at, auto& number) { decode(row.at(at), number); });
    }
    for (const auto& [name, row] : from.at("ages").items()) {
        auto& ages = totals.ages[index_of(name)];
        for (std::size_t age = 0; age < ages.size(); ++age)
            decode(row.at(age), ages[age]);
    }
    for (const auto& [day, row] : from.at("days").items())
        day_sums(totals.days[parse_date(day).value()], [&](std::size_t at, Sum& sum) { decode(row.at(at), sum); });
    return totals;
}

json moment(const std::optional<Instant>& at) {
    return at ? json(format_instant(*at)) : json(nullptr);
}

std::optional<Instant> moment_of(const json& from) {
    if (from.is_null()) return std::nullopt;
    return parse_instant(from.get<std::string>()).value();
}

BusinessDate date_of(const json& from) {
    return parse_date(from.get<std::string>()).value();
}

Money amount_of(const json& from) {
    return Money::parse(from.get<std::string>()).value();
}

template <class T>
json or_null(const std::optional<T>& value) {
    return value ? json(*value) : json(nullptr);
}

std::optional<std::int64_t> number_of(const json& from) {
    if (from.is_null()) return std::nullopt;
    return from.get<std::int64_t>();
}

json encode(const Line& line) {
    return {{"class", reconciliation::words(line.line_class).name},
            {"draw_id", or_null(line.draw_id)},
            {"counts_draw", line.counts_draw},
            {"payment", or_null(line.payment_id)},
            {"payment_id", line.payment_id_text},
            {"reference", line.reference},
            {"file", line.file_name},
            {"file_line", line.file_line},
            {"name", line.name},
            {"amount", line.amount.to_string()},
            {"ledger_amount", line.sides.ledger.to_string()},
            {"service_amount", line.sides.service.to_string()},
            {"bank_amount", line.sides.bank.to_string()},
            {"since", format_date(line.since)},
            {"age_days", line.age_days},
            {"why", line.why}};
}

Line decode_line(const json& from) {
    Line line;
    line.line_class = reconciliation::find_line_class(from.at("class").get<std::string>()).value();
    line.draw_id = number_of(from.at("draw_id"));
    line.counts_draw = from.at("counts_draw").get<bool>();
    line.payment_id = number_of(from.at("payment"));
    line.payment_id_text = from.at("payment_id").get<std::string>();
    line.reference = from.at("reference").get<std::string>();
    line.file_name = from.at("file").get<std::string>();
    line.file_line = from.at("file_line").get<std::int64_t>();
    line.name = from.at("name").get<std::string>();
    line.amount = amount_of(from.at("amount"));
    line.sides = {amount_of(from.at("ledger_amount")), amount_of(from.at("service_amount")),
                  amount_of(from.at("bank_amount"))};
    line.since = date_of(from.at("since"));
    line.age_days = from.at("age_days").get<std::int64_t>();
    line.why = from.at("why").get<std::string>();
    return line;
}

json encode(const PaymentFileFacts& file) {
    return {{"name", file.name},
            {"made_at", format_instant(file.made_at)},
            {"released_at", moment(file.released_at)},
            {"voided_at", moment(file.voided_at)},
            {"released_by", file.released_by},
            {"makers", file.makers},
            {"total", encode(Sum{file.payment_count, file.total})},
            {"rows", encode(Sum{file.row_count, file.row_total})},
            {"paid", encode(Sum{file.paid_count, file.paid})},
            {"ended", encode(Sum{file.ended_count, file.ended})},
            {"open", encode(Sum{file.open_count, file.open})}};
}

PaymentFileFacts decode_file(const json& from) {
    PaymentFileFacts file;
    file.name = from.at("name").get<std::string>();
    file.made_at = moment_of(from.at("made_at")).value();
    file.released_at = moment_of(from.at("released_at"));
    file.voided_at = moment_of(from.at("voided_at"));
    file.released_by = from.at("released_by").get<std::string>();
    file.makers = from.at("makers").get<std::string>();
    const auto sum = [&](const char* name, std::int64_t& count, Money& amount) {
        decode(from.at(name).at(0), count);
        decode(from.at(name).at(1), amount);
    };
    sum("total", file.payment_count, file.total);
    sum("rows", file.row_count, file.row_total);
    sum("paid", file.paid_count, file.paid);
    sum("ended", file.ended_count, file.ended);
    sum("open", file.open_count, file.open);
    return file;
}

json encode(const ReportHead& head) {
    const auto& service = head.service;
    json controls = json::array();
    for (const auto& control : head.configured_controls)
        controls.push_back({{"key", control.key}, {"on", control.is_on}, {"state", control.state}});
    return {{"ledger_id", head.ledger_id},
            {"time_zone", head.zone},
            {"from", format_date(head.period.from)},
            {"to", format_date(head.period.to)},
            {"as_of", format_instant(head.period.as_of)},
            {"overdue_after_days", head.overdue_after_days},
            {"all_read_at", moment(service.all_read_at)},
            {"changes_read_at", moment(service.changes_read_at)},
            {"fresh_at", moment(service.fresh_at)},
            {"fresh_asked", service.fresh_asked},
            {"fresh_changed", service.fresh_changed},
            {"fresh_failed", service.fresh_failed},
            {"configured_controls", std::move(controls)}};
}

ReportHead decode_head(const json& from) {
    ReportHead head;
    head.ledger_id = from.at("ledger_id").get<std::string>();
    head.zone = from.at("time_zone").get<std::string>();
    head.period = {date_of(from.at("from")), date_of(from.at("to")), moment_of(from.at("as_of")).value()};
    head.overdue_after_days = from.at("overdue_after_days").get<std::int64_t>();
    auto& service = head.service;
    service.all_read_at = moment_of(from.at("all_read_at"));
    service.changes_read_at = moment_of(from.at("changes_read_at"));
    service.fresh_at = moment_of(from.at("fresh_at"));
    service.fresh_asked = from.at("fresh_asked").get<std::int64_t>();
    service.fresh_changed = from.at("fresh_changed").get<std::int64_t>();
    service.fresh_failed = from.at("fresh_failed").get<std::int64_t>();
    for (const auto& control : from.at("configured_controls")) {
        head.configured_controls.push_back({control.at("key").get<std::string>(), control.at("on").get<bool>(),
                                            control.at("state").get<std::string>()});
    }
    return head;
}

ReportSlice decode_slice(const json& from) {
    ReportSlice slice;
    slice.head = decode_head(from.at("head"));
    slice.totals = decode_totals(from.at("totals"));
    for (const auto& line : from.at("lines"))
        slice.lines.push_back(decode_line(line));
    for (const auto& file : from.at("files"))
        slice.files.push_back(decode_file(file));
    if (!from.at("next").is_null()) slice.next = from.at("next").get<std::string>();
    const auto& counted = from.at("counted");
    if (!counted.is_null()) {
        slice.counted.emplace();
        decode(counted.at("draws"), slice.counted->draws);
        decode(counted.at("payments"), slice.counted->payments);
        decode(counted.at("bank_lines"), slice.counted->bank_lines);
    }
    return slice;
}

}  // namespace

json to_json(const ReportSlice& slice) {
    json lines = json::array(), files = json::array(), counted = nullptr;
    for (const auto& line : slice.lines)
        lines.push_back(encode(line));
    for (const auto& file : slice.files)
        files.push_back(encode(file));
    if (slice.counted) {
        counted = {{"draws", slice.counted->draws},
                   {"payments", encode(slice.counted->payments)},
                   {"bank_lines", slice.counted->bank_lines}};
    }
    return {{"head", encode(slice.head)},
            {"totals", encode(slice.totals)},
            {"lines", std::move(lines)},
            {"files", std::move(files)},
            {"next", slice.next.empty() ? json(nullptr) : json(slice.next)},
            {"counted", std::move(counted)}};
}

Result<ReportSlice> slice_from_json(const json& from) {
    const auto refuse = [](const char* why) {
        return fail(ErrorCode::protocol, std::string("the daemon's answer is not a slice of a report (") + why +
                                             "): check that both have the same version");
    };
    try {
        return decode_slice(from);
    } catch (const json::exception& error) {
        return refuse(error.what());
    } catch (const std::out_of_range& error) {
        return refuse(error.what());
    } catch (const std::bad_optional_access& error) {
        return refuse(error.what());
    } catch (const std::bad_expected_access<Error>& error) {
        return refuse(error.error().message.c_str());
    }
}

}  // namespace drawbridge::api
