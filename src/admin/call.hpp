// Parses and validates a request of the operators' API. Private to this module.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/admin/handlers.hpp"
#include "standing.hpp"
#include "views.hpp"

namespace drawbridge::admin {

using Answer = Result<json>;

// Decoded path segments and query parameters, and the body as an object.
struct Call {
    std::string method;
    std::vector<std::string> path;
    std::map<std::string, std::string> query;
    std::string actor;
    std::optional<std::int64_t> uid = std::nullopt;
    Standing standing = {};
    json body = json::object();
    std::string bytes = {};  // of an upload
    bool is_signed = false;  // by the person's passkey
    std::vector<std::int64_t> groups = {};
};

// Without body and standing. Errors: the target is not a path; a parameter occurs twice; a NUL character.
[[nodiscard]] Result<Call> parse_request(const Request& request);
// "/files/NAME/release"
[[nodiscard]] std::string path_of(const Call& call);
// Errors: the body is not a JSON object, or nests too deeply.
[[nodiscard]] Result<json> read_body(const std::string& body);

[[nodiscard]] Result<std::int64_t> whole_number(std::string_view text, std::string_view what, std::int64_t low,
                                                std::int64_t high);
// Error (invalid_input) if the text is not is_hash_prefix(): "'xyz' is not WHAT: give at least 8 digits of WHOSE".
[[nodiscard]] Result<void> check_hash_prefix(const std::string& text, std::string_view what, std::string_view whose);
// Reads an amount as the OpenAPI document defines it, without an exponent.
[[nodiscard]] Result<Money> plain_amount(const std::string& text);
// Every act requires a reason.
[[nodiscard]] Result<std::string> reason_of(const Call& call);
// The flag in a body that check_body() accepted; false if it is missing.
[[nodiscard]] bool flag_in(const json& body, const char* name);
[[nodiscard]] ledger::Stamp stamp(const AdminContext& context, const Call& call);

}  // namespace drawbridge::admin
