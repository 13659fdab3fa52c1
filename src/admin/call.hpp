// A request of the operators' API taken apart, and what its parts must look like. Private to this module.
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

// Decoded path segments and query parameters, the body as an object.
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

// Without body and standing. Errors: the address is no path, a parameter is given twice.
[[nodiscard]] Result<Call> parse_request(const Request& request);
// Errors: the body is no JSON object, or nests too deeply.
[[nodiscard]] Result<json> read_body(const std::string& body);

[[nodiscard]] Result<std::int64_t> whole_number(std::string_view text, std::string_view what, std::int64_t low,
                                                std::int64_t high);
// Every act has one.
[[nodiscard]] Result<std::string> reason_of(const Call& call);
[[nodiscard]] ledger::Stamp stamp(const AdminContext& context, const Call& call);

}  // namespace drawbridge::admin
