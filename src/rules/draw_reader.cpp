#include "draw_reader.hpp"

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "value_reader.hpp"

namespace drawbridge::rules {
namespace {

using text::YamlNode;
using text::YamlReader;
using Setter = void (*)(Draw&, const FieldValue&);

template <class T>
constexpr bool is_optional = false;
template <class T>
constexpr bool is_optional<std::optional<T>> = true;

template <auto Member>
void set(Draw& draw, const FieldValue& value) {
    using T = std::remove_cvref_t<decltype(draw.*Member)>;
    if constexpr (is_optional<T>) {
        draw.*Member = std::holds_alternative<std::monostate>(value) ? T() : T(std::get<typename T::value_type>(value));
    } else {
        draw.*Member = std::get<T>(value);
    }
}

constexpr std::pair<std::string_view, Setter> setters[] = {
    {"id", set<&Draw::id>},
    {"caseId", set<&Draw::case_id>},
    {"caseName", set<&Draw::case_name>},
    {"status",
     [](Draw& draw, const FieldValue& value) {
         draw.status = static_cast<DrawStatus>(static_cast<int>(std::get<std::int64_t>(value)));
     }},
    {"requestedBy", set<&Draw::requested_by>},
    {"requestedDate", set<&Draw::requested_date>},
    {"amountRequested", set<&Draw::amount_requested>},
    {"approvedBy", set<&Draw::approved_by>},
    {"approvedDate", set<&Draw::approved_date>},
    {"amountApproved", set<&Draw::amount_approved>},
    {"disbursedBy", set<&Draw::disbursed_by>},
    {"disbursedDate", set<&Draw::disbursed_date>},
    {"amountDisbursed", set<&Draw::amount_disbursed>},
    {"description", set<&Draw::description>},
    {"modifiedBy", set<&Draw::modified_by>},
    {"modifiedDate", set<&Draw::modified_date>},
    {"fieldA", set<&Draw::field_a>},
    {"fieldB", set<&Draw::field_b>},
    {"fieldC", set<&Draw::field_c>},
    {"fieldD", set<&Draw::field_d>},
    {"fieldE", set<&Draw::field_e>},
    {"configDrawApproverGroupId", set<&Draw::config_draw_approver_group_id>},
    {"workflowId", set<&Draw::workflow_id>},
};

std::optional<FieldValue> read_value(YamlReader& reader, const DrawField& field, const YamlNode& node) {
    const std::string name(field.name);
    if (node.kind() == YamlNode::Kind::null) {
        if (field.nullable) return FieldValue();
        reader.error(node, name + " is never null", "write a value, or leave the field out");
        return std::nullopt;
    }
    if (field.name == "status") {
        const auto status = reader.integer_in(node, name, 0, 99);
        if (!status) return std::nullopt;
        return FieldValue(*status);
    }
    return read_field_value(reader, field.kind, node, name);
}

}  // namespace

bool read_draw(YamlReader& reader, const YamlNode& node, Draw& draw, const std::vector<std::string_view>& beside) {
    std::vector<std::string_view> names = beside;
    for (const auto& [name, setter] : setters)
        names.push_back(name);
    if (!reader.check_map(node, names, "a draw")) return false;
    bool good = true;
    for (const YamlNode::Entry& entry : node.entries()) {
        const auto* found =
            std::ranges::find(setters, std::string_view(entry.key), &std::pair<std::string_view, Setter>::first);
        if (std::ranges::find(beside, entry.key) != beside.end()) continue;
        if (found == std::end(setters)) {
            good = false;  // reported by check_map
            continue;
        }
        const auto value = read_value(reader, *find_draw_field(entry.key), entry.value);
        if (value) found->second(draw, *value);
        good = good && value;
    }
    return good;
}

}  // namespace drawbridge::rules
