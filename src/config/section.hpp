// One section of drawbridge.yaml, read key by key with defaults. Every error goes to the reader. A value that cannot be
// read is replaced by its default, so that one run reports all errors.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "drawbridge/text/yaml.hpp"

namespace drawbridge::config {

class Section {
  public:
    // `name` is the path of the section: "service", "ach.odfi"; empty for the whole file. keys.hpp lists its keys.
    Section(text::YamlReader& reader, const text::YamlNode* node, std::string name);

    [[nodiscard]] Section child(std::string_view key) const;

    [[nodiscard]] bool present() const { return node_ != nullptr; }
    [[nodiscard]] const text::YamlNode* find(std::string_view key) const;
    // Reports an error if the key is missing.
    [[nodiscard]] const text::YamlNode* require(std::string_view key) const;
    // "service.page_size"
    [[nodiscard]] std::string what(std::string_view key) const;
    [[nodiscard]] text::YamlReader& reader() const { return reader_; }

    // Range and default are those of the table. Without a default, an absent key gives the lowest value.
    [[nodiscard]] std::int64_t integer(std::string_view key) const;
    [[nodiscard]] std::chrono::milliseconds duration(std::string_view key) const;
    [[nodiscard]] std::string text(std::string_view key, std::string_view fallback) const;
    [[nodiscard]] std::optional<std::string> required_text(std::string_view key) const;

    // The value must be one of the names. The first is the default.
    template <class T>
    [[nodiscard]] T choice(std::string_view key, const std::vector<std::pair<std::string_view, T>>& choices) const {
        std::vector<std::string_view> names;
        names.reserve(choices.size());
        for (const auto& [name, value] : choices)
            names.push_back(name);
        return choices[choice_of(key, names)].second;
    }

  private:
    void refuse_old_names() const;
    void refuse_shell_paths() const;
    [[nodiscard]] std::size_t choice_of(std::string_view key, const std::vector<std::string_view>& names) const;

    text::YamlReader& reader_;
    const text::YamlNode* node_;  // null: missing, or not a map
    std::string name_;
};

}  // namespace drawbridge::config
