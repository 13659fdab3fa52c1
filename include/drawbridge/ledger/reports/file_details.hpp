// What a person looks at before a payment file goes: its batches and control totals, its payments, payees that are paid
// for the first time.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/ledger/facts/payments.hpp"

namespace drawbridge::ledger {

struct BatchRow {
    std::int64_t number = 0;
    std::string sec_code;
    std::string effective_entry_date;
    std::int64_t payments = 0, prenotes = 0, addenda = 0;
    Money credits, debits;  // debits: the entry that balances the batch
};
BOOST_DESCRIBE_STRUCT(BatchRow, (),
                      (number, sec_code, effective_entry_date, payments, prenotes, addenda, credits, debits))
// The batches of an ACH file, by number; none for a check file.
[[nodiscard]] std::vector<BatchRow> batches_of(Ledger& ledger, FileId file_id);

struct FilePaymentRow {
    std::int64_t payment_id = 0;
    DrawId draw_id = 0;
    Money amount;
    std::string payee_key, payee_name;
    std::optional<std::string> masked_account, trace_number;
    std::optional<std::int64_t> check_number;
    std::optional<std::string> effective_entry_date;
    std::string case_name;
    std::string approved_by;  // "rule 'small draws'", or the person who decided; empty: in the portal
    bool first_time = false;  // nothing that went out before paid this payee
};
// In the order of the file, behind that payment (0: from the first).
[[nodiscard]] std::vector<FilePaymentRow> payments_of(Ledger& ledger, FileId file_id, std::int64_t after_payment,
                                                      int limit);

struct FirstTimePayees {
    std::int64_t payees = 0;
    Money amount;
};
[[nodiscard]] FirstTimePayees first_time_payees(Ledger& ledger, FileId file_id);

struct FileWords {
    std::string release_reason, void_reason;  // empty: neither happened
};
[[nodiscard]] FileWords words_of(Ledger& ledger, FileId file_id);

// The newest file of the same rail that went out before this one, to compare it with.
struct EarlierFile {
    std::string name;
    std::int64_t payments = 0;
    Money total, largest;
};
BOOST_DESCRIBE_STRUCT(EarlierFile, (), (name, payments, total, largest))
[[nodiscard]] std::optional<EarlierFile> file_before(Ledger& ledger, const FileRow& file);
[[nodiscard]] Money largest_payment(Ledger& ledger, FileId file_id);

}  // namespace drawbridge::ledger
