// Reads the common parts of this module's layouts from YAML into a FileForm. Private to this module.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/checks/file_form.hpp"
#include "drawbridge/text/yaml.hpp"

namespace drawbridge::checks {

// What one kind of layout allows.
struct FormRules {
    std::string_view what;                    // "a check issue layout"
    std::vector<ColumnKind> check_columns;    // allowed in the line of a check; constant and blank are always allowed
    std::vector<ColumnKind> required;         // required in the line of a check
    std::vector<ColumnKind> control_columns;  // allowed in header and trailer
};

class FormReader {
  public:
    FormReader(std::string_view file_name, text::Diagnostics& diagnostics, const FormRules& rules)
        : yaml_(std::string(file_name), diagnostics), rules_(rules) {}

    // Reads everything except `codes`. False when the file is not a map.
    bool read(const text::YamlNode& root, FileForm& form);
    // The code under `key` in the map `codes`; nullopt when it is absent. It may be empty.
    std::optional<std::string> code(const text::YamlNode& codes, std::string_view key, const FileForm& form);

    [[nodiscard]] text::YamlReader& yaml() { return yaml_; }

  private:
    bool second_of(const text::YamlNode& map, std::string_view key, std::string_view first, std::string_view second,
                   bool fallback);
    void read_format(const text::YamlNode& root, FileForm& form);
    void read_delimiter(const text::YamlNode& root, FileForm& form);
    void read_forms(const text::YamlNode& root, FileForm& form);
    std::vector<Column> read_columns(const text::YamlNode& columns, const FileForm& form,
                                     const std::vector<ColumnKind>& allowed, std::string_view what);
    std::optional<Column> read_column(const text::YamlNode& item, const FileForm& form,
                                      const std::vector<ColumnKind>& allowed, std::string_view what);
    bool read_place(const text::YamlNode& item, const FileForm& form, Column& column);
    void read_filling(const text::YamlNode& item, const FileForm& form, Column& column);
    void read_constant(const text::YamlNode& item, Column& column);
    void check_width(const text::YamlNode& item, const FileForm& form, const Column& column);
    void check_places(const std::vector<Column>& columns, const std::vector<const text::YamlNode*>& nodes,
                      const text::YamlNode& list, const FileForm& form);

    text::YamlReader yaml_;
    const FormRules& rules_;
};

[[nodiscard]] std::string_view name_of(ColumnKind kind);
[[nodiscard]] bool is_number(ColumnKind kind);

}  // namespace drawbridge::checks
