// What the Draws Service says and is told, as text: JSON bodies and query strings. Pure: text in, values out. It
// accepts whatever the interface allows (order, extra fields, missing nullable ones, any way to write a number) and
// nothing else where money depends on it.
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

// A page as it came, before anybody looked whether it is what was asked for.
struct ListAnswer {
    std::vector<Draw> draws;
    std::vector<BadRecord> bad;
    std::vector<std::optional<DrawId>> ids;  // of all records, in their order; nullopt: unreadable
    // The envelope; absent or unreadable numbers are nullopt.
    std::optional<std::int64_t> page_size, page_count, total_record_count;
};

// ErrorCode::protocol: no JSON, or no `records` list.
[[nodiscard]] Result<ListAnswer> parse_list(std::string_view body);

// The page that `query` asked for, or ErrorCode::protocol naming what was asked and what came.
[[nodiscard]] Result<DrawPage> check_page(const ListQuery& query, ListAnswer answer);

// May the answer to this query, for the page that the service numbers `1`, be a later page than the first? So it looks
// when records are missing that the envelope counts: the service may number its pages from 0.
[[nodiscard]] bool may_not_be_first_page(const ListQuery& query, const ListAnswer& answer);

// "/caseBudgets/draws?...", brackets and values percent-encoded.
[[nodiscard]] std::string list_target(const ListQuery& query, int page_number);

// ErrorCode::protocol names draw and field.
[[nodiscard]] Result<Draw> parse_draw(std::string_view body);

[[nodiscard]] std::string encode_patch(const DrawPatch& patch);
[[nodiscard]] std::string encode_approvals(const std::vector<Approval>& approvals);
// Draw by draw, whatever the order. ErrorCode::protocol: no JSON, or no list of results. An empty body (204) answers
// for no draw.
[[nodiscard]] Result<ApprovalAnswer> parse_approval_answer(std::string_view body,
                                                           const std::vector<Approval>& approvals);

struct AccessToken {
    Secret value;
    std::optional<std::chrono::milliseconds> expires_in;
};

[[nodiscard]] std::string encode_token_request(const Secret& client_id, const Secret& client_secret);
[[nodiscard]] Result<AccessToken> parse_token(std::string_view body);

// What the body of an error says, on one line and not long: problem+json, other JSON, plain text; "" when it is silent.
[[nodiscard]] std::string error_text(std::string_view body);

// application/x-www-form-urlencoded and query strings: everything but unreserved characters as %XX.
[[nodiscard]] std::string percent_encode(std::string_view text);

}  // namespace drawbridge::service
