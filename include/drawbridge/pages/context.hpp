// What every page gets besides its own data: the reader, the time, the page's address and the current status.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "drawbridge/domain/banking_calendar.hpp"
#include "drawbridge/domain/time.hpp"

namespace drawbridge::pages {

using Json = nlohmann::json;

enum class Theme { system, light, dark };

struct PageContext {
    Instant now;
    TimeZone zone = TimeZone::find("UTC").value();  // the office's: every time on a page is in it
    BankingCalendar calendar = {};                  // with the office's closures
    std::string path = "/";                         // of this page, with its query: where the reader comes back to
    Json me = nullptr;                              // GET /me; null: nobody is signed in
    Json pulse = nullptr;                           // GET /pulse; null: the daemon was not asked
    Theme theme = Theme::system;
    bool has_single_keys = true;  // the reader may turn them off (WCAG 2.1.4)
    std::string notice = {};      // what the act before this page did
    // The daemon does not answer, and the page shows what was known then.
    std::optional<Instant> known_at = {};
};

// `me` is the answer of GET /me, which also tells the office's time zone and closures.
void set_reader(PageContext& page, Json me);

}  // namespace drawbridge::pages
