#include "faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace draws_sandbox {
namespace {

constexpr std::array<std::pair<std::string_view, FaultKind>, 9> kinds{{
    {"die_before_commit", FaultKind::die_before_commit},
    {"die_after_commit", FaultKind::die_after_commit},
    {"close_before_commit", FaultKind::close_before_commit},
    {"close_after_commit", FaultKind::close_after_commit},
    {"status", FaultKind::status},
    {"delay", FaultKind::delay},
    {"refuse_draw", FaultKind::refuse_draw},
    {"invalid_json", FaultKind::invalid_json},
    {"truncated", FaultKind::truncated},
}};

std::optional<FaultKind> kind_named(std::string_view name) {
    const auto* const found = std::ranges::find(kinds, name, [](const auto& entry) { return entry.first; });
    if (found == kinds.end()) return std::nullopt;
    return found->second;
}

std::string_view name_of_kind(FaultKind kind) {
    return std::ranges::find(kinds, kind, [](const auto& entry) { return entry.second; })->first;
}

// True when it strikes; uses up one of its times or skips.
bool comes_due(Fault& fault) {
    if (fault.times <= 0) return false;
    if (fault.skip > 0) {
        --fault.skip;
        return false;
    }
    --fault.times;
    return true;
}

std::expected<std::int64_t, std::string> whole_number(const nlohmann::json& request, const char* name,
                                                      std::int64_t otherwise) {
    const auto found = request.find(name);
    if (found == request.end()) return otherwise;
    if (!found->is_number_integer() || found->get<std::int64_t>() < 0) {
        return std::unexpected(fmt::format("'{}' needs an integer of at least 0", name));
    }
    return found->get<std::int64_t>();
}

std::expected<void, std::string> check_parameters(const Fault& fault) {
    if (fault.kind == FaultKind::refuse_draw && fault.integer("drawId", 0) == 0) {
        return std::unexpected("'refuse_draw' needs a 'drawId'");
    }
    if (fault.kind == FaultKind::refuse_draw && fault.endpoint != Endpoint::approve) {
        return std::unexpected("'refuse_draw' belongs to the endpoint 'approve'");
    }
    if (fault.kind == FaultKind::status && (fault.integer("code", 0) < 200 || fault.integer("code", 0) > 599)) {
        return std::unexpected("'status' needs a 'code' from 200 to 599");
    }
    if (fault.kind == FaultKind::delay && fault.integer("ms", 0) <= 0) return std::unexpected("'delay' needs 'ms'");
    return {};
}

}  // namespace

std::int64_t Fault::integer(const char* name, std::int64_t otherwise) const {
    const auto found = parameters.find(name);
    return found != parameters.end() && found->is_number_integer() ? found->get<std::int64_t>() : otherwise;
}

std::string Fault::text(const char* name, std::string_view otherwise) const {
    const auto found = parameters.find(name);
    return found != parameters.end() && found->is_string() ? found->get<std::string>() : std::string(otherwise);
}

const Fault* Strikes::find(FaultKind kind) const {
    const auto found = std::ranges::find(faults_, kind, &Fault::kind);
    return found == faults_.end() ? nullptr : &*found;
}

std::expected<std::int64_t, std::string> FaultDesk::arm(const nlohmann::json& request) {
    if (!request.is_object()) return std::unexpected("expected a JSON object");
    Fault fault;
    fault.parameters = request;
    const auto endpoint = endpoint_named(fault.text("endpoint", ""));
    if (!endpoint) return std::unexpected("'endpoint' needs one of token, list, read, patch, approve");
    const auto kind = kind_named(fault.text("kind", ""));
    if (!kind) return std::unexpected(fmt::format("'{}' is not a kind of fault", fault.text("kind", "")));
    const auto times = whole_number(request, "times", 1);
    if (!times) return std::unexpected(times.error());
    const auto skip = whole_number(request, "skip", 0);
    if (!skip) return std::unexpected(skip.error());
    fault.endpoint = *endpoint;
    fault.kind = *kind;
    fault.times = *times;
    fault.skip = *skip;
    if (auto checked = check_parameters(fault); !checked) return std::unexpected(std::move(checked.error()));
    fault.number = ++last_number_;
    armed_.push_back(std::move(fault));
    return last_number_;
}

Strikes FaultDesk::strike(Endpoint endpoint) {
    Strikes strikes;
    if (armed_.empty()) return strikes;
    for (auto& fault : armed_) {
        if (fault.endpoint == endpoint && fault.kind != FaultKind::refuse_draw && comes_due(fault)) strikes.add(fault);
    }
    std::erase_if(armed_, [](const Fault& fault) { return fault.times <= 0; });
    return strikes;
}

std::optional<Fault> FaultDesk::refusal(std::int64_t draw) {
    std::optional<Fault> due;
    for (auto& fault : armed_) {
        if (fault.kind != FaultKind::refuse_draw || fault.integer("drawId", 0) != draw) continue;
        if (comes_due(fault) && !due) due = fault;
    }
    std::erase_if(armed_, [](const Fault& fault) { return fault.times <= 0; });
    return due;
}

nlohmann::ordered_json FaultDesk::json() const {
    auto out = nlohmann::ordered_json::array();
    for (const auto& fault : armed_) {
        nlohmann::ordered_json entry(fault.parameters);
        entry["fault"] = fault.number;
        entry["endpoint"] = name_of(fault.endpoint);
        entry["kind"] = name_of_kind(fault.kind);
        entry["times"] = fault.times;
        entry["skip"] = fault.skip;
        out.push_back(std::move(entry));
    }
    return out;
}

}  // namespace draws_sandbox
