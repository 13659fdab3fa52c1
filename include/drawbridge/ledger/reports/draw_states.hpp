// The state of each draw, derived by one view; totals, lists and the timeline of a draw.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/draw.hpp"
#include "drawbridge/domain/timeline_event.hpp"
#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

// In the usual order of a draw's life.
inline constexpr std::string_view state_names[] = {"pending",  "held",     "approving", "approved",
                                                   "blocked",  "paying",   "paid",      "disbursed",
                                                   "reported", "returned", "cancelled", "external"};
[[nodiscard]] bool is_state(std::string_view name);

struct StateTotal {
    std::string state;
    std::int64_t count = 0;
    Money amount;
    std::int64_t without_amount = 0;  // draws whose amounts are all NULL
    std::optional<Instant> oldest;    // the oldest among the draws' newest readings
};
BOOST_DESCRIBE_STRUCT(StateTotal, (), (state, count, amount, without_amount, oldest))
// One row for each state, including empty ones.
[[nodiscard]] std::vector<StateTotal> state_totals(Ledger& ledger);
// Every draw ever seen; `state` is "seen". These totals and those by state are kept current with the facts, so they
// cost the same regardless of the size of the ledger. `verify` recounts both.
[[nodiscard]] StateTotal seen_total(Ledger& ledger);

struct DrawRow {
    DrawId draw_id = 0;
    std::string state;
    DrawStatus status = DrawStatus::not_submitted;
    std::optional<Money> amount;
    std::int64_t workflow_id = 0;
    std::optional<std::string> case_name, description;
    Instant since;
    std::string why;  // the reason, for held and blocked
};
// The order of a list. By amount or age, every draw of the selection is read.
enum class DrawOrder { id, newest_id, amount, largest_amount, since, newest_since };
struct DrawFilter {
    std::optional<std::string> state;
    DrawId after_id = 0;  // the last draw of the page before; 0: from the beginning
    int limit = 1000;
    DrawOrder order = DrawOrder::id;
    std::optional<std::int64_t> workflow_id = {};
    std::string payee = {};                  // the draw's payee key (`payee_field`), or part of the name that was paid
    const DrawField* payee_field = nullptr;  // fieldA to fieldE; of any other field only the name counts
    std::optional<Money> min_amount = {}, max_amount = {};
    std::string text = {};  // part of the case's name, the description or who requested it
    // Whether anything but the state selects.
    [[nodiscard]] bool is_narrow() const {
        return workflow_id || !payee.empty() || min_amount || max_amount || !text.empty();
    }
};
// For the whole selection, not only the page.
struct DrawSelection {
    std::int64_t count = 0;
    Money amount;
    std::int64_t without_amount = 0;
};
struct DrawList {
    std::vector<DrawRow> draws;
    DrawSelection all;
};
[[nodiscard]] DrawList list_draws(Ledger& ledger, const DrawFilter& filter);
[[nodiscard]] std::optional<DrawRow> find_draw(Ledger& ledger, DrawId id);

// Everything recorded about one draw, oldest first.
struct TimelineEntry {
    Instant at;
    std::string what;  // "reading", "decision", "approval", "payment", "confirmation", "report", "exception"
    TimelineEvent event = TimelineEvent::draw_read;
    std::string detail;  // one line; account numbers masked
    // Whom and what it is about.
    std::optional<std::string> by = {};
    std::optional<std::string> payment_id = {};  // "P0000000017"
    std::optional<std::string> file = {};
    std::optional<std::int64_t> exception_id = {};
};
BOOST_DESCRIBE_STRUCT(TimelineEntry, (), (at, what, event, by, detail, payment_id, file, exception_id))
[[nodiscard]] std::vector<TimelineEntry> timeline(Ledger& ledger, DrawId id);

}  // namespace drawbridge::ledger
