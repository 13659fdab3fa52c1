// The two endpoints that show draws: list and read.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "service.hpp"
#include "wire.hpp"

namespace draws_sandbox {
namespace {

// The fault `status_backwards`: one step back, or to `to`; all draws, or only `drawId`.
void strike_draw(const Strikes& strikes, Draw& draw) {
    const auto* fault = strikes.find(FaultKind::status_backwards);
    if (fault == nullptr || fault->integer("drawId", draw.id()) != draw.id()) return;
    const auto status = draw.integer(Field::status);
    draw[Field::status] = fault->integer("to", std::max<std::int64_t>(0, status - 1));
}

void strike_records(const Strikes& strikes, std::vector<Draw>& draws) {
    for (auto& draw : draws)
        strike_draw(strikes, draw);
    const auto* fault = strikes.find(FaultKind::duplicate_record);
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

Store& Service::view_for(const Visit& visit) {
    auto* past = visit.strikes.has(FaultKind::stale) ? store_.past() : nullptr;
    return past == nullptr ? store_ : *past;
}

ListQuery Service::strike_query(ListQuery query, const Visit& visit) const {
    const auto& strikes = visit.strikes;
    const bool repeats = strikes.has(FaultKind::repeat_page);
    if (strikes.has(FaultKind::ignore_filters)) query.filters.clear();
    if (strikes.has(FaultKind::ignore_page_size)) query.page_size = options_.page_size_default;
    if (repeats) {
        query.page_number = 1;
        std::erase_if(query.filters, [](const Filter& filter) { return filter.field == Field::id; });
    }
    if (strikes.has(FaultKind::ignore_sort)) {
        query.sort_by = Field::modified_date;
        query.descending = true;
    }
    if (const auto* fault = strikes.find(FaultKind::page_shift)) query.shift = fault->integer("by", 1);
    return query;
}

Reply Service::list(const Request& request, const Visit& visit) {
    auto asked = parse_list_query(request.query, options_);
    if (!asked) return refuse(asked.error());
    const auto page_number = asked->page_number;
    auto query = strike_query(std::move(*asked), visit);
    auto& store = view_for(visit);
    const auto total = store.count(query);
    auto draws = store.page(query);
    strike_records(visit.strikes, draws);
    query.page_number = page_number;
    return json_reply(200, envelope(query, total, draws));
}

Reply Service::read(const Visit& visit) {
    auto draw = view_for(visit).find(visit.draw_id);
    if (!draw) return refuse(no_such_draw(visit.draw_id));
    strike_draw(visit.strikes, *draw);
    return json_reply(200, draw_json(*draw, View::published));
}

}  // namespace draws_sandbox
