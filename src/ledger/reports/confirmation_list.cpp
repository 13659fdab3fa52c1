#include "drawbridge/ledger/reports/confirmation_list.hpp"

#include "store/connection.hpp"
#include "store/like.hpp"

namespace drawbridge::ledger {
namespace {

#define CONFIRMATION_FILE_COLUMNS                                                                           \
    "SELECT f.confirmation_file_id, f.sha256, f.name, f.size_bytes, f.recorded_at, f.outcome = 'applied', " \
    "f.line_count, f.report, (SELECT group_concat(h.by, char(10)) FROM confirmation_hand_in h WHERE "       \
    "h.confirmation_file_id = f.confirmation_file_id) FROM confirmation_file f "

ConfirmationFileRow read_confirmation_file(const Query& query) {
    ConfirmationFileRow row{query.integer(0), query.text(1),         query.text(2),    query.integer(3),
                            query.instant(4), query.integer(5) == 1, query.integer(6), query.text(7)};
    std::string names = query.optional_text(8).value_or("");
    while (!names.empty()) {
        const auto end = names.find('\n');
        row.handed_in_by.push_back(names.substr(0, end));
        names.erase(0, end == std::string::npos ? end : end + 1);
    }
    return row;
}

}  // namespace

std::vector<ConfirmationFileRow> confirmation_files_before(Ledger& ledger, std::int64_t id, int limit) {
    Query query(ledger,
                CONFIRMATION_FILE_COLUMNS
                "WHERE f.confirmation_file_id < ? ORDER BY f.confirmation_file_id DESC LIMIT ?",
                newest_before(id), limit);
    std::vector<ConfirmationFileRow> rows;
    while (query.next())
        rows.push_back(read_confirmation_file(query));
    return rows;
}

std::int64_t count_confirmation_files(Ledger& ledger) {
    Query query(ledger, "SELECT count(*) FROM confirmation_file");
    query.next();
    return query.integer(0);
}

std::optional<ConfirmationFileRow> find_confirmation_file(Ledger& ledger, std::string_view sha256_prefix) {
    Query query(ledger, CONFIRMATION_FILE_COLUMNS "WHERE f.sha256 LIKE ? ORDER BY f.confirmation_file_id DESC LIMIT 1",
                std::string(sha256_prefix) + "%");
    if (!query.next()) return std::nullopt;
    return read_confirmation_file(query);
}

std::vector<OutcomeSum> outcomes_of(Ledger& ledger, std::int64_t confirmation_file_id) {
    Query query(ledger,
                R"sql(
        SELECT outcome, count(*), sum(amount_cents)
        FROM confirmation_line
        WHERE confirmation_file_id = ?
        GROUP BY outcome
        ORDER BY outcome)sql",
                confirmation_file_id);
    std::vector<OutcomeSum> sums;
    while (query.next())
        sums.push_back({query.text(0), query.integer(1), query.money(2)});
    return sums;
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
        row.line_id = query.integer(0);
        row.line = query.integer(1);
        row.kind = query.text(2);
        row.payment_reference = query.text(3);
        row.currency = query.text(4);
        row.confirmed_on = query.text(5);
        row.outcome = query.text(6);
        row.reason_code = query.text(7);
        row.detail = query.text(8);
        row.payee_name = query.text(9);
        row.bank_code = query.text(10);
        row.amount = query.money(11);
        row.payment_id = query.optional_integer(12);
        row.draw_id = query.optional_integer(13);
        row.exception_id = query.optional_integer(14);
        lines.push_back(std::move(row));
    }
    return lines;
}

}  // namespace drawbridge::ledger
