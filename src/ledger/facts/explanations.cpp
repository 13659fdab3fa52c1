#include "drawbridge/ledger/facts/explanations.hpp"

#include <algorithm>

#include "facts/explanation_shape.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

// What differs from draw to draw. Texts of rules ("field", "wanted") and names are part of the shape.
constexpr std::string_view value_keys[] = {"\"reason\"", "\"matched\"", "\"found\"", "\"passed\"",
                                           "\"note\"",   "\"for\"",     "\"used\""};
// Rule sets of other days have other shapes; more than these are not worth their memory.
constexpr std::size_t max_remembered = 1000;

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

// Moves a value from `json` at `at` to `values`; false: what stands there remains in the shape.
bool take_value(std::string_view json, std::size_t& at, std::string& values) {
    std::string_view value;
    if (begins(json, at, "\"")) {
        value = string_at(json, at);
        at += value.size();
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
bool give_value(std::string_view values, std::size_t& at, std::string& json) {
    if (at >= values.size() || (values[at] != '[' && values[at] != ',')) return false;
    ++at;
    if (begins(values, at, "\"")) {
        const auto value = string_at(values, at);
        json += value;
        at += value.size();
        return true;
    }
    if (!begins(values, at, "1") && !begins(values, at, "0")) return false;
    json += values[at++] == '1' ? "true" : "false";
    return true;
}

}  // namespace

SplitExplanation split_explanation(std::string_view json) {
    SplitExplanation split{{}, "["};
    split.shape.reserve(json.size());
    for (std::size_t at = 0; at < json.size();) {
        if (json[at] != '"') {
            split.shape += json[at++];
            continue;
        }
        const auto text = string_at(json, at);
        at += text.size();
        split.shape += text;
        if (!begins(json, at, ":")) continue;
        split.shape += json[at++];
        if (std::ranges::find(value_keys, text) != std::end(value_keys) && take_value(json, at, split.values))
            split.shape += '?';
    }
    split.values += ']';
    return split;
}

std::optional<std::string> join_explanation(std::string_view shape, std::string_view values) {
    std::string json;
    json.reserve(shape.size() + values.size());
    std::size_t next = 0;
    for (std::size_t at = 0; at < shape.size();) {
        if (shape[at] == '"') {
            const auto text = string_at(shape, at);
            json += text;
            at += text.size();
        } else if (shape[at] == '?') {
            if (!give_value(values, next, json)) return std::nullopt;
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
    auto& known = ledger.connection().explanation_shapes;
    if (const auto found = known.find(shape); found != known.end()) return found->second;
    std::optional<std::int64_t> id;
    {
        Query query(ledger, "SELECT shape_id FROM explanation_shape WHERE text = ?", shape);
        if (query.next()) id = query.integer(0);
    }
    if (!id) {
        id = new_row(ledger, "SELECT max(shape_id) FROM explanation_shape");
        Query(ledger, "INSERT INTO explanation_shape (shape_id, text) VALUES (?, ?)", *id, shape).run();
    }
    if (known.size() >= max_remembered) known.clear();
    known.emplace(shape, *id);
    return *id;
}

std::optional<std::string> explanation_json(Ledger& ledger, std::int64_t decision_id) {
    Query query(ledger,
                R"sql(
        SELECT s.text, c.explanation_values
        FROM decision c
        JOIN explanation_shape s ON s.shape_id = c.shape_id
        WHERE c.decision_id = ?)sql",
                decision_id);
    if (!query.next()) return std::nullopt;
    return join_explanation(query.text(0), query.text(1));
}

}  // namespace drawbridge::ledger
