// The kind of one entry in a draw's timeline. The ledger sets it where it makes the entry, and the console
// takes its heading and its color from it. It is never read out of text that a person or a bank wrote.
#pragma once

#include <boost/describe/enum.hpp>
#include <optional>
#include <string_view>

namespace drawbridge {

enum class TimelineEvent {
    draw_read,
    decided_approve,
    decided_hold,
    // The approval at the service.
    approval_submitted,
    approval_approved,
    approval_refused,
    approval_not_applied,
    approval_abandoned,
    payment_planned,
    payment_voided,  // before it went out
    file_staged,
    file_voided,
    file_released,
    file_delivered,  // by our upload
    file_at_bank,    // somebody says so
    check_ordered,   // void or stop
    check_order_withdrawn,
    check_order_transmitted,
    reissue_ordered,
    // A line of a bank file that decided the payment, or did not.
    line_paid,
    line_returned,
    line_void,
    line_duplicate,
    line_exception,
    line_recorded,
    // A line that a person matched.
    match_paid,
    match_returned,
    match_void,
    match_undone,
    settled_by_time,
    // The disbursedDate.
    report_queued,
    report_failed,  // an attempt
    report_accepted,
    report_already_there,
    report_withdrawn,
    // Texts in the draw's fields.
    text_queued,
    text_failed,  // an attempt
    text_written,
    text_already_there,
    text_refused,
    text_overtaken,
    exception_opened,
    exception_closed,
};
BOOST_DESCRIBE_ENUM(TimelineEvent, draw_read, decided_approve, decided_hold, approval_submitted, approval_approved,
                    approval_refused, approval_not_applied, approval_abandoned, payment_planned, payment_voided,
                    file_staged, file_voided, file_released, file_delivered, file_at_bank, check_ordered,
                    check_order_withdrawn, check_order_transmitted, reissue_ordered, line_paid, line_returned,
                    line_void, line_duplicate, line_exception, line_recorded, match_paid, match_returned, match_void,
                    match_undone, settled_by_time, report_queued, report_failed, report_accepted, report_already_there,
                    report_withdrawn, text_queued, text_failed, text_written, text_already_there, text_refused,
                    text_overtaken, exception_opened, exception_closed)
[[nodiscard]] std::string_view to_string(TimelineEvent event);  // "line_paid"
[[nodiscard]] std::optional<TimelineEvent> parse_timeline_event(std::string_view text);

}  // namespace drawbridge
