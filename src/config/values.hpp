// Values of a configuration that may have mistakes, for those who leave errors to load_config(). Private to this
// module.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "drawbridge/disbursement/number_ranges.hpp"
#include "drawbridge/text/yaml.hpp"

namespace drawbridge::config {

// By the path of a key: "ach.odfi.routing_number".
class Values {
  public:
    // nullptr: an empty configuration.
    explicit Values(const text::YamlNode* root) : root_(root) {}

    // nullptr: the configuration has no such key.
    [[nodiscard]] const text::YamlNode* node(std::string_view path) const;
    // A scalar, or the default from the key table.
    [[nodiscard]] std::string text(std::string_view path) const;
    [[nodiscard]] disbursement::NumberRange range(std::string_view from, std::string_view to) const;

  private:
    [[nodiscard]] std::int64_t number(std::string_view path) const;

    const text::YamlNode* root_;
};

}  // namespace drawbridge::config
