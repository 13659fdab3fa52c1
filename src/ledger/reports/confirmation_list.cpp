#include "drawbridge/ledger/reports/confirmation_list.hpp"

#include "store/connection.hpp"
#include "store/like.hpp"

namespace drawbridge::ledger {
namespace {

#define CONFIRMATION_FILE_COLUMNS                                                                           \
    "SELECT confirmation_file_id, sha256, name, size_bytes, recorded_at, outcome = 'applied', line_count, " \
    "completed_at IS NULL, report FROM confirmation_file "

ConfirmationFileRow read_confirmation_file(const Query& query) {
    ConfirmationFileRow row;
    query.read(row.confirmation_file_id, row.sha256, row.name, row.size_bytes, row.recorded_at, row.applied,
               row.line_count, row.is_being_recorded, row.report);
    return row;
}

void add_hands(Ledger& ledger, ConfirmationFileRow& row) {
    Query query(ledger, "SELECT by FROM confirmation_hand_in WHERE confirmation_file_id = ? ORDER BY hand_in_id",
                row.confirmation_file_id);
    row.handed_in_by = query.records<std::string>();
}

}  // namespace

std::vector<ConfirmationFileRow> confirmation_files_before(Ledger& ledger, std::int64_t id, int limit) {
    std::vector<ConfirmationFileRow> rows;
    {
        Query query(ledger,
                    CONFIRMATION_FILE_COLUMNS
                    "WHERE confirmation_file_id < ? ORDER BY confirmation_file_id DESC LIMIT ?",
                    newest_before(id), limit);
        while (query.next())
            rows.push_back(read_confirmation_file(query));
    }
    for (auto& row : rows)
        add_hands(ledger, row);
    return rows;
}

std::int64_t count_confirmation_files(Ledger& ledger) {
    Query query(ledger, "SELECT count(*) FROM confirmation_file");
    return query.only<std::int64_t>();
}

std::optional<ConfirmationFileRow> find_confirmation_file(Ledger& ledger, std::string_view prefix) {
    Query query(ledger, CONFIRMATION_FILE_COLUMNS "WHERE sha256 LIKE ? ORDER BY confirmation_file_id DESC LIMIT 1",
                std::string(prefix) + "%");
    if (!query.next()) return std::nullopt;
    auto row = read_confirmation_file(query);
    add_hands(ledger, row);
    return row;
}

std::vector<OutcomeSum> outcomes_of(Ledger& ledger, std::int64_t confirmation_file_id) {
    Query query(ledger,
                R"sql(
        SELECT outcome, lines, cents, paid_cents
        FROM confirmation_sum
        WHERE confirmation_file_id = ?
        ORDER BY outcome)sql",
                confirmation_file_id);
    return query.records<OutcomeSum>();
}

std::vector<ConfirmationLineRow> confirmation_lines(Ledger& ledger, std::int64_t confirmation_file_id,
                                                    std::int64_t after_line_id, int limit) {
    Query query(ledger,
                R"sql(
        SELECT l.line_id, l.line, l.kind, l.payment_reference, l.currency, l.confirmed_on, l.outcome, l.reason_code,
            l.detail, l.payee_name, l.bank_code, l.amount_cents, l.payment_id, p.draw_id,
            (SELECT max(e.exception_id) FROM line_exception e WHERE e.line_id = l.line_id)
        FROM confirmation_line l
        LEFT JOIN payment p ON p.payment_id = l.payment_id
        WHERE l.confirmation_file_id = ? AND l.line_id > ?
        ORDER BY l.line_id
        LIMIT ?)sql",
                confirmation_file_id, after_line_id, limit);
    std::vector<ConfirmationLineRow> lines;
    while (query.next()) {
        ConfirmationLineRow row;
        query.read(row.line_id, row.line, row.kind, row.payment_reference, row.currency, row.confirmed_on, row.outcome,
                   row.reason_code, row.detail, row.payee_name, row.bank_code, row.amount, row.payment_id, row.draw_id,
                   row.exception_id);
        lines.push_back(std::move(row));
    }
    return lines;
}

}  // namespace drawbridge::ledger
