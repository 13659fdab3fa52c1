#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <algorithm>
#include <set>

#include "sandbox_process.hpp"

namespace sandbox_test {
namespace {

using nlohmann::json;

// Checks a value against a schema of the document. It supports the part of JSON Schema that the document uses and
// rejects everything else.
class Checker {
  public:
    explicit Checker(const json& document) : document_(document) {}

    [[nodiscard]] std::vector<std::string> check(const json& value, const json& schema) {
        errors_.clear();
        visit(value, schema, "$");
        return errors_;
    }

  private:
    void visit(const json& value, const json& schema, const std::string& at) {
        for (const auto& [keyword, rule] : schema.items())
            apply(keyword, rule, value, schema, at);
    }

    void apply(const std::string& keyword, const json& rule, const json& value, const json& schema,
               const std::string& at) {
        if (keyword == "$ref") {
            visit(value, document_.at(json::json_pointer(rule.get<std::string>().substr(1))), at);
        } else if (keyword == "type") {
            expect(has_type(value, rule), at, "is not of type " + rule.dump());
        } else if (keyword == "enum") {
            expect(std::ranges::find(rule, value) != rule.end(), at, "is not one of " + rule.dump());
        } else if (keyword == "required") {
            for (const auto& name : rule)
                expect(value.contains(name), at, "lacks " + name.dump());
        } else if (keyword == "properties") {
            for (const auto& [name, part] : value.items()) {
                if (rule.contains(name)) visit(part, rule.at(name), fmt::format("{}.{}", at, name));
            }
        } else if (keyword == "additionalProperties") {
            for (const auto& [name, part] : value.items()) {
                expect(schema.at("properties").contains(name), at, "has an unknown " + name);
            }
        } else if (keyword == "items") {
            for (std::size_t i = 0; i < value.size(); ++i)
                visit(value[i], rule, at + "[" + std::to_string(i) + "]");
        } else if (keyword == "oneOf") {
            const auto fits = std::ranges::count_if(
                rule, [&](const json& part) { return Checker(document_).check(value, part).empty(); });
            expect(fits == 1, at, "fits " + std::to_string(fits) + " of " + rule.dump());
        } else {
            apply_scalar(keyword, rule, value, at);
        }
    }

    void apply_scalar(const std::string& keyword, const json& rule, const json& value, const std::string& at) {
        if (keyword == "pattern") {
            const bool fits =
                !value.is_string() || RE2::PartialMatch(value.get<std::string>(), rule.get<std::string>());
            expect(fits, at, "does not match " + rule.dump());
        } else if (keyword == "minimum") {
            expect(!value.is_number() || value >= rule, at, "is too small");
        } else if (keyword == "multipleOf") {
            expect(!value.is_number() || RE2::FullMatch(value.dump(), R"(-?\d+(\.\d{1,2})?)"), at,
                   "has a third decimal");
        } else {
            expect(keyword == "description" || keyword == "format", at, "unknown keyword " + keyword);
        }
    }

    static bool has_type(const json& value, const json& type) {
        if (type.is_array()) {
            return std::ranges::any_of(type, [&](const json& one) { return has_type(value, one); });
        }
        const auto name = type.get<std::string>();
        return (name == "null" && value.is_null()) || (name == "integer" && value.is_number_integer()) ||
               (name == "number" && value.is_number()) || (name == "string" && value.is_string()) ||
               (name == "object" && value.is_object()) || (name == "array" && value.is_array());
    }

    void expect(bool fits, const std::string& at, const std::string& what) {
        if (!fits) errors_.push_back(at + " " + what);
    }

    const json& document_;
    std::vector<std::string> errors_;
};

class OpenApi : public testing::Test {
  protected:
    OpenApi() : bench({"--draws", "300", "--seed", "11"}), document(bench.probe.send("GET", "/openapi.json").json()) {}

    // Checks an answer against the document's description of the operation and status.
    void expect_documented(const Answer& answer, const std::string& path, const std::string& method) {
        const auto& responses = document.at("paths").at(path).at(method).at("responses");
        const auto status = std::to_string(answer.status);
        ASSERT_TRUE(responses.contains(status)) << method << ' ' << path << ' ' << status;
        const auto& content = responses.at(status).at("content");
        const auto type = answer.headers.at("content-type");
        ASSERT_TRUE(content.contains(type)) << type;
        EXPECT_THAT(Checker(document).check(answer.json(), content.at(type).at("schema")), testing::IsEmpty())
            << method << ' ' << path << ' ' << status;
        covered.insert(method + " " + path + " " + status);
    }

    Bench bench;
    json document;
    std::set<std::string> covered;
};

TEST_F(OpenApi, every_answer_is_as_documented_and_every_documented_answer_is_given) {
    const std::string draws = "/caseBudgets/draws";
    const std::string one = draws + "/{id}";
    const std::string approve = draws + "/approve";
    const auto pending = bench.ids("status=3&pageSize=2&amountRequested[gt]=0");
    const auto path = draws + "/" + std::to_string(pending.at(0));
    const std::string form = "client_id=sandbox&client_secret=sandbox-secret&grant_type=client_credentials";

    expect_documented(ask_token(bench.probe, form), "/oauth/token", "post");
    expect_documented(ask_token(bench.probe, form + "x"), "/oauth/token", "post");
    expect_documented(ask_token(bench.probe, "client_id=x&client_secret=x&grant_type=client_credentials"),
                      "/oauth/token", "post");
    expect_documented(bench.list("pageSize=300"), draws, "get");
    expect_documented(bench.list("pageSize=none"), draws, "get");
    expect_documented(bench.get(path), one, "get");
    expect_documented(bench.get(draws + "/1"), one, "get");
    expect_documented(bench.patch(pending.at(0), {{"fieldC", "x"}}), one, "patch");
    expect_documented(bench.patch(pending.at(0), {{"nope", "x"}}), one, "patch");
    expect_documented(bench.patch(1, {{"fieldC", "x"}}), one, "patch");
    expect_documented(bench.patch(pending.at(0), {{"disbursedDate", "2025-01-01T00:00:00"}}), one, "patch");
    json body = json::array();
    body.push_back({{"id", pending.at(0)}, {"approverId", 1201}});
    body.push_back({{"id", pending.at(0)}, {"approverId", 1201}});
    body.push_back({{"id", pending.at(1)}, {"approverId", 5}});
    body.push_back({{"id", 1}, {"approverId", 5}});
    expect_documented(bench.approve(body), approve, "post");
    expect_documented(bench.approve(body), approve, "post");
    expect_documented(bench.approve(json::object()), approve, "post");
    const Headers plain{{"Authorization", "Bearer " + bench.token}, {"Content-Type", "text/plain"}};
    expect_documented(bench.probe.send("PATCH", path, plain, "x"), one, "patch");
    expect_documented(bench.probe.send("POST", approve, plain, "x"), approve, "post");
    bench.portal("DELETE", "/tokens");
    expect_documented(bench.list(""), draws, "get");
    expect_documented(bench.get(path), one, "get");
    expect_documented(bench.patch(1, {{"fieldC", "x"}}), one, "patch");
    expect_documented(bench.approve(body), approve, "post");

    std::set<std::string> documented;
    for (const auto& [where, operations] : document["paths"].items()) {
        for (const auto& [method, operation] : operations.items()) {
            for (const auto& [status, response] : operation["responses"].items()) {
                documented.insert(std::string(method).append(" ").append(where).append(" ").append(status));
            }
        }
    }
    EXPECT_EQ(covered, documented);
}

TEST_F(OpenApi, every_documented_parameter_is_accepted_and_every_field_has_its_parameters) {
    const auto& parameters = document["paths"]["/caseBudgets/draws"]["get"]["parameters"];
    std::set<std::string> names;
    for (const auto& parameter : parameters) {
        const auto name = parameter["name"].get<std::string>();
        const auto& schema = parameter["schema"];
        std::string value = "1";
        if (schema.contains("enum")) value = schema["enum"][0].get<std::string>();
        if (schema.value("format", "") == "date-time") value = "2025-01-01T00:00:00";
        EXPECT_EQ(bench.list(fmt::format("{}={}", name, value)).status, 200U) << name;
        names.insert(name);
    }
    EXPECT_EQ(names.size(), 4U + 11U * 4U + 12U * 5U);  // 11 texts with 4 operators, 12 numbers and dates with 5
    for (const auto& [field, schema] : document["components"]["schemas"]["Draw"]["properties"].items()) {
        EXPECT_TRUE(names.contains(field)) << field;
    }
}

TEST(OpenApiDocument, names_the_base_path_as_its_server) {
    Bench bench({"--base-path", "/api/v1"});
    EXPECT_EQ(bench.probe.send("GET", "/api/v1/openapi.json").json()["servers"][0]["url"], "/api/v1");
    EXPECT_EQ(bench.probe.send("GET", "/openapi.json").json()["openapi"], "3.1.0");
}

}  // namespace
}  // namespace sandbox_test
