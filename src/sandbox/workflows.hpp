#pragma once
// Owns the settings of each workflow (program): which fields an update may change, and who may approve which groups.

#include <cstdint>
#include <expected>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "draw.hpp"
#include "store.hpp"

namespace draws_sandbox {

struct Approver {
    std::int64_t id;
    std::optional<std::vector<std::int64_t>> groups;  // absent: all groups
    std::string email;
};

struct Workflow {
    bool manual_disbursement_date = true;
    bool admin_description = true;
    std::int64_t approvals_needed = 1;                         // the draw is Approved after this many
    std::optional<std::vector<std::string>> patchable_fields;  // absent: every custom field and the description
    std::vector<Approver> approvers{{1201, std::nullopt, "m.okafor@draws.example.gov"},
                                    {1202, std::vector<std::int64_t>{301}, "j.lindqvist@draws.example.gov"}};

    [[nodiscard]] const Approver* approver(std::int64_t id) const;
    [[nodiscard]] bool may_change(Field field) const;
};

[[nodiscard]] nlohmann::ordered_json workflow_json(std::int64_t id, const Workflow& workflow);

class Workflows {
  public:
    explicit Workflows(Store& store);

    // A workflow without settings has the defaults above.
    [[nodiscard]] const Workflow& of(std::int64_t id) const;
    // Absent keys keep their value. The error says what is wrong with the request.
    [[nodiscard]] std::expected<void, std::string> set(std::int64_t id, const nlohmann::json& request);

  private:
    Store& store_;
    Workflow defaults_;
    std::map<std::int64_t, Workflow> workflows_;
};

}  // namespace draws_sandbox
