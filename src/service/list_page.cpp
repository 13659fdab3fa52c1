#include <algorithm>

#include "drawbridge/domain/web_address.hpp"
#include "drawbridge/service/codec.hpp"

namespace drawbridge::service {
namespace {

using std::chrono::seconds;

constexpr std::string_view draws_path = "/caseBudgets/draws";

std::unexpected<Error> refuse_page(const std::string& why) {
    return fail(ErrorCode::protocol, "the service's list does not match the request: " + why +
                                         "; nothing of this page is used. Check that the service honors its filters, "
                                         "pageSize and sortBy=id");
}

// A service may store more digits of a second than it shows, so times are compared in whole seconds.
Instant whole_second(Instant instant) {
    return std::chrono::floor<seconds>(instant);
}

// The part of the query that the draw does not match; nullopt: it matches.
std::optional<BadRecord> mismatch(const ListQuery& query, const Draw& draw) {
    const std::string which = "draw " + std::to_string(draw.id);
    if (query.status && draw.status != *query.status) {
        return BadRecord{
            draw.id, "status",
            "asked for status " + to_string(*query.status) + ", " + which + " is " + to_string(draw.status)};
    }
    if (query.workflow_id && draw.workflow_id != *query.workflow_id) {
        return BadRecord{draw.id, "workflowId",
                         "asked for workflow " + std::to_string(*query.workflow_id) + ", " + which +
                             " is in workflow " + std::to_string(draw.workflow_id)};
    }
    if (query.modified_since && whole_second(draw.modified_date) < whole_second(*query.modified_since)) {
        return BadRecord{draw.id, "modifiedDate",
                         "asked for draws modified since " + format_instant(whole_second(*query.modified_since)) +
                             ", " + which + " was modified " + format_instant(draw.modified_date)};
    }
    return std::nullopt;
}

// A service that ignores a filter mostly shows draws that do not match. Fewer mismatches are single bad records.
bool ignores_filters(std::size_t misfits, std::size_t draws) {
    return misfits >= 2 && misfits * 2 >= draws;
}

// The maximum number of records of a page: a service may cap the requested size.
std::int64_t effective_page_size(const ListQuery& query, const ListAnswer& answer) {
    const std::int64_t asked = query.page_size;
    return answer.page_size && *answer.page_size > 0 ? std::min(asked, *answer.page_size) : asked;
}

bool is_last(const ListQuery& query, const ListAnswer& answer) {
    const auto count = static_cast<std::int64_t>(answer.ids.size());
    if (count == 0) return true;
    if (count >= query.page_size) return false;
    // Ignore a total below what the page itself shows.
    if (answer.total_record_count && *answer.total_record_count >= count) return *answer.total_record_count == count;
    if (answer.page_count && *answer.page_count > 0) return *answer.page_count <= 1;
    // Without these numbers, a short last page cannot be told from a capped page size.
    if (!answer.page_size) return std::ranges::none_of(answer.ids, [](const auto& id) { return id.has_value(); });
    return count < effective_page_size(query, answer);
}

}  // namespace

Result<DrawPage> check_page(const ListQuery& query, ListAnswer answer) {
    const std::size_t count = answer.ids.size();
    if (count > static_cast<std::size_t>(query.page_size)) {
        return refuse_page("asked for at most " + std::to_string(query.page_size) + " records, " +
                           std::to_string(count) + " came");
    }
    DrawId last_id = query.after_id;
    for (const auto& id : answer.ids) {
        if (!id) continue;
        if (*id <= query.after_id) {
            return refuse_page("asked for ids above " + std::to_string(query.after_id) + ", draw " +
                               std::to_string(*id) + " came");
        }
        if (*id <= last_id) {
            return refuse_page("asked for ascending ids, draw " + std::to_string(*id) + " came after draw " +
                               std::to_string(last_id));
        }
        last_id = *id;
    }
    std::vector<BadRecord> misfits;
    for (const Draw& draw : answer.draws) {
        if (auto misfit = mismatch(query, draw)) misfits.push_back(std::move(*misfit));
    }
    if (ignores_filters(misfits.size(), answer.draws.size())) return refuse_page(misfits.front().message);
    std::erase_if(answer.draws, [&](const Draw& draw) { return mismatch(query, draw).has_value(); });
    std::ranges::move(misfits, std::back_inserter(answer.bad));
    const bool last = is_last(query, answer);
    if (!last && last_id == query.after_id) {
        return refuse_page("the page has no readable id, so the next page cannot be found");
    }
    return DrawPage{.draws = std::move(answer.draws),
                    .bad = std::move(answer.bad),
                    .last_id = last_id,
                    .last = last,
                    .counted = answer.total_record_count.value_or(answer.page_count.value_or(0))};
}

bool may_not_be_first_page(const ListQuery& query, const ListAnswer& answer) {
    const auto count = static_cast<std::int64_t>(answer.ids.size());
    if (answer.total_record_count) return *answer.total_record_count > count;
    if (answer.page_count) return count == 0 ? *answer.page_count > 0 : *answer.page_count > 1;
    return count == 0 || count >= effective_page_size(query, answer) || !answer.page_size;
}

std::string list_target(const ListQuery& query, int page_number) {
    std::string target(draws_path);
    // Keyset paging: always request the first page above after_id, so that a list that changes during the sweep loses
    // nothing.
    target += "?pageNumber=" + std::to_string(page_number) + "&pageSize=" + std::to_string(query.page_size) +
              "&sortBy=id&sortOrder=asc";
    const auto filter = [&](std::string_view property, const std::string& value) {
        target += "&" + percent_encoded(property) + "=" + percent_encoded(value);
    };
    if (query.after_id > 0) filter("id[gt]", std::to_string(query.after_id));
    if (query.status) filter("status", std::to_string(static_cast<int>(*query.status)));
    if (query.workflow_id) filter("workflowId", std::to_string(*query.workflow_id));
    if (query.modified_since) filter("modifiedDate[gte]", format_service_instant(whole_second(*query.modified_since)));
    return target;
}

}  // namespace drawbridge::service
