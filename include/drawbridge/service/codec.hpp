// The Draws Service's messages as text: JSON bodies and query strings. Pure: text in, values out. It accepts whatever
// the interface allows (any order, extra fields, missing nullable fields, any notation of a number), and nothing else
// where money depends on it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/domain/secret.hpp"
#include "drawbridge/service/draws_service.hpp"

namespace drawbridge::service {

// One bit for each field of a draw.
using FieldSet = std::uint32_t;

struct PartialDraw {
    Draw draw;         // what it lacks is null here
    FieldSet lacks{};  // not even null
};

// A page as received, before it is checked against the query.
struct ListAnswer {
    std::vector<Draw> draws;           // with every field
    std::vector<PartialDraw> partial;  // lacking fields, ids ascending
    std::vector<Draw> incomplete;      // partial draws that only a reading by id can complete; parse_list() has none
    FieldSet with_value{};             // the fields that any record shows a value of
    bool has_null = false;             // any record shows one
    std::vector<BadRecord> bad;
    std::vector<std::optional<DrawId>> ids;  // of all records, in order; nullopt: unreadable
    // The envelope; absent or unreadable numbers are nullopt.
    std::optional<std::int64_t> page_size, page_count, total_record_count;
};

// Errors: invalid_input: an object that stops being JSON; protocol: no JSON, or no `records` list.
[[nodiscard]] Result<ListAnswer> parse_list(std::string_view body);

// A page of a few draws, none of which matches the query: the service ignores a filter, or its index is not up to date.
// If it shows the same records for the query that this returns, it ignores the filter. nullopt: the page leaves no
// doubt.
[[nodiscard]] std::optional<ListQuery> query_to_compare(const ListQuery& query, const ListAnswer& answer);

// The page that `query` requests, or ErrorCode::protocol with what was requested and what came. `honors_filters`:
// another list has shown it, so draws that do not match are bad records.
[[nodiscard]] Result<DrawPage> check_page(const ListQuery& query, ListAnswer answer, bool honors_filters = false);

// "/caseBudgets/draws?...", brackets and values percent-encoded.
[[nodiscard]] std::string list_target(const ListQuery& query, int page_number);

// ErrorCode::protocol names the draw and the field.
[[nodiscard]] Result<PartialDraw> parse_draw(std::string_view body);

[[nodiscard]] std::string encode_patch(const DrawPatch& patch);
[[nodiscard]] std::string encode_approvals(const std::vector<Approval>& approvals);
// The outcome of each draw, in any order. ErrorCode::protocol: not JSON, or no list of results. An empty body (204) has
// no outcomes.
[[nodiscard]] Result<ApprovalAnswer> parse_approval_answer(std::string_view body,
                                                           const std::vector<Approval>& approvals);

struct AccessToken {
    Secret value;
    std::optional<std::chrono::milliseconds> expires_in;
};

[[nodiscard]] std::string encode_token_request(const Secret& client_id, const Secret& client_secret);
[[nodiscard]] Result<AccessToken> parse_token(std::string_view body);

// The text of an error body in one short line: problem+json, other JSON, or plain text; "" if the body has no text.
[[nodiscard]] std::string error_text(std::string_view body);

}  // namespace drawbridge::service
