#include "error_message.hpp"

#include <algorithm>

#include "drawbridge/service/codec.hpp"

namespace drawbridge::service {
namespace {

constexpr std::size_t max_line = 300;

const JsonValue* first_non_blank(const JsonObject& object, std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) {
        const JsonValue* member = find(object, name);
        if (member != nullptr && !is_blank(*member)) return member;
    }
    return nullptr;
}

std::string text_of(const JsonValue& error) {
    if (const std::string* text = error.string()) return *text;
    if (const JsonArray* array = error.array()) {
        std::string joined;
        for (const JsonValue& item : *array)
            joined += (joined.empty() ? "" : "; ") + text_of(item);
        return joined;
    }
    const JsonObject* object = error.object();
    if (object == nullptr) return to_text(error);
    const JsonValue* message = first_non_blank(
        *object, {"detail", "message", "error_description", "errorMessage", "description", "title", "reason"});
    const JsonValue* nested = first_non_blank(*object, {"error", "errors"});
    const JsonValue* code = first_non_blank(*object, {"code", "errorCode"});
    if (message == nullptr) message = std::exchange(nested, nullptr);
    if (message == nullptr) return to_text(error);
    std::string text = text_of(*message);
    if (nested != nullptr && nested->string() == nullptr) text += ": " + text_of(*nested);
    if (code != nullptr) text += " (" + text_of(*code) + ")";
    return text;
}

}  // namespace

std::string error_message(const JsonValue& error) {
    return one_line(text_of(error));
}

bool is_blank(const JsonValue& value) {
    if (value.is_null()) return true;
    if (const bool* flag = std::get_if<bool>(&value.value)) return !*flag;
    if (const JsonNumber* number = value.number()) return to_integer(number->text) == 0;
    if (const std::string* text = value.string()) return text->find_first_not_of(" \t\r\n") == std::string::npos;
    if (const JsonArray* array = value.array()) return std::ranges::all_of(*array, is_blank);
    return std::ranges::all_of(*value.object(), [](const JsonMember& member) { return is_blank(member.value); });
}

std::string one_line(std::string_view text) {
    std::string line;
    for (const char c : text) {
        const bool blank = static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
        if (!blank) {
            line += c;
        } else if (!line.empty() && line.back() != ' ') {
            line += ' ';
        }
        if (line.size() > max_line) break;
    }
    if (line.size() > max_line) {
        std::size_t end = max_line;
        while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80U)
            --end;  // at a character boundary
        line.resize(end);
        line += cut_mark;
    }
    while (line.ends_with(' '))
        line.pop_back();
    return line;
}

std::string error_text(std::string_view body) {
    const auto json = parse_json(body);
    if (!json) return one_line(body);
    return is_blank(*json) ? std::string() : error_message(*json);
}

}  // namespace drawbridge::service
