// Every key of drawbridge.yaml in one place: what may be written, what it means, what it is when it is not written. The
// reader refuses what is not here; the sample, the JSON Schema and docs/configuration.md are made from it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace drawbridge::config {

enum class KeyKind {
    section,   // a block of keys
    sections,  // a list of blocks
    text,
    file,         // a path; relative to the folder of drawbridge.yaml
    secret_file,  // likewise, of a file that holds one secret on one line; or a systemd credential of its file name
    integer,
    integers,   // a list
    texts,      // a list
    duration,   // 500ms, 30s, 5m, 24h, 7d
    amount,     // dollars and cents: 50000.00
    switch_,    // true or false
    templates,  // a map of texts with {placeholders}
    refused,    // a value that must not stand in this file, known so that the answer is better than "unknown key"
};

struct Key {
    std::string_view path = {};  // "service.base_url"; of a list's blocks likewise: "confirmations.profiles.match"
    KeyKind kind = KeyKind::text;
    std::string_view fallback = {};  // what holds without it, as one would write it; empty: nothing, or it is required
    std::string_view sample = {};    // what the sample shows, as YAML; empty: the fallback
    std::string_view choices = {};   // "manual, auto"; empty: any; of a duration: a word in its place
    bool required = false;           // where its section is there
    bool shown = false;              // stands in the sample as a live line, not as a comment
    bool instead = false;            // of the key before it: the sample shows only that
    std::string_view meaning = {};   // a sentence or two, for people
};

// In the order of the sample; a section comes before its keys.
[[nodiscard]] std::span<const Key> keys();

// The last names of the keys directly under `section`: "base_url", ...; empty: the file's own blocks.
[[nodiscard]] std::vector<std::string_view> keys_under(std::string_view section);

// config/drawbridge.yaml
[[nodiscard]] std::string sample_configuration();
// config/schema/drawbridge.schema.json
[[nodiscard]] std::string configuration_schema();
// docs/configuration.md, which is drawbridge.yaml(5) too
[[nodiscard]] std::string configuration_reference();

}  // namespace drawbridge::config
