#include "request_log.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace draws_sandbox {

void RequestLog::answered(Entry entry) {
    if (entries_.size() == kept_) entries_.pop_front();
    entries_.push_back(std::move(entry));
}

std::string RequestLog::json(std::optional<std::int64_t> draw, std::size_t last) const {
    nlohmann::ordered_json out;
    for (std::size_t i = 0; i < endpoint_count; ++i)
        out["counts"][std::string(endpoint_names[i])] = counts_[i];
    auto& approvals = out["approvals"] = nlohmann::ordered_json::object();
    if (draw) {
        const auto found = approvals_.find(*draw);
        approvals[std::to_string(*draw)] = found == approvals_.end() ? 0 : found->second;
    } else {
        std::vector<std::pair<std::int64_t, std::int64_t>> sorted(approvals_.begin(), approvals_.end());
        std::ranges::sort(sorted);
        for (const auto& [id, count] : sorted)
            approvals[std::to_string(id)] = count;
    }
    auto& dates = out["dates"] = nlohmann::ordered_json::object();
    for (const auto& [id, set] : dates_)
        if (!draw || *draw == id) dates[std::to_string(id)] = set;
    auto& requests = out["requests"] = nlohmann::ordered_json::array();
    const auto shown = std::min(last, entries_.size());
    for (auto entry = entries_.end() - static_cast<std::ptrdiff_t>(shown); entry != entries_.end(); ++entry) {
        requests.push_back({{"method", entry->method}, {"target", entry->target}, {"status", entry->status}});
    }
    return out.dump();
}

void RequestLog::clear() {
    *this = RequestLog{};
}

}  // namespace draws_sandbox
