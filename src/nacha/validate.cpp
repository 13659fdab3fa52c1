#include "drawbridge/nacha/validate.hpp"

#include <functional>

#include "file_builder.hpp"

namespace drawbridge::nacha {

Validation validate(std::string_view bytes) {
    FileBuilder builder;
    FileReader reader({.file_records_required = false}, std::ref(builder));
    reader.feed(bytes);
    ReadSummary summary = reader.finish();
    return {std::move(builder.file), std::move(summary)};
}

}  // namespace drawbridge::nacha
