#include "drawbridge/domain/shown_date.hpp"

namespace drawbridge {

bool is_same_day(const TimeZone& office, Instant shown, Instant sent) {
    return office.date_of(shown) == office.date_of(sent) ||
           std::chrono::floor<std::chrono::days>(shown) == std::chrono::floor<std::chrono::days>(sent);
}

}  // namespace drawbridge
