// The table of all keys of drawbridge.yaml: type, default, range and meaning. The reader refuses a key that is not in
// it, and takes defaults and ranges from it. The sample, the JSON Schema and docs/configuration.md are generated from
// it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace drawbridge::config {

enum class KeyKind {
    section,   // a map of keys
    sections,  // a list of maps
    text,
    file,         // a path, relative to the folder of drawbridge.yaml
    secret_file,  // likewise; the file contains one secret on one line. If absent: the systemd credential of that name
    integer,
    integers,   // a list
    texts,      // a list
    duration,   // 500ms, 30s, 5m, 24h, 7d
    amount,     // dollars and cents: 50000.00
    switch_,    // true or false
    templates,  // a map of strings with {placeholders}
    refused,    // a secret that must not be in this file, or an old name; gives a better error than "unknown key"
};

struct Key {
    std::string_view path = {};  // "service.base_url"; of a list item: "confirmations.profiles.match"
    KeyKind kind = KeyKind::text;
    std::string_view low = {}, high = {};  // of an integer or a duration: the range, written as in the file
    std::string_view fallback = {};        // the default, written as in the file; empty: none, or the key is required
    std::string_view sample = {};          // the value in the sample, as YAML; empty: the fallback
    std::string_view choices = {};     // "manual, auto"; empty: any value; for a duration: a word instead of a duration
    std::string_view renamed_to = {};  // of a refused key: its new last name
    bool required = false;             // if its section is present
    bool shown = false;                // a live line of the sample, not a comment
    bool instead = false;              // an alternative to the key before it; not in the sample
    std::string_view meaning = {};     // a sentence or two for the reader of the sample
};

// In the order of the sample. A section comes before its keys.
[[nodiscard]] std::span<const Key> keys();

// The row of a key that is in the table.
[[nodiscard]] const Key& key_at(std::string_view path);

// A default or a bound of an integer, as a number.
[[nodiscard]] std::int64_t table_number(std::string_view text);

// The last names of the keys directly under `section`: "base_url", ... An empty `section` gives the top-level keys.
[[nodiscard]] std::vector<std::string_view> keys_under(std::string_view section);

// config/drawbridge.yaml
[[nodiscard]] std::string sample_configuration();
// config/schema/drawbridge.schema.json
[[nodiscard]] std::string configuration_schema();
// docs/configuration.md, also the man page drawbridge.yaml(5)
[[nodiscard]] std::string configuration_reference();

}  // namespace drawbridge::config
