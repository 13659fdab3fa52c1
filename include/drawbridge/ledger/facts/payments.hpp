// Payment files and their payments: numbers, the plan as an intent, and the state of each file.
#pragma once

#include <boost/describe/enum.hpp>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/ledger/facts/draws.hpp"

namespace drawbridge::ledger {

using FileId = std::int64_t;
// The value of a bound `before` that includes every file.
inline constexpr FileId every_file = std::numeric_limits<FileId>::max();

// Approved draws that were never paid, ascending; paying again after a return or a void takes a person's order. Draws
// that were blocked in an earlier run are included, because the cause may be fixed.
[[nodiscard]] std::vector<DrawId> draws_to_pay(Ledger& ledger);
// Some of them: those of one state. A draw is in one of these.
inline constexpr std::string_view states_to_pay[] = {"approved", "blocked"};
[[nodiscard]] std::vector<DrawId> draws_to_pay(Ledger& ledger, std::string_view state, DrawId after, int limit);

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
    std::string waits_for;  // "the service", "encryption"; empty: it does not wait
    std::optional<Instant> waits_since;
};

// releasing: every check has passed and the file is being moved. released: it is in outgoing/.
enum class FileState { planned, staged, releasing, released, voided };
BOOST_DESCRIBE_ENUM(FileState, planned, staged, releasing, released, voided)
inline constexpr FileState all_file_states[] = {FileState::planned, FileState::staged, FileState::releasing,
                                                FileState::released, FileState::voided};
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
    std::string sha256;  // empty until staged
    std::optional<Instant> staged_at, release_ordered_at,
        released_at;  // the two about the order are also set while it waits
    std::string release_ordered_by;
    std::optional<ReleaseOrder> order{};  // the open one
    std::optional<Instant> voided_at;
    std::string voided_by;
    std::optional<Instant> planned_at;  // nullopt: the pay step still adds payments
};

// The total of a released file, and the profile with the account that it debits.
struct ReleasedSum {
    Instant at;          // when it was released, or ordered if it waits
    bool waits = false;  // ordered and not released
    Money total;
    std::optional<disbursement::FileProfile> profile;  // nullopt: it left before the ledger was restored
};
// Files of payments that left at `since` or later by an order of `by`, and those with an open order of `by`.
[[nodiscard]] std::vector<ReleasedSum> releases_since(Ledger& ledger, Instant since, std::string_view by);
[[nodiscard]] disbursement::FileProfile profile_of(Ledger& ledger, FileId file_id);
// Every account that checks of this ledger are drawn on, each once.
[[nodiscard]] std::vector<AccountNumber> accounts_of_checks(Ledger& ledger);
// The first file of the run that planned this one.
[[nodiscard]] FileId first_file_of_run(Ledger& ledger, FileId file_id);
[[nodiscard]] std::vector<FileRow> payment_files(Ledger& ledger, bool unreleased_only);
[[nodiscard]] std::optional<FileRow> find_file(Ledger& ledger, std::string_view name);

struct StoredFile {
    disbursement::PlannedFile file;
    disbursement::FileProfile profile;
};
// Everything that determines the file's bytes.
[[nodiscard]] StoredFile load_file(Ledger& ledger, FileId file_id);
// Without its payments.
[[nodiscard]] StoredFile load_file_without_payments(Ledger& ledger, FileId file_id);
// The position of a payment in its file.
struct PaymentPosition {
    std::int64_t batch_number = -1;
    std::int64_t payment_id = 0;
};
// The next payments of a file of payments, in file order.
[[nodiscard]] std::vector<disbursement::PlannedPayment> load_payments(Ledger& ledger, FileId file_id,
                                                                      PaymentPosition after, int limit);
// SHA-256 over every column of a file's payments that matters for money, in file order. The audit trail contains it
// from the time of planning, so `verify` detects a payment that was changed afterwards. The file must not get payments
// meanwhile.
class RowsDigest {
  public:
    RowsDigest(Ledger& ledger, FileId file_id);
    ~RowsDigest();
    RowsDigest(RowsDigest&&) noexcept;
    RowsDigest& operator=(RowsDigest&&) = delete;

    // Reads up to that many payments. False: there are no more.
    [[nodiscard]] bool read_some(int payments);
    [[nodiscard]] std::string hex();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

// The payments of a planned file as its manifest line names them (reconciliation::append_payment). For a file of check
// orders: the checks that it is about.
class ExportedPayments {
  public:
    ExportedPayments(Ledger& ledger, FileId file_id) : ledger_(&ledger), file_id_(file_id) {}
    // Reads up to that many payments. False: there are no more.
    bool read_some(int payments);
    // Reads the others first.
    [[nodiscard]] const std::string& text();

  private:
    Ledger* ledger_;
    FileId file_id_;
    PaymentPosition after_{};
    bool is_complete_ = false;
    std::string text_;
};

struct PaidDraw {
    PaymentPosition position;
    DrawId draw_id = 0;
};
[[nodiscard]] std::vector<PaidDraw> paid_draws(Ledger& ledger, FileId file_id, PaymentPosition after, int limit);
// Sorted by draw id.
[[nodiscard]] std::vector<disbursement::PlannedPayment> load_payments(Ledger& ledger,
                                                                      const std::vector<std::int64_t>& payment_ids);
// The payment must be in the ledger.
[[nodiscard]] disbursement::PlannedPayment load_payment(Ledger& ledger, std::int64_t payment_id);
[[nodiscard]] disbursement::PlannedPrenote load_prenote(Ledger& ledger, std::int64_t prenote_id);

void record_staged(Ledger& ledger, FileId file_id, std::string_view sha256, const Stamp& stamp);
// Whether the release of the file can be ordered. Errors: it is planned, voided or released.
[[nodiscard]] Result<void> check_may_order(const FileRow& file);
// The file is released from here on by the order of `stamp`; this fixes its manifest line. Errors: not staged, or the
// person behind `stamp` may not release it.
[[nodiscard]] Result<void> order_release(Ledger& ledger, const FileRow& file, std::string_view reason,
                                         const Stamp& stamp);
[[nodiscard]] Result<void> order_release(Ledger& ledger, const FileRow& file, std::string_view reason,
                                         const Stamp& stamp, ExportedPayments& payments);
// The effective entry dates of its batches (NACHA: 5 record, field 9), ascending; none for a check file.
[[nodiscard]] std::vector<BusinessDate> effective_entry_dates(Ledger& ledger, FileId file_id);
// What keeps the file of these payments from leaving: reports from the bank about them, although they have not gone
// out, or about earlier payments of their draws; and payments that have ended.
[[nodiscard]] std::vector<std::string> bank_objections(Ledger& ledger, const std::vector<std::int64_t>& payment_ids);
// The checks that a file of check orders is about and that the bank has confirmed ("check 10001 was confirmed as paid
// on 2026-03-04").
[[nodiscard]] std::vector<std::string> confirmed_checks(Ledger& ledger, FileId file_id);
// What to do first if a released file is to be voided: the bank may have it. Empty: nothing.
[[nodiscard]] std::string before_void(Ledger& ledger, const FileRow& file);
// Ends a file that has not left, and its payments; their draws may be paid again under new numbers. The caller makes
// sure that the file is still here. Errors: it may have left; it is already voided.
[[nodiscard]] Result<void> void_file(Ledger& ledger, const FileRow& file, std::string_view reason, const Stamp& stamp);
// Includes the names of their encrypted forms.
[[nodiscard]] std::vector<std::string> voided_file_names(Ledger& ledger);
// Files that were voided in outgoing/ before their upload started: their names there.
[[nodiscard]] std::vector<std::string> recalled_file_names(Ledger& ledger);
// Also ends the payments whose checks it voids or stops; for SFTP that happens at delivery (deliveries.hpp).
void record_released(Ledger& ledger, FileId file_id, const Stamp& stamp);

// Files, by ascending id.
[[nodiscard]] std::vector<FileRow> payment_files_after(Ledger& ledger, FileId after, int limit);
[[nodiscard]] std::int64_t count_payment_files(Ledger& ledger);
[[nodiscard]] std::int64_t count_payment_files_in(Ledger& ledger, FileState state);
// Files, newest first, older than `before` (0: from the newest); in this state, or all.
[[nodiscard]] std::vector<FileRow> payment_files_before(Ledger& ledger, FileId before, std::optional<FileState> state,
                                                        int limit);
// Files in this state, by ascending id, greater than `after`.
[[nodiscard]] std::vector<FileRow> payment_files_in(Ledger& ledger, FileState state, FileId after, int limit);

}  // namespace drawbridge::ledger
