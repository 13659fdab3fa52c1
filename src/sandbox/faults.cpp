#include "faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace draws_sandbox {
namespace {

struct KindInfo {
    std::string_view name;
    FaultKind kind;
    std::string_view endpoints;  // where the fault applies; empty: everywhere
    std::string_view required;   // a parameter that must be present
};

constexpr std::array<KindInfo, 32> kinds{{
    {"die_before_commit", FaultKind::die_before_commit, "", ""},
    {"die_after_commit", FaultKind::die_after_commit, "", ""},
    {"close_before_commit", FaultKind::close_before_commit, "", ""},
    {"close_after_commit", FaultKind::close_after_commit, "", ""},
    {"reset_before_commit", FaultKind::reset_before_commit, "", ""},
    {"reset_after_commit", FaultKind::reset_after_commit, "", ""},
    {"timeout_before_commit", FaultKind::timeout_before_commit, "", ""},
    {"timeout_after_commit", FaultKind::timeout_after_commit, "", ""},
    {"close_after_response", FaultKind::close_after_response, "", ""},
    {"delay", FaultKind::delay, "", "ms"},
    {"trickle", FaultKind::trickle, "", "ms"},
    {"truncated", FaultKind::truncated, "", ""},
    {"status", FaultKind::status, "", "code"},
    {"redirect", FaultKind::redirect, "", "location"},
    {"token_revoked", FaultKind::token_revoked, "list read patch approve", ""},
    {"content_type", FaultKind::content_type, "", ""},
    {"invalid_json", FaultKind::invalid_json, "", ""},
    {"padding", FaultKind::padding, "", "bytes"},
    {"stale", FaultKind::stale, "list read", ""},
    {"status_backwards", FaultKind::status_backwards, "list read", ""},
    {"page_shift", FaultKind::page_shift, "list", "by"},
    {"duplicate_record", FaultKind::duplicate_record, "list", ""},
    {"repeat_page", FaultKind::repeat_page, "list", ""},
    {"ignore_filters", FaultKind::ignore_filters, "list", ""},
    {"ignore_page_size", FaultKind::ignore_page_size, "list", ""},
    {"ignore_sort", FaultKind::ignore_sort, "list", ""},
    {"refuse_draw", FaultKind::refuse_draw, "approve", "drawId"},
    {"partial", FaultKind::partial, "approve", ""},
    {"missing_results", FaultKind::missing_results, "approve", ""},
    {"foreign_result", FaultKind::foreign_result, "approve", "drawId"},
    {"reordered", FaultKind::reordered, "approve", ""},
    {"edit_amount", FaultKind::edit_amount, "approve", "amount"},
}};

const KindInfo* kind_named(std::string_view name) {
    const auto* const found = std::ranges::find(kinds, name, &KindInfo::name);
    return found == kinds.end() ? nullptr : found;
}

std::string_view name_of_kind(FaultKind kind) {
    return std::ranges::find(kinds, kind, &KindInfo::kind)->name;
}

// Whether the fault applies to this request. Uses up one of its `times` or `skip`.
bool applies_now(Fault& fault) {
    if (fault.times <= 0) return false;
    if (fault.skip > 0) {
        --fault.skip;
        return false;
    }
    if (fault.probability < 1) {
        constexpr std::int64_t steps = 1'000'000;
        if (static_cast<double>(fault.random.below(steps)) >= fault.probability * steps) return false;
    }
    --fault.times;
    fault.random.next();  // so that each use draws different numbers
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

std::expected<void, std::string> read_chance(const nlohmann::json& request, Fault& fault) {
    const auto seed = whole_number(request, "seed", 1);
    if (!seed) return std::unexpected(seed.error());
    fault.random = SeededRandom(static_cast<std::uint64_t>(*seed));
    const auto found = request.find("probability");
    if (found == request.end()) return {};
    if (!found->is_number() || found->get<double>() <= 0 || found->get<double>() > 1) {
        return std::unexpected("'probability' needs a number above 0, at most 1");
    }
    fault.probability = found->get<double>();
    return {};
}

std::expected<void, std::string> check_parameters(const Fault& fault, const KindInfo& kind) {
    if (!kind.endpoints.empty() && !kind.endpoints.contains(name_of(fault.endpoint))) {
        return std::unexpected(fmt::format("'{}' belongs to: {}", kind.name, kind.endpoints));
    }
    if (!kind.required.empty() && !fault.parameters.contains(kind.required)) {
        return std::unexpected(fmt::format("'{}' needs '{}'", kind.name, kind.required));
    }
    if (kind.kind == FaultKind::status && (fault.integer("code", 0) < 200 || fault.integer("code", 0) > 599)) {
        return std::unexpected("'status' needs a 'code' from 200 to 599");
    }
    return {};
}

}  // namespace

std::int64_t Fault::integer(const char* name, std::int64_t otherwise) const {
    const auto found = parameters.find(name);
    return found != parameters.end() && found->is_number_integer() ? found->get<std::int64_t>() : otherwise;
}

bool Fault::flag(const char* name, bool otherwise) const {
    const auto found = parameters.find(name);
    return found != parameters.end() && found->is_boolean() ? found->get<bool>() : otherwise;
}

std::string Fault::text(const char* name, std::string_view otherwise) const {
    const auto found = parameters.find(name);
    return found != parameters.end() && found->is_string() ? found->get<std::string>() : std::string(otherwise);
}

const Fault* ActiveFaults::find(FaultKind kind) const {
    const auto found = std::ranges::find(faults_, kind, &Fault::kind);
    return found == faults_.end() ? nullptr : &*found;
}

std::expected<Fault, std::string> FaultRegistry::arm(const nlohmann::json& request) {
    if (!request.is_object()) return std::unexpected("expected a JSON object");
    Fault fault;
    fault.parameters = request;
    const auto endpoint = endpoint_named(fault.text("endpoint", ""));
    if (!endpoint) return std::unexpected("'endpoint' needs one of token, list, read, patch, approve");
    const auto* const kind = kind_named(fault.text("kind", ""));
    if (kind == nullptr) return std::unexpected(fmt::format("'{}' is not a kind of fault", fault.text("kind", "")));
    const auto times = whole_number(request, "times", 1);
    if (!times) return std::unexpected(times.error());
    const auto skip = whole_number(request, "skip", 0);
    if (!skip) return std::unexpected(skip.error());
    fault.endpoint = *endpoint;
    fault.kind = kind->kind;
    fault.times = *times;
    fault.skip = *skip;
    auto read = read_chance(request, fault);
    if (read) read = check_parameters(fault, *kind);
    if (!read) return std::unexpected(std::move(read.error()));
    fault.number = ++last_number_;
    armed_.push_back(fault);
    return fault;
}

ActiveFaults FaultRegistry::match(Endpoint endpoint, const std::function<bool(std::int64_t draw)>& names) {
    ActiveFaults faults;
    if (armed_.empty()) return faults;
    for (auto& fault : armed_) {
        if (fault.endpoint != endpoint || fault.kind == FaultKind::refuse_draw) continue;
        if (fault.kind == FaultKind::status && fault.parameters.contains("drawId") &&
            !names(fault.integer("drawId", 0))) {
            continue;
        }
        if (applies_now(fault)) faults.add(fault);
    }
    std::erase_if(armed_, [](const Fault& fault) { return fault.times <= 0; });
    return faults;
}

std::optional<Fault> FaultRegistry::refusal(std::int64_t draw) {
    std::optional<Fault> due;
    for (auto& fault : armed_) {
        if (fault.kind != FaultKind::refuse_draw || fault.integer("drawId", 0) != draw) continue;
        if (applies_now(fault) && !due) due = fault;
    }
    std::erase_if(armed_, [](const Fault& fault) { return fault.times <= 0; });
    return due;
}

nlohmann::ordered_json FaultRegistry::json() const {
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
