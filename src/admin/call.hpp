// A request of the operators' API taken apart, and what its parts must look like. Private to this room.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/admin/handlers.hpp"
#include "views.hpp"

namespace drawbridge::admin {

using Answer = Result<json>;

// Decoded path segments and query parameters, the body as an object.
struct Call {
    std::string method;
    std::vector<std::string> path;
    std::map<std::string, std::string> query;
    json body = json::object();
    std::string actor;
    std::optional<std::int64_t> uid = std::nullopt;
    std::string bytes = {};  // of an upload

    // "POST /files/*/release": `*` stands for any one segment.
    [[nodiscard]] bool is(std::string_view wanted_method, std::initializer_list<std::string_view> pattern) const {
        if (method != wanted_method || path.size() != pattern.size()) return false;
        auto segment = path.begin();
        for (const std::string_view part : pattern) {
            if (part != "*" && part != *segment) return false;
            ++segment;
        }
        return true;
    }
};

// Errors: the address is no path, a parameter is given twice, the body is no object.
[[nodiscard]] Result<Call> take_apart(const Request& request);

[[nodiscard]] Result<std::int64_t> whole_number(std::string_view text, std::string_view what, std::int64_t low,
                                                std::int64_t high);
// Every act has one.
[[nodiscard]] Result<std::string> reason_of(const Call& call);
[[nodiscard]] ledger::Stamp stamp(const AdminContext& context, const Call& call);

}  // namespace drawbridge::admin
