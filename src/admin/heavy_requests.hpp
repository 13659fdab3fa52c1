// Requests that cost the daemon more than a page does: reports, replays, previews and refreshes. Over the console, a
// person has one at a time in progress, so that nobody's tabs delay the others. In memory. Private to this module.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "call.hpp"

namespace drawbridge::admin {

class HeavyRequests {
  public:
    // Whether the route is one.
    [[nodiscard]] static bool has(std::string_view pattern);
    // Begins one, or continues with the next slice of the one under way. Error (unavailable): another is under way.
    [[nodiscard]] Result<void> begin(const std::string& who, const Call& call, Instant now);
    void end(const std::string& who, bool has_more_slices, Instant now);

  private:
    struct UnderWay {
        std::string what;  // "GET /reconcile"
        bool is_being_answered = true;
        Instant began, until;
    };
    std::map<std::string, UnderWay> by_person_;
};

}  // namespace drawbridge::admin
