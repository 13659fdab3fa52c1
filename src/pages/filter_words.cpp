#include "drawbridge/pages/filter_words.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/domain/money.hpp"
#include "parts.hpp"
#include "typed_numbers.hpp"

namespace drawbridge::pages {
namespace {

enum class List { draws, exceptions, audit };

// `amount` is not among them: it means two parameters.
struct Word {
    std::string_view word, parameter;
    List list;
};
constexpr Word filter_words[] = {
    {"state", "state", List::draws},        {"case", "text", List::draws},         {"text", "text", List::draws},
    {"payee", "payee", List::draws},        {"workflow", "workflow", List::draws}, {"sort", "sort", List::draws},
    {"reason", "reason", List::exceptions}, {"step", "step", List::exceptions},    {"actor", "actor", List::audit},
    {"who", "actor", List::audit},          {"action", "action", List::audit},     {"about", "subject", List::audit},
};
constexpr std::string_view exception_states[] = {"open", "closed"};
constexpr std::string_view file_states[] = {"planned", "staged", "releasing", "released", "voided"};
// Those that no draw has.
constexpr std::string_view check_states[] = {
    "issued",         "stale",      "void_requested",      "stop_requested",     "void_transmitted", "stopped",
    "voided_by_bank", "not_issued", "sent_before_restore", "skipped_by_restore", "never_used"};

// Blanks part words, but not within quotes: case:"Maple Street".
std::vector<std::string> parts_of(std::string_view text) {
    std::vector<std::string> parts;
    std::string part;
    bool is_quoted = false;
    for (const char c : text) {
        if (c == '"') {
            is_quoted = !is_quoted;
        } else if (c == ' ' && !is_quoted) {
            if (!part.empty()) parts.push_back(std::move(part));
            part.clear();
        } else {
            part += c;
        }
    }
    if (!part.empty()) parts.push_back(std::move(part));
    return parts;
}

// What is no amount stays as it is written: the list says what is wrong with it.
std::string amount_of(std::string_view text, std::int64_t more_cents = 0) {
    constexpr auto max_amount = Money::from_cents(1'000'000'000'000'000);
    const auto amount = read_typed_amount(text);
    if (!amount || *amount > max_amount) return std::string(text);
    return Money::from_cents(amount->cents() + more_cents).to_string();
}

class Narrowed {
  public:
    explicit Narrowed(std::string_view text) {
        for (const auto& part : parts_of(text)) {
            if (!take(part)) rest_ += (rest_.empty() ? "" : " ") + part;
        }
    }
    // False also where a filter is given two values: then no list is what was asked for, and the words are a text.
    [[nodiscard]] bool any() const { return !found_.empty() && !is_contradictory_; }
    [[nodiscard]] const Query& found() const { return found_; }
    [[nodiscard]] const std::string& rest() const { return rest_; }
    [[nodiscard]] bool is_about(List list) const { return std::ranges::find(lists_, list) != lists_.end(); }
    [[nodiscard]] std::string value(std::string_view parameter) const {
        const auto at = std::ranges::find(found_, parameter, &Query::value_type::first);
        return at == found_.end() ? std::string() : at->second;
    }

  private:
    bool take(const std::string& part) {
        const auto colon = part.find(':');
        if (colon == std::string::npos) return is_bound(part) && take_amount(part);
        const std::string name = lowercase(part.substr(0, colon)), value = part.substr(colon + 1);
        if (value.empty()) return false;
        if (name == "amount") return take_amount(value);
        const auto word = std::ranges::find(filter_words, name, &Word::word);
        if (word == std::end(filter_words)) return false;
        set(word->parameter, word->parameter == "state" ? lowercase(value) : value);
        if (word->parameter != "state") lists_.push_back(word->list);
        return true;
    }

    // ">5000", "<=$5,000"; not the signs of "A > B" and "->".
    static bool is_bound(std::string_view part) {
        if (!part.starts_with('>') && !part.starts_with('<')) return false;
        part.remove_prefix(1);
        if (part.starts_with('=')) part.remove_prefix(1);
        if (part.starts_with('$')) part.remove_prefix(1);
        return !part.empty() && is_digit(part.front());
    }

    // ">5000", ">=5000", "<5000", "1000..5000", "5000"
    bool take_amount(std::string_view value) {
        lists_.push_back(List::draws);
        const bool with_equal = value.size() > 1 && value[1] == '=';
        const auto bound = value.substr(std::min<std::size_t>(with_equal ? 2 : 1, value.size()));
        if (value.starts_with('>')) {
            set("min_amount", amount_of(bound, with_equal ? 0 : 1));
        } else if (value.starts_with('<')) {
            set("max_amount", amount_of(bound, with_equal ? 0 : -1));
        } else {
            const auto dots = value.find("..");
            set("min_amount", amount_of(value.substr(0, dots)));
            set("max_amount", amount_of(dots == std::string_view::npos ? value : value.substr(dots + 2)));
        }
        return true;
    }

    void set(std::string_view parameter, std::string value) {
        const auto at = std::ranges::find(found_, parameter, &Query::value_type::first);
        if (at == found_.end()) {
            found_.emplace_back(parameter, std::move(value));
        } else if (parameter == "text") {
            at->second += " " + value;
        } else if (at->second != value) {
            is_contradictory_ = true;
        }
    }

    Query found_;
    bool is_contradictory_ = false;
    std::vector<List> lists_;  // of the words, but for a state: several lists have states
    std::string rest_;
};

template <std::size_t N>
bool is_among(const std::string_view (&states)[N], std::string_view state) {
    return std::ranges::find(states, state) != std::end(states);
}

Link narrowed_draws(const Narrowed& narrowed, Query query) {
    for (const auto& [key, value] : narrowed.found()) {
        std::erase_if(query, [&](const auto& one) { return one.first == key; });
        query.emplace_back(key, value);
    }
    if (!narrowed.rest().empty()) {
        const std::string text = narrowed.value("text");
        std::erase_if(query, [](const auto& one) { return one.first == "text"; });
        query.emplace_back("text", text.empty() ? narrowed.rest() : text + " " + narrowed.rest());
    }
    return with_query(Link("/draws"), query);
}

}  // namespace

std::optional<Link> list_of_words(std::string_view text) {
    const Narrowed narrowed(text);
    if (!narrowed.any()) return std::nullopt;
    const std::string state = narrowed.value("state");
    const bool of_exceptions = narrowed.is_about(List::exceptions) || is_among(exception_states, state);
    const bool of_audit = narrowed.is_about(List::audit);
    const bool of_files = is_among(file_states, state), of_checks = is_among(check_states, state);
    if (!of_exceptions && !of_audit && !of_files && !of_checks) return narrowed_draws(narrowed, {});
    if (int{of_exceptions} + int{of_audit} + int{of_files} + int{of_checks} > 1 || !narrowed.rest().empty() ||
        narrowed.is_about(List::draws) || (of_audit && !state.empty()))
        return std::nullopt;
    Query query = narrowed.found();
    std::erase_if(query, [](const auto& one) { return one.second == "open"; });  // what the list shows anyway
    if (of_exceptions) return with_query(Link("/exceptions"), query);
    if (of_audit) return with_query(Link("/audit"), query);
    return with_query(of_files ? Link("/files") : Link("/checks"), query);
}

std::optional<Link> draws_by_words(const Query& query) {
    const auto text = std::ranges::find(query, "text", &Query::value_type::first);
    if (text == query.end()) return std::nullopt;
    const Narrowed narrowed(text->second);
    // A text alone is one already: only what it says of other filters moves.
    if (!narrowed.any()) return std::nullopt;
    Query others = query;
    std::erase_if(others, [](const auto& one) { return one.first == "text" || one.first == "after"; });
    return narrowed_draws(narrowed, std::move(others));
}

Result<Query> read_draw_filters(Query query) {
    constexpr std::string_view known[] = {"state", "workflow", "payee", "text", "sort", "after"};
    for (auto& [key, value] : query) {
        if (key == "min_amount" || key == "max_amount") {
            if (value.empty()) continue;
            const auto amount = read_typed_amount(value);
            if (!amount) {
                return fail(ErrorCode::invalid_input,
                            (key == "min_amount" ? "From $: " : "To $: ") + amount.error().message);
            }
            value = amount->to_string();
        } else if (std::ranges::find(known, key) == std::end(known)) {
            return fail(ErrorCode::invalid_input,
                        "the list of draws has no filter '" + key +
                            "': it has state, workflow, payee, min_amount, max_amount, text and sort");
        }
    }
    return query;
}

}  // namespace drawbridge::pages
