#include "file_view.hpp"

#include <algorithm>

#include "delivery_view.hpp"
#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/ledger/facts/evidence.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/sent_before.hpp"
#include "drawbridge/ledger/reports/file_details.hpp"
#include "drawbridge/pipeline/forecast.hpp"
#include "page.hpp"

namespace drawbridge::admin {
namespace {

using ledger::FileRow;
using ledger::FileState;

std::optional<FileState> parse_file_state(const std::string& text) {
    for (const auto state : ledger::all_file_states) {
        if (text == ledger::to_string(state)) return state;
    }
    return std::nullopt;
}

json listed_file(AdminContext& context, const FileRow& row) {
    auto file = with_makers(context.ledger, row);
    file.delivery = delivery_record(context.ledger, row);
    file.evidence = ledger::evidence_of(context.ledger, row.file_id);
    return to_json(file);
}

struct FilesWanted {
    Page page;
    std::optional<FileState> state;
    bool newest_first = true;
};

Result<FilesWanted> read_files_wanted(const Call& call) {
    FilesWanted wanted;
    for (const auto& [key, value] : call.query) {
        if (key == "state") {
            wanted.state = parse_file_state(value);
            if (!wanted.state) {
                return fail(ErrorCode::invalid_input,
                            "unknown state '" + value + "': use one of planned, staged, releasing, released, voided");
            }
        } else if (key == "order") {
            if (value != "newest" && value != "oldest")
                return fail(ErrorCode::invalid_input, "parameter 'order' is neither newest nor oldest");
            wanted.newest_first = value == "newest";
        } else {
            const auto taken = read_page_parameter(wanted.page, key, value);
            if (!taken) return std::unexpected(taken.error());
            if (!*taken) return fail(ErrorCode::invalid_input, "unknown parameter '" + key + "'");
        }
    }
    return wanted;
}

std::vector<FileRow> wanted_files(AdminContext& context, const FilesWanted& wanted) {
    const auto& page = wanted.page;
    if (wanted.newest_first)
        return ledger::payment_files_before(context.ledger, page.after, wanted.state, page.wanted());
    if (wanted.state) return ledger::payment_files_in(context.ledger, *wanted.state, page.after, page.wanted());
    return ledger::payment_files_after(context.ledger, page.after, page.wanted());
}

// nullopt: it is a check file.
std::optional<records::Control> control_of(const FileRow& file, const std::vector<ledger::BatchRow>& batches) {
    if (file.rail != disbursement::Rail::ach) return std::nullopt;
    constexpr std::int64_t records_per_block = 10;
    std::int64_t entries = 0, addenda = 0;
    Money credits, debits;
    for (const auto& batch : batches) {
        entries += batch.payments + batch.prenotes + (batch.debits == Money() ? 0 : 1);
        addenda += batch.addenda;
        credits += batch.credits;
        debits += batch.debits;
    }
    const auto batch_count = static_cast<std::int64_t>(batches.size());
    const auto all_records = 2 + 2 * batch_count + entries + addenda;
    return records::Control{.batch_count = batch_count,
                            .block_count = (all_records + records_per_block - 1) / records_per_block,
                            .entry_addenda_count = entries + addenda,
                            .entry_hash = file.entry_hash,
                            .debits = debits,
                            .credits = credits};
}

records::FilePayment file_payment(const ledger::FilePaymentRow& row) {
    return {.payment_id = disbursement::format_payment_id(row.payment_id),
            .draw_id = row.draw_id,
            .amount = row.amount,
            .payee_key = row.payee_key,
            .payee_name = row.payee_name,
            .account = row.masked_account,
            .trace_number = row.trace_number,
            .check_number = row.check_number,
            .effective_entry_date = row.effective_entry_date,
            .case_name = if_any(row.case_name),
            .approved_by = if_any(row.approved_by),
            .first_time = row.first_time};
}

// A check that a file of check orders voids or stops: a payment of another file.
records::FilePayment file_payment(const disbursement::PlannedPayment& payment) {
    return {.payment_id = disbursement::format_payment_id(payment.payment_id),
            .draw_id = payment.draw_id,
            .amount = payment.amount,
            .payee_key = payment.payee.key,
            .payee_name = payment.payee.name,
            .account = {},
            .trace_number = payment.trace_number,
            .check_number = payment.check_number};
}

struct PaymentsWanted {
    std::int64_t after = -1;
    int limit = max_page_rows;
};

Result<PaymentsWanted> read_payments_wanted(const Call& call) {
    PaymentsWanted wanted;
    for (const auto& [key, value] : call.query) {
        Result<std::int64_t> number = 0;
        if (key == "payments_after") {
            number = whole_number(value, key, 0, INT64_MAX);
            if (number) wanted.after = *number;
        } else if (key == "payments_limit") {
            number = read_limit(value, key);
            if (number) wanted.limit = static_cast<int>(*number);
        } else {
            number = fail(ErrorCode::invalid_input, "unknown parameter '" + key + "'");
        }
        if (!number) return std::unexpected(number.error());
    }
    return wanted;
}

void add_file_payments(AdminContext& context, const FileRow& file, const PaymentsWanted& wanted, json& answer) {
    answer["next_payments_after"] = nullptr;
    answer["payments"] = json::array();
    if (file.kind == disbursement::FileKind::check_orders) {
        for (const auto& payment : ledger::load_file(context.ledger, file.file_id).file.payments)
            answer["payments"].push_back(to_json(file_payment(payment)));
        return;
    }
    auto rows = ledger::payments_of(context.ledger, file.file_id, wanted.after, wanted.limit + 1);
    if (rows.size() > static_cast<std::size_t>(wanted.limit)) {
        rows.resize(static_cast<std::size_t>(wanted.limit));
        answer["next_payments_after"] = rows.back().payment_id;
    }
    for (const auto& row : rows)
        answer["payments"].push_back(to_json(file_payment(row)));
}

}  // namespace

json may_release_view(AdminContext& context, const FileRow& file, const Call& call) {
    const auto no = [](std::string because) { return to_json(records::MayRelease{false, std::move(because)}); };
    if (auto may = ledger::check_may_order(file); !may) return no(may.error().message);
    if (!call.standing.roles.has(ledger::Role::releaser)) {
        return no("this needs the role releaser, and you have " +
                  (call.standing.roles.empty() ? std::string("no role") : to_string(call.standing.roles)));
    }
    if (auto may = ledger::check_may_release(context.ledger, file, stamp(context, call)); !may)
        return no(may.error().message);
    if (const auto movement = ledger::movement(context.ledger); movement && movement->paused) {
        return no("all movement of money is paused by " + movement->by + ": " + movement->reason);
    }
    return to_json(records::MayRelease{true, "you had no hand in it"});
}

Result<void> check_expected(AdminContext& context, const std::string& name, const json& body) {
    const auto expected = body.find("expect");
    if (expected == body.end()) return {};
    if (!expected->is_object()) return fail(ErrorCode::invalid_input, "'expect' is not an object");
    const auto file = ledger::find_file(context.ledger, name);
    if (!file) return {};  // the release says so
    const json is = {{"sha256", file->sha256}, {"payments", file->payment_count}, {"total", file->total.to_string()}};
    for (const auto& [key, value] : expected->items()) {
        if (!is.contains(key)) return fail(ErrorCode::invalid_input, "'expect' has an unknown key '" + key + "'");
        if (is[key] == value) continue;
        return fail(ErrorCode::conflict, name + ": its " + key + " is " + is[key].dump() + ", not " + value.dump() +
                                             ": it is not the file that was looked at: look again");
    }
    return {};
}

Answer get_files(AdminContext& context, const Call& call) {
    const auto wanted = read_files_wanted(call);
    if (!wanted) return std::unexpected(wanted.error());
    json answer = page_view<FileRow>(
        "files", wanted_files(context, *wanted), wanted->page,
        [&](const auto& file) { return listed_file(context, file); }, [](const auto& file) { return file.file_id; });
    if (wanted->page.with_total) {
        answer["total"] = wanted->state ? ledger::count_payment_files_in(context.ledger, *wanted->state)
                                        : ledger::count_payment_files(context.ledger);
    }
    return answer;
}

Answer get_file(AdminContext& context, const Call& call) {
    const auto wanted = read_payments_wanted(call);
    if (!wanted) return std::unexpected(wanted.error());
    const auto file = ledger::find_file(context.ledger, call.path[1]);
    if (!file) return fail(ErrorCode::not_found, ledger::no_file_named(context.ledger, call.path[1]));
    auto record = with_makers(context.ledger, *file);
    record.delivery = delivery_record(context.ledger, *file, /*with_steps=*/true);
    record.evidence = ledger::evidence_of(context.ledger, file->file_id);
    const auto words = ledger::words_of(context.ledger, file->file_id);
    record.release_reason =
        if_any(words.release_reason.empty() && file->order ? file->order->reason : words.release_reason);
    record.void_reason = if_any(words.void_reason);
    const auto batches = ledger::batches_of(context.ledger, file->file_id);
    json answer = {
        {"file", to_json(record)}, {"batches", to_json(batches)}, {"control", to_json(control_of(*file, batches))}};
    answer["effective_entry_dates"] = to_json(ledger::effective_entry_dates(context.ledger, file->file_id));
    answer["settlement_deadline"] = to_json(pipeline::settlement_deadline(context.shared, *file));
    answer["may_release"] = may_release_view(context, *file, call);
    const auto first_time = ledger::first_time_payees(context.ledger, file->file_id);
    answer["first_time_payees"] = {{"count", first_time.payees}, {"amount", first_time.amount.to_string()}};
    answer["largest_payment"] = ledger::largest_payment(context.ledger, file->file_id).to_string();
    answer["earlier_file"] = to_json(ledger::file_before(context.ledger, *file));
    add_file_payments(context, *file, *wanted, answer);
    return answer;
}

}  // namespace drawbridge::admin
