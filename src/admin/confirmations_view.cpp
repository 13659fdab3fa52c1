#include "reads.hpp"

#include <sstream>

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/ledger/reports/confirmation_list.hpp"
#include "page.hpp"

namespace drawbridge::admin {
namespace {

json confirmation_view(AdminContext& context, const ledger::ConfirmationFileRow& row) {
    json outcomes = json::object();
    Money paid, returned;
    for (const auto& sum : ledger::outcomes_of(context.ledger, row.confirmation_file_id)) {
        outcomes[sum.outcome] = to_json(sum);
        if (sum.outcome != "applied") continue;
        paid = sum.paid;
        returned = sum.amount - sum.paid;
    }
    return to_json(records::Confirmation{.id = row.confirmation_file_id,
                                         .sha256 = row.sha256,
                                         .name = row.name,
                                         .size_bytes = row.size_bytes,
                                         .recorded_at = row.recorded_at,
                                         .outcome = row.is_being_recorded ? "recording"
                                                    : row.applied         ? "applied"
                                                                          : "refused",
                                         .line_count = row.line_count,
                                         .paid = paid,
                                         .returned = returned,
                                         .handed_in_by = row.handed_in_by,
                                         .outcomes = std::move(outcomes)});
}

json confirmation_line_view(const ledger::ConfirmationLineRow& row) {
    return to_json(records::ConfirmationLine{.line = row.line,
                                             .says = row.kind,
                                             .payment_reference = row.payment_reference,
                                             .amount = row.amount,
                                             .currency = row.currency,
                                             .date = row.confirmed_on,
                                             .bank_code = if_any(row.bank_code),
                                             .payee_name = if_any(row.payee_name),
                                             .outcome = row.outcome,
                                             .reason_code = if_any(row.reason_code),
                                             .detail = if_any(row.detail),
                                             .payment_id = payment_name(row.payment_id),
                                             .draw_id = row.draw_id,
                                             .exception_id = row.exception_id});
}

json lines_of(const std::string& text) {
    json lines = json::array();
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

}  // namespace

Answer get_confirmations(AdminContext& context, const Call& call) {
    const auto page = read_page(call);
    if (!page) return std::unexpected(page.error());
    json answer = page_view<ledger::ConfirmationFileRow>(
        "confirmations", ledger::confirmation_files_before(context.ledger, page->after, page->wanted()), *page,
        [&](const auto& row) { return confirmation_view(context, row); },
        [](const auto& row) { return row.confirmation_file_id; });
    if (page->with_total) answer["total"] = ledger::count_confirmation_files(context.ledger);
    return answer;
}

Answer get_confirmation(AdminContext& context, const Call& call) {
    const auto page = read_page(call);
    if (!page) return std::unexpected(page.error());
    const std::string& hash = call.path[1];
    if (const auto good = check_hash_prefix(hash, "the SHA-256 of a file", "it"); !good)
        return std::unexpected(good.error());
    const auto file = ledger::find_confirmation_file(context.ledger, hash);
    if (!file) return fail(ErrorCode::not_found, "no confirmation file has a SHA-256 that begins with " + hash);
    json answer = page_view<ledger::ConfirmationLineRow>(
        "lines", ledger::confirmation_lines(context.ledger, file->confirmation_file_id, page->after, page->wanted()),
        *page, [](const auto& row) { return confirmation_line_view(row); },
        [](const auto& row) { return row.line_id; });
    if (page->with_total) answer["total"] = file->line_count;
    answer["confirmation"] = confirmation_view(context, *file);
    answer["problems"] = lines_of(file->report);
    return answer;
}

}  // namespace drawbridge::admin
