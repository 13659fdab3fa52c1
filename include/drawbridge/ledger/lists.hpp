// Lists in pages, for people and programs: at most `limit` rows after a key, and the length of the whole list.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/ledger/backups.hpp"
#include "drawbridge/ledger/exceptions.hpp"
#include "drawbridge/ledger/guards.hpp"
#include "drawbridge/ledger/payments.hpp"

namespace drawbridge::ledger {

// The draws in that state, or all; from the stored totals.
[[nodiscard]] std::int64_t count_draws(Ledger& ledger, const std::optional<std::string>& state);

// By id.
[[nodiscard]] std::vector<FileRow> payment_files_after(Ledger& ledger, FileId after, int limit);
[[nodiscard]] std::int64_t count_payment_files(Ledger& ledger);

// Oldest first, after the exception with this id; 0: from the first.
[[nodiscard]] std::vector<ExceptionRow> open_exceptions_by_age(Ledger& ledger, std::int64_t after, int limit);

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
