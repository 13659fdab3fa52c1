// Checks that config/schema/rules.schema.json has the same keys as the reader of rule files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "drawbridge/rules/rule_set.hpp"

namespace drawbridge::rules {
namespace {

using nlohmann::json;
using Names = std::set<std::string>;

json schema() {
    std::ifstream file(DRAWBRIDGE_SOURCE_DIR "/config/schema/rules.schema.json");
    return json::parse(file);
}

Names keys_of(const json& properties) {
    Names names;
    for (const auto& [name, value] : properties.items())
        names.insert(name);
    return names;
}

// The list that follows `lead` in the report on this file: "its keys are version, rules".
Names keys_in_report(const std::string& text, const std::string& lead) {
    const auto set = parse_rules(text, "r.yaml");
    if (set) return {};
    const std::string report = to_string(set.error());
    std::istringstream list(report.substr(report.find(lead) + lead.size()));
    Names names;
    for (std::string name; list >> name;) {
        const bool last = !name.ends_with(',');
        if (!last) name.pop_back();
        names.insert(name);
        if (last) break;
    }
    return names;
}

std::string rule(const std::string& inside) {
    return "version: 1\nrules:\n  - {name: a, " + inside + "}\n";
}

TEST(Schema, has_the_keys_of_the_file_and_of_a_rule) {
    const json whole = schema();
    const std::string lead = "its keys are ";
    EXPECT_EQ(keys_of(whole["properties"]), keys_in_report("[]", lead));
    const json& definitions = whole["definitions"];
    EXPECT_EQ(keys_of(definitions["rule"]["properties"]), keys_in_report("version: 1\nrules: [x]\n", lead));
    EXPECT_EQ(keys_of(definitions["rule"]["properties"]["effective"]["properties"]),
              keys_in_report(rule("effective: x"), lead));
    EXPECT_EQ(keys_of(definitions["approve"]["properties"]),
              keys_in_report(rule("approve: {zzzzzzzzz: 1}"), "the keys here are "));
}

TEST(Schema, has_the_keys_of_limits_and_sums) {
    const json definitions = schema()["definitions"];
    EXPECT_EQ(keys_of(definitions["limit"]["properties"]),
              keys_in_report("version: 1\nlimits: [{zzzzzzzzz: 1}]\n", "the keys here are "));
    for (const std::string kind : {"Total", "Count"}) {
        const std::string key = kind == "Total" ? "case_total" : "payee_count";
        EXPECT_EQ(keys_of(definitions["history" + kind]["properties"]),
                  keys_in_report(rule("when: {" + key + ": {zzzzzzzzz: 1}}"), "the keys here are "))
            << key;
    }
}

TEST(Schema, has_every_field_of_a_draw_with_the_operators_of_its_kind) {
    const json definitions = schema()["definitions"];
    const json& conditions = definitions["conditions"]["properties"];
    Names wanted = {
        "any",         "all",         "unless",         "duplicate_within", "case_total",      "case_count",
        "payee_total", "payee_count", "workflow_total", "workflow_count",   "requester_total", "requester_count"};
    for (const DrawField& field : draw_fields()) {
        const std::string name(field.name);
        wanted.insert(name);
        const std::string kind = conditions[name]["$ref"].get<std::string>().substr(14);
        EXPECT_EQ(keys_of(definitions[kind + "Operators"]["properties"]),
                  keys_in_report(rule("when: {" + name + ": {}}"), "has no operator: use "))
            << name;
        const json& others =
            definitions[kind + "Operators"]["properties"]["eq"]["oneOf"][1]["properties"]["field"]["enum"];
        for (const DrawField& other : draw_fields()) {
            const bool named = std::ranges::find(others, json(other.name)) != others.end();
            EXPECT_EQ(named, other.kind == field.kind) << name << " " << other.name;
        }
    }
    EXPECT_EQ(keys_of(conditions), wanted);
}

}  // namespace
}  // namespace drawbridge::rules
