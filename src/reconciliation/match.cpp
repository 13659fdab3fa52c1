#include "drawbridge/reconciliation/match.hpp"
#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/domain/banking_calendar.hpp"
#include "drawbridge/nacha/return_codes.hpp"
#include "words.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>

namespace drawbridge::reconciliation {
namespace {

constexpr std::size_t trace_number_digits = 15;
constexpr std::size_t max_digits = 18;  // fit into 64 bits
constexpr std::size_t payment_id_length = 11;

std::string when(BusinessDate date) {
    return " on " + format_date(date);
}

std::string describe(ConfirmationKind kind, BusinessDate date) {
    return std::string(to_string(kind)) + when(date);
}

// Why a confirmation cannot be applied, whatever else is known about the payment. Empty: no objection.
struct Objection {
    std::string_view reason_code;
    std::string detail;
};

// A payment's amount never changes, so the bank need not repeat it when it rejects that payment as a whole.
bool rejects_whole(const Confirmation& confirmation, const OpenPayment& payment) {
    return confirmation.amount_source == AmountSource::payment && confirmation.kind == ConfirmationKind::returned &&
           std::ranges::find(confirmation.references, Reference{ReferenceKind::payment_id, payment.payment_id_text}) !=
               confirmation.references.end();
}

// The number on the line that belongs to another payment than `payment`, perhaps one of another instance at the same
// bank. Every trace number and payment id must be the payment's own; of several check numbers one must be, because
// banks also put other numbers into those fields.
std::optional<Reference> number_of_another(const Confirmation& confirmation, const OpenPayment& payment) {
    std::optional<Reference> other_check;
    bool names_check = false;
    for (const Reference& reference : confirmation.references) {
        const ReferenceForms forms = read_reference(reference.text);
        const bool is_trace = reference.kind == ReferenceKind::trace_number && forms.trace_number;
        const bool is_payment_id = reference.kind == ReferenceKind::payment_id && forms.payment_id_text;
        if (is_trace && forms.trace_number != payment.trace_number) return reference;
        if (is_payment_id && forms.payment_id_text != payment.payment_id_text) return reference;
        if (reference.kind != ReferenceKind::check_number || !forms.check_number) continue;
        if (forms.check_number == payment.check_number) names_check = true;
        if (!other_check) other_check = reference;
    }
    return payment.check_number && !names_check ? other_check : std::nullopt;
}

std::optional<Objection> find_objection(const Confirmation& confirmation, const OpenPayment& payment,
                                        BusinessDate today) {
    if (const auto other = number_of_another(confirmation, payment)) {
        return Objection{ambiguous_reference, "the line names " + std::string(to_string(other->kind)) + " " +
                                                  other->text + ", which is not that of payment " +
                                                  payment.payment_id_text};
    }
    const bool states_amount = confirmation.amount_source == AmountSource::line;
    const bool agrees = states_amount ? confirmation.amount == payment.amount : rejects_whole(confirmation, payment);
    if (confirmation.kind != ConfirmationKind::corrected && !agrees) {
        const std::string says = states_amount ? "the confirmation says " + confirmation.amount.to_display()
                                               : std::string("the confirmation states no amount");
        return Objection{amount_differs,
                         says + ", but payment " + payment.payment_id_text + " is for " + payment.amount.to_display()};
    }
    if (!payment.unsent_because.empty()) {
        return Objection{payment_not_released,
                         "payment " + payment.payment_id_text + " was not sent: " + payment.unsent_because};
    }
    if (confirmation.date < payment.released_on) {
        return Objection{dated_before_payment, "the confirmation is dated " + format_date(confirmation.date) +
                                                   ", but payment " + payment.payment_id_text + " was released" +
                                                   when(payment.released_on)};
    }
    // A bank dates what settles next with the next banking day.
    if (confirmation.date > today && confirmation.date > BankingCalendar().add(today, 1)) {
        return Objection{dated_in_the_future, "the confirmation is dated " + format_date(confirmation.date) +
                                                  ", but today is " + format_date(today)};
    }
    return std::nullopt;
}

// "; it says R03 no account, or unable to locate it"; empty if the line has no code.
std::string with_code(const Confirmation& line) {
    if (line.reason_code.empty()) return {};
    const auto code = nacha::find_return_code(line.reason_code, line.note);
    return "; it says " + line.reason_code + (code ? " " + std::string(code->meaning) : "");
}

// A fact about a payment: it was paid on a day, or it was returned or voided on a day.
using Fact = std::pair<ConfirmationKind, BusinessDate>;

// What is known about one payment: at most one paid, and at most one return or void.
struct Known {
    std::optional<Fact> paid;
    std::optional<Fact> reversal;
};

Known known_about(const OpenPayment& payment) {
    Known known;
    if (payment.paid_on) known.paid = Fact{ConfirmationKind::paid, *payment.paid_on};
    if (!payment.settled_as) return known;
    const Fact last{*payment.settled_as, payment.settled_on.value_or(payment.released_on)};
    (last.first == ConfirmationKind::paid ? known.paid : known.reversal) = last;
    return known;
}

Match exception(const Confirmation& confirmation, std::optional<std::int64_t> payment_id, std::string_view reason_code,
                std::string detail) {
    return {confirmation, MatchOutcome::exception, payment_id, std::string(reason_code), std::move(detail)};
}

// Empty: the line has none.
std::string_view bank_reference(const Confirmation& line) {
    const auto found = std::ranges::find(line.references, ReferenceKind::bank_reference, &Reference::kind);
    return found == line.references.end() ? std::string_view() : found->text;
}

// Settles what the file says about one payment; all objections are already handled.
class PaymentMatcher {
  public:
    PaymentMatcher(const OpenPayment& payment, std::vector<Match>& into)
        : payment_(payment), known_(known_about(payment)), into_(into) {}

    void match_lines(std::span<const Confirmation* const> confirmations) {
        std::vector<const Confirmation*> paid;
        std::vector<const Confirmation*> reversal;
        for (const Confirmation* c : confirmations)
            (c->kind == ConfirmationKind::paid ? paid : reversal).push_back(c);
        std::optional<Fact> last_paid = payment_.paid_by_time ? std::nullopt : known_.paid;
        for (const Confirmation* c : paid)
            last_paid = std::max(last_paid, std::optional(Fact{c->kind, c->date}));
        match_paid(paid);
        match_reversal(reversal, last_paid);
    }

  private:
    void match_paid(const std::vector<const Confirmation*>& lines) {
        if (!known_.paid && known_.reversal) return match_paid_before_return(lines);
        match_as_one_fact(lines, known_.paid, {});
    }

    // The file with the return may come first: an earlier debit does not contradict it. The payment stays returned.
    void match_paid_before_return(const std::vector<const Confirmation*>& lines) {
        const auto [kind, date] = *known_.reversal;
        std::vector<const Confirmation*> before;
        for (const Confirmation* line : lines) {
            if (kind == ConfirmationKind::returned && line->date < date) {
                before.push_back(line);
            } else {
                refuse(*line, "it was confirmed as " + describe(kind, date));
            }
        }
        const std::size_t first = into_.size();
        match_as_one_fact(before, known_.paid, {});
        for (Match& match : std::span(into_).subspan(first)) {
            if (match.outcome != MatchOutcome::applied) continue;
            match.outcome = MatchOutcome::recorded;
            match.detail = "payment " + payment_.payment_id_text + " was confirmed as " + describe(kind, date) +
                           ", and an earlier debit does not change that";
        }
    }

    // What came back or was stopped before the last day on which the bank says that it paid did not end the payment,
    // whichever of the two lines is read first. A check that the bank cashed can come back, but not be stopped: a stop
    // may have the day on which its file arrived.
    void match_reversal(const std::vector<const Confirmation*>& lines, const std::optional<Fact>& last_paid) {
        const auto contradicts = [&](const Confirmation* line) {
            return line->date < last_paid->second || (payment_.check_number && line->kind == ConfirmationKind::voided);
        };
        if (known_.reversal || !last_paid || std::ranges::none_of(lines, contradicts))
            return match_as_one_fact(lines, known_.reversal, known_.paid);
        for (const Confirmation* line : lines)
            refuse(*line, "the bank says that it was " + describe(last_paid->first, last_paid->second));
    }

    // All lines must state the same fact, and it must equal the known one if there is one. `paid` is given for lines
    // that reverse a confirmed payment.
    void match_as_one_fact(const std::vector<const Confirmation*>& lines, std::optional<Fact>& known,
                           const std::optional<Fact>& paid) {
        std::set<Fact> facts;
        for (const Confirmation* line : lines)
            facts.emplace(line->kind, line->date);
        const bool contradiction = !known && facts.size() > 1;
        const Confirmation* first = nullptr;  // the first line that states the known fact
        for (const Confirmation* line : lines) {
            const Fact fact{line->kind, line->date};
            if (contradiction) {
                refuse(*line, "this file also says " + another(facts, fact));
            } else if (!known) {
                known = fact;
                first = line;
                apply(*line, paid);
            } else if (*known == fact || states_same_fact(fact, *known)) {
                if (first != nullptr && may_be_second_debit(*line, *first)) {
                    into_.push_back(exception(*line, payment_.payment_id, listed_twice,
                                              "another line of this file also says that payment " +
                                                  payment_.payment_id_text + " was " +
                                                  describe(fact.first, fact.second)));
                    continue;
                }
                if (first == nullptr) first = line;
                into_.push_back({*line,
                                 MatchOutcome::duplicate,
                                 payment_.payment_id,
                                 {},
                                 "payment " + payment_.payment_id_text + " is already confirmed as " +
                                     describe(fact.first, fact.second) + with_code(*line)});
            } else {
                refuse(*line, "it was confirmed as " + describe(known->first, known->second));
            }
        }
    }

    // A bank may debit one check twice. Only its own reference shows that both lines are about one debit.
    static bool may_be_second_debit(const Confirmation& line, const Confirmation& first) {
        const auto reference = bank_reference(line);
        return line.kind == ConfirmationKind::paid && (reference.empty() || reference != bank_reference(first));
    }

    // The day of our own order or count is not the bank's, and contradicts nothing.
    [[nodiscard]] bool states_same_fact(const Fact& fact, const Fact& known) const {
        if (fact.first != known.first) return false;
        return fact.first == ConfirmationKind::paid ? payment_.paid_by_time : payment_.void_transmitted;
    }

    void apply(const Confirmation& line, const std::optional<Fact>& paid) {
        Match match{line, MatchOutcome::applied, payment_.payment_id, {}, {}};
        if (paid) {
            match.reason_code = returned_after_paid;
            match.detail = "payment " + payment_.payment_id_text + " was confirmed as " +
                           describe(paid->first, paid->second) + " and is now " + describe(line.kind, line.date);
        }
        into_.push_back(std::move(match));
    }

    void refuse(const Confirmation& line, const std::string& because) {
        into_.push_back(exception(line, payment_.payment_id, settled_differently,
                                  "the confirmation says payment " + payment_.payment_id_text + " is " +
                                      describe(line.kind, line.date) + ", but " + because + with_code(line)));
    }

    static std::string another(const std::set<Fact>& facts, const Fact& than) {
        const auto other = std::ranges::find_if(facts, [&](const Fact& fact) { return fact != than; });
        return describe(other->first, other->second);
    }

    const OpenPayment& payment_;
    Known known_;
    std::vector<Match>& into_;
};

// `payments` may have the one that the line would name if a spreadsheet had not dropped a leading zero. It is not
// confirmed, but is not paid again either until a person looks at the line.
Match unknown(const Confirmation& confirmation, const PaymentIndex& payments) {
    if (confirmation.amount_source == AmountSource::file) {
        const auto code = nacha::find_return_code(confirmation.reason_code);
        const bool is_duplicate = code && code->action == nacha::ReturnAction::pause_everything;
        return exception(confirmation, std::nullopt, unknown_payment,
                         "the bank rejects " +
                             (confirmation.payment_reference.empty() ? "a file" : confirmation.payment_reference) +
                             " as a whole" + with_code(confirmation) +
                             (is_duplicate ? ": the one that came first may be paid: ask it what it received twice, "
                                             "and which of the payments it made"
                                           : ": ask it which of the payments it did not make, and hand in a list that "
                                             "says 'returned' for those"));
    }
    if (confirmation.payment_reference.empty()) {
        return exception(confirmation, std::nullopt, unknown_payment,
                         "the line has no reference, so it is unknown which payment it means");
    }
    std::string detail = "no payment of ours has the reference '" + confirmation.payment_reference + "'";
    std::optional<std::int64_t> payment_id;
    if (const auto trace_number = with_leading_zero(confirmation.payment_reference)) {
        detail += "; a spreadsheet may have dropped the leading zero of a trace number";
        const auto meant = payments.find({ReferenceKind::trace_number, *trace_number});
        if (meant.size() == 1) {
            payment_id = meant.front()->payment_id;
            detail += ", that of payment " + meant.front()->payment_id_text;
        }
    }
    return exception(confirmation, payment_id, unknown_payment, std::move(detail));
}

Match ambiguous(const Confirmation& confirmation, const std::vector<const OpenPayment*>& candidates) {
    std::set<std::string> names;
    for (const OpenPayment* candidate : candidates)
        names.insert(candidate->payment_id_text);
    std::string list;
    for (const std::string& name : names)
        list += (list.empty() ? "" : ", ") + name;
    return exception(confirmation, std::nullopt, ambiguous_reference,
                     "the reference '" + confirmation.payment_reference + "' may mean any of " + list);
}

}  // namespace

std::string_view to_string(MatchOutcome outcome) {
    switch (outcome) {
        case MatchOutcome::applied: return "applied";
        case MatchOutcome::duplicate: return "duplicate";
        case MatchOutcome::exception: return "exception";
        case MatchOutcome::recorded: return "recorded";
    }
    return "unknown";
}

ReferenceForms read_reference(std::string_view reference) {
    ReferenceForms forms;
    if (is_number(reference)) {
        if (reference.size() == trace_number_digits) forms.trace_number = std::string(reference);
        if (reference.size() <= max_digits) {
            std::int64_t number = 0;
            std::from_chars(reference.data(), reference.data() + reference.size(), number);
            if (number > 0) forms.check_number = number;
        }
    } else if (reference.size() == payment_id_length && reference.front() == 'P' && is_number(reference.substr(1))) {
        forms.payment_id_text = std::string(reference);
    }
    return forms;
}

std::optional<std::string> with_leading_zero(std::string_view reference) {
    if (reference.size() != trace_number_digits - 1 || !is_number(reference)) return std::nullopt;
    return "0" + std::string(reference);
}

PaymentIndex::PaymentIndex(std::vector<OpenPayment> candidates) {
    std::set<std::int64_t> ids;
    for (OpenPayment& payment : candidates) {
        if (!ids.insert(payment.payment_id).second) continue;
        const std::size_t at = payments_.size();
        if (payment.trace_number) by_trace_number_[*payment.trace_number].push_back(at);
        if (payment.check_number) by_check_number_[*payment.check_number].push_back(at);
        by_payment_id_text_[payment.payment_id_text].push_back(at);
        payments_.push_back(std::move(payment));
    }
}

std::vector<const OpenPayment*> PaymentIndex::find_forms(const ReferenceForms& forms) const {
    std::vector<const OpenPayment*> found;
    const auto add = [&](const auto& index, const auto& key) {
        if (!key) return;
        const auto at = index.find(*key);
        if (at == index.end()) return;
        for (const std::size_t place : at->second) {
            const OpenPayment* payment = &payments_[place];
            if (std::ranges::find(found, payment) == found.end()) found.push_back(payment);
        }
    };
    add(by_trace_number_, forms.trace_number);
    add(by_check_number_, forms.check_number);
    add(by_payment_id_text_, forms.payment_id_text);
    return found;
}

std::vector<const OpenPayment*> PaymentIndex::find(std::string_view reference) const {
    return find_forms(read_reference(reference));
}

std::vector<const OpenPayment*> PaymentIndex::find(const Reference& reference) const {
    ReferenceForms forms = read_reference(reference.text);
    switch (reference.kind) {
        case ReferenceKind::any: break;
        case ReferenceKind::trace_number:
            forms.check_number.reset();
            forms.payment_id_text.reset();
            break;
        case ReferenceKind::check_number:
            forms.trace_number.reset();
            forms.payment_id_text.reset();
            break;
        case ReferenceKind::end_to_end_id: forms.check_number.reset(); break;
        case ReferenceKind::payment_id:
            forms.trace_number.reset();
            forms.check_number.reset();
            break;
        case ReferenceKind::bank_reference:
        case ReferenceKind::possible_check: return {};
    }
    return find_forms(forms);
}

std::vector<const OpenPayment*> PaymentIndex::find(const Confirmation& confirmation) const {
    if (confirmation.references.empty()) return find(confirmation.payment_reference);
    std::vector<const OpenPayment*> strongest;
    for (const Reference& reference : confirmation.references) {
        const auto found = find(reference);
        if (found.empty()) continue;
        if (strongest.empty()) {
            strongest = found;
            continue;
        }
        const bool agrees = std::ranges::any_of(found, [&](const OpenPayment* payment) {
            return std::ranges::find(strongest, payment) != strongest.end();
        });
        if (!agrees) strongest.insert(strongest.end(), found.begin(), found.end());
    }
    return strongest;
}

namespace {

bool is_between_banks(std::string_view code) {
    return (code >= "R61" && code <= "R77") || (code >= "C61" && code <= "C69");
}

// A debit that is not marked as a check, but has the number and the exact amount of a check that nobody has cashed yet,
// or that may name another open payment with exactly its amount: a person finds out whether it is that one.
std::optional<Match> doubt_about_debit(const Confirmation& line, const PaymentIndex& payments) {
    for (const Reference& reference : line.references) {
        if (reference.kind != ReferenceKind::possible_check || line.currency != "USD") continue;
        for (const OpenPayment* payment : payments.find(reference.text)) {
            if (payment->amount != line.amount || payment->settled_as || !payment->unsent_because.empty()) continue;
            Confirmation doubt = line;
            doubt.kind = ConfirmationKind::disputed;
            const std::string what = payment->check_number
                                         ? "the number and the amount of check " +
                                               std::to_string(*payment->check_number) + ", payment " +
                                               payment->payment_id_text + ", but the line is not marked as a paid check"
                                         : "the amount of payment " + payment->payment_id_text +
                                               ", and the line may mean its number " + reference.text;
            return exception(
                doubt, payment->payment_id, impossible_return,
                "money went out with " + what + ": ask the bank whether it is that one (" + line.note + ")");
        }
    }
    return std::nullopt;
}

// A line with a number that might have been one of ours, but matches no payment.
std::optional<Match> number_of_others(const Confirmation& line) {
    const auto possible = std::ranges::find(line.references, ReferenceKind::possible_check, &Reference::kind);
    if (possible == line.references.end()) return std::nullopt;
    Match match{line, MatchOutcome::recorded, {}, {}, "no payment of ours has the number " + possible->text};
    match.confirmation.kind = ConfirmationKind::unrelated;
    return match;
}

std::string detail_of_dispute(const Confirmation& line, bool is_known) {
    if (line.note.empty() && is_between_banks(line.reason_code))
        return "an issue between the banks: ask yours; no payment was changed";
    if (line.note.empty()) {
        return "the line is neither a plain payment nor a plain return" + with_code(line) +
               ": ask the bank what happened to the money; no payment was changed";
    }
    if (is_known || line.payment_reference.empty() || !line.reason_code.empty()) return line.note;
    return line.note + "; no payment of ours has the reference '" + line.payment_reference + "'";
}

// Lines that change no payment, whatever else is known about it.
std::optional<Match> without_effect(const Confirmation& line, const std::vector<const OpenPayment*>& candidates,
                                    const PaymentIndex& payments) {
    std::optional<std::int64_t> payment_id;
    if (candidates.size() == 1) payment_id = candidates.front()->payment_id;
    switch (line.kind) {
        case ConfirmationKind::pending:
            return Match{line, MatchOutcome::recorded, payment_id, {}, "the bank has not decided yet"};
        case ConfirmationKind::unrelated:
            if (auto doubt = doubt_about_debit(line, payments)) return doubt;
            return Match{line, MatchOutcome::recorded, {}, {}, line.note};
        case ConfirmationKind::disputed:
            if (auto others = candidates.empty() ? number_of_others(line) : std::nullopt) return others;
            return exception(line, payment_id, is_between_banks(line.reason_code) ? disputed_return : impossible_return,
                             detail_of_dispute(line, !candidates.empty()));
        case ConfirmationKind::paid:
        case ConfirmationKind::returned:
        case ConfirmationKind::voided:
        case ConfirmationKind::corrected: break;
    }
    if (line.currency == "USD") return std::nullopt;
    return exception(line, payment_id, currency_not_usd,
                     "the line is in " + line.currency + "; all our payments are in US dollars");
}

}  // namespace

std::vector<Match> match(const std::vector<Confirmation>& confirmations, const PaymentIndex& payments,
                         BusinessDate today) {
    std::vector<Match> matches;
    matches.reserve(confirmations.size());
    std::map<std::int64_t, std::pair<const OpenPayment*, std::vector<const Confirmation*>>> cases;
    for (const Confirmation& confirmation : confirmations) {
        // The bank's name for a whole file may look like the number of a check.
        const bool is_about_file = confirmation.amount_source == AmountSource::file;
        const auto candidates = is_about_file ? std::vector<const OpenPayment*>() : payments.find(confirmation);
        if (auto done = without_effect(confirmation, candidates, payments)) {
            matches.push_back(std::move(*done));
        } else if (candidates.empty()) {
            matches.push_back(unknown(confirmation, payments));
        } else if (candidates.size() > 1) {
            matches.push_back(ambiguous(confirmation, candidates));
        } else if (auto objection = find_objection(confirmation, *candidates[0], today)) {
            matches.push_back(exception(confirmation, candidates[0]->payment_id, objection->reason_code,
                                        std::move(objection->detail)));
        } else if (confirmation.kind == ConfirmationKind::corrected) {
            matches.push_back({confirmation, MatchOutcome::recorded, candidates[0]->payment_id, {}, {}});
        } else {
            auto& [payment, lines] = cases[candidates[0]->payment_id];
            payment = candidates[0];
            lines.push_back(&confirmation);
        }
        if (candidates.size() < 2) continue;
        for (const OpenPayment* candidate : candidates)
            matches.back().candidates.push_back(candidate->payment_id);
    }
    for (auto& [id, with_lines] : cases) {
        auto& [payment, lines] = with_lines;
        // The line number comes last, so that of two equivalent lines the same one is applied whatever their order; of
        // two returns, prefer the one with a reason.
        std::ranges::stable_sort(lines, {}, [](const Confirmation* c) {
            return std::tuple(c->kind, c->date, c->reason_code.empty(), std::string_view(c->reason_code),
                              std::string_view(c->payment_reference), bank_reference(*c), c->line);
        });
        const std::size_t before = matches.size();
        PaymentMatcher(*payment, matches).match_lines(lines);
        for (Match& match : std::span(matches).subspan(before)) {
            if (match.confirmation.amount_source == AmountSource::payment) match.confirmation.amount = payment->amount;
        }
    }
    std::ranges::stable_sort(matches, {},
                             [](const Match& m) { return std::tie(m.confirmation.kind, m.confirmation.line); });
    return matches;
}

}  // namespace drawbridge::reconciliation
