#include "drawbridge/ledger/facts/explanations.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "facts/explanation_shape.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

// What differs from draw to draw. Texts of rules ("field", "wanted") and names are part of the shape.
constexpr std::string_view value_keys[] = {"\"reason\"", "\"matched\"", "\"found\"", "\"passed\"",
                                           "\"note\"",   "\"for\"",     "\"used\""};

// The string that begins at `at`, with its quotes.
std::string_view string_at(std::string_view json, std::size_t at) {
    std::size_t end = at + 1;
    while (end < json.size() && json[end] != '"')
        end += json[end] == '\\' ? 2U : 1U;
    return json.substr(at, std::min(end + 1, json.size()) - at);
}

bool begins(std::string_view json, std::size_t at, std::string_view word) {
    return json.substr(at).starts_with(word);
}

// The texts that the values have had so far. Values say 2 for the reason, 3 for the first text of their own, and so on.
class Texts {
  public:
    explicit Texts(std::string_view reason)
        : reason_(nlohmann::json(reason).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)),
          texts_{reason_} {}

    // The number of a text (with its quotes); nullopt: it was new and got the next number.
    std::optional<std::size_t> number_of(std::string_view text) {
        const auto found = std::ranges::find(texts_, text);
        if (found != texts_.end()) return first_number + static_cast<std::size_t>(found - texts_.begin());
        texts_.push_back(text);
        return std::nullopt;
    }
    [[nodiscard]] std::optional<std::string_view> numbered(std::size_t number) const {
        if (number < first_number || number - first_number >= texts_.size()) return std::nullopt;
        return texts_[number - first_number];
    }
    void add(std::string_view text) { texts_.push_back(text); }

  private:
    static constexpr std::size_t first_number = 2;
    std::string reason_;
    std::vector<std::string_view> texts_;
};

// Moves a value from `json` at `at` to `values`; false: what stands there remains in the shape.
bool take_value(std::string_view json, std::size_t& at, Texts& texts, std::string& values) {
    std::string value;
    if (begins(json, at, "\"")) {
        const auto text = string_at(json, at);
        const auto number = texts.number_of(text);
        value = number ? std::to_string(*number) : std::string(text);
        at += text.size();
    } else if (begins(json, at, "true")) {
        value = "1";
        at += 4;
    } else if (begins(json, at, "false")) {
        value = "0";
        at += 5;
    } else {
        return false;
    }
    if (values.size() > 1) values += ',';
    values += value;
    return true;
}

// Appends the next of the values to `json`; false: there is none.
bool give_value(std::string_view values, std::size_t& at, Texts& texts, std::string& json) {
    if (at >= values.size() || (values[at] != '[' && values[at] != ',')) return false;
    ++at;
    if (begins(values, at, "\"")) {
        const auto value = string_at(values, at);
        texts.add(value);
        json += value;
        at += value.size();
        return true;
    }
    std::size_t number = 0;
    const auto parsed = std::from_chars(values.data() + at, values.data() + values.size(), number);
    if (parsed.ec != std::errc()) return false;
    const auto text = texts.numbered(number);
    if (number > 1 && !text) return false;
    at = static_cast<std::size_t>(parsed.ptr - values.data());
    json += number == 1 ? "true" : number == 0 ? "false" : *text;
    return true;
}

}  // namespace

SplitExplanation split_explanation(std::string_view json, std::string_view reason) {
    SplitExplanation split{{}, "["};
    split.shape.reserve(json.size());
    Texts texts(reason);
    for (std::size_t at = 0; at < json.size();) {
        const auto quote = std::min(json.find('"', at), json.size());
        split.shape += json.substr(at, quote - at);
        at = quote;
        if (at == json.size()) break;
        const auto text = string_at(json, at);
        at += text.size();
        split.shape += text;
        if (!begins(json, at, ":")) continue;
        split.shape += json[at++];
        if (std::ranges::find(value_keys, text) != std::end(value_keys) && take_value(json, at, texts, split.values))
            split.shape += '?';
    }
    split.values += ']';
    return split;
}

std::optional<std::string> join_explanation(std::string_view shape, std::string_view values, std::string_view reason) {
    std::string json;
    json.reserve(shape.size() + values.size());
    Texts texts(reason);
    std::size_t next = 0;
    for (std::size_t at = 0; at < shape.size();) {
        if (shape[at] == '"') {
            const auto text = string_at(shape, at);
            json += text;
            at += text.size();
        } else if (shape[at] == '?') {
            if (!give_value(values, next, texts, json)) return std::nullopt;
            ++at;
        } else {
            json += shape[at++];
        }
    }
    const bool is_all = next == 0 ? values == "[]" : values.substr(next) == "]";
    return is_all ? std::optional(std::move(json)) : std::nullopt;
}

std::int64_t explanation_shape_id(Ledger& ledger, const std::string& shape) {
    assert_in_transaction(ledger);
    return id_of_text(ledger, ledger.connection().explanation_shapes,
                      {.find = "SELECT shape_id FROM explanation_shape WHERE text = ?",
                       .greatest = "SELECT max(shape_id) FROM explanation_shape",
                       .insert = "INSERT INTO explanation_shape (shape_id, text) VALUES (?, ?)"},
                      shape);
}

std::optional<std::string> explanation_json(Ledger& ledger, std::int64_t decision_id) {
    Query query(ledger,
                R"sql(
        SELECT s.text, c.explanation_values, c.reason
        FROM decision c
        JOIN explanation_shape s ON s.shape_id = c.shape_id
        WHERE c.decision_id = ?)sql",
                decision_id);
    if (!query.next()) return std::nullopt;
    return join_explanation(query.text(0), query.text(1), query.text(2));
}

}  // namespace drawbridge::ledger
