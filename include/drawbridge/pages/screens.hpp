// The console's screens: each a function from the API's answers to a whole HTML page.
//
// An answer that is null or lacks a field leaves its part of the page out; text in it comes from outside and is
// escaped. No page holds an account number: the API's answers have none.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "drawbridge/pages/context.hpp"

namespace drawbridge::reconciliation {
struct Report;
}

namespace drawbridge::pages {

// What a list was asked for: the parameters of the page's address, "state" → "held".
using Query = std::vector<std::pair<std::string, std::string>>;

// GET /status; GET /exceptions (the first page, for titles and amounts); GET /forecast; GET /calendar.
[[nodiscard]] std::string today_page(const PageContext& page, const Json& status, const Json& exceptions,
                                     const Json& forecast);

// GET /files?order=newest
[[nodiscard]] std::string files_page(const PageContext& page, const Json& files, const Query& query);
// GET /files/NAME?payments_limit=150
[[nodiscard]] std::string file_page(const PageContext& page, const Json& file);

// GET /exceptions; GET /exceptions?closed_on= of today, or null.
[[nodiscard]] std::string exceptions_page(const PageContext& page, const Json& exceptions, const Json& closed_today,
                                          const Query& query);
// GET /exceptions/ID; GET /draws/ID of its draw, or null.
[[nodiscard]] std::string exception_page(const PageContext& page, const Json& exception, const Json& draw);

// GET /draws?total=true&fields=true
[[nodiscard]] std::string draws_page(const PageContext& page, const Json& draws, const Query& query);
// GET /draws/ID; POST /draws/ID/explain, or null. `trial` is about a rule file that the reader gave: {"file" (empty: it
// was pasted), "text", "check": POST /rules/check, "explanation": POST /draws/ID/explain with it, or null}.
[[nodiscard]] std::string draw_page(const PageContext& page, const Json& draw, const Json& explanation,
                                    const Json& trial = nullptr);

// GET /confirmations; the "inbox" of GET /status.
[[nodiscard]] std::string bank_files_page(const PageContext& page, const Json& confirmations, const Json& inbox);
// POST /ingest/ID/preview, of that upload, with the profile or format that was asked for; empty: none was.
[[nodiscard]] std::string bank_preview_page(const PageContext& page, const std::string& upload,
                                            const std::string& asked_profile, const Json& preview);
// GET /confirmations/SHA256
[[nodiscard]] std::string bank_file_page(const PageContext& page, const Json& confirmation);

// GET /checks?total=true; the "checks" of GET /status.
[[nodiscard]] std::string checks_page(const PageContext& page, const Json& checks, const Json& outstanding,
                                      const Query& query);

// The first of GET /checks?after=NUMBER-1&limit=1
[[nodiscard]] std::string check_page(const PageContext& page, const Json& check);

// GET /calendar?from=&to=, of one month from its first day; GET /forecast
[[nodiscard]] std::string calendar_page(const PageContext& page, const Json& calendar, const Json& forecast);

// GET /calendar?from=&to= of one day; GET /forecast up to it, or null for a day that is over.
[[nodiscard]] std::string calendar_day_page(const PageContext& page, const Json& calendar, const Json& forecast);

[[nodiscard]] std::string reconciliation_page(const PageContext& page, const reconciliation::Report& report);

// GET /rules; GET /changes; POST /rules/check and POST /rules/backtest of a file that the reader gave, or null.
[[nodiscard]] std::string rules_page(const PageContext& page, const Json& rules, const Json& changes, const Json& check,
                                     const Json& backtest);
// GET /changes/SHA256
[[nodiscard]] std::string change_page(const PageContext& page, const Json& change);

// GET /audit; GET /verify, or null until somebody asks.
[[nodiscard]] std::string audit_page(const PageContext& page, const Json& audit, const Json& verification,
                                     const Query& query);
// GET /acts/ID
[[nodiscard]] std::string signed_act_page(const PageContext& page, const Json& act);

// GET /people; GET /passkeys; GET /sessions
[[nodiscard]] std::string people_page(const PageContext& page, const Json& people, const Json& passkeys,
                                      const Json& sessions);
// GET /me; GET /sessions, or null.
[[nodiscard]] std::string me_page(const PageContext& page, const Json& sessions);

// GET /find. One match alone is a redirect, not a page.
[[nodiscard]] std::string find_page(const PageContext& page, const std::string& wanted, const Json& found);

// POST /acts/challenge: the text that will be signed, word for word. `act` is what it was asked with.
[[nodiscard]] std::string sign_page(const PageContext& page, const Json& challenge, const std::string& next);

[[nodiscard]] std::string sign_in_page(const PageContext& page, const std::string& next);
// Where the link of `drawbridge console open` leads: modules/open.js posts the code of the fragment.
[[nodiscard]] std::string open_page(const PageContext& page);
// Where an invitation leads: likewise.
[[nodiscard]] std::string enroll_page(const PageContext& page);

// The daemon does not answer, and nothing is known yet.
[[nodiscard]] std::string away_page(const PageContext& page);
// {"error": {"code", "message"}}, as the daemon answered with that HTTP status.
[[nodiscard]] std::string error_page(const PageContext& page, int status, const Json& error);

}  // namespace drawbridge::pages
