#include "fault_effect.hpp"

#include <algorithm>
#include <string>

#include "instant.hpp"

namespace draws_sandbox {
namespace {

using std::chrono::milliseconds;

Reply undelivered(Delivery::Kind kind) {
    Reply reply;
    reply.delivery.kind = kind;
    return reply;
}

Reply status_reply(const Fault& fault) {
    const auto code = static_cast<unsigned>(fault.integer("code", 500));
    auto reply = problem_reply({code, "fault", "this answer is a fault armed through /portal/faults"});
    if (fault.parameters.contains("body")) reply.body = fault.text("body", "");
    reply.content_type = fault.text("contentType", reply.content_type);
    const auto after = fault.integer("retryAfter", -1);
    if (after < 0) return reply;
    const bool as_date = fault.flag("retryAfterDate", /*otherwise=*/false);
    reply.headers.emplace_back("Retry-After",
                               as_date ? http_date(now() + std::chrono::seconds{after}) : std::to_string(after));
    return reply;
}

Reply redirect_reply(const Fault& fault) {
    auto reply = json_reply(static_cast<unsigned>(fault.integer("code", 307)), "");
    reply.headers.emplace_back("Location", fault.text("location", "/"));
    return reply;
}

// `ms`, plus a random part of `jitterMs`.
milliseconds length_of(const Fault& fault) {
    auto random = fault.random;
    const auto jitter = fault.integer("jitterMs", 0);
    return milliseconds{fault.integer("ms", 0) + (jitter > 0 ? random.below(jitter + 1) : 0)};
}

void apply_to_body(const ActiveFaults& faults, Reply& reply) {
    if (faults.has(FaultKind::invalid_json)) reply.body = reply.body.substr(0, reply.body.size() / 2) + "}]{";
    if (const auto* fault = faults.find(FaultKind::padding)) {
        reply.body.append(static_cast<std::size_t>(std::max<std::int64_t>(0, fault->integer("bytes", 0))), ' ');
    }
    if (const auto* fault = faults.find(FaultKind::content_type)) {
        reply.content_type = fault->text("contentType", "text/html");
    }
}

}  // namespace

milliseconds wait_before(const ActiveFaults& faults) {
    const auto* fault = faults.find(FaultKind::delay);
    return fault != nullptr && fault->text("when", "after") == "before" ? length_of(*fault) : milliseconds{0};
}

std::optional<Reply> reply_instead(const ActiveFaults& faults) {
    if (faults.has(FaultKind::close_before_commit)) return undelivered(Delivery::Kind::dropped);
    if (faults.has(FaultKind::reset_before_commit)) return undelivered(Delivery::Kind::reset);
    if (faults.has(FaultKind::timeout_before_commit)) return undelivered(Delivery::Kind::unanswered);
    if (const auto* fault = faults.find(FaultKind::status)) return status_reply(*fault);
    if (const auto* fault = faults.find(FaultKind::redirect)) return redirect_reply(*fault);
    return std::nullopt;
}

void apply_to_reply(const ActiveFaults& faults, Reply& reply) {
    apply_to_body(faults, reply);
    auto& delivery = reply.delivery;
    if (faults.has(FaultKind::truncated)) delivery.kind = Delivery::Kind::truncated;
    if (faults.has(FaultKind::close_after_commit)) delivery.kind = Delivery::Kind::dropped;
    if (faults.has(FaultKind::reset_after_commit)) delivery.kind = Delivery::Kind::reset;
    if (faults.has(FaultKind::timeout_after_commit)) delivery.kind = Delivery::Kind::unanswered;
    if (const auto* fault = faults.find(FaultKind::close_after_response)) {
        delivery.close_after = true;
        delivery.close_announced = fault->flag("announced", /*otherwise=*/false);
    }
    if (const auto* fault = faults.find(FaultKind::delay); fault != nullptr && wait_before(faults).count() == 0) {
        delivery.delay = length_of(*fault);
    }
    if (const auto* fault = faults.find(FaultKind::trickle)) {
        delivery.piece_bytes = static_cast<std::size_t>(std::max<std::int64_t>(1, fault->integer("bytes", 1)));
        delivery.piece_pause = length_of(*fault);
    }
}

}  // namespace draws_sandbox
