// A draw as JSON text, with fields that tests can change.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace drawbridge::service::testing {

// A draw with every field as name and JSON text, so that a test can change one.
using Fields = std::vector<std::pair<std::string, std::string>>;

inline Fields whole_draw() {
    return {{"id", "7"},
            {"caseId", "70"},
            {"caseName", R"("Fiancée O'Neil")"},
            {"status", "4"},
            {"requestedBy", R"("ann@example.gov")"},
            {"requestedDate", R"("2026-03-04T05:06:07")"},
            {"amountRequested", "1250.5"},
            {"approvedBy", R"("bob@example.gov")"},
            {"approvedDate", R"("2026-03-05T05:06:07.123")"},
            {"amountApproved", "1250.25"},
            {"disbursedBy", R"("cy@example.gov")"},
            {"disbursedDate", R"("2026-03-06T05:06:07Z")"},
            {"amountDisbursed", "1"},
            {"description", R"("roof")"},
            {"modifiedBy", R"("dee@example.gov")"},
            {"modifiedDate", R"("2026-03-07T00:00:00.1234567")"},
            {"fieldA", R"("PAYEE-0001")"},
            {"fieldB", R"("b")"},
            {"fieldC", R"("c")"},
            {"fieldD", R"("d")"},
            {"fieldE", R"("e")"},
            {"configDrawApproverGroupId", "3"},
            {"workflowId", "12"}};
}

inline std::string json(const Fields& fields) {
    std::string text = "{";
    for (const auto& [name, value] : fields)
        text += (text.size() > 1 ? "," : "") + ("\"" + name + "\":" + value);
    return text + "}";
}

inline Fields with(Fields fields, const std::string& name, const std::string& value) {
    for (auto& field : fields)
        if (field.first == name) field.second = value;
    return fields;
}

inline Fields without(Fields fields, const std::string& name) {
    std::erase_if(fields, [&](const auto& field) { return field.first == name; });
    return fields;
}

}  // namespace drawbridge::service::testing
