#include "drawbridge/reconciliation/proposals.hpp"
#include "drawbridge/domain/ascii.hpp"
#include "words.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <tuple>
#include <utility>

namespace drawbridge::reconciliation {
namespace {

constexpr int same_amount = 40;
constexpr std::size_t sequence_digits = 7;   // the last digits of a trace number, which identify the payment
constexpr std::size_t rounded_digits = 11;   // at least this many digits of a long number survive in a spreadsheet
constexpr std::size_t min_word_letters = 3;  // shorter words ("of", "de") are too common in names

std::string_view without_leading_zeros(std::string_view text) {
    const auto first = text.find_first_not_of('0');
    return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

std::size_t common_head(std::string_view a, std::string_view b) {
    const auto [end, other] = std::ranges::mismatch(a, b);
    return static_cast<std::size_t>(end - a.begin());
}

// One wrong character, or two neighboring characters swapped.
bool is_one_edit_away(std::string_view a, std::string_view b) {
    if (a.size() != b.size() || a.size() < 4 || a == b) return false;
    const std::size_t at = common_head(a, b);
    if (a.substr(at + 1) == b.substr(at + 1)) return true;
    return at + 1 < a.size() && a[at] == b[at + 1] && a[at + 1] == b[at] && a.substr(at + 2) == b.substr(at + 2);
}

// "9.10E+13" and "91000010000000": a spreadsheet converted the reference to a number.
bool is_rounded(std::string_view written, std::string_view ours) {
    const auto bare = without_leading_zeros(ours);
    if (!is_number(written) || written.size() < bare.size() || bare.size() < rounded_digits) return false;
    const auto digits = without_leading_zeros(written);
    if (digits.size() != bare.size() || digits == bare) return false;
    const std::size_t same = common_head(digits, bare);
    return same >= rounded_digits - 3 && digits.find_first_not_of('0', same) == std::string_view::npos;
}

std::set<std::string> words_of(std::string_view name) {
    std::set<std::string> words;
    std::string word;
    const auto end_word = [&] {
        if (!word.empty()) words.insert(std::exchange(word, {}));
    };
    for (const char c : name) {
        if (is_letter_or_digit(c) || static_cast<unsigned char>(c) >= 0x80) {
            word += to_upper(c);
        } else if (c != '\'' && c != '.') {  // O'Neil, St. Mary
            end_word();
        }
    }
    end_word();
    return words;
}

std::vector<std::string> references_of(const OpenPayment& payment) {
    std::vector<std::string> all{payment.payment_id_text};
    if (payment.trace_number) all.push_back(*payment.trace_number);
    if (payment.check_number) all.push_back(std::to_string(*payment.check_number));
    return all;
}

std::vector<std::string> references_of(const Confirmation& line) {
    std::vector<std::string> all;
    if (!line.payment_reference.empty()) all.push_back(line.payment_reference);
    for (const Reference& reference : line.references) {
        if (std::ranges::find(all, reference.text) == all.end()) all.push_back(reference.text);
    }
    return all;
}

Similarity nearest_reference(const Confirmation& line, const OpenPayment& payment) {
    Similarity best;
    for (const auto& written : references_of(line)) {
        for (const auto& ours : references_of(payment)) {
            auto nearness = reference_similarity(written, ours);
            if (nearness.score > best.score) best = std::move(nearness);
        }
    }
    return best;
}

Similarity date_similarity(BusinessDate date, const NearPayment& candidate) {
    const auto due = std::chrono::sys_days(candidate.due_on.value_or(candidate.payment.released_on));
    const auto days = (std::chrono::sys_days(date) - due).count();
    if (date < candidate.payment.released_on) return {};
    const auto apart = days < 0 ? -days : days;
    const std::string due_on = format_date(candidate.due_on.value_or(candidate.payment.released_on));
    if (apart <= 3) return {15, "the date is near " + due_on + ", when it was due"};
    if (apart <= 10) return {10, "the date is within ten days of " + due_on + ", when it was due"};
    return {};
}

Proposal score(const Confirmation& line, const NearPayment& candidate, BusinessDate today) {
    const OpenPayment& payment = candidate.payment;
    Proposal proposal{payment.payment_id, payment.payment_id_text, 0, {}, {}};
    const auto add = [&](Similarity nearness) {
        proposal.score += nearness.score;
        if (nearness.score > 0) proposal.because.push_back(std::move(nearness.because));
    };
    if (line.amount == payment.amount && line.kind != ConfirmationKind::corrected)
        add({same_amount, "the amount is the same"});
    add(nearest_reference(line, payment));
    add(date_similarity(line.date, candidate));
    add(name_similarity(line.payee_name, candidate.payee_name));
    const Match found = match_to(line, payment, today);
    if (found.outcome == MatchOutcome::exception || found.outcome == MatchOutcome::duplicate)
        proposal.obstacle = found.detail;
    return proposal;
}

}  // namespace

Similarity reference_similarity(std::string_view written, std::string_view ours) {
    if (written.empty() || ours.empty()) return {};
    const std::string name(ours);
    if (written == ours) return {35, "the reference is " + name};
    const auto bare = without_leading_zeros(ours);
    if (is_number(ours) && bare.size() >= 4 && without_leading_zeros(written) == bare)
        return {35, "the reference is " + name + " except for leading zeros"};
    if (is_one_edit_away(written, ours)) return {25, "the reference differs by one typing error from " + name};
    if (is_rounded(written, ours)) return {20, "the reference looks like " + name + ", rounded by a spreadsheet"};
    if (is_number(written) && written.size() >= sequence_digits && written.size() < ours.size() &&
        ours.ends_with(written)) {
        return {25, "the reference is the end of " + name};
    }
    if (ours.size() >= 5 && written.contains(ours)) return {25, "the reference contains " + name};
    return {};
}

Similarity name_similarity(std::string_view written, std::string_view ours) {
    const auto theirs = words_of(written);
    const auto known = words_of(ours);
    if (theirs.empty() || known.empty()) return {};
    const std::string payee(ours);
    if (theirs == known) return {10, "the name matches the payee, " + payee};
    const auto is_shared = [&](const std::string& word) {
        return word.size() >= min_word_letters && theirs.contains(word);
    };
    if (std::ranges::any_of(known, is_shared)) return {5, "the name resembles the payee, " + payee};
    return {};
}

Match match_to(const Confirmation& line, const OpenPayment& payment, BusinessDate today) {
    Confirmation named = line;
    named.references = {{ReferenceKind::payment_id, payment.payment_id_text}};
    OpenPayment known = payment;
    // Whatever we ordered, the bank may have cashed the check.
    if (line.kind == ConfirmationKind::paid && payment.void_transmitted) known.settled_as.reset();
    // The clock may have been ahead at the release.
    if (!PaymentIndex({payment}).find(line).empty()) known.released_on = std::min(known.released_on, line.date);
    Match found = match({std::move(named)}, PaymentIndex({std::move(known)}), today).front();
    found.confirmation = line;
    return found;
}

std::vector<Proposal> propose(const Confirmation& line, const std::vector<NearPayment>& candidates,
                              BusinessDate today) {
    std::vector<Proposal> proposals;
    for (const NearPayment& candidate : candidates) {
        auto proposal = score(line, candidate, today);
        if (proposal.score >= min_score) proposals.push_back(std::move(proposal));
    }
    std::ranges::sort(proposals, {}, [](const Proposal& p) { return std::tuple(-p.score, p.payment_id); });
    if (proposals.size() > max_proposals) proposals.resize(max_proposals);
    return proposals;
}

}  // namespace drawbridge::reconciliation
