#include "line_sink.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "drawbridge/checks/stated_account.hpp"
#include "drawbridge/domain/ascii.hpp"
#include "reason_code.hpp"

namespace drawbridge::statements {
namespace {

// A reference that has the form of our own numbers is one, unless the file says what else it is.
ReferenceKind kind_by_form(const Reference& reference, const Office& office) {
    if (reference.kind != ReferenceKind::any && reference.kind != ReferenceKind::end_to_end_id) return reference.kind;
    if (is_payment_id(reference.text)) return ReferenceKind::payment_id;
    const bool is_trace = !office.odfi_identification.empty() && is_trace_number(reference.text, office);
    return is_trace ? ReferenceKind::trace_number : reference.kind;
}

constexpr std::size_t max_check_digits = 10;

void for_each_word(std::string_view text, const auto& visit) {
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && is_letter_or_digit(text[end]))
            ++end;
        visit(text.substr(at, end - at));
        at = end + 1;
    }
}

// A hostile file may add up to any amount: the sum stops at its maximum.
Money capped_sum(Money a, Money b) {
    constexpr std::int64_t most = 9'000'000'000'000'000'000;
    return a.cents() > most - b.cents() ? Money::from_cents(most) : a + b;
}

// A bank may write more than the code into its field: the rest is for people.
void keep_only_code(Confirmation& line) {
    auto code = code_of_reason_field(line.reason_code);
    if (code.empty() || code == line.reason_code) return;
    if (uppercase(line.reason_code) != code)
        line.note += (line.note.empty() ? "" : "; ") + masked_note(line.reason_code);
    line.reason_code = std::move(code);
}

}  // namespace

void LineSink::add(Confirmation line, std::string_view account) {
    for (Reference& reference : line.references)
        reference.kind = kind_by_form(reference, options.office);
    keep_only_code(line);
    line.currency = uppercase(line.currency);
    if (!account.empty() && !checks::is_any_account(account, options.office.check_accounts))
        match_no_check(line, account);
    if (!line.references.empty()) line.payment_reference = line.references.front().text;
    ++facts.lines;
    constexpr std::int64_t largest_sum = 1'000'000'000'000'000'000;
    if (line.currency == "USD" && line.amount.cents() < largest_sum) {
        if (line.kind == ConfirmationKind::paid) facts.paid = capped_sum(facts.paid, line.amount);
        if (line.kind == ConfirmationKind::returned) facts.returned = capped_sum(facts.returned, line.amount);
    }
    sink_(std::move(line));
}

// The line is on another account than our checks are drawn on: its check numbers are not ours.
void LineSink::match_no_check(Confirmation& line, std::string_view account) const {
    const auto has = [&](ReferenceKind kind) {
        return std::ranges::find(line.references, kind, &Reference::kind) != line.references.end();
    };
    for (Reference& reference : line.references) {
        if (reference.kind == ReferenceKind::any) reference.kind = ReferenceKind::end_to_end_id;
    }
    const auto erased = std::erase_if(line.references, [](const Reference& one) {
        return one.kind == ReferenceKind::possible_check && one.text.size() <= max_check_digits;
    });
    const bool names_payment = has(ReferenceKind::payment_id) || has(ReferenceKind::trace_number);
    // A deposit that was doubted because of such a number.
    if (line.kind == ConfirmationKind::disputed && erased > 0 && !names_payment) return mark_unrelated(line, account);
    if (line.kind == ConfirmationKind::unrelated || !has(ReferenceKind::check_number) || names_payment) return;
    mark_unrelated(line, account);
    const std::string remark =
        "checks on account " + masked_account(account) + " have no effect: no check of this office is drawn on it";
    if (std::ranges::find(facts.remarks, remark) == facts.remarks.end()) facts.remarks.push_back(remark);
}

bool LineSink::is_ours(std::string_view account) {
    const auto& accounts = options.office.accounts;
    if (accounts.empty()) return true;
    const auto& check_accounts = options.office.check_accounts;
    const bool ours = checks::is_any_account(account, accounts) ||
                      (!check_accounts.empty() && checks::is_any_account(account, check_accounts));
    note_account(account, ours);
    return ours;
}

void LineSink::note_account(std::string_view account, bool is_ours) {
    constexpr std::size_t max_kept = 5;
    if (is_ours) {
        facts.mentions_our_account = true;
    } else if (std::string masked = masked_account(account);
               facts.foreign_accounts.size() < max_kept &&
               std::ranges::find(facts.foreign_accounts, masked) == facts.foreign_accounts.end()) {
        facts.foreign_accounts.push_back(std::move(masked));
    }
}

void LineSink::mark_unrelated(Confirmation& line, std::string_view account) const {
    line.kind = ConfirmationKind::unrelated;
    line.note += (line.note.empty() ? "on account " : "; on account ") + masked_account(account) + ", not one of ours";
}

std::string_view trim(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n", no_break_space = "\xC2\xA0";
    for (std::size_t before = text.size() + 1; before != text.size();) {
        before = text.size();
        const std::size_t first = text.find_first_not_of(blanks);
        if (first == std::string_view::npos) return {};
        text = text.substr(first, text.find_last_not_of(blanks) - first + 1);
        if (text.starts_with(no_break_space)) text.remove_prefix(no_break_space.size());
        if (text.ends_with(no_break_space)) text.remove_suffix(no_break_space.size());
    }
    return text;
}

bool is_count(std::string_view text, std::int64_t count) {
    return is_number(text) &&
           text.substr(std::min(text.find_first_not_of('0'), text.size() - 1)) == std::to_string(count);
}

bool is_payment_id(std::string_view text) {
    return text.size() == 11 && text.front() == 'P' && all_digits(text.substr(1));
}

bool is_trace_number(std::string_view text, const Office& office) {
    return text.size() == 15 && all_digits(text) && text.starts_with(office.odfi_identification);
}

std::string masked_account(std::string_view account) {
    constexpr std::size_t shown = 4;
    const std::string bare = checks::bare_account(account);
    return "****" + (bare.size() > shown ? bare.substr(bare.size() - shown) : std::string());
}

void find_references(std::string_view text, const Office& office, std::vector<Reference>& into) {
    for_each_word(text, [&](std::string_view word) {
        // A fifteen-digit number of another bank is not one of our trace numbers.
        const bool is_trace = !office.odfi_identification.empty() && is_trace_number(word, office);
        if (!is_payment_id(word) && !is_trace) return;
        Reference found{is_trace ? ReferenceKind::trace_number : ReferenceKind::payment_id, std::string(word)};
        if (std::ranges::find(into, found) == into.end()) into.push_back(std::move(found));
    });
}

void find_labeled_numbers(std::string_view text, const std::vector<std::string>& labels, std::vector<Reference>& into) {
    const auto same = [](char a, char b) { return to_lower(a) == to_lower(b); };
    for (const std::string& label : labels) {
        std::string_view rest = text;
        for (char before = ' '; !rest.empty();) {
            const auto found = std::ranges::search(rest, label, same);
            if (found.empty()) break;
            const auto at = static_cast<std::size_t>(found.begin() - rest.begin());
            if (at > 0) before = rest[at - 1];
            rest.remove_prefix(at + label.size());
            const std::size_t from = std::min(rest.find_first_not_of(" :#\t"), rest.size());
            const std::size_t end = std::min(rest.find_first_not_of("0123456789", from), rest.size());
            const bool is_word = !is_letter_or_digit(before) && (end == rest.size() || !is_letter_or_digit(rest[end]));
            Reference number{ReferenceKind::check_number, std::string(rest.substr(from, end - from))};
            if (is_word && end > from && std::ranges::find(into, number) == into.end())
                into.push_back(std::move(number));
            before = label.back();
        }
    }
}

std::string_view without_check_label(std::string_view text) {
    constexpr std::array<std::string_view, 9> labels = {"",   "no",  "check", "checkno", "checknumber",
                                                        "ck", "chk", "chkno", "number"};
    const std::size_t digits = std::min(text.find_first_of("0123456789"), text.size());
    std::string label;
    for (const char c : text.substr(0, digits)) {
        if (is_letter_or_digit(c)) label += to_lower(c);
    }
    const bool is_labeled = std::ranges::find(labels, label) != labels.end() && is_number(text.substr(digits));
    return is_labeled ? text.substr(digits) : text;
}

void add_possible_check(std::string_view text, Confirmation& into) {
    const std::string_view padded = without_check_label(text);
    const std::string_view number = padded.substr(std::min(padded.find_first_not_of('0'), padded.size()));
    const Reference possible{ReferenceKind::possible_check, std::string(number)};
    if (!is_number(number) || number.size() > max_check_digits) return;
    if (std::ranges::find(into.references, possible) == into.references.end()) into.references.push_back(possible);
}

void add_labeled_checks(std::string_view text, const std::vector<std::string>& labels, Confirmation& into) {
    std::vector<Reference> labeled;
    find_labeled_numbers(text, labels, labeled);
    for (const Reference& number : labeled)
        add_possible_check(number.text, into);
}

void add_possible_traces(std::string_view text, const Office& office, Confirmation& into) {
    if (office.odfi_identification.empty()) return;
    for_each_word(text, [&](std::string_view word) {
        Reference possible{ReferenceKind::possible_check, "0" + std::string(word)};
        const bool is_known = std::ranges::find(into.references, possible) != into.references.end();
        if (is_trace_number(possible.text, office) && !is_known) into.references.push_back(std::move(possible));
    });
}

void add_bank_reference(std::string_view text, Confirmation& into) {
    const bool is_known = std::ranges::find(into.references, text, &Reference::text) != into.references.end();
    if (into.kind != ConfirmationKind::paid || text.find_first_not_of('0') == std::string_view::npos || is_known)
        return;
    into.references.push_back({ReferenceKind::bank_reference, std::string(text)});
}

std::optional<BusinessDate> parse_yymmdd(std::string_view text) {
    if (text.size() != 6 || !all_digits(text)) return std::nullopt;
    const auto two = [&](std::size_t at) { return (text[at] - '0') * 10 + (text[at + 1] - '0'); };
    const BusinessDate date(std::chrono::year(2000 + two(0)), std::chrono::month(static_cast<unsigned>(two(2))),
                            std::chrono::day(static_cast<unsigned>(two(4))));
    if (!date.ok()) return std::nullopt;
    return date;
}

std::string masked_note(std::string_view text) {
    constexpr std::size_t shown = 4;
    constexpr std::size_t longest = 200;
    std::string note;
    for (std::size_t at = 0; at < text.size() && note.size() < longest;) {
        std::size_t end = at;
        while (end < text.size() && is_digit(text[end]))
            ++end;
        if (end - at > shown) {
            note += "****" + std::string(text.substr(end - shown, shown));
        } else {
            note += text.substr(at, end - at);
        }
        if (end < text.size()) {
            const bool blank = text[end] == ' ' || text[end] == '\t' || text[end] == '\n' || text[end] == '\r';
            if (!blank) note += text[end];
            if (blank && !note.empty() && note.back() != ' ') note += ' ';
            ++end;
        }
        at = end;
    }
    return std::string(trim(note));
}

}  // namespace drawbridge::statements
