#include "json.hpp"

#include <algorithm>
#include <boost/json/src.hpp>  // Boost.JSON is header-only and compiled only here
#include <charconv>
#include <nlohmann/json.hpp>

#include "drawbridge/domain/ascii.hpp"
#include "json_events.hpp"

namespace drawbridge::service {
namespace {

class TreeBuilder {
  public:
    void null() { add({}); }
    void boolean(bool value) { add({value}); }
    void number(std::string_view text) { add({JsonNumber{std::string(text)}}); }
    void string(std::string_view value) { add({std::string(value)}); }
    void key(std::string_view name) { std::get<JsonObject>(open_.back().value).push_back({std::string(name), {}}); }
    bool start_object() { return open({JsonObject{}}); }
    bool start_array() { return open({JsonArray{}}); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }

    JsonValue take() { return std::move(root_); }

  private:
    // Containers are built separately and moved into their parent when they close, so that no pointer into a growing
    // vector is needed.
    void add(JsonValue value) {
        if (open_.empty()) {
            root_ = std::move(value);
        } else if (auto* array = std::get_if<JsonArray>(&open_.back().value)) {
            array->push_back(std::move(value));
        } else {
            std::get<JsonObject>(open_.back().value).back().value = std::move(value);
        }
    }
    bool open(JsonValue container) {
        open_.push_back(std::move(container));
        return true;
    }
    bool close() {
        JsonValue done = std::move(open_.back());
        open_.pop_back();
        add(std::move(done));
        return true;
    }

    std::vector<JsonValue> open_;
    JsonValue root_;
};

nlohmann::json quoted(const std::string& text) {
    return text;
}

struct Writer {
    std::string& out;

    void operator()(std::monostate) const { out += "null"; }
    void operator()(bool value) const { out += value ? "true" : "false"; }
    void operator()(const JsonNumber& value) const { out += value.text; }
    void operator()(const std::string& value) const { write_string(value); }
    void operator()(const JsonArray& array) const {
        out += '[';
        for (std::size_t i = 0; i < array.size(); ++i) {
            if (i > 0) out += ',';
            std::visit(*this, array[i].value);
        }
        out += ']';
    }
    void operator()(const JsonObject& object) const {
        out += '{';
        for (std::size_t i = 0; i < object.size(); ++i) {
            if (i > 0) out += ',';
            write_string(object[i].name);
            out += ':';
            std::visit(*this, object[i].value.value);
        }
        out += '}';
    }
    void write_string(const std::string& text) const {
        out += quoted(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    }
};

}  // namespace

Result<JsonValue> parse_json(std::string_view text) {
    TreeBuilder builder;
    const JsonEnd end = read_json(text, builder);
    if (end.complete) return builder.take();
    return fail(ErrorCode::protocol, why_not_json(text, end));
}

std::string why_not_json(std::string_view text, const JsonEnd& end) {
    constexpr std::size_t max_shown = 15;  // "<!DOCTYPE html>"
    const auto begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return "it is empty";
    if (text[begin] != '<') return std::string(end.why) + " at byte " + std::to_string(end.position);
    std::string shown(text.substr(begin, max_shown));
    std::ranges::replace_if(shown, [](char c) { return c < ' ' || c > '~'; }, ' ');
    return "it is a page for a browser (it begins with '" + shown + "'): check service.base_url";
}

const JsonValue* find(const JsonObject& object, std::string_view name) {
    const auto found = std::ranges::find(object, name, &JsonMember::name);
    return found == object.end() ? nullptr : &found->value;
}

std::optional<std::int64_t> to_integer(std::string_view number) {
    std::int64_t value = 0;
    const auto whole = [&](std::string_view text) {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        return error == std::errc() && end == text.data() + text.size();
    };
    if (whole(number)) return value;

    // Sign, digits with an optional point, exponent: shift the point right by the exponent.
    std::string digits;
    std::size_t at = 0;
    if (at < number.size() && number[at] == '-') digits += number[at++];
    std::ptrdiff_t decimals = 0;
    bool after_point = false;
    for (; at < number.size() && (is_digit(number[at]) || number[at] == '.'); ++at) {
        if (number[at] == '.') {
            after_point = true;
            continue;
        }
        digits += number[at];
        decimals += after_point ? 1 : 0;
    }
    if (at < number.size()) {  // JSON allows only an exponent here
        ++at;
        if (at < number.size() && number[at] == '+') ++at;
        int exponent = 0;
        const auto [end, error] = std::from_chars(number.data() + at, number.data() + number.size(), exponent);
        if (error != std::errc() || end != number.data() + number.size()) return std::nullopt;
        if (exponent > 30 || exponent < -30) return std::nullopt;
        decimals -= exponent;
    }
    for (; decimals > 0; --decimals) {
        if (digits.size() < 2 || digits.back() != '0') return std::nullopt;
        digits.pop_back();
    }
    digits.append(static_cast<std::size_t>(-decimals), '0');
    if (!whole(digits)) return std::nullopt;
    return value;
}

std::string to_text(const JsonValue& value) {
    std::string out;
    std::visit(Writer{out}, value.value);
    return out;
}

}  // namespace drawbridge::service
