// The Draws Service as Drawbridge sees it: list, read, patch and approve draws. Owns the vocabulary of these four calls
// and nothing about their transport. It must never decide what is approved or paid, and never hide an unknown outcome.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/domain/draw.hpp"
#include "drawbridge/domain/error.hpp"
#include "drawbridge/domain/time.hpp"

namespace drawbridge::service {

namespace asio = boost::asio;

template <class T>
using Task = asio::awaitable<Result<T>>;

inline constexpr std::size_t max_bulk_approvals = 500;

// All filters are optional and combined with "and".
struct ListQuery {
    std::optional<DrawStatus> status = {};
    std::optional<std::int64_t> workflow_id = {};
    std::optional<Instant> modified_since = {};  // modifiedDate[gte]; sent as whole seconds, rounded down
    DrawId after_id = 0;                         // id[gt]: keyset paging
    int page_size = 500;                         // 1 or more
};

// One unreadable record of a page. The other records of the page are used.
struct BadRecord {
    std::optional<DrawId> id;
    std::string field;
    std::string message;  // one line, names draw and field
    friend bool operator==(const BadRecord&, const BadRecord&) = default;
};

struct DrawPage {
    std::vector<Draw> draws;       // ids strictly ascending, all above the query's after_id
    std::vector<Draw> incomplete;  // the record lacks fields that the service shows elsewhere: null here, to be read
    std::vector<BadRecord> bad;
    std::int64_t repeated = 0;  // further copies of records, not in `draws`
    std::int64_t older = 0;     // records from before ListQuery::modified_since, which a coarse filter shows: likewise
    DrawId last_id = 0;         // the after_id of the next page
    // There are no more pages: this one is empty, or has no id that another could follow. Numbers that the service
    // states do not end a list.
    bool last = true;
    std::int64_t counted = 0;  // the envelope's total of records, or else of pages, which are no more; 0: it has none
};

struct Approval {
    DrawId id = 0;
    std::int64_t approver_id = 0;
    std::string notes = {};                             // empty: none are sent
    std::vector<std::string> notification_emails = {};  // empty: none are sent
};

struct ApprovalOutcome {
    DrawId id = 0;
    bool approved = false;
    std::string error;         // the service's text, one line; empty if approved
    std::optional<Draw> draw;  // as in the answer, if readable
};

struct ApprovalAnswer {
    std::vector<ApprovalOutcome> outcomes;  // in request order; only draws with an unambiguous answer
    std::vector<DrawId> unanswered;         // requested, but missing or contradictory in the answer: read them back
    std::vector<DrawId> accepted;           // of these, taken without an error and not shown as Approved yet
    std::vector<DrawId> unrequested;        // in the answer, and not refused there, but not requested
};

// Sends only what is set. In `fields`, keyed by the service's name (fieldA ... fieldE, participant_FieldA ...
// participant_FieldC, admin_Description), nullopt sends null, which clears the field.
struct DrawPatch {
    std::optional<std::string> description = {};
    std::optional<Instant> disbursed_date = {};
    std::map<std::string, std::optional<std::string>> fields = {};
};

// Error codes of all calls: unauthorized (the login; of a single draw it is forbidden), forbidden, timeout and
// unavailable (after all safe retries), protocol (an answer that the interface does not allow; none of it may be used),
// cancelled.
class DrawsService {
  public:
    DrawsService() = default;
    DrawsService(const DrawsService&) = delete;
    DrawsService& operator=(const DrawsService&) = delete;
    virtual ~DrawsService() = default;

    // False while the circuit is open and calls fail at once, or while the service limits our requests (429): do not
    // request the rest of a list. A call that fails then says nothing about its draw.
    [[nodiscard]] virtual bool takes_calls() const = 0;

    // By how much its clock was ahead of this machine's at the last answer; negative: behind. nullopt: it does not say
    // (the HTTP header Date).
    [[nodiscard]] virtual std::optional<std::chrono::milliseconds> clock_ahead() const { return std::nullopt; }

    // One page with ascending ids. An answer is refused as a whole if draws do not match the query, are out of order or
    // too many: ErrorCode::protocol.
    [[nodiscard]] virtual Task<DrawPage> list(ListQuery query) = 0;

    // No answer to a request that was sent before this passes for the answer to a later read: later requests go over
    // new connections, and a draw that is read once gets one answer there.
    virtual void begin_fresh_reads() = 0;

    // nullopt: the service does not know the draw (404).
    [[nodiscard]] virtual Task<std::optional<Draw>> read(DrawId id) = 0;

    // The updated draw, if the answer contains all of it. 409 is ErrorCode::conflict with the service's text, 404
    // not_found. Safe to repeat: the last value wins.
    [[nodiscard]] virtual Task<std::optional<Draw>> patch(DrawId id, DrawPatch patch) = 0;

    // At most max_bulk_approvals, each draw once (asserted). ErrorCode::outcome_unknown if the request may have reached
    // the service and no complete answer came: read the draws back. After any other error nothing was approved. It
    // repeats the call only if certainly nothing was done: after a 401, or if no byte of the request left this machine.
    [[nodiscard]] virtual Task<ApprovalAnswer> approve(std::vector<Approval> approvals) = 0;
};

}  // namespace drawbridge::service
