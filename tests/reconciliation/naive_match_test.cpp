// match() beside a matcher that has no index, no sorting and no shared state: for each line it looks at every payment
// and at every other line, and asks the questions of match.hpp one by one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "drawbridge/reconciliation/match.hpp"

namespace drawbridge::reconciliation {
namespace {

using namespace std::chrono_literals;

constexpr BusinessDate made = 2026y / 3 / 2;
constexpr BusinessDate today = 2026y / 3 / 10;

// What becomes of a line, without its words.
struct Verdict {
    std::int64_t line = 0;
    std::string outcome, reason;
    std::int64_t payment_id = 0;  // 0: none
    friend bool operator==(const Verdict&, const Verdict&) = default;
    friend void PrintTo(const Verdict& v, std::ostream* out) {
        *out << "line " << v.line << ": " << v.outcome << " " << v.reason << " payment " << v.payment_id;
    }
};

class NaiveMatcher {
  public:
    NaiveMatcher(const std::vector<Confirmation>& lines, const std::vector<OpenPayment>& payments)
        : lines_(lines), payments_(payments) {}

    Verdict verdict_on(const Confirmation& line) const {
        const auto ids = meant_by(line);
        const std::int64_t only = ids.size() == 1 ? ids.front() : 0;
        if (line.kind == ConfirmationKind::pending) return {line.line, "recorded", "", only};
        if (line.kind == ConfirmationKind::unrelated) return {line.line, "recorded", "", 0};
        if (line.currency != "USD") return {line.line, "exception", "currency_not_usd", only};
        if (ids.empty()) return {line.line, "exception", "unknown_payment", 0};
        if (ids.size() > 1) return {line.line, "exception", "ambiguous_reference", 0};
        const auto objection = objection_to(line, payment(only));
        if (!objection.empty()) return {line.line, "exception", objection, only};
        if (line.kind == ConfirmationKind::corrected) return {line.line, "recorded", "", only};
        return about_state(line, payment(only));
    }

  private:
    [[nodiscard]] const OpenPayment& payment(std::int64_t id) const {
        return *std::ranges::find(payments_, id, &OpenPayment::payment_id);
    }

    // True: one of the payment's numbers is written like this.
    static bool is_written(const OpenPayment& payment, const Reference& reference) {
        if (reference.kind == ReferenceKind::bank_reference || reference.kind == ReferenceKind::possible_check)
            return false;
        const auto is = [&](ReferenceKind kind) {
            return reference.kind == ReferenceKind::any || reference.kind == kind;
        };
        const bool end_to_end = reference.kind == ReferenceKind::end_to_end_id;
        if (payment.trace_number && (is(ReferenceKind::trace_number) || end_to_end) &&
            reference.text == *payment.trace_number)
            return true;
        if ((is(ReferenceKind::payment_id) || end_to_end) && reference.text == payment.payment_id_text) return true;
        if (!payment.check_number || !is(ReferenceKind::check_number)) return false;
        std::string digits = reference.text;
        digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
        return digits == std::to_string(*payment.check_number);
    }

    [[nodiscard]] std::vector<std::int64_t> meant_by(const Confirmation& line) const {
        auto references = line.references;
        if (references.empty()) references.push_back({ReferenceKind::any, line.payment_reference});
        std::vector<std::int64_t> meant;
        for (const auto& reference : references) {
            std::vector<std::int64_t> found;
            for (const auto& payment : payments_) {
                if (is_written(payment, reference)) found.push_back(payment.payment_id);
            }
            const bool agrees = std::ranges::any_of(
                found, [&](std::int64_t id) { return std::ranges::find(meant, id) != meant.end(); });
            if (meant.empty() || !agrees) meant.insert(meant.end(), found.begin(), found.end());
        }
        return meant;
    }

    // True: the line has a number that only another payment can have.
    static bool contradicts(const Confirmation& line, const OpenPayment& payment) {
        const auto has = [&](ReferenceKind kind, bool own) {
            return std::ranges::any_of(line.references, [&](const Reference& reference) {
                return reference.kind == kind && is_written(payment, reference) == own;
            });
        };
        if (has(ReferenceKind::trace_number, false) || has(ReferenceKind::payment_id, false)) return true;
        return payment.check_number && has(ReferenceKind::check_number, false) &&
               !has(ReferenceKind::check_number, true);
    }

    static std::string objection_to(const Confirmation& line, const OpenPayment& payment) {
        if (contradicts(line, payment)) return "ambiguous_reference";
        if (line.kind != ConfirmationKind::corrected && line.amount != payment.amount) return "amount_differs";
        if (!payment.unsent_because.empty()) return "payment_not_released";
        if (line.date < payment.released_on) return "dated_before_payment";
        if (line.date > BusinessDate(std::chrono::sys_days(today) + std::chrono::days(1))) return "dated_in_the_future";
        return "";
    }

    static bool is_paid(const Confirmation& line) { return line.kind == ConfirmationKind::paid; }

    // The other lines that say something about this payment that can be believed.
    [[nodiscard]] std::vector<Confirmation> siblings(const Confirmation& line, const OpenPayment& payment) const {
        std::vector<Confirmation> found;
        for (const auto& other : lines_) {
            const bool states =
                is_paid(other) || other.kind == ConfirmationKind::returned || other.kind == ConfirmationKind::voided;
            if (!states || other.line == line.line || other.currency != "USD") continue;
            if (meant_by(other) == std::vector{payment.payment_id} && objection_to(other, payment).empty())
                found.push_back(other);
        }
        return found;
    }

    static std::string bank_reference(const Confirmation& line) {
        for (const auto& reference : line.references) {
            if (reference.kind == ReferenceKind::bank_reference) return reference.text;
        }
        return "";
    }

    // Of equal facts the first line is applied: by reason (one is better than none), then by reference, then by line.
    static bool comes_before(const Confirmation& a, const Confirmation& b) {
        return std::tuple(a.date, a.reason_code.empty(), a.reason_code, a.payment_reference, bank_reference(a),
                          a.line) <
               std::tuple(b.date, b.reason_code.empty(), b.reason_code, b.payment_reference, bank_reference(b), b.line);
    }

    // The first of the other lines of this kind that comes before `line` and that `counts`.
    template <class F>
    static const Confirmation* first_of(const Confirmation& line, const std::vector<Confirmation>& others, F&& counts) {
        const Confirmation* first = nullptr;
        for (const auto& other : others) {
            if (is_paid(other) != is_paid(line) || !counts(other) || !comes_before(other, line)) continue;
            if (first == nullptr || comes_before(other, *first)) first = &other;
        }
        return first;
    }
    static bool are_two_debits(const Confirmation& line, const Confirmation& first) {
        return is_paid(line) && (bank_reference(line).empty() || bank_reference(line) != bank_reference(first));
    }

    [[nodiscard]] Verdict about_state(const Confirmation& line, const OpenPayment& payment) const {
        std::optional<std::pair<ConfirmationKind, BusinessDate>> known, reversal;
        if (payment.paid_on) known.emplace(ConfirmationKind::paid, *payment.paid_on);
        if (payment.settled_as == ConfirmationKind::paid) known.emplace(*payment.settled_as, *payment.settled_on);
        if (payment.settled_as && payment.settled_as != ConfirmationKind::paid)
            reversal.emplace(*payment.settled_as, *payment.settled_on);
        const Verdict refused{line.line, "exception", "settled_differently", payment.payment_id};
        const auto precedes_return = [&](const Confirmation& one) {
            return reversal && reversal->first == ConfirmationKind::returned && one.date < reversal->second;
        };
        const bool is_late_debit = is_paid(line) && !known && reversal;
        if (is_late_debit && !precedes_return(line)) return refused;
        const auto& before = is_paid(line) ? known : reversal;
        const std::pair fact(line.kind, line.date);
        const Verdict twice{line.line, "exception", "listed_twice", payment.payment_id};
        if (before) {
            const auto agrees = [&](const Confirmation& one) {
                const bool any_day =
                    one.kind == before->first && (is_paid(one) ? payment.paid_by_time : payment.void_transmitted);
                return std::pair(one.kind, one.date) == *before || any_day;
            };
            if (!agrees(line)) return refused;
            const auto others = siblings(line, payment);
            const auto* first = first_of(line, others, agrees);
            return first != nullptr && are_two_debits(line, *first)
                       ? twice
                       : Verdict{line.line, "duplicate", "", payment.payment_id};
        }
        if (!is_paid(line)) {
            const auto others = siblings(line, payment);
            const auto precedes = [&](BusinessDate paid_on) {
                const auto is_wrong = [&](const Confirmation& one) {
                    return one.date < paid_on || (payment.check_number && one.kind == ConfirmationKind::voided);
                };
                return is_wrong(line) || std::ranges::any_of(others, [&](const Confirmation& other) {
                           return !is_paid(other) && is_wrong(other);
                       });
            };
            if (known && !payment.paid_by_time && precedes(known->second)) return refused;
            for (const auto& other : others) {
                if (is_paid(other) && precedes(other.date)) return refused;
            }
        }
        bool is_first = true, paid_here = false;
        std::vector<std::pair<ConfirmationKind, BusinessDate>> paid_facts;
        auto others = siblings(line, payment);
        if (is_late_debit) std::erase_if(others, [&](const Confirmation& one) { return !precedes_return(one); });
        for (const auto& other : others) {
            if (is_paid(other)) paid_facts.emplace_back(other.kind, other.date);
            if (is_paid(other) != is_paid(line)) continue;
            if (std::pair(other.kind, other.date) != fact) return refused;
            if (comes_before(other, line)) is_first = false;
        }
        if (!is_first) {
            const auto* first = first_of(line, others, [&](const Confirmation&) { return true; });
            return are_two_debits(line, *first) ? twice : Verdict{line.line, "duplicate", "", payment.payment_id};
        }
        // A reversal of what this file or an earlier one shows as paid is worth a look.
        if (!is_paid(line)) {
            paid_here = known.has_value();
            const bool one_fact = !paid_facts.empty() && std::ranges::all_of(paid_facts, [&](const auto& paid) {
                return paid == paid_facts.front();
            });
            paid_here = paid_here || (one_fact && !reversal);
        }
        if (is_late_debit) return {line.line, "recorded", "", payment.payment_id};
        return {line.line, "applied", paid_here ? "returned_after_paid" : "", payment.payment_id};
    }

    const std::vector<Confirmation>& lines_;
    const std::vector<OpenPayment>& payments_;
};

class RandomBankFile {
  public:
    explicit RandomBankFile(unsigned seed) : random_(seed) {}

    std::vector<OpenPayment> payments() {
        std::vector<OpenPayment> all;
        for (std::int64_t id = 1; id <= 6; ++id) {
            OpenPayment payment;
            payment.payment_id = id;
            payment.payment_id_text = "P000000000" + std::to_string(id);
            if (id % 3 == 0) {
                payment.check_number = 10'000 + id;
            } else {
                payment.trace_number = "09100001000000" + std::to_string(id);
            }
            payment.amount = Money::from_cents(100'00 + static_cast<std::int64_t>(below(2)));
            payment.released_on = made;
            if (below(8) != 0) payment.unsent_because.clear();
            if (below(3) == 0) {
                payment.settled_as = kind(3);
                payment.settled_on = date();
                if (payment.settled_as != ConfirmationKind::paid && below(2) == 0) payment.paid_on = date();
                payment.paid_by_time = payment.settled_as == ConfirmationKind::paid && below(3) == 0;
                payment.void_transmitted = payment.settled_as == ConfirmationKind::voided && below(2) == 0;
            }
            all.push_back(std::move(payment));
        }
        return all;
    }

    std::vector<Confirmation> lines() {
        std::vector<Confirmation> all;
        const auto count = 1 + below(9);
        for (std::int64_t number = 1; number <= static_cast<std::int64_t>(count); ++number) {
            Confirmation line;
            line.line = number;
            line.kind = below(6) == 0 ? kind(5) : kind(2);
            line.amount = Money::from_cents(100'00 + static_cast<std::int64_t>(below(2)));
            line.date = date();
            if (below(15) == 0) line.currency = "CAD";
            if (line.kind == ConfirmationKind::returned && below(2) == 0)
                line.reason_code = below(2) == 0 ? "R03" : "R01";
            const auto references = below(3);
            for (std::size_t i = 0; i < references; ++i)
                line.references.push_back(reference());
            if (below(2) == 0 && references > 0)
                line.references.push_back({ReferenceKind::bank_reference, below(2) == 0 ? "REF1" : "REF2"});
            line.payment_reference = references == 0 ? reference().text : line.references.front().text;
            all.push_back(std::move(line));
        }
        return all;
    }

    void shuffle(std::vector<Confirmation>& lines) { std::ranges::shuffle(lines, random_); }

  private:
    std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
    ConfirmationKind kind(std::size_t most) {
        constexpr ConfirmationKind kinds[] = {ConfirmationKind::paid,      ConfirmationKind::returned,
                                              ConfirmationKind::voided,    ConfirmationKind::pending,
                                              ConfirmationKind::corrected, ConfirmationKind::unrelated};
        return kinds[below(most)];
    }
    BusinessDate date() {
        constexpr unsigned days[] = {1, 3, 4, 4, 4, 5, 11, 12};
        return 2026y / 3 / std::chrono::day(days[below(8)]);
    }
    Reference reference() {
        const auto id = std::to_string(1 + below(4));
        switch (below(7)) {
            case 0: return {ReferenceKind::payment_id, "P000000000" + id};
            case 1: return {ReferenceKind::end_to_end_id, "P000000000" + id};
            case 2: return {ReferenceKind::check_number, "0010003"};
            case 3: return {ReferenceKind::any, "10003"};
            case 4: return {ReferenceKind::any, "no such"};
            default: return {ReferenceKind::trace_number, "09100001000000" + id};
        }
    }

    std::mt19937 random_;
};

std::vector<Verdict> verdicts(const std::vector<Confirmation>& lines, const std::vector<OpenPayment>& payments) {
    std::vector<Verdict> found;
    for (const auto& match : match(lines, PaymentIndex(payments), today))
        found.push_back({match.confirmation.line, std::string(to_string(match.outcome)), match.reason_code,
                         match.payment_id.value_or(0)});
    std::ranges::sort(found, {}, &Verdict::line);
    return found;
}

TEST(NaiveMatch, agrees_on_every_line_of_random_files_in_any_order) {
    std::map<std::string, int> seen;
    for (unsigned seed = 1; seed <= 4000; ++seed) {
        RandomBankFile random(seed);
        const auto payments = random.payments();
        auto lines = random.lines();
        std::vector<Verdict> expected;
        const NaiveMatcher naive(lines, payments);
        for (const auto& line : lines)
            expected.push_back(naive.verdict_on(line));
        ASSERT_EQ(verdicts(lines, payments), expected) << "seed " << seed;
        random.shuffle(lines);
        ASSERT_EQ(verdicts(lines, payments), expected) << "shuffled, seed " << seed;
        for (const auto& verdict : expected)
            ++seen[verdict.outcome + " " + verdict.reason];
    }
    // The random files get to every kind of verdict.
    for (const char* verdict :
         {"applied ", "applied returned_after_paid", "duplicate ", "exception unknown_payment",
          "exception ambiguous_reference", "exception amount_differs", "exception payment_not_released",
          "exception dated_before_payment", "exception dated_in_the_future", "exception settled_differently",
          "exception currency_not_usd", "exception listed_twice", "recorded "})
        EXPECT_GT(seen[verdict], 20) << verdict;
}

}  // namespace
}  // namespace drawbridge::reconciliation
