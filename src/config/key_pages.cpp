// The pages that are made from the table of keys: the sample, the schema, the reference.
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

bool is_block(const Key& key) {
    return key.kind == KeyKind::section || key.kind == KeyKind::sections;
}

std::string_view kind_words(const Key& key) {
    switch (key.kind) {
        case KeyKind::section: return "a block";
        case KeyKind::sections: return "a list of blocks";
        case KeyKind::text: return "text";
        case KeyKind::file: return "a path";
        case KeyKind::secret_file: return "the path of a secret";
        case KeyKind::integer: return "a whole number";
        case KeyKind::integers: return "a list of whole numbers";
        case KeyKind::texts: return "a list of texts";
        case KeyKind::duration: return "a duration";
        case KeyKind::amount: return "an amount";
        case KeyKind::switch_: return "true or false";
        case KeyKind::templates: return "texts with placeholders";
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

// "# " before what is not in force; the first key of a list's block begins with "- ".
std::string sample_line(const Key& key, bool live, bool first_of_item, std::size_t indent) {
    std::string line(indent, ' ');
    if (!live) line += "# ";
    if (first_of_item) line.replace(indent - 2, 2, "- ");
    line += std::string(name_of(key)) + ":";
    if (!is_block(key)) line += " " + std::string(key.sample.empty() ? key.fallback : key.sample);
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
        case KeyKind::integer: return {{"type", "integer"}, {"minimum", 0}};
        case KeyKind::integers: return {{"type", "array"}, {"items", {{"type", "integer"}}}, {"minItems", 1}};
        case KeyKind::texts: return {{"type", "array"}, {"items", {{"type", "string"}}}};
        case KeyKind::duration: {
            const std::string in_its_place = key.choices.empty() ? "" : "|^" + std::string(key.choices) + "$";
            return {{"type", "string"}, {"pattern", "^[0-9]+(ms|s|m|h|d)$" + in_its_place}};
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
    if (is_block(key) && !key.choices.empty()) {  // a block, or one word in its place
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
        "# Drawbridge: the administrator's configuration. `drawbridge check` reads it and names every mistake with its "
        "place;\n"
        "# drawbridge.yaml(5), docs/configuration.md, says what each key means.\n"
        "#\n"
        "# Paths that do not begin with / are relative to this file's folder. Secrets never stand in this file: each "
        "*_file key\n"
        "# names a file that holds the value on one line, mode 0600. When there is no such file, the systemd "
        "credential of the\n"
        "# same name is used. What is commented out shows the default, or an example where there is none.\n";
    bool in_live_block = true;
    std::string_view list;  // the list whose first block is being written
    bool first_of_item = false;
    for (const Key& key : keys()) {
        if (key.kind == KeyKind::refused || key.instead) continue;
        const std::size_t depth = depth_of(key);
        if (depth == 0) {
            in_live_block = key.shown;
            out += "\n";
        }
        const bool in_list = !list.empty() && key.path.starts_with(std::string(list) + ".");
        const std::size_t indent = depth * 2 + (in_list ? 2 : 0);
        const bool live = in_live_block && key.shown;
        const std::string comment = std::string(indent, ' ') + "# ";
        // In a list's block the comment would stand between the dash and its key: it follows the list's own.
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
                 {"description", "drawbridge.yaml: service, folders, rails and how often."},
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
        "drawbridge.yaml is the administrator's configuration: the service, the folders, the rails. `drawbridge check` "
        "reads it "
        "and names every mistake as\n`file:line:column: what is wrong: what to do`; an unknown key is a mistake.\n\n"
        "Paths that do not begin with `/` are relative to the folder of the file. A duration is a number with its "
        "unit: `500ms`,\n"
        "`30s`, `5m`, `24h`, `7d`. An amount is dollars and cents: `50000.00`. Secrets never stand in the file: a key "
        "that ends in\n"
        "`_file` names a file that holds the value alone, on one line, mode 0600; where there is no such file the "
        "systemd\n"
        "credential of the same name is used (the unit hands over every file of `credentials/` beside this one; a "
        "person at the console who may read that folder has them from there).\n";
    for (const Key& key : keys()) {
        if (key.kind == KeyKind::refused) continue;
        if (depth_of(key) == 0) out += "\n## " + std::string(key.path) + "\n";
        out += "\n";
        if (!is_block(key) || depth_of(key) > 0) out += "`" + std::string(key.path) + "`: ";
        out += std::string(kind_words(key));
        if (!key.choices.empty()) {
            const std::string_view joint = key.kind == KeyKind::duration ? ", or "
                                           : is_block(key)               ? ", or one of "
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
