// The classes of lines: their names, their meaning, and what a person does about them.
#include <algorithm>
#include <array>
#include <boost/describe/enum_to_string.hpp>

#include "drawbridge/domain/assert.hpp"
#include "drawbridge/reconciliation/lines.hpp"

namespace drawbridge::reconciliation {
namespace {

using enum LineClass;
using enum LineGroup;

constexpr std::array<LineClassInfo, line_class_count> all_words{{
    {pending, in_flight, false, "pending: waits for a decision", ""},
    {held, in_flight, false, "held: a person must decide", "drawbridge draws --state held"},
    {approving, in_flight, false, "approving: the approval is in progress", ""},
    {approved, in_flight, false, "approved, not paid yet", ""},
    {planned, in_flight, false, "in a payment file that is not written yet", ""},
    {staged, in_flight, false, "in a payment file that waits for release", "drawbridge release FILE --reason …"},
    {released, in_flight, false, "released to the bank, not confirmed", ""},
    {confirmed, in_flight, false, "paid by the bank, not Disbursed at the service",
     "mark it as Disbursed in the portal"},
    {disbursed, in_flight, false, "paid and Disbursed, date not reported yet", ""},
    {reported, agrees, true, "paid by the bank, Disbursed at the service and reported", ""},
    {cancelled, agrees, true, "cancelled, never paid", ""},
    {came_back, agrees, true, "paid, returned and cancelled", ""},
    {replaced, agrees, true, "returned and reissued", ""},
    {voided, agrees, true, "voided before it was sent", ""},
    {bank_duplicate, agrees, true, "bank line: duplicate of a recorded fact", ""},
    {bank_no_effect, agrees, true, "bank line: no effect on our payments", ""},
    {bank_exception_closed, agrees, true, "bank line: resolved by a person", ""},
    {disbursed_before_us, not_ours, true, "Disbursed before Drawbridge first saw it", ""},
    {blocked, differs, false, "approved, but cannot be paid", "see its exception"},
    {external, differs, true, "Disbursed outside Drawbridge", "find out who paid it and how; Drawbridge never pays it"},
    {sent_before_restore, differs, true, "Disbursed, paid by a file that left before this ledger was restored",
     "check the payment on the bank's statement"},
    {cancelled_after_payment, differs, false, "cancelled after its payment was made",
     "stop or recall the payment, or get the draw restored"},
    {status_went_back, differs, false, "its status changed back after its payment was made",
     "find out who changed it, and get it corrected"},
    {unknown_status, differs, false, "the service shows an unknown status", "ask the operators of the service"},
    {amount_changed_after_payment, differs, false, "its amount was changed after its payment was made",
     "get it corrected, or settle the difference outside Drawbridge"},
    {amount_disbursed_differs, differs, false, "the service shows a different disbursed amount",
     "get the amount corrected in the portal"},
    {disbursed_before_release, differs, false, "Disbursed at the service before our payment was sent",
     "find out whether it was paid another way; if so, void the file"},
    {returned, differs, false, "returned or voided, not paid again",
     "drawbridge reissue DRAW --reason …, or get it cancelled"},
    {returned_after_disbursed, differs, false, "returned after it was Disbursed at the service",
     "drawbridge reissue DRAW --reason …; the service cannot undo Disbursed"},
    {paid_never_disbursed, differs, false, "paid, but never marked as Disbursed", "mark it as Disbursed in the portal"},
    {unconfirmed_too_long, differs, false, "released long ago, never confirmed",
     "ask the bank; drop its confirmation into inbox/"},
    {unpaid_too_long, differs, false, "approved long ago, not sent",
     "release or void its file; check `drawbridge status`"},
    {settlement_date_passed, differs, false, "in a payment file that is too late for its settlement date",
     "drawbridge void FILE --reason …"},
    {date_differs, differs, false, "the service shows a different disbursement date than reported",
     "find out who changed it"},
    {exception_open, differs, false, "an exception is open", "drawbridge exceptions"},
    {bank_line_unmatched, differs, false, "bank line: matches no payment of ours",
     "ask the bank; drawbridge exceptions"},
    {bank_line_in_doubt, differs, false, "bank line: not applied, needs review", "drawbridge exceptions"},
    {file_totals_differ, differs, false, "payment file: its totals differ from its payments",
     "release nothing, run `drawbridge verify`"},
    {file_unknown, differs, false, "payment file that is not in this ledger",
     "release nothing: the ledger may be an older copy"},
    {file_refused, differs, false, "bank file refused", "read its report in quarantine/"},
    {general_exception_open, differs, false, "an exception that is not about a single draw", "drawbridge exceptions"},
}};

constexpr bool in_order() {
    for (std::size_t i = 0; i < all_words.size(); ++i) {
        if (static_cast<std::size_t>(all_words[i].line_class) != i) return false;
    }
    return true;
}
static_assert(in_order(), "one row for each class, in its order");

}  // namespace

std::string_view to_string(LineGroup group) {
    switch (group) {
        case differs: return "differs";
        case in_flight: return "in_flight";
        case agrees: return "agrees";
        case not_ours: return "not_ours";
    }
    return "";
}

const LineClassInfo& words(LineClass line_class) {
    return all_words[static_cast<std::size_t>(line_class)];
}

std::string_view to_string(LineClass line_class) {
    return boost::describe::enum_to_string(line_class, "");
}

}  // namespace drawbridge::reconciliation
