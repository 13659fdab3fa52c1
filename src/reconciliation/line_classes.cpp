// The classes of lines: their names, what they mean and what a person does about them.
#include <algorithm>
#include <array>

#include "drawbridge/domain/assert.hpp"
#include "drawbridge/reconciliation/lines.hpp"

namespace drawbridge::reconciliation {
namespace {

using enum LineClass;
using enum LineGroup;

constexpr std::array<LineClassWords, line_class_count> all_words{{
    {pending, "pending", in_flight, false, "pending: waits for a decision", ""},
    {held, "held", in_flight, false, "held: a rule, or no rule, left it to a person", "drawbridge draws --step held"},
    {approving, "approving", in_flight, false, "approving: the approval is under way", ""},
    {approved, "approved", in_flight, false, "approved, not paid yet", ""},
    {planned, "planned", in_flight, false, "in a payment file that is not written yet", ""},
    {staged, "staged", in_flight, false, "in a payment file that waits for its release", "drawbridge release FILE"},
    {released, "released", in_flight, false, "released to the bank, not confirmed", ""},
    {confirmed, "confirmed", in_flight, false, "paid by the bank, not Disbursed at the service",
     "mark it as Disbursed in the portal"},
    {disbursed, "disbursed", in_flight, false, "paid and Disbursed, the date is not told yet", ""},
    {reported, "reported", agrees, true, "paid by the bank, Disbursed at the service, date told", ""},
    {cancelled, "cancelled", agrees, true, "cancelled, and never paid", ""},
    {came_back, "came_back", agrees, true, "paid, came back, and cancelled", ""},
    {replaced, "replaced", agrees, true, "came back, and was ordered to be paid again", ""},
    {voided, "voided", agrees, true, "voided before it went out", ""},
    {bank_duplicate, "bank_duplicate", agrees, true, "bank line: says what is known already", ""},
    {bank_no_effect, "bank_no_effect", agrees, true, "bank line: moves no payment of ours", ""},
    {bank_exception_closed, "bank_exception_closed", agrees, true, "bank line: settled by a person", ""},
    {disbursed_before_us, "disbursed_before_us", not_ours, true, "Disbursed before Drawbridge first saw it", ""},
    {blocked, "blocked", differs, false, "approved, and cannot be paid", "see its exception"},
    {external, "external", differs, true, "Disbursed without us",
     "find out who paid it and how; it is never paid by us"},
    {cancelled_after_payment, "cancelled_after_payment", differs, false, "cancelled after its payment was made",
     "stop or recall the payment, or have the draw restored"},
    {status_went_back, "status_went_back", differs, false, "its status went back after its payment was made",
     "find out who changed it, and have it put right"},
    {unknown_status, "unknown_status", differs, false, "the service gives it a status that is not known",
     "ask the service's people"},
    {amount_changed_after_payment, "amount_changed_after_payment", differs, false,
     "its amount was changed after its payment was made", "have it corrected, or settle the difference outside"},
    {amount_disbursed_differs, "amount_disbursed_differs", differs, false,
     "the service says that another amount was disbursed", "have the amount corrected in the portal"},
    {disbursed_before_release, "disbursed_before_release", differs, false,
     "Disbursed at the service before our payment went out",
     "find out whether it was paid otherwise; if so, void the file"},
    {returned, "returned", differs, false, "came back or was voided, and is not paid again",
     "drawbridge reissue, or have it cancelled"},
    {returned_after_disbursed, "returned_after_disbursed", differs, false,
     "came back after it was Disbursed at the service", "drawbridge reissue; the service cannot take Disbursed back"},
    {paid_never_disbursed, "paid_never_disbursed", differs, false, "paid, and never marked as Disbursed",
     "mark it as Disbursed in the portal"},
    {unconfirmed_too_long, "unconfirmed_too_long", differs, false, "released long ago, and never confirmed",
     "ask the bank; drop its confirmation into inbox/"},
    {unpaid_too_long, "unpaid_too_long", differs, false, "approved long ago, and not sent",
     "release or void its file; look at `drawbridge status`"},
    {date_differs, "date_differs", differs, false, "the service shows another disbursement date than it was told",
     "find out who changed it"},
    {exception_open, "exception_open", differs, false, "an exception is open", "drawbridge exceptions"},
    {bank_line_unmatched, "bank_line_unmatched", differs, false, "bank line: no payment of ours",
     "ask the bank; drawbridge exceptions"},
    {bank_line_in_doubt, "bank_line_in_doubt", differs, false, "bank line: not applied, in doubt",
     "drawbridge exceptions"},
    {file_totals_differ, "file_totals_differ", differs, false, "payment file: its totals are not its payments'",
     "release nothing, run `drawbridge verify`"},
    {file_unknown, "file_unknown", differs, false, "payment file that this ledger does not know",
     "release nothing: the ledger may be an older copy"},
    {file_refused, "file_refused", differs, false, "bank file refused whole", "read its report in quarantine/"},
    {general_exception_open, "general_exception_open", differs, false, "an exception about no single draw",
     "drawbridge exceptions"},
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

const LineClassWords& words(LineClass line_class) {
    return all_words[static_cast<std::size_t>(line_class)];
}

std::optional<LineClass> find_line_class(std::string_view name) {
    const auto found = std::ranges::find(all_words, name, &LineClassWords::name);
    if (found == all_words.end()) return std::nullopt;
    return found->line_class;
}

}  // namespace drawbridge::reconciliation
