#include "drawbridge/disbursement/delivery.hpp"

#include <algorithm>
#include <utility>

#include "drawbridge/domain/elapsed.hpp"

namespace drawbridge::disbursement {
namespace {

constexpr std::pair<DeliveryStep, std::string_view> step_names[] = {
    {DeliveryStep::intent, "intent"},       {DeliveryStep::failed, "failed"},
    {DeliveryStep::uploaded, "uploaded"},   {DeliveryStep::unknown, "unknown"},
    {DeliveryStep::damaged, "damaged"},     {DeliveryStep::unreachable, "unreachable"},
    {DeliveryStep::refused, "refused"},     {DeliveryStep::conflict, "conflict"},
    {DeliveryStep::uncertain, "uncertain"}, {DeliveryStep::again, "again"},
    {DeliveryStep::delivered, "delivered"},
};

void add(DeliveryState& state, const DeliveryFact& fact) {
    state.since = fact.at;
    const auto went_wrong = [&](DeliveryPhase phase) {
        state.phase = phase;
        state.last_problem = fact.detail;
        ++state.failures;
    };
    switch (fact.step) {
        case DeliveryStep::intent:
            state.phase = DeliveryPhase::uploading;
            state.server = fact.server;
            state.temporary_name = fact.temporary_name;
            state.size_bytes = fact.size_bytes;
            ++state.uploads;
            return;
        case DeliveryStep::uploaded:
            state.phase = DeliveryPhase::unconfirmed;
            state.failures = 0;
            return;
        case DeliveryStep::failed:
        case DeliveryStep::damaged: return went_wrong(DeliveryPhase::waiting);
        case DeliveryStep::refused:
        case DeliveryStep::unknown: return went_wrong(DeliveryPhase::unconfirmed);
        case DeliveryStep::unreachable: return went_wrong(state.phase);
        case DeliveryStep::conflict:
        case DeliveryStep::uncertain: return went_wrong(DeliveryPhase::needs_person);
        case DeliveryStep::again:
            state.phase = DeliveryPhase::waiting;
            state.failures = 0;
            return;
        case DeliveryStep::delivered:
            state.phase = DeliveryPhase::delivered;
            state.failures = 0;
            state.last_problem.clear();
            state.delivered_by = fact.by;
            return;
    }
}

// Whether it is the same file, byte for byte. nullopt: its size is right, but the server does not allow reading it.
std::optional<bool> is_same(const RemoteFile& file, const RemoteFile& wanted) {
    if (file.size != wanted.size) return false;
    if (file.sha256.empty()) return std::nullopt;
    return file.sha256 == wanted.sha256;
}

}  // namespace

std::string_view to_string(DeliveryStep step) {
    return std::ranges::find(step_names, step, &std::pair<DeliveryStep, std::string_view>::first)->second;
}

std::optional<DeliveryStep> parse_delivery_step(std::string_view text) {
    const auto* const found = std::ranges::find(step_names, text, &std::pair<DeliveryStep, std::string_view>::second);
    if (found == std::end(step_names)) return std::nullopt;
    return found->first;
}

std::string_view to_string(EvidenceKind kind) {
    switch (kind) {
        case EvidenceKind::sftp: return "sftp";
        case EvidenceKind::by_hand: return "by_hand";
        case EvidenceKind::acknowledged: return "acknowledged";
    }
    return {};
}

std::optional<EvidenceKind> parse_evidence_kind(std::string_view text) {
    for (const auto kind : {EvidenceKind::sftp, EvidenceKind::by_hand, EvidenceKind::acknowledged}) {
        if (to_string(kind) == text) return kind;
    }
    return std::nullopt;
}

std::string_view to_string(DeliveryPhase phase) {
    switch (phase) {
        case DeliveryPhase::waiting: return "waiting";
        case DeliveryPhase::uploading: return "uploading";
        case DeliveryPhase::unconfirmed: return "unconfirmed";
        case DeliveryPhase::needs_person: return "needs_person";
        case DeliveryPhase::delivered: return "delivered";
    }
    return {};
}

DeliveryState delivery_state(const std::vector<DeliveryFact>& facts) {
    DeliveryState state;
    for (const auto& fact : facts)
        add(state, fact);
    return state;
}

std::string temporary_name(std::string_view name, int upload) {
    return "tmp-" + std::to_string(upload) + "-" + std::string(name) + ".part";
}

std::chrono::milliseconds delivery_wait(int failures, std::chrono::milliseconds base) {
    return backoff(failures, base, std::chrono::minutes(15));
}

DeliveryVerdict before_upload(const std::optional<RemoteFile>& final_, const RemoteFile& wanted) {
    if (!final_) return DeliveryVerdict::upload;
    // A file that we did not send and of which only the size is known proves nothing: a draw must not be lost either.
    return is_same(*final_, wanted).value_or(false) ? DeliveryVerdict::delivered : DeliveryVerdict::conflict;
}

DeliveryVerdict after_upload(const std::optional<RemoteFile>& temporary, const std::optional<RemoteFile>& final_,
                             const RemoteFile& wanted) {
    if (final_) {
        // With the temporary name gone, the size is enough proof that this is the renamed upload.
        const bool same = is_same(*final_, wanted).value_or(!temporary.has_value());
        return same ? DeliveryVerdict::delivered : DeliveryVerdict::conflict;
    }
    if (!temporary) return DeliveryVerdict::uncertain;
    return is_same(*temporary, wanted).value_or(true) ? DeliveryVerdict::rename : DeliveryVerdict::upload_again;
}

}  // namespace drawbridge::disbursement
