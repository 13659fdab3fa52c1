// One draw, put together field by field as its JSON is read. Owns which field of the service is which member of Draw,
// of what type, and whether it may be missing. It never guesses: the first field that is wrong makes the draw a
// BadRecord.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "drawbridge/domain/draw.hpp"
#include "drawbridge/service/draws_service.hpp"
#include "json.hpp"

namespace drawbridge::service {

// A value that stands on its own in JSON; an object or array is only known to be one.
struct JsonScalar {
    enum class Kind { null, boolean, number, string, composite };
    Kind kind = Kind::null;
    std::string_view text;  // of a number or string
};

class DrawBuilder {
  public:
    // Unknown names are ignored: a later version of the service may add fields.
    void set(std::string_view name, JsonScalar value);
    // What is wrong outside any field ("it is not an object").
    void refuse(std::string_view field, std::string_view why);

    struct Finished {
        std::optional<DrawId> id;
        Result<Draw> draw;  // ErrorCode::protocol, naming draw and field
        std::string bad_field;
    };
    // Ends the draw and makes the builder ready for the next.
    [[nodiscard]] Finished finish();

  private:
    [[nodiscard]] Result<Draw> take_draw();

    std::optional<Draw> draw_{std::in_place};  // always there; optional for making it anew in its place
    std::uint32_t seen_ = 0;                   // one bit for each field
    unsigned expected_ = 0;                    // the field that is likely to come next
    std::optional<DrawId> id_;
    std::string bad_field_;
    std::string why_;  // empty: nothing is wrong so far
};

// A whole draw from a value that ought to be one.
[[nodiscard]] DrawBuilder::Finished build_draw(const JsonValue& value);

}  // namespace drawbridge::service
