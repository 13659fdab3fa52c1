// Reads the body that a browser sends for a form: "a=1&b=2", or multipart with one small file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/pages/act_form.hpp"

namespace drawbridge::console {

struct FormFile {
    std::string field, name, bytes;  // `name` without folders
};

struct Form {
    std::vector<pages::FormField> fields;
    std::optional<FormFile> file;

    // The first field of this name; empty: there is none.
    [[nodiscard]] std::string value(std::string_view name) const;
};

// Error (invalid_input): not a form, an invalid escape, text that is not UTF-8, more than 1,000 fields or one file.
[[nodiscard]] Result<Form> read_form(std::string_view content_type, std::string_view body);

}  // namespace drawbridge::console
