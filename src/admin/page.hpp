// Paging of the lists in the operators' API: ?after=&limit=&total=true → {NAME: rows, "next_after": key or null,
// "total": rows of the whole list}. Each list defines its key. Private to this module.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "call.hpp"

namespace drawbridge::admin {

// What one turn of the event loop answers.
inline constexpr int max_page_rows = 1000;

struct Page {
    std::int64_t after = 0;  // 0: from the beginning
    int limit = max_page_rows;
    bool with_total = false;

    // One extra row shows whether there is a next page.
    [[nodiscard]] int wanted() const { return limit + 1; }
};

// How many rows an answer may have.
[[nodiscard]] Result<std::int64_t> read_limit(const std::string& value, std::string_view name,
                                              std::int64_t max_rows = max_page_rows);
// False: not a paging parameter. Error: invalid value.
[[nodiscard]] Result<bool> read_page_parameter(Page& page, const std::string& key, const std::string& value);
// Error: an unknown parameter.
[[nodiscard]] Result<Page> read_page(const Call& call);

// `rows`: at most page.wanted(). `key_of` the last row is the key of the next page.
template <class Row>
json page_view(std::string_view name, std::vector<Row> rows, const Page& page,
               const std::function<json(const Row&)>& view_of, const std::function<std::int64_t(const Row&)>& key_of) {
    const bool is_more = rows.size() > static_cast<std::size_t>(page.limit);
    if (is_more) rows.resize(static_cast<std::size_t>(page.limit));
    json list = json::array();
    for (const Row& row : rows)
        list.push_back(view_of(row));
    return {{std::string(name), std::move(list)}, {"next_after", is_more ? json(key_of(rows.back())) : json(nullptr)}};
}

}  // namespace drawbridge::admin
