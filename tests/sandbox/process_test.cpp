#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <set>

#include "sandbox_process.hpp"

namespace sandbox_test {
namespace {

using nlohmann::json;

TEST(Process, prints_its_address_and_ends_cleanly_on_sigterm) {
    SandboxProcess sandbox({"--base-path", "api/"});
    EXPECT_EQ(sandbox.ready_line(),
              "draws-sandbox ready at http://127.0.0.1:" + std::to_string(sandbox.port()) + "/api");
    HttpProbe idle(sandbox.port());
    EXPECT_EQ(idle.send("GET", "/portal/summary").status, 200U);
    HttpProbe waiting(sandbox.port());
    EXPECT_EQ(waiting.send("POST", "/portal/faults", {}, R"({"endpoint":"token","kind":"delay","ms":600000})").status,
              201U);
    waiting.send_only("POST /api/oauth/token HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
    while (idle.send("GET", "/portal/requests").json()["counts"]["token"] != 1) {
    }
    sandbox.signal(SIGTERM);
    const auto status = sandbox.wait();
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Process, keeps_every_commit_when_killed_and_restarts_on_the_same_port) {
    const auto folder = temporary_folder();
    Bench bench({"--db", folder + "/draws.db", "--draws", "50", "--seed", "5"});
    const auto port = bench.process.port();
    bench.portal("PUT", "/workflows/12", {{"manualDisbursementDate", false}});
    for (int round = 0; round < 3; ++round) {
        const auto id = bench.add({{"status", 3}, {"amountRequested", 5}});
        json one = json::array();
        one.push_back({{"id", id}, {"approverId", 1201}});
        EXPECT_EQ(bench.approve(one).status, 200U);
        bench.process.signal(SIGKILL);
        bench.process.wait();
        bench.process.start_again();
        EXPECT_EQ(bench.process.port(), port);
        bench.renew_token();
        EXPECT_EQ(bench.get("/caseBudgets/draws/" + std::to_string(id)).json()["status"], 4);
        EXPECT_EQ(bench.list("").json()["totalRecordCount"], 51 + round) << "a filled store gets no generated draws";
    }
    EXPECT_EQ(bench.portal("GET", "/workflows/12").json()["manualDisbursementDate"], false);
}

TEST(Process, serves_many_open_connections) {
    Bench bench({"--draws", "20"});
    std::vector<std::unique_ptr<HttpProbe>> probes(40);
    for (auto& probe : probes)
        probe = std::make_unique<HttpProbe>(bench.process.port());
    for (int round = 0; round < 5; ++round) {
        for (const auto& probe : probes) {
            EXPECT_EQ(probe->send("GET", "/caseBudgets/draws", {{"Authorization", "Bearer " + bench.token}}).status,
                      200U);
        }
    }
    for (const auto& probe : probes)
        EXPECT_EQ(probe->times_connected(), 1);
}

TEST(Process, refuses_invalid_http_and_large_bodies_and_keeps_serving) {
    Bench bench;
    HttpProbe probe(bench.process.port());
    EXPECT_EQ(probe.send_raw("NONSENSE\r\n\r\n").status, 400U);
    EXPECT_EQ(probe.send_raw("PATCH / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n").status, 413U);
    EXPECT_EQ(probe.send_raw("GET /portal/summary HTTP/1.0\r\n\r\n").headers.at("connection"), "close");
    EXPECT_EQ(bench.list("").status, 200U);
}

TEST(Process, refuses_a_wrong_command_line_in_one_line) {
    for (const char* line : {"--draws abc", "--draws -5", "--page-size-max 0", "--mix nope", "--bogus", "extra"}) {
        const std::string command = DRAWBRIDGE_BINARY_DIR "/draws-sandbox " + std::string(line) + " 2>&1";
        FILE* const pipe = ::popen(command.c_str(), "r");
        std::string said(4096, '\0');
        said.resize(std::fread(said.data(), 1, said.size(), pipe));
        const int status = ::pclose(pipe);
        ASSERT_TRUE(WIFEXITED(status));
        EXPECT_EQ(WEXITSTATUS(status), 2) << line;
        EXPECT_THAT(said,
                    testing::MatchesRegex("draws-sandbox: .{10,120}: `draws-sandbox --help` lists the options\n"));
    }
}

std::string all_draws(const std::vector<std::string>& arguments) {
    Bench bench(arguments);
    return bench.list("pageSize=1000").body;
}

TEST(Generator, the_same_seed_and_day_give_the_same_draws) {
    const std::vector<std::string> plan{"--draws", "1000", "--seed", "42", "--as-of", "2025-06-01"};
    auto other_seed = plan;
    other_seed[3] = "43";
    EXPECT_EQ(all_draws(plan), all_draws(plan));
    EXPECT_NE(all_draws(plan), all_draws(other_seed));
}

TEST(Generator, generates_realistic_draws) {
    const auto records =
        json::parse(all_draws({"--draws", "1000", "--seed", "42", "--as-of", "2025-06-01"})).at("records");
    ASSERT_EQ(records.size(), 1000U);
    std::map<int, int> statuses;
    std::map<std::string, int> nulls;
    std::map<std::size_t, int> decimals;
    std::map<std::int64_t, std::set<std::string>> payees_of_case;
    std::size_t longest = 0;
    bool accent = false;
    bool apostrophe = false;
    for (const auto& draw : records) {
        ++statuses[draw["status"].get<int>()];
        for (const auto& [name, value] : draw.items())
            nulls[name] += value.is_null() ? 1 : 0;
        EXPECT_GE(draw["requestedDate"].get<std::string>(), "2025-04-01");
        EXPECT_LT(draw["modifiedDate"].get<std::string>(), "2025-06-01");
        if (!draw["amountRequested"].is_null()) {
            const auto text = draw["amountRequested"].dump();
            ++decimals[text.ends_with(".0") || text.find('.') == std::string::npos ? 0
                                                                                   : text.size() - text.find('.') - 1];
        }
        if (!draw["caseId"].is_null() && !draw["fieldA"].is_null()) {
            payees_of_case[draw["caseId"].get<std::int64_t>()].insert(draw["fieldA"].get<std::string>());
            EXPECT_THAT(draw["fieldA"].get<std::string>(), testing::MatchesRegex("PAYEE-0[0-4][0-9][0-9]"));
        }
        const auto name = draw["caseName"].is_null() ? std::string{} : draw["caseName"].get<std::string>();
        longest = std::max(longest, name.size());
        accent = accent || name.find("é") != std::string::npos;
        apostrophe = apostrophe || name.find('\'') != std::string::npos;
    }
    EXPECT_EQ(statuses.size(), 6U);
    EXPECT_GT(statuses[3], 550);
    for (const auto* field :
         {"caseId", "caseName", "amountRequested", "description", "fieldA", "fieldB", "approvedBy"}) {
        EXPECT_GT(nulls[field], 0) << field;
    }
    for (const auto& [case_id, payees] : payees_of_case)
        EXPECT_EQ(payees.size(), 1U) << case_id;
    EXPECT_GT(decimals[0], 100);
    EXPECT_GT(decimals[1], 50);
    EXPECT_GT(decimals[2], 300);
    EXPECT_GT(longest, 150U);
    EXPECT_TRUE(accent);
    EXPECT_TRUE(apostrophe);
}

TEST(Generator, pending_draws_have_every_value) {
    const auto records = json::parse(all_draws({"--draws", "500", "--mix", "pending"})).at("records");
    for (const auto& draw : records) {
        EXPECT_EQ(draw["status"], 3);
        EXPECT_GT(draw["amountRequested"], 0);
        for (const auto* field : {"caseId", "caseName", "fieldA", "description"})
            EXPECT_FALSE(draw[field].is_null()) << field;
    }
}

}  // namespace
}  // namespace sandbox_test
