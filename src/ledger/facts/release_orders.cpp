#include "drawbridge/ledger/facts/release_orders.hpp"

#include <array>

#include "drawbridge/ledger/facts/makers.hpp"
#include "facts/payment_row.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

constexpr std::array<std::string_view, 4> outcome_names = {"released", "refused", "lapsed", "voided"};

}  // namespace

Result<void> make_release_order(Ledger& ledger, const FileRow& file, DeliveryMethod method, std::string_view reason,
                                const Stamp& stamp) {
    assert_in_transaction(ledger);
    if (auto may = check_may_order(file); !may) return may;
    if (file.order) {
        return fail(ErrorCode::conflict, file.name + ": its release was ordered by " + file.order->ordered.actor +
                                             " at " + format_instant(file.order->ordered.at) +
                                             ", and the daemon carries it out: void the file if it must not go");
    }
    if (auto may = check_may_release(ledger, file, stamp); !may) return may;
    Query(ledger,
          R"sql(
        INSERT INTO release_order (file_id, ordered_at, ordered_by, ordered_uid, reason, by_sftp, encrypted)
        VALUES (?, ?, ?, ?, ?, ?, ?))sql",
          file.file_id, stamp.at, stamp.actor, stamp.uid, reason, method.by_sftp ? 1 : 0, method.encrypted ? 1 : 0)
        .run();
    audit(ledger, stamp, "file.release_ordered", "file " + file.name, with_makers(ledger, file.file_id, reason));
    return {};
}

void record_release_wait(Ledger& ledger, const FileRow& file, std::string_view waits_for, std::string_view detail,
                         const Stamp& stamp) {
    assert_in_transaction(ledger);
    if (!file.order || file.order->waits_for == waits_for) return;
    Query(ledger, "INSERT INTO release_wait (release_order_id, at, waits_for, detail) VALUES (?, ?, ?, ?)",
          file.order->release_order_id, stamp.at, waits_for, detail)
        .run();
    audit(ledger, stamp, "file.release_waits", "file " + file.name,
          std::string(waits_for) + ": " + std::string(detail));
}

void end_release_order(Ledger& ledger, FileId file_id, ReleaseOutcome outcome, std::string_view detail,
                       const Stamp& stamp) {
    assert_in_transaction(ledger);
    const auto name = outcome_names[static_cast<std::size_t>(outcome)];
    const int ended =
        Query(ledger,
              "UPDATE release_order SET ended_at = ?, outcome = ?, detail = ? WHERE file_id = ? AND ended_at IS NULL",
              stamp.at, name, detail, file_id)
            .run_counted();
    // Releasing and voiding have audit entries of their own.
    const bool is_audited = outcome == ReleaseOutcome::released || outcome == ReleaseOutcome::voided;
    if (ended == 1 && !is_audited)
        audit(ledger, stamp, "file.release_" + std::string(name), "file " + file_name(ledger, file_id), detail);
}

}  // namespace drawbridge::ledger
