#include <algorithm>
#include <iterator>
#include <utility>

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
    return std::nullopt;
}

// A service may compare whole minutes or days only, or not at all. What it shows too much was read before.
bool is_older(const ListQuery& query, const Draw& draw) {
    return query.modified_since && whole_second(draw.modified_date) < whole_second(*query.modified_since);
}

// Some services list a few draws as they were a moment ago.
constexpr std::size_t few = 10;

// A service that ignores a filter mostly shows draws that do not match. Fewer mismatches are single bad records.
bool ignores_filters(std::size_t misfits, std::size_t draws) {
    return misfits * 2 >= draws && (misfits > few || (misfits >= 2 && misfits == draws));
}

// The maximum number of records of a page: a service may cap the requested size.
std::int64_t effective_page_size(const ListQuery& query, const ListAnswer& answer) {
    const std::int64_t asked = query.page_size;
    return answer.page_size && *answer.page_size > 0 ? std::min(asked, *answer.page_size) : asked;
}

// By the numbers that the envelope states. They may be wrong, so only a page that cannot be followed relies on them.
bool seems_last(const ListQuery& query, const ListAnswer& answer) {
    const auto count = static_cast<std::int64_t>(answer.ids.size());
    return count < effective_page_size(query, answer) && answer.total_record_count.value_or(0) <= count &&
           answer.page_count.value_or(0) <= 1;
}

// Keeps one of several equal copies of a draw. If its copies differ, it is a bad record.
void merge_copies(ListAnswer& answer, const std::vector<DrawId>& repeated) {
    if (repeated.empty()) return;
    const auto equal = std::ranges::unique(answer.draws);
    answer.draws.erase(equal.begin(), equal.end());
    for (const DrawId id : repeated) {
        const bool is_bad = std::ranges::find(answer.bad, id, &BadRecord::id) != answer.bad.end();
        const auto copies = std::ranges::count(answer.draws, id, &Draw::id);
        if (copies + (is_bad ? 1 : 0) < 2) continue;
        std::erase_if(answer.draws, [id](const Draw& draw) { return draw.id == id; });
        if (is_bad) continue;
        answer.bad.push_back({.id = id,
                              .field = "",
                              .message = "draw " + std::to_string(id) + " is listed twice, and its copies differ"});
    }
}

}  // namespace

std::optional<ListQuery> query_to_compare(const ListQuery& query, const ListAnswer& answer) {
    if (answer.draws.size() < 2 || answer.draws.size() > few) return std::nullopt;
    bool is_about_status = false;
    for (const Draw& draw : answer.draws) {
        const auto misfit = mismatch(query, draw);
        if (!misfit) return std::nullopt;
        is_about_status = is_about_status || misfit->field == "status";
    }
    ListQuery other = query;
    if (!is_about_status) {
        other.workflow_id.reset();
        return other;
    }
    for (const DrawStatus status : {DrawStatus::pending_approval, DrawStatus::approved, DrawStatus::disbursed,
                                    DrawStatus::cancelled, DrawStatus::submitted, DrawStatus::not_submitted}) {
        if (status == query.status || std::ranges::find(answer.draws, status, &Draw::status) != answer.draws.end())
            continue;
        other.status = status;
        return other;
    }
    return std::nullopt;
}

Result<DrawPage> check_page(const ListQuery& query, ListAnswer answer, bool honors_filters) {
    DrawId last_id = query.after_id;
    std::vector<DrawId> repeated;
    for (const auto& id : answer.ids) {
        if (!id) continue;
        if (*id <= query.after_id) {
            return refuse_page("asked for ids above " + std::to_string(query.after_id) + ", draw " +
                               std::to_string(*id) + " came");
        }
        if (*id < last_id) {
            return refuse_page("asked for ascending ids, draw " + std::to_string(*id) + " came after draw " +
                               std::to_string(last_id));
        }
        if (*id == last_id) repeated.push_back(*id);
        last_id = *id;
    }
    if (const auto count = answer.ids.size() - repeated.size(); std::cmp_greater(count, query.page_size)) {
        return refuse_page("asked for at most " + std::to_string(query.page_size) + " records, " +
                           std::to_string(count) + " came");
    }
    const bool is_empty = answer.ids.empty();
    const bool cannot_be_followed = !is_empty && last_id == query.after_id;
    if (cannot_be_followed && !seems_last(query, answer)) {
        return refuse_page("the page has no readable id, so the next page cannot be found");
    }
    merge_copies(answer, repeated);
    std::vector<BadRecord> misfits;
    for (const Draw& draw : answer.draws) {
        if (auto misfit = mismatch(query, draw)) misfits.push_back(std::move(*misfit));
    }
    if (!honors_filters && ignores_filters(misfits.size(), answer.draws.size()))
        return refuse_page(misfits.front().message);
    const auto older =
        std::erase_if(answer.draws, [&](const Draw& draw) { return is_older(query, draw) || mismatch(query, draw); }) -
        misfits.size();
    std::ranges::move(misfits, std::back_inserter(answer.bad));
    return DrawPage{.draws = std::move(answer.draws),
                    .incomplete = std::move(answer.incomplete),
                    .bad = std::move(answer.bad),
                    .repeated = std::ssize(repeated),
                    .older = static_cast<std::int64_t>(older),
                    .last_id = last_id,
                    .last = is_empty || cannot_be_followed,
                    .counted = answer.total_record_count.value_or(answer.page_count.value_or(0))};
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
