// Builds one draw field by field while its JSON is read. Owns which service field is which member of Draw, its type,
// and whether it may be missing. It never guesses: the first wrong field makes the draw a BadRecord.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "drawbridge/domain/draw.hpp"
#include "drawbridge/service/codec.hpp"
#include "json.hpp"

namespace drawbridge::service {

// A scalar JSON value. Of an object or array only the kind is known.
struct JsonScalar {
    enum class Kind { null, boolean, number, string, composite };
    Kind kind = Kind::null;
    std::string_view text;  // of a number or string
};

class DrawBuilder {
  public:
    // Unknown names are ignored: a later version of the service may add fields.
    void set(std::string_view name, JsonScalar value);
    // A fault outside any field ("it is not an object").
    void refuse(std::string_view field, std::string_view why);

    struct Finished {
        std::optional<DrawId> id;
        Result<Draw> draw;  // ErrorCode::protocol, naming draw and field
        std::string bad_field;
        FieldSet lacks{}, with_value{};
        bool has_null = false;
    };
    // Ends the draw and resets the builder for the next one.
    [[nodiscard]] Finished finish();

  private:
    [[nodiscard]] Result<Draw> take_draw();

    std::optional<Draw> draw_{std::in_place};  // always set; optional so that it can be constructed again in place
    FieldSet seen_ = 0, nulls_ = 0;
    unsigned expected_ = 0;  // the field that probably comes next
    std::optional<DrawId> id_;
    std::string bad_field_;
    std::string why_;  // empty: no fault so far
};

// Builds a draw from a JSON value.
[[nodiscard]] DrawBuilder::Finished build_draw(const JsonValue& value);

}  // namespace drawbridge::service
