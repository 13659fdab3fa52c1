#include "page.hpp"

namespace drawbridge::admin {

Result<std::int64_t> read_limit(const std::string& value, std::string_view name, std::int64_t max_rows) {
    const auto limit = whole_number(value, name, 1, INT64_MAX);
    if (!limit || *limit <= max_rows) return limit;
    return fail(ErrorCode::invalid_input, std::string(name) + " " + value + " is too large: the maximum is " +
                                              std::to_string(max_rows) + ": ask for the rest in further pages");
}

Result<bool> read_page_parameter(Page& page, const std::string& key, const std::string& value) {
    if (key == "after") {
        const auto after = whole_number(value, "after", 0, INT64_MAX);
        if (!after) return std::unexpected(after.error());
        page.after = *after;
    } else if (key == "limit") {
        const auto limit = read_limit(value, "limit");
        if (!limit) return std::unexpected(limit.error());
        page.limit = static_cast<int>(*limit);
    } else if (key == "total") {
        if (value != "true") return fail(ErrorCode::invalid_input, "parameter 'total' can only be true");
        page.with_total = true;
    } else {
        return false;
    }
    return true;
}

Result<Page> read_page(const Call& call) {
    Page page;
    for (const auto& [key, value] : call.query) {
        const auto taken = read_page_parameter(page, key, value);
        if (!taken) return std::unexpected(taken.error());
        if (!*taken) return fail(ErrorCode::invalid_input, "unknown parameter '" + key + "'");
    }
    return page;
}

}  // namespace drawbridge::admin
