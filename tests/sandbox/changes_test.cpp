#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sandbox_process.hpp"

namespace sandbox_test {
namespace {

using nlohmann::json;

json read(Bench& bench, std::int64_t id) {
    return bench.portal("GET", "/draws/" + std::to_string(id)).json();
}

std::string act(std::int64_t id, const std::string& name) {
    return "/draws/" + std::to_string(id) + "/" + name;
}

TEST(Patch, changes_only_the_given_fields_and_records_who_and_when) {
    Bench bench;
    const auto id = bench.add({{"status", 3},
                               {"amountRequested", 10.5},
                               {"fieldA", "PAYEE-0001"},
                               {"fieldB", "old"},
                               {"modifiedDate", "2020-01-01T00:00:00"}});
    const auto before = read(bench, id);
    const auto answer = bench.patch(
        id, {{"fieldB", "né \"x\"\n\u0001"}, {"participant_FieldA", "for you"}, {"admin_Description", "for us"}});
    ASSERT_EQ(answer.status, 200U) << answer.body;
    EXPECT_EQ(answer.json().size(), 23U);
    auto expected = before;
    expected["fieldB"] = "né \"x\"\n\u0001";
    expected["participant_FieldA"] = "for you";
    expected["admin_Description"] = "for us";
    expected["modifiedBy"] = "integration@draws.example.gov";
    auto after = read(bench, id);
    EXPECT_GT(after["modifiedDate"].get<std::string>(), "2025");
    expected["modifiedDate"] = after["modifiedDate"];
    EXPECT_EQ(after, expected);
    EXPECT_EQ(answer.json()["fieldB"], "né \"x\"\n\u0001");
    EXPECT_EQ(bench.patch(id, json::object()).json(), answer.json()) << "an empty update changes nothing";
}

TEST(Patch, null_clears_nullable_fields) {
    Bench bench;
    const auto id = bench.add({{"description", "text"}});
    for (const auto* field : {"participant_FieldA", "participant_FieldB", "participant_FieldC", "fieldA", "fieldB",
                              "fieldC", "fieldD", "fieldE", "admin_Description"}) {
        EXPECT_EQ(bench.patch(id, {{field, "x"}}).status, 200U) << field;
        EXPECT_EQ(read(bench, id)[field], "x");
        EXPECT_EQ(bench.patch(id, {{field, nullptr}}).status, 200U) << field;
        EXPECT_EQ(read(bench, id)[field], nullptr);
    }
    EXPECT_EQ(bench.patch(id, {{"description", nullptr}}).status, 400U);
    EXPECT_EQ(read(bench, id)["description"], "text");
}

TEST(Patch, refuses_read_only_unknown_and_mistyped_fields_and_changes_nothing) {
    Bench bench;
    const auto id = bench.add({{"status", 5}, {"amountRequested", 5}});
    const auto before = read(bench, id);
    const auto record = bench.get("/caseBudgets/draws/" + std::to_string(id)).json();
    const std::vector<std::string> updatable{"description", "fieldA", "fieldB",       "fieldC",
                                             "fieldD",      "fieldE", "disbursedDate"};
    for (const auto& [name, value] : record.items()) {
        if (std::ranges::find(updatable, name) != updatable.end()) continue;
        EXPECT_EQ(bench.patch(id, {{"fieldA", "changed"}, {name, value}}).status, 400U) << name;
    }
    const std::vector<json> bodies{{{"nope", 1}},
                                   {{"fieldA", 1}},
                                   {{"description", true}},
                                   {{"fieldB", json::array()}},
                                   {{"disbursedDate", "2025-13-01T00:00:00"}},
                                   {{"disbursedDate", "2025-01-01T00:00:00+02:00"}},
                                   {{"disbursedDate", nullptr}},
                                   {{"disbursedDate", 5}},
                                   json::array(),
                                   "text"};
    for (const auto& body : bodies)
        EXPECT_EQ(bench.patch(id, body).status, 400U) << body;
    EXPECT_EQ(bench.api("PATCH", "/caseBudgets/draws/" + std::to_string(id), "{\"fieldA\":").status, 400U);
    EXPECT_EQ(bench.probe
                  .send("PATCH", "/caseBudgets/draws/" + std::to_string(id),
                        {{"Authorization", "Bearer " + bench.token}, {"Content-Type", "text/plain"}}, "{}")
                  .status,
              415U);
    EXPECT_EQ(bench.patch(424242, {{"fieldA", "x"}}).status, 404U);
    EXPECT_EQ(read(bench, id), before);
}

TEST(Patch, accepts_a_disbursed_date_only_at_status_five) {
    Bench bench;
    for (int status = 0; status <= 5; ++status) {
        const auto id = bench.add({{"status", status}});
        const auto answer = bench.patch(id, {{"disbursedDate", "2025-05-06T07:08:09Z"}, {"fieldA", "x"}});
        EXPECT_EQ(answer.status, status == 5 ? 200U : 409U) << status;
        EXPECT_EQ(read(bench, id)["fieldA"], status == 5 ? json("x") : json(nullptr));
        const auto shown = answer.json().value(status == 5 ? "disbursedDate" : "code", "");
        EXPECT_EQ(shown, status == 5 ? "2025-05-06T07:08:09" : "draw_not_disbursed");
    }
}

TEST(Patch, respects_the_workflows_restrictions) {
    Bench bench;
    const auto id = bench.add({{"status", 5}, {"workflowId", 21}});
    const auto other = bench.add({{"status", 5}, {"workflowId", 12}});
    ASSERT_EQ(bench
                  .portal("PUT", "/workflows/21",
                          {{"manualDisbursementDate", false}, {"adminDescription", false}, {"fields", {"fieldA"}}})
                  .status,
              200U);
    const json date{{"disbursedDate", "2025-05-06T07:08:09"}};
    for (const auto& body :
         {date, json{{"admin_Description", "x"}}, json{{"fieldB", "x"}}, json{{"description", "x"}}}) {
        const auto answer = bench.patch(id, body);
        EXPECT_EQ(answer.status, 409U) << body;
        EXPECT_EQ(answer.json()["code"], "workflow_forbids_field") << body;
        EXPECT_EQ(bench.patch(other, body).status, 200U) << "another workflow: " << body;
    }
    EXPECT_EQ(bench.patch(id, {{"fieldA", "x"}}).status, 200U);
    const auto settings = bench.portal("GET", "/workflows/21").json();
    EXPECT_EQ(settings["manualDisbursementDate"], false);
    EXPECT_EQ(settings["fields"], json({"fieldA"}));
    EXPECT_EQ(bench.portal("PUT", "/workflows/21", {{"manualDisbursementDate", true}}).json()["adminDescription"],
              false);
    EXPECT_EQ(bench.patch(id, date).status, 200U);
    EXPECT_EQ(bench.portal("PUT", "/workflows/21", {{"adminDescription", "yes"}}).status, 400U);
    EXPECT_EQ(bench.portal("PUT", "/workflows/21", {{"approvalsNeeded", 0}}).status, 400U);
}

TEST(Approve, gives_each_draw_its_own_result) {
    Bench bench;
    ASSERT_EQ(bench.portal("PUT", "/workflows/14", {{"approvers", {{{"id", 7}, {"groups", {301}}}}}}).status, 200U);
    const auto good = bench.add({{"status", 3}, {"amountRequested", 1234.5}});
    const auto approved = bench.add({{"status", 4}});
    const auto cancelled = bench.add({{"status", 2}});
    const auto strange = bench.add({{"status", 3}});
    const auto other_group = bench.add({{"status", 3}, {"workflowId", 14}, {"configDrawApproverGroupId", 302}});
    const auto no_amount = bench.add({{"status", 3}, {"workflowId", 14}});
    const auto answer =
        bench.approve({{{"id", good}, {"approverId", 1201}, {"notes", "go"}, {"notificationsEmails", {"a@b"}}},
                       {{"id", good}, {"approverId", 1201}},
                       {{"id", approved}, {"approverId", 1201}},
                       {{"id", cancelled}, {"approverId", 1201}},
                       {{"id", strange}, {"approverId", 99}},
                       {{"id", other_group}, {"approverId", 7}},
                       {{"id", 424242}, {"approverId", 1201}},
                       {{"id", no_amount}, {"approverId", 7}}});
    ASSERT_EQ(answer.status, 200U) << answer.body;
    const auto results = answer.json();
    const std::vector<std::pair<std::int64_t, std::string>> expected{{good, ""},
                                                                     {good, "duplicate"},
                                                                     {approved, "wrong_status"},
                                                                     {cancelled, "wrong_status"},
                                                                     {strange, "unknown_approver"},
                                                                     {other_group, "approver_of_another_group"},
                                                                     {424242, "unknown_draw"},
                                                                     {no_amount, ""}};
    ASSERT_EQ(results.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(results[i]["drawId"], expected[i].first);
        if (expected[i].second.empty()) {
            EXPECT_EQ(results[i]["error"], nullptr);
            EXPECT_EQ(results[i]["draw"]["status"], 4);
            EXPECT_EQ(results[i]["draw"], bench.get("/caseBudgets/draws/" + std::to_string(expected[i].first)).json());
        } else {
            EXPECT_EQ(results[i]["error"]["code"], expected[i].second) << i;
            EXPECT_EQ(results[i]["draw"], nullptr);
        }
    }
    const auto draw = read(bench, good);
    EXPECT_EQ(draw["amountApproved"], 1234.5);
    EXPECT_EQ(draw["approvedBy"], "m.okafor@draws.example.gov");
    EXPECT_EQ(draw["approvedDate"], draw["modifiedDate"]);
    EXPECT_EQ(draw["approvalNotes"], "go");
    EXPECT_EQ(draw["approvalCount"], 1);
    EXPECT_EQ(read(bench, no_amount)["amountApproved"], nullptr);
    EXPECT_EQ(read(bench, cancelled)["status"], 2);
}

TEST(Approve, accepts_five_hundred_and_refuses_five_hundred_and_one_as_a_whole) {
    Bench bench({"--draws", "501", "--mix", "pending"});
    json all = json::array();
    for (int i = 0; i < 501; ++i)
        all.push_back({{"id", 100'001 + i}, {"approverId", 1201}});
    const auto refused = bench.approve(all);
    EXPECT_EQ(refused.status, 400U);
    EXPECT_EQ(refused.json()["code"], "too_many_draws");
    EXPECT_EQ(bench.list("status=4").json()["totalRecordCount"], 0);
    all.erase(all.begin());
    EXPECT_EQ(bench.approve(all).json().size(), 500U);
    EXPECT_EQ(bench.list("status=4").json()["totalRecordCount"], 500);
    EXPECT_EQ(bench.ids("status=3"), std::vector<std::int64_t>{100'001});
    EXPECT_EQ(bench.approve(json::array()).json(), json::array());
}

TEST(Approve, refuses_a_malformed_body_as_a_whole) {
    Bench bench;
    const auto id = bench.add({{"status", 3}});
    const json good{{"id", id}, {"approverId", 1201}};
    const std::vector<json> bodies{good,
                                   {good, 5},
                                   {good, {{"id", id}}},
                                   {good, {{"approverId", 1201}}},
                                   {good, {{"id", "1"}, {"approverId", 1201}}},
                                   {good, {{"id", id}, {"approverId", 1201}, {"notes", 1}}},
                                   {good, {{"id", id}, {"approverId", 1201}, {"notificationsEmails", "a@b"}}},
                                   {good, {{"id", id}, {"approverId", 1201}, {"amount", 5}}}};
    for (const auto& body : bodies)
        EXPECT_EQ(bench.approve(body).status, 400U) << body;
    EXPECT_EQ(read(bench, id)["status"], 3);
    EXPECT_EQ(bench.api("GET", "/caseBudgets/draws/approve").status, 405U);
}

TEST(Options, success_codes_are_configurable) {
    Bench bench(
        {"--patch-status", "204", "--approve-status", "204", "--token-status", "201", "--too-many-status", "413"});
    const auto id = bench.add({{"status", 3}});
    const auto patched = bench.patch(id, {{"fieldA", "x"}});
    EXPECT_EQ(patched.status, 204U);
    EXPECT_EQ(patched.body, "");
    EXPECT_EQ(patched.headers.count("content-length"), 0U);
    EXPECT_EQ(bench.approve({{{"id", id}, {"approverId", 1201}}}).status, 204U);
    EXPECT_EQ(read(bench, id)["status"], 4);
    json many = json::array();
    for (int i = 0; i < 501; ++i)
        many.push_back({{"id", i}, {"approverId", 1}});
    EXPECT_EQ(bench.approve(many).status, 413U);
}

TEST(Portal, takes_a_draw_through_its_lifecycle) {
    Bench bench;
    const auto id = bench.add({{"amountRequested", 80}});
    EXPECT_EQ(read(bench, id)["status"], 0);
    EXPECT_EQ(bench.portal("POST", act(id, "submit")).json()["status"], 3);
    EXPECT_EQ(bench.portal("POST", act(id, "approve"), {{"amount", 75.5}, {"by", "me@example.org"}}).json()["status"],
              4);
    EXPECT_EQ(read(bench, id)["amountApproved"], 75.5);
    EXPECT_EQ(read(bench, id)["approvedBy"], "me@example.org");
    const auto disbursed = bench.portal("POST", act(id, "disburse"), {{"disbursedDate", "2025-01-02T03:04:05"}}).json();
    EXPECT_EQ(disbursed["status"], 5);
    EXPECT_EQ(disbursed["amountDisbursed"], 75.5);
    EXPECT_EQ(disbursed["disbursedDate"], "2025-01-02T03:04:05");
    EXPECT_EQ(bench.portal("POST", act(id, "reopen"), {{"status", 4}}).json()["status"], 4);
    EXPECT_EQ(bench.portal("POST", act(id, "cancel")).json()["status"], 2);
    EXPECT_EQ(
        bench.portal("PATCH", "/draws/" + std::to_string(id), {{"amountApproved", 1.25}}).json()["amountApproved"],
        1.25);
    EXPECT_EQ(bench.portal("PATCH", "/draws/" + std::to_string(id), {{"status", 9}}).status, 400U);
    EXPECT_EQ(bench.portal("POST", "/draws", {{"id", id}}).status, 409U);
    EXPECT_EQ(bench.portal("POST", "/draws", {{"amountRequested", 1.005}}).status, 400U);
}

TEST(Portal, refuses_impossible_transitions_unless_forced) {
    struct Case {
        const char* name;
        std::vector<int> possible_from;
        int to;
    };
    const std::vector<Case> cases{
        {"submit", {0, 1}, 3}, {"cancel", {0, 1, 3, 4}, 2}, {"approve", {3}, 4}, {"disburse", {4}, 5}};
    Bench bench;
    for (const auto& entry : cases) {
        for (int status = 0; status <= 5; ++status) {
            const auto id = bench.add({{"status", status}, {"amountRequested", 5}});
            const bool possible = std::ranges::find(entry.possible_from, status) != entry.possible_from.end();
            const auto answer = bench.portal("POST", act(id, entry.name));
            EXPECT_EQ(answer.status, possible ? 200U : 409U) << entry.name << " from " << status;
            EXPECT_EQ(read(bench, id)["status"], possible ? entry.to : status);
            EXPECT_EQ(bench.portal("POST", act(id, entry.name) + "?force=true").json()["status"], entry.to);
        }
    }
    EXPECT_EQ(bench.portal("POST", "/draws/424242/submit").status, 404U);
    EXPECT_EQ(bench.portal("POST", act(bench.add({}), "explode")).status, 404U);
}

TEST(Portal, disburses_many_draws_or_none) {
    Bench bench;
    const auto a = bench.add({{"status", 4}, {"amountApproved", 10}});
    const auto b = bench.add({{"status", 4}, {"amountApproved", 20}});
    const auto pending = bench.add({{"status", 3}});
    EXPECT_EQ(bench.portal("POST", "/disburse", {{"ids", {a, pending}}}).status, 409U);
    EXPECT_EQ(read(bench, a)["status"], 4);
    EXPECT_EQ(bench.portal("POST", "/disburse", {{"status", 4}}).json()["disbursed"], 2);
    EXPECT_EQ(read(bench, a)["amountDisbursed"], 10);
    EXPECT_EQ(read(bench, b)["status"], 5);
    const auto summary = bench.portal("GET", "/summary").json();
    EXPECT_EQ(summary["count"], 3);
    EXPECT_EQ(summary["amount"], 30);
    EXPECT_EQ(summary["statuses"][1]["name"], "Disbursed");
}

TEST(Portal, shows_every_disbursed_date_that_was_set) {
    Bench bench;
    const auto id = bench.add({{"status", 5}});
    bench.patch(id, {{"disbursedDate", "2026-11-20"}});
    bench.patch(id, {{"disbursedDate", "2026-11-21"}});
    bench.patch(id, {{"disbursedDate", "2026-11-20"}});
    bench.patch(bench.add({{"status", 4}}), {{"disbursedDate", "2026-11-20"}});
    EXPECT_EQ(bench.portal("GET", "/requests").json()["dates"],
              json({{std::to_string(id), {"2026-11-20", "2026-11-21"}}}));
}

TEST(Portal, counts_received_requests) {
    Bench bench;
    const auto id = bench.add({{"status", 3}});
    bench.approve({{{"id", id}, {"approverId", 1201}}});
    bench.approve({{{"id", id}, {"approverId", 1201}}});
    bench.patch(id, json::object());
    bench.list("status=3");
    const auto seen = bench.portal("GET", "/requests?drawId=" + std::to_string(id) + "&last=2").json();
    EXPECT_EQ(seen["counts"], json({{"token", 1}, {"list", 1}, {"read", 0}, {"patch", 1}, {"approve", 2}}));
    EXPECT_EQ(seen["approvals"], json({{std::to_string(id), 2}}));
    ASSERT_EQ(seen["requests"].size(), 2U);
    EXPECT_EQ(seen["requests"][1],
              json({{"method", "GET"}, {"target", "/caseBudgets/draws?status=3"}, {"status", 200}}));
    EXPECT_EQ(read(bench, id)["approvalCount"], 1);
}

}  // namespace
}  // namespace sandbox_test
