// The endpoints that show draws: list and read.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "service.hpp"
#include "wire.hpp"

namespace draws_sandbox {
namespace {

// The fault `status_backwards`: one step back, or to `to`; for all draws, or only `drawId`.
void apply_to_draw(const ActiveFaults& faults, Draw& draw) {
    const auto* fault = faults.find(FaultKind::status_backwards);
    if (fault == nullptr || fault->integer("drawId", draw.id()) != draw.id()) return;
    const auto status = draw.integer(Field::status);
    draw[Field::status] = fault->integer("to", std::max<std::int64_t>(0, status - 1));
}

void apply_to_records(const ActiveFaults& faults, std::vector<Draw>& draws) {
    for (auto& draw : draws)
        apply_to_draw(faults, draw);
    const auto* fault = faults.find(FaultKind::duplicate_record);
    if (fault == nullptr || draws.empty()) return;
    const auto index = static_cast<std::size_t>(fault->integer("index", 0)) % draws.size();
    const auto copy = draws[index];
    draws.insert(draws.begin() + static_cast<std::ptrdiff_t>(index), copy);
}

std::string envelope(const ListQuery& query, std::int64_t total, const std::vector<Draw>& draws) {
    const auto page_count = total / query.page_size + (total % query.page_size == 0 ? 0 : 1);
    std::string body;
    body.reserve(200 + draws.size() * 900);
    body += fmt::format(R"({{"pageNumber":{},"pageSize":{},"pageCount":{},"totalRecordCount":{},"records":[)",
                        query.page_number, query.page_size, page_count, total);
    for (std::size_t i = 0; i < draws.size(); ++i) {
        if (i > 0) body += ',';
        append_draw(body, draws[i], View::published);
    }
    body += "]}";
    return body;
}

}  // namespace

Store& Service::view_for(const RoutedRequest& routed) {
    auto* past = routed.faults.has(FaultKind::stale) ? store_.past() : nullptr;
    return past == nullptr ? store_ : *past;
}

ListQuery Service::apply_to_query(ListQuery query, const RoutedRequest& routed) const {
    const auto& faults = routed.faults;
    const bool repeats = faults.has(FaultKind::repeat_page);
    if (faults.has(FaultKind::ignore_filters)) query.filters.clear();
    if (faults.has(FaultKind::ignore_page_size)) query.page_size = options_.page_size_default;
    if (repeats) {
        query.page_number = 1;
        std::erase_if(query.filters, [](const Filter& filter) { return filter.field == Field::id; });
    }
    if (faults.has(FaultKind::ignore_sort)) {
        query.sort_by = Field::modified_date;
        query.descending = true;
    }
    if (const auto* fault = faults.find(FaultKind::page_shift)) query.shift = fault->integer("by", 1);
    return query;
}

Reply Service::list(const Request& request, const RoutedRequest& routed) {
    auto asked = parse_list_query(request.query, options_);
    if (!asked) return refuse(asked.error());
    const auto page_number = asked->page_number;
    auto query = apply_to_query(std::move(*asked), routed);
    auto& store = view_for(routed);
    const auto total = store.count(query);
    auto draws = store.page(query);
    apply_to_records(routed.faults, draws);
    query.page_number = page_number;
    return json_reply(200, envelope(query, total, draws));
}

Reply Service::read(const RoutedRequest& routed) {
    auto draw = view_for(routed).find(routed.draw_id);
    if (!draw) return refuse(no_such_draw(routed.draw_id));
    apply_to_draw(routed.faults, *draw);
    return json_reply(200, draw_json(*draw, View::published));
}

}  // namespace draws_sandbox
