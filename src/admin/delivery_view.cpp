#include "delivery_view.hpp"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>

#include "drawbridge/domain/exception_catalog.hpp"
#include "drawbridge/ledger/facts/deliveries.hpp"
#include "drawbridge/ledger/facts/evidence.hpp"
#include "drawbridge/pipeline/deliver.hpp"

namespace drawbridge::admin {
namespace {

using disbursement::DeliveryFact;

constexpr std::uint64_t max_payments = 999'999'999;

// The state of a delivery: the phase of its upload, or the file's state without one.
std::string state_of(const ledger::FileRow& file, const ledger::DeliveryRow& row,
                     const disbursement::DeliveryState& state) {
    if (file.voided_at) return "voided";
    if (!row.released_at) return row.method.encrypted && !row.encryption ? "to_encrypt" : "not_released";
    if (!row.method.by_sftp) return "outgoing";
    return std::string(disbursement::to_string(state.phase));
}

// For a file whose release waits: as ordered. nullopt: the bank picks the file up from outgoing/.
std::optional<ledger::DeliveryRow> delivery_of(ledger::Ledger& ledger, const ledger::FileRow& file) {
    auto row = ledger::find_delivery(ledger, file.file_id);
    if (row || !file.order || (!file.order->method.by_sftp && !file.order->method.encrypted)) return row;
    row.emplace();
    row->file_id = file.file_id;
    row->file_name = row->name = file.name;
    row->rail = file.rail;
    row->method = file.order->method;
    return row;
}

records::Delivery record_of_row(const ledger::FileRow& file, const ledger::DeliveryRow& row,
                                const std::vector<DeliveryFact>& facts) {
    const auto state = disbursement::delivery_state(facts);
    records::Delivery delivery{.state = state_of(file, row, state),
                               .by = row.method.by_sftp ? "sftp" : "folder",
                               .name = row.name,
                               .sha256 = if_any(row.sha256),
                               .server = if_any(state.server),
                               .uploads = state.uploads,
                               .failures = state.failures,
                               .last_problem = if_any(state.last_problem),
                               .delivered_at = row.delivered_at,
                               .delivered_by = if_any(state.delivered_by),
                               .archived_as = if_any(row.archived_as)};
    if (row.encryption) delivery.encrypted_to = row.encryption->fingerprint;
    return delivery;
}

records::DeliveryStep step_record(const DeliveryFact& fact) {
    return {.at = fact.at,
            .by = fact.by,
            .step = std::string(disbursement::to_string(fact.step)),
            .server = if_any(fact.server),
            .temporary_name = if_any(fact.temporary_name),
            .detail = fact.detail};
}

}  // namespace

std::optional<records::Delivery> delivery_record(ledger::Ledger& ledger, const ledger::FileRow& file, bool with_steps) {
    const auto row = delivery_of(ledger, file);
    if (!row) return std::nullopt;
    const auto facts = ledger::delivery_steps(ledger, file.file_id);
    auto delivery = record_of_row(file, *row, facts);
    if (!with_steps) return delivery;
    auto& steps = delivery.steps.emplace();
    for (const auto& fact : facts)
        steps.push_back(step_record(fact));
    return delivery;
}

void add_delivery_metrics(prometheus::Registry& registry, AdminContext& context) {
    auto& steps = prometheus::BuildCounter()
                      .Name("drawbridge_delivery_steps_total")
                      .Help("Steps of uploads by outcome: delivered, failed, unknown …")
                      .Register(registry);
    for (const auto& [step, count] : ledger::delivery_step_counts(context.ledger))
        steps.Add({{"step", step}}).Increment(static_cast<double>(count));
    const auto waiting = ledger::undelivered(context.ledger);
    const auto gauge = [&](const char* name, const char* help, double value) {
        prometheus::BuildGauge().Name(name).Help(help).Register(registry).Add({}).Set(value);
    };
    gauge("drawbridge_undelivered_files", "Released files that the bank's server does not have yet.",
          static_cast<double>(waiting.count));
    const auto age = waiting.oldest ? context.clock.now() - *waiting.oldest : std::chrono::milliseconds(0);
    gauge("drawbridge_undelivered_oldest_seconds", "Age of the oldest such file since its release; 0 without one.",
          static_cast<double>(age.count()) / 1000.0);
}

Result<json> record_delivery_outcome(AdminContext& context, const std::string& file, const std::string& how,
                                     const std::string& reason, const ledger::Stamp& stamp) {
    if (how != "by_hand" && how != "again") {
        return fail(ErrorCode::invalid_input,
                    "'how' must be \"by_hand\" (the bank has it) or \"again\" (the bank does not have it)");
    }
    pipeline::Context act(context.shared, stamp);
    const auto outcome = how == "again" ? pipeline::DeliveryResolution::again : pipeline::DeliveryResolution::by_hand;
    const auto settled = pipeline::resolve_delivery(act, file, outcome, reason, stamp);
    if (!settled) return std::unexpected(settled.error());
    auto record = record_of(*settled);
    record.delivery = delivery_record(context.ledger, *settled);
    return json{{"file", to_json(record)}};
}

records::Comparison record_of(const pipeline::Comparison& found) {
    const auto& said = found.acknowledgment;
    return {.file = said.file_name,
            .line = said.line == 0 ? std::nullopt : std::optional<std::int64_t>(said.line),
            .payments = said.payments,
            .total = said.total,
            .outcome = std::string(pipeline::to_string(found.outcome)),
            .detail = found.detail};
}

Result<json> acknowledge(AdminContext& context, const std::string& file, const json& body, const std::string& reason,
                         const ledger::Stamp& stamp) {
    const auto payments = body.find("payments");
    if (payments == body.end() || !payments->is_number_unsigned() || *payments > max_payments)
        return fail(ErrorCode::invalid_input, "'payments' is not a whole number: send the bank's count");
    const auto total = body.find("total");
    if (total == body.end() || !total->is_string())
        return fail(ErrorCode::invalid_input, "'total' is not an amount: send a string like 1234.50");
    const auto amount = plain_amount(total->get_ref<const std::string&>());
    if (!amount) return fail(ErrorCode::invalid_input, "'total': " + amount.error().message);
    pipeline::Context act(context.shared, stamp);
    const auto found = pipeline::acknowledge(
        act, {.file_name = file, .payments = payments->get<std::int64_t>(), .total = *amount}, reason, stamp);
    if (!found) return std::unexpected(found.error());
    return to_json(record_of(*found));
}

Result<std::string> file_of_path(AdminContext& context, const Call& call) {
    if (call.path[0] != "exceptions") return call.path[1];
    const auto id = whole_number(call.path[1], "the exception's id", 1, INT64_MAX);
    if (!id) return std::unexpected(id.error());
    const auto row = ledger::find_exception(context.ledger, *id);
    if (!row || row->closed_at || !ledger::find_file(context.ledger, row->what.subject)) {
        return fail(ErrorCode::not_found,
                    "no open exception " + std::to_string(*id) + " about a file: 'drawbridge exceptions' lists them");
    }
    return row->what.subject;
}

bool needs_delivery_outcome(const ledger::ExceptionRow& row) {
    const auto* const kind = find_exception_kind(row.what.reason_code, row.what.step);
    return kind != nullptr && kind->acts.has(ExceptionAct::deliver_again);
}

}  // namespace drawbridge::admin
