// Lists in pages, for people and programs: at most `limit` rows after a key, and the length of the whole list.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/guards.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/store/backups.hpp"

namespace drawbridge::ledger {

inline constexpr FileState all_file_states[] = {FileState::planned, FileState::staged, FileState::releasing,
                                                FileState::released, FileState::voided};
// Files, by ascending id.
[[nodiscard]] std::vector<FileRow> payment_files_after(Ledger& ledger, FileId after, int limit);
[[nodiscard]] std::int64_t count_payment_files(Ledger& ledger);
[[nodiscard]] std::int64_t count_payment_files_in(Ledger& ledger, FileState state);
// Files, newest first, older than `before` (0: from the newest); in this state, or all.
[[nodiscard]] std::vector<FileRow> payment_files_before(Ledger& ledger, FileId before, std::optional<FileState> state,
                                                        int limit);
// Files in this state, by ascending id, greater than `after`.
[[nodiscard]] std::vector<FileRow> payment_files_in(Ledger& ledger, FileState state, FileId after, int limit);

// An empty text filters nothing.
struct ExceptionFilter {
    std::string reason_code, step;
    std::optional<Instant> closed_from = {}, closed_before = {};  // of closed ones
    std::int64_t after = 0;  // the exception with this id: open ones by age behind it, closed ones older than it
    int limit = 1000;
};
[[nodiscard]] std::vector<ExceptionRow> list_open_exceptions(Ledger& ledger, const ExceptionFilter& filter);
// Newest first.
[[nodiscard]] std::vector<ExceptionRow> list_closed_exceptions(Ledger& ledger, const ExceptionFilter& filter);
[[nodiscard]] std::int64_t count_exceptions(Ledger& ledger, bool open, const ExceptionFilter& filter);

// The amount of its payment, its line in a confirmation file, or its draw; nullopt: it is about none of them.
[[nodiscard]] std::optional<Money> amount_of_exception(Ledger& ledger, const ExceptionRow& row);

// Newest first, older than the backup at this audit entry; 0: from the newest.
[[nodiscard]] std::vector<Backup> backups_before(Ledger& ledger, std::int64_t audit_seq, int limit);
[[nodiscard]] std::int64_t count_backups(Ledger& ledger);

struct ListedPayRun {
    std::int64_t pay_run_id = 0;
    PayRun run;
};
// Newest first, older than that run; 0: from the newest.
[[nodiscard]] std::vector<ListedPayRun> pay_runs_before(Ledger& ledger, std::int64_t pay_run_id, int limit);
[[nodiscard]] std::int64_t count_pay_runs(Ledger& ledger);

}  // namespace drawbridge::ledger
