#include "drawbridge/pages/context.hpp"

#include <set>

#include "json_read.hpp"

namespace drawbridge::pages {

void set_reader(PageContext& page, Json me) {
    if (auto zone = TimeZone::find(text_in(me, "timezone"))) page.zone = std::move(*zone);
    std::set<BusinessDate> closures;
    for (const Json& closure : list_in(me, "closures")) {
        if (const auto date = parse_date(text_of(closure))) closures.insert(*date);
    }
    page.calendar = BankingCalendar(std::move(closures));
    page.me = std::move(me);
}

}  // namespace drawbridge::pages
