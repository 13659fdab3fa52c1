// The pages generated from the key table: the sample, the schema and the reference.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "drawbridge/config/keys.hpp"

namespace drawbridge::config {
namespace {

using json = nlohmann::ordered_json;

std::size_t depth_of(const Key& key) {
    return static_cast<std::size_t>(std::ranges::count(key.path, '.'));
}

std::string_view name_of(const Key& key) {
    return key.path.substr(key.path.rfind('.') + 1);
}

bool is_section(const Key& key) {
    return key.kind == KeyKind::section || key.kind == KeyKind::sections;
}

std::string_view kind_words(const Key& key) {
    switch (key.kind) {
        case KeyKind::section: return "section";
        case KeyKind::sections: return "list of sections";
        case KeyKind::text: return "string";
        case KeyKind::file: return "path";
        case KeyKind::secret_file: return "path of a secret file";
        case KeyKind::integer: return "integer";
        case KeyKind::integers: return "list of integers";
        case KeyKind::texts: return "list of strings";
        case KeyKind::duration: return "duration";
        case KeyKind::amount: return "amount";
        case KeyKind::switch_: return "true or false";
        case KeyKind::templates: return "map of strings with placeholders";
        case KeyKind::refused: return "refused";
    }
    return {};
}

// Lines of at most `width` characters, each after `prefix`.
std::string wrapped(std::string_view text, const std::string& prefix, std::size_t width) {
    std::string out, line;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find(' ', at), text.size());
        const auto word = text.substr(at, end - at);
        if (!line.empty() && prefix.size() + line.size() + 1 + word.size() > width) {
            out += prefix + line + "\n";
            line.clear();
        }
        line += (line.empty() ? "" : " ") + std::string(word);
        at = end + 1;
    }
    return out + prefix + line + "\n";
}

// A line that is not live begins with "# ". The first key of a list item begins with "- ".
std::string sample_line(const Key& key, bool live, bool first_of_item, std::size_t indent) {
    std::string line(indent, ' ');
    if (!live) line += "# ";
    if (first_of_item) line.replace(indent - 2, 2, "- ");
    line += std::string(name_of(key)) + ":";
    if (!is_section(key)) line += " " + std::string(key.sample.empty() ? key.fallback : key.sample);
    return line + "\n";
}

json type_of(const Key& key) {
    switch (key.kind) {
        case KeyKind::section: return {{"type", "object"}, {"additionalProperties", false}};
        case KeyKind::sections:
            return {{"type", "array"}, {"items", {{"type", "object"}, {"additionalProperties", false}}}};
        case KeyKind::text:
        case KeyKind::file:
        case KeyKind::secret_file: return {{"type", "string"}};
        case KeyKind::integer:
            return {{"type", "integer"}, {"minimum", table_number(key.low)}, {"maximum", table_number(key.high)}};
        case KeyKind::integers: return {{"type", "array"}, {"items", {{"type", "integer"}}}, {"minItems", 1}};
        case KeyKind::texts: return {{"type", "array"}, {"items", {{"type", "string"}}}};
        case KeyKind::duration: {
            const std::string or_word = key.choices.empty() ? "" : "|^" + std::string(key.choices) + "$";
            return {{"type", "string"}, {"pattern", "^[0-9]+(ms|s|m|h|d)$" + or_word}};
        }
        case KeyKind::amount: return {{"type", json::array({"number", "string"})}};
        case KeyKind::switch_: return {{"type", "boolean"}};
        case KeyKind::templates: return {{"type", "object"}, {"additionalProperties", {{"type", "string"}}}};
        case KeyKind::refused: return false;
    }
    return {};
}

json described(const Key& key) {
    json type = type_of(key);
    if (key.kind == KeyKind::refused) return type;
    type["description"] = key.meaning;
    if (!key.fallback.empty()) type["default"] = key.fallback;
    if (is_section(key) && !key.choices.empty()) {  // a section, or one word instead
        type["type"] = json::array({"object", "string"});
        std::string words(key.choices);
        for (std::size_t at = 0; (at = words.find(", ", at)) != std::string::npos;)
            words.replace(at, 2, "|");
        type["pattern"] = "^(" + words + ")$";
        return type;
    }
    if (key.kind == KeyKind::duration) return type;
    for (std::size_t at = 0; at < key.choices.size();) {
        const auto end = std::min(key.choices.find(", ", at), key.choices.size());
        type["enum"].push_back(key.choices.substr(at, end - at));
        at = end + 2;
    }
    return type;
}

}  // namespace

std::string sample_configuration() {
    std::string out =
        "# yaml-language-server: $schema=schema/drawbridge.schema.json\n"
        "# Drawbridge: the administrator's configuration. `drawbridge check` reports every mistake in it with its line "
        "and\n"
        "# column. drawbridge.yaml(5) and docs/configuration.md explain each key.\n"
        "#\n"
        "# Relative paths are relative to the folder of this file. Secrets do not belong in this file: each *_file key "
        "names\n"
        "# a file of mode 0600 that contains the value on one line. If that file does not exist, Drawbridge reads the "
        "systemd\n"
        "# credential of the same name. A commented key shows its default, or an example if it has no default.\n";
    bool in_live_section = true;
    std::string_view list;  // the list whose first item is being written
    bool first_of_item = false;
    for (const Key& key : keys()) {
        if (key.kind == KeyKind::refused || key.instead) continue;
        const std::size_t depth = depth_of(key);
        if (depth == 0) {
            in_live_section = key.shown;
            out += "\n";
        }
        const bool in_list = !list.empty() && key.path.starts_with(std::string(list) + ".");
        const std::size_t indent = depth * 2 + (in_list ? 2 : 0);
        const bool live = in_live_section && key.shown;
        const std::string comment = std::string(indent, ' ') + "# ";
        // In a list item the comment would come between the dash and its key, so only the list itself has one.
        if (!in_list) out += wrapped(key.meaning, comment, 120);
        out += sample_line(key, live, first_of_item && in_list, indent);
        first_of_item = false;
        if (key.kind == KeyKind::sections) {
            list = key.path;
            first_of_item = true;
        }
    }
    return out;
}

std::string configuration_schema() {
    json root = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"title", "Drawbridge configuration"},
                 {"description", "drawbridge.yaml: the service, folders, rails and schedules."},
                 {"type", "object"},
                 {"additionalProperties", false}};
    for (const Key& key : keys()) {
        json* node = &root;
        for (std::size_t at = 0; at < key.path.size();) {
            const auto end = std::min(key.path.find('.', at), key.path.size());
            const std::string name(key.path.substr(at, end - at));
            if (node->contains("items")) node = &(*node)["items"];
            if (end == key.path.size()) {
                if (key.required) (*node)["required"].push_back(name);
                (*node)["properties"][name] = described(key);
            } else {
                node = &(*node)["properties"][name];
            }
            at = end + 1;
        }
    }
    return root.dump(2) + "\n";
}

std::string configuration_reference() {
    std::string out =
        "# Configuration\n\n"
        "drawbridge.yaml is the administrator's configuration: the service, folders, rails and schedules. `drawbridge "
        "check` reports\nevery mistake as `file:line:column: what is wrong: what to do`. An unknown key is a "
        "mistake.\n\n"
        "Relative paths are relative to the folder of the file. A duration is a number with a unit: `500ms`, `30s`, "
        "`5m`, `24h`, `7d`.\nAn amount is dollars and cents: `50000.00`.\n\n"
        "Secrets do not belong in the file. A key that ends in `_file` names a file of mode 0600 that contains the "
        "value "
        "on one line.\nIf that file does not exist, Drawbridge reads the systemd credential of the same name. The unit "
        "loads every file in\n`credentials/` next to drawbridge.yaml as a credential; a command that a person runs "
        "reads "
        "that folder directly.\n";
    for (const Key& key : keys()) {
        if (key.kind == KeyKind::refused) continue;
        if (depth_of(key) == 0) out += "\n## " + std::string(key.path) + "\n";
        out += "\n";
        if (!is_section(key) || depth_of(key) > 0) out += "`" + std::string(key.path) + "`: ";
        out += std::string(kind_words(key));
        if (!key.low.empty()) out += fmt::format(" from {} to {}", key.low, key.high);
        if (!key.choices.empty()) {
            const std::string_view joint = key.kind == KeyKind::duration ? ", or "
                                           : is_section(key)             ? ", or one of "
                                                                         : ", one of ";
            out += std::string(joint) + std::string(key.choices);
        }
        if (key.required) out += "; required";
        if (!key.fallback.empty()) out += "; default `" + std::string(key.fallback) + "`";
        out += ". " + std::string(key.meaning) + "\n";
    }
    return out;
}

}  // namespace drawbridge::config
