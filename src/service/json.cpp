#include "json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

namespace drawbridge::service {
namespace {

constexpr std::size_t max_depth = 64;

// Builds a JsonValue from nlohmann's events. nlohmann hands over the raw text of a number only when it is no integer.
class TreeBuilder {
  public:
    bool null() { return add({}); }
    bool boolean(bool value) { return add({value}); }
    bool number_integer(std::int64_t value) { return add({JsonNumber{std::to_string(value)}}); }
    bool number_unsigned(std::uint64_t value) { return add({JsonNumber{std::to_string(value)}}); }
    bool number_float(double, const std::string& raw) { return add({JsonNumber{raw}}); }
    bool string(std::string& value) { return add({std::move(value)}); }
    bool binary(nlohmann::json::binary_t&) { return false; }
    bool start_object(std::size_t) { return open({JsonObject{}}); }
    bool end_object() { return close(); }
    bool start_array(std::size_t) { return open({JsonArray{}}); }
    bool end_array() { return close(); }
    bool key(std::string& name) {
        std::get<JsonObject>(open_.back().value).push_back({std::move(name), {}});
        return true;
    }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&) {
        error_ = "it stops being JSON at byte " + std::to_string(position);
        return false;
    }

    Result<JsonValue> take(bool complete) {
        if (complete) return std::move(root_);
        return fail(ErrorCode::protocol, error_);
    }

  private:
    // Containers are built aside and moved into their parent when they close, so nothing points into a growing vector.
    bool add(JsonValue value) {
        if (open_.empty()) {
            root_ = std::move(value);
        } else if (auto* array = std::get_if<JsonArray>(&open_.back().value)) {
            array->push_back(std::move(value));
        } else {
            std::get<JsonObject>(open_.back().value).back().value = std::move(value);
        }
        return true;
    }
    bool open(JsonValue container) {
        if (open_.size() == max_depth) {
            error_ = "it is nested too deep";
            return false;
        }
        open_.push_back(std::move(container));
        return true;
    }
    bool close() {
        JsonValue done = std::move(open_.back());
        open_.pop_back();
        return add(std::move(done));
    }

    std::vector<JsonValue> open_;
    JsonValue root_;
    std::string error_ = "it is not JSON";
};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

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
    const bool complete = nlohmann::json::sax_parse(text, &builder);
    return builder.take(complete);
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

    // Sign, digits with or without a point, exponent: move the point to the right by the exponent.
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
