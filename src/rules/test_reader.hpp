// Reads one operator of one field from YAML into a Test and reports errors. The value must have the field's kind.
#pragma once

#include <optional>
#include <string>

#include "drawbridge/rules/rule_set.hpp"
#include "drawbridge/text/yaml.hpp"

namespace drawbridge::rules {

class TestReader {
  public:
    TestReader(text::YamlReader& reader, bool case_sensitive) : reader_(reader), case_sensitive_(case_sensitive) {}

    // `op` must be allowed for the field's kind. With is_null, the value says null or not null. nullopt when it
    // reported an error.
    [[nodiscard]] std::optional<Test> read(const DrawField& field, Operator op, const text::YamlNode& node);

  private:
    std::optional<Test> read_null_test(const DrawField& field, const text::YamlNode& node);
    bool read_list(const text::YamlNode& node, const std::string& what, Test& test);
    bool read_reference(const text::YamlNode& node, const std::string& what, Test& test);
    bool read_age(const text::YamlNode& node, const std::string& what, Test& test);
    bool read_pattern(const text::YamlNode& node, const std::string& what, Test& test);
    bool read_single(const text::YamlNode& node, const std::string& what, Test& test);
    void warn_of_quotes(const text::YamlNode& node);
    std::optional<FieldValue> read_value(const DrawField& field, Operator op, const text::YamlNode& node,
                                         const std::string& what);

    text::YamlReader& reader_;
    bool case_sensitive_;
};

}  // namespace drawbridge::rules
