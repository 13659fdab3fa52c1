// Payment files and their payments: numbers, the plan as intent, and what became of each file.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/ledger/draws.hpp"

namespace drawbridge::ledger {

using FileId = std::int64_t;
// As the bound of a question about the files before one: all of them count.
inline constexpr FileId every_file = std::numeric_limits<FileId>::max();

// Approved draws for which no payment was ever made (a second payment after a return or a void is a person's act),
// ascending. Draws that were blocked in an earlier run are among them: what blocked them may be mended.
[[nodiscard]] std::vector<DrawId> draws_to_pay(Ledger& ledger);

// What was agreed to (amounts only, null ones aside): the amount requested in the reading that our approval decided on,
// if that led to the present Approved state; otherwise the amount in the first reading since the draw last became
// Approved. nullopt: neither is known.
[[nodiscard]] std::optional<Money> agreed_amount(Ledger& ledger, DrawId id);

// The next free numbers; `first_check_number` is the office's, for a ledger that has written no check yet.
[[nodiscard]] disbursement::NumberBlock number_block(Ledger& ledger, BusinessDate creation_date,
                                                     std::int64_t first_check_number);

// The intent: files, payments and the numbers that they used up. Throws when a draw has a live payment.
void record_plan(Ledger& ledger, const disbursement::Plan& plan, const disbursement::PlanSettings& settings,
                 const Stamp& stamp);

struct DeliveryMethod {
    bool by_sftp = false;
    bool encrypted = false;
};

// An open order to release a file (release_orders.hpp).
struct ReleaseOrder {
    std::int64_t release_order_id = 0;
    Stamp ordered;
    std::string reason;
    DeliveryMethod method;
    std::string waits_for;  // "the service", "encryption"; empty: it did not have to wait yet
    std::optional<Instant> waits_since;
};

// releasing: every check has passed, the file is being moved; released: it is in outgoing/.
enum class FileState { planned, staged, releasing, released, voided };
[[nodiscard]] std::string_view to_string(FileState state);

struct FileRow {
    FileId file_id = 0;
    std::string name;
    disbursement::FileKind kind = disbursement::FileKind::payments;
    disbursement::Rail rail = disbursement::Rail::ach;
    FileState state = FileState::planned;
    std::string started_by;
    Instant created_at;
    std::int64_t payment_count = 0;
    std::int64_t prenote_count = 0;
    Money total;
    std::int64_t entry_hash = 0;
    std::string sha256;                                                 // empty while planned
    std::optional<Instant> staged_at, release_ordered_at, released_at;  // ordered: also while the order waits
    std::string release_ordered_by;
    std::optional<ReleaseOrder> order{};  // the open one
    std::optional<Instant> voided_at;
    std::string voided_by;
};

// The money of a file that was released, and the account that it debits.
struct ReleasedSum {
    Instant ordered_at;
    bool waits = false;  // its order is open: it goes when it can
    Money total;
    disbursement::FileProfile profile;
};
// Files of payments whose release `by` ordered then or later, and those whose order by `by` is still open.
[[nodiscard]] std::vector<ReleasedSum> releases_since(Ledger& ledger, Instant since, std::string_view by);
[[nodiscard]] disbursement::FileProfile profile_of(Ledger& ledger, FileId file_id);
// The first file of the run that planned this one.
[[nodiscard]] FileId first_file_of_run(Ledger& ledger, FileId file_id);
[[nodiscard]] std::vector<FileRow> payment_files(Ledger& ledger, bool unreleased_only);
[[nodiscard]] std::optional<FileRow> find_file(Ledger& ledger, std::string_view name);

struct StoredFile {
    disbursement::PlannedFile file;
    disbursement::FileProfile profile;
};
// The rows from which the file's bytes follow.
[[nodiscard]] StoredFile load_file(Ledger& ledger, FileId file_id);

void record_staged(Ledger& ledger, FileId file_id, std::string_view sha256, const Stamp& stamp);
// A staged file for which the release can be ordered. Errors: planned, voided, released.
[[nodiscard]] Result<void> check_may_order(const FileRow& file);
// The file goes from here on, by the order of `stamp`; its line in the manifest is fixed. Errors: not staged, or the
// person behind `stamp` may not release it.
[[nodiscard]] Result<void> order_release(Ledger& ledger, const FileRow& file, std::string_view reason,
                                         const Stamp& stamp);
// On which days its entries are to settle, ascending; none for a check file.
[[nodiscard]] std::vector<BusinessDate> effective_entry_dates(Ledger& ledger, FileId file_id);
// What the bank says that speaks against the file: of its payments, before they went out; of a check that a file of
// check orders is about ("check 10001 was confirmed as paid on 2026-03-04").
[[nodiscard]] std::vector<std::string> bank_report_faults(Ledger& ledger, FileId file_id);
// Ends a file that has not left, and its payments: their draws may be paid anew, under new numbers. That its bytes are
// still here is the caller's to see to. Errors: it may have left, voided already.
[[nodiscard]] Result<void> void_file(Ledger& ledger, const FileRow& file, std::string_view reason, const Stamp& stamp);
// With the names of their encrypted forms.
[[nodiscard]] std::vector<std::string> voided_file_names(Ledger& ledger);
// Of those that were voided in outgoing/, before their upload began: the names that they had there.
[[nodiscard]] std::vector<std::string> recalled_file_names(Ledger& ledger);
// The payments of voided and stopped checks end with it; of a file that goes by SFTP when it is delivered
// (deliveries.hpp).
void record_released(Ledger& ledger, FileId file_id, const Stamp& stamp);

}  // namespace drawbridge::ledger
