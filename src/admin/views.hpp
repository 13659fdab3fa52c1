// JSON of the ledger's rows for the operators' API. Private to this module.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <unordered_map>

#include "drawbridge/admin/handlers.hpp"
#include "drawbridge/admin/status_record.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/guards.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/resolutions.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/reports/draw_states.hpp"
#include "drawbridge/ledger/reports/verify.hpp"
#include "drawbridge/ledger/store/standby.hpp"

namespace drawbridge::admin {

using nlohmann::json;

using api::to_json;

[[nodiscard]] std::optional<std::string> if_any(std::string_view text);  // nullopt when empty
[[nodiscard]] std::optional<std::string> payment_name(std::optional<std::int64_t> payment_id);

// The ledger keeps who did what as "uid 5001 (anna)". People go by their names, each looked up once for an answer.
class PeopleNames {
  public:
    explicit PeopleNames(ledger::Ledger& ledger) : ledger_(ledger) {}
    // Unchanged if it is no person.
    [[nodiscard]] const std::string& of(const std::string& actor);

  private:
    ledger::Ledger& ledger_;
    std::unordered_map<std::string, std::string> known_;
};
// In members named `by` or `…_by`.
void name_people(ledger::Ledger& ledger, json& answer);

[[nodiscard]] json fields_view(const Draw& draw);  // every field under the service's name
[[nodiscard]] records::Exception record_of(ledger::Ledger& ledger, const ledger::ExceptionRow& row);
[[nodiscard]] records::File record_of(const ledger::FileRow& row);
[[nodiscard]] json view(const ledger::FileRow& row);
[[nodiscard]] records::File with_makers(ledger::Ledger& ledger, const ledger::FileRow& row);
[[nodiscard]] records::Run record_of(const ledger::LastRuns& runs);
[[nodiscard]] records::PayRun record_of(const ledger::PayRun& run);
[[nodiscard]] records::Invariant record_of(const ledger::InvariantResult& result);

[[nodiscard]] std::vector<reconciliation::ConfiguredControl> configured_controls(const AdminContext& context);
// The body of GET /status.
[[nodiscard]] records::Status status_of(AdminContext& context);
// Who is around a ledger in PostgreSQL, and what this host works with.
[[nodiscard]] std::optional<ledger::Hosts> hosts_around(AdminContext& context);

}  // namespace drawbridge::admin
