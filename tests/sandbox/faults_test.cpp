#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <fstream>

#include "sandbox_process.hpp"

namespace sandbox_test {
namespace {

using nlohmann::json;
using testing::ElementsAre;

json approval(std::int64_t id) {
    return {{"id", id}, {"approverId", 1201}};
}

std::string path(std::int64_t id) {
    return "/caseBudgets/draws/" + std::to_string(id);
}

json shown(Bench& bench, std::int64_t id) {
    return bench.portal("GET", "/draws/" + std::to_string(id)).json();
}

// Each fault in two forms: the request was processed, or not, when no answer came.
struct Cut {
    const char* kind;
    bool committed;
    bool dies;
};

class CutOff : public testing::TestWithParam<Cut> {};

TEST_P(CutOff, processes_a_bulk_approval_or_not_and_sends_no_answer) {
    const auto folder = temporary_folder();
    Bench bench({"--db", folder + "/draws.db"});
    const auto id = bench.add({{"status", 3}, {"amountRequested", 5}});
    bench.arm({{"endpoint", "approve"}, {"kind", GetParam().kind}});
    EXPECT_EQ(bench.approve(json::array({approval(id)})).status, 0U);
    if (GetParam().dies) {
        const auto status = bench.process.wait();
        ASSERT_TRUE(WIFSIGNALED(status));
        EXPECT_EQ(WTERMSIG(status), SIGKILL);
        bench.process.start_again();
        EXPECT_EQ(bench.list("").status, 401U) << "a restart forgets the tokens";
        bench.renew_token();
    }
    EXPECT_EQ(shown(bench, id)["status"], GetParam().committed ? 4 : 3);
    EXPECT_EQ(shown(bench, id)["approvalCount"], GetParam().committed ? 1 : 0);
    EXPECT_EQ(bench.approve(json::array({approval(id)})).status, 200U) << "the fault applies once";
    EXPECT_EQ(shown(bench, id)["approvalCount"], 1);
}

TEST_P(CutOff, processes_an_update_or_not_and_sends_no_answer) {
    const auto folder = temporary_folder();
    Bench bench({"--db", folder + "/draws.db"});
    const auto id = bench.add({{"status", 5}});
    bench.arm({{"endpoint", "patch"}, {"kind", GetParam().kind}});
    EXPECT_EQ(bench.patch(id, {{"fieldA", "x"}}).status, 0U);
    if (GetParam().dies) {
        bench.process.wait();
        bench.process.start_again();
    }
    EXPECT_EQ(shown(bench, id)["fieldA"], GetParam().committed ? json("x") : json(nullptr));
}

INSTANTIATE_TEST_SUITE_P(Kinds, CutOff,
                         testing::Values(Cut{"die_before_commit", false, true}, Cut{"die_after_commit", true, true},
                                         Cut{"close_before_commit", false, false},
                                         Cut{"close_after_commit", true, false},
                                         Cut{"reset_before_commit", false, false},
                                         Cut{"reset_after_commit", true, false}),
                         [](const auto& entry) { return std::string(entry.param.kind); });

TEST(Faults, a_timeout_keeps_the_connection_open_until_the_client_leaves) {
    for (const bool committed : {false, true}) {
        Bench bench;
        const auto id = bench.add({{"status", 3}});
        bench.arm({{"endpoint", "approve"}, {"kind", committed ? "timeout_after_commit" : "timeout_before_commit"}});
        HttpProbe impatient(bench.process.port(), std::chrono::milliseconds(200));
        const auto answer =
            impatient.send("POST", "/caseBudgets/draws/approve",
                           {{"Authorization", "Bearer " + bench.token}, {"Content-Type", "application/json"}},
                           json::array({approval(id)}).dump());
        EXPECT_EQ(answer.status, 0U);
        EXPECT_TRUE(impatient.gave_up());
        EXPECT_EQ(shown(bench, id)["status"], committed ? 4 : 3);
    }
}

TEST(Faults, a_status_fault_answers_with_retry_after_in_both_formats) {
    Bench bench;
    const auto id = bench.add({{"status", 3}});
    bench.arm({{"endpoint", "approve"}, {"kind", "status"}, {"code", 503}, {"retryAfter", 7}});
    auto answer = bench.approve(json::array({approval(id)}));
    EXPECT_EQ(answer.status, 503U);
    EXPECT_EQ(answer.headers.at("retry-after"), "7");
    EXPECT_EQ(shown(bench, id)["status"], 3);
    bench.arm({{"endpoint", "list"}, {"kind", "status"}, {"code", 429}, {"retryAfter", 60}, {"retryAfterDate", true}});
    answer = bench.list("");
    EXPECT_EQ(answer.status, 429U);
    EXPECT_THAT(answer.headers.at("retry-after"), testing::EndsWith(" GMT"));
    EXPECT_EQ(bench.list("").status, 200U);
    bench.arm({{"endpoint", "read"}, {"kind", "redirect"}, {"location", "http://elsewhere.example/"}});
    answer = bench.get(path(id));
    EXPECT_EQ(answer.status, 307U);
    EXPECT_EQ(answer.headers.at("location"), "http://elsewhere.example/");
}

TEST(Faults, skip_times_and_seeded_probability_decide_when_a_fault_applies) {
    Bench bench;
    const json fault{{"endpoint", "list"}, {"kind", "status"}, {"code", 500}};
    auto counted = fault;
    counted.update({{"skip", 2}, {"times", 3}});
    bench.arm(counted);
    std::vector<unsigned> statuses(7);
    for (auto& status : statuses)
        status = bench.list("").status;
    EXPECT_THAT(statuses, ElementsAre(200, 200, 500, 500, 500, 200, 200));
    EXPECT_EQ(bench.portal("GET", "/faults").json(), json::array());

    const auto run = [&](int seed) {
        auto chancy = fault;
        chancy.update({{"probability", 0.5}, {"seed", seed}, {"times", 1000}});
        bench.arm(chancy);
        std::string pattern;
        for (int i = 0; i < 40; ++i)
            pattern += bench.list("").status == 500 ? 'x' : '.';
        EXPECT_EQ(bench.portal("DELETE", "/faults").json(), json::array());
        return pattern;
    };
    EXPECT_EQ(run(7), run(7));
    EXPECT_NE(run(7), run(8));
    EXPECT_THAT(run(7), testing::AllOf(testing::HasSubstr("x"), testing::HasSubstr(".")));
}

TEST(Faults, damage_the_bytes_of_an_answer) {
    Bench bench;
    const auto id = bench.add({{"status", 3}});
    const auto whole = bench.get(path(id));
    bench.arm({{"endpoint", "read"}, {"kind", "truncated"}});
    auto answer = bench.get(path(id));
    EXPECT_FALSE(answer.complete);
    EXPECT_EQ(answer.body, whole.body.substr(0, whole.body.size() / 2));
    bench.arm({{"endpoint", "read"}, {"kind", "invalid_json"}});
    answer = bench.get(path(id));
    EXPECT_TRUE(answer.complete);
    EXPECT_FALSE(json::accept(answer.body));
    bench.arm({{"endpoint", "read"}, {"kind", "content_type"}});
    EXPECT_EQ(bench.get(path(id)).headers.at("content-type"), "text/html");
    bench.arm({{"endpoint", "read"}, {"kind", "padding"}, {"bytes", 100'000}});
    EXPECT_EQ(bench.get(path(id)).body.size(), whole.body.size() + 100'000);
    bench.arm({{"endpoint", "read"}, {"kind", "trickle"}, {"bytes", 100}, {"ms", 1}});
    EXPECT_EQ(bench.get(path(id)).body, whole.body);
}

TEST(Faults, delay_the_answer_before_or_after_processing) {
    Bench bench;
    for (const auto* when : {"before", "after"}) {
        bench.arm({{"endpoint", "list"}, {"kind", "delay"}, {"ms", 60}, {"jitterMs", 10}, {"when", when}});
        const auto start = std::chrono::steady_clock::now();
        EXPECT_EQ(bench.list("").status, 200U);
        EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(60)) << when;
    }
}

TEST(Faults, close_the_connection_after_the_response_with_or_without_announcement) {
    Bench bench;
    EXPECT_EQ(bench.list("").status, 200U);
    EXPECT_EQ(bench.probe.times_connected(), 1);
    bench.arm({{"endpoint", "list"}, {"kind", "close_after_response"}, {"announced", true}});
    EXPECT_EQ(bench.list("").headers.at("connection"), "close");
    bench.arm({{"endpoint", "list"}, {"kind", "close_after_response"}});
    const auto answer = bench.list("");
    EXPECT_EQ(answer.status, 200U);
    EXPECT_EQ(answer.headers.count("connection"), 0U);
    EXPECT_TRUE(bench.probe.closed_within(std::chrono::seconds(10)));
}

TEST(Faults, revoke_every_token) {
    Bench bench;
    bench.arm({{"endpoint", "list"}, {"kind", "token_revoked"}});
    EXPECT_EQ(bench.list("").status, 401U);
    EXPECT_EQ(bench.list("").status, 401U);
    bench.renew_token();
    EXPECT_EQ(bench.list("").status, 200U);
}

TEST(Faults, show_draws_as_of_the_time_of_arming) {
    Bench bench;
    const auto id = bench.add({{"status", 3}, {"amountRequested", 5}});
    bench.arm({{"endpoint", "list"}, {"kind", "stale"}});
    bench.arm({{"endpoint", "read"}, {"kind", "stale"}});
    bench.approve(json::array({approval(id)}));
    EXPECT_THAT(bench.ids("status=3"), ElementsAre(id));
    EXPECT_EQ(bench.get(path(id)).json()["status"], 3);
    EXPECT_THAT(bench.ids("status=3"), ElementsAre());
    EXPECT_EQ(bench.get(path(id)).json()["status"], 4);
}

TEST(Faults, distort_a_list) {
    Bench bench;
    for (int id = 1; id <= 6; ++id)
        bench.add({{"id", id}, {"status", id % 2 == 0 ? 3 : 4}});
    const std::string query = "status=3&sortBy=id&pageSize=2";
    const auto results_of = [&](json fault, const std::string& more = {}) {
        fault["endpoint"] = "list";
        bench.arm(fault);
        return bench.ids(query + more);
    };
    EXPECT_THAT(bench.ids(query), ElementsAre(2, 4));
    EXPECT_THAT(results_of({{"kind", "page_shift"}, {"by", 1}}), ElementsAre(4, 6));
    EXPECT_THAT(results_of({{"kind", "page_shift"}, {"by", -1}}, "&pageNumber=2"), ElementsAre(4, 6));
    EXPECT_THAT(results_of({{"kind", "duplicate_record"}, {"index", 1}}), ElementsAre(2, 4, 4));
    EXPECT_THAT(results_of({{"kind", "repeat_page"}}, "&id[gt]=4"), ElementsAre(2, 4));
    EXPECT_THAT(results_of({{"kind", "repeat_page"}}, "&pageNumber=2"), ElementsAre(2, 4));
    EXPECT_THAT(results_of({{"kind", "ignore_filters"}}), ElementsAre(1, 2));
    EXPECT_THAT(results_of({{"kind", "ignore_page_size"}}), ElementsAre(2, 4, 6));
    EXPECT_THAT(results_of({{"kind", "ignore_sort"}}), ElementsAre(6, 4));
    bench.arm({{"endpoint", "list"}, {"kind", "status_backwards"}, {"drawId", 4}, {"to", 1}});
    const auto page = bench.list(query).json();
    EXPECT_EQ(page["records"][0]["status"], 3);
    EXPECT_EQ(page["records"][1]["status"], 1);
    bench.arm({{"endpoint", "read"}, {"kind", "status_backwards"}});
    EXPECT_EQ(bench.get(path(1)).json()["status"], 3);
    EXPECT_THAT(bench.ids(query), ElementsAre(2, 4));
}

class BulkFaults : public testing::Test {
  protected:
    BulkFaults() {
        for (int id = 1; id <= 6; ++id)
            bench.add({{"id", id}, {"status", 3}, {"amountRequested", 10}});
    }

    json results_of(json fault) {
        fault["endpoint"] = "approve";
        bench.arm(fault);
        json all = json::array();
        for (int id = 1; id <= 6; ++id)
            all.push_back(approval(id));
        return bench.approve(all).json();
    }

    static std::vector<std::int64_t> ids(const json& results) {
        std::vector<std::int64_t> out;
        for (const auto& result : results)
            out.push_back(result["drawId"].get<std::int64_t>());
        return out;
    }

    Bench bench;
};

TEST_F(BulkFaults, refuse_one_draw) {
    const auto results =
        results_of({{"kind", "refuse_draw"}, {"drawId", 3}, {"code", "budget"}, {"message", "no money"}});
    EXPECT_EQ(results[2]["error"], json({{"code", "budget"}, {"message", "no money"}}));
    EXPECT_THAT(bench.ids("status=3"), ElementsAre(3));
    EXPECT_EQ(bench.approve(json::array({approval(3)})).json()[0]["error"], nullptr);
}

TEST_F(BulkFaults, approve_only_a_part) {
    results_of({{"kind", "partial"}, {"every", 3}});
    EXPECT_THAT(bench.ids("status=3"), ElementsAre(1, 4));
}

TEST_F(BulkFaults, omit_results_of_approved_draws) {
    EXPECT_THAT(ids(results_of({{"kind", "missing_results"}, {"count", 2}})), ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(bench.ids("status=4"), ElementsAre(1, 2, 3, 4, 5, 6));
    EXPECT_THAT(ids(results_of({{"kind", "missing_results"}, {"drawId", 2}})), ElementsAre(1, 3, 4, 5, 6));
}

TEST_F(BulkFaults, reorder_results_or_add_an_unrequested_draw) {
    const auto reordered = ids(results_of({{"kind", "reordered"}, {"seed", 5}}));
    EXPECT_THAT(reordered, testing::UnorderedElementsAre(1, 2, 3, 4, 5, 6));
    EXPECT_FALSE(std::ranges::is_sorted(reordered));
    EXPECT_EQ(ids(results_of({{"kind", "reordered"}, {"seed", 5}})), reordered);
    EXPECT_THAT(ids(results_of({{"kind", "foreign_result"}, {"drawId", 77}})), ElementsAre(1, 2, 3, 4, 5, 6, 77));
}

TEST_F(BulkFaults, change_an_amount_right_after_the_approval) {
    const auto results = results_of({{"kind", "edit_amount"}, {"drawId", 2}, {"amount", 99.5}});
    EXPECT_EQ(results[1]["draw"]["amountApproved"], 10);
    EXPECT_EQ(bench.get(path(2)).json()["amountApproved"], 99.5);
    EXPECT_EQ(bench.get(path(3)).json()["amountApproved"], 10);
}

TEST(Faults, can_be_loaded_from_a_file) {
    const auto file = temporary_folder() + "/faults.json";
    std::ofstream(file)
        << R"([{"endpoint":"list","kind":"status","code":502},{"endpoint":"token","kind":"delay","ms":1}])";
    Bench bench({"--faults", file});
    EXPECT_EQ(bench.list("").status, 502U);
    EXPECT_EQ(bench.list("").status, 200U);
}

TEST(Faults, are_refused_when_invalid) {
    Bench bench;
    const std::vector<json> faults{{{"endpoint", "everything"}, {"kind", "delay"}, {"ms", 1}},
                                   {{"endpoint", "list"}, {"kind", "explode"}},
                                   {{"endpoint", "list"}, {"kind", "status"}},
                                   {{"endpoint", "list"}, {"kind", "status"}, {"code", 99}},
                                   {{"endpoint", "list"}, {"kind", "delay"}},
                                   {{"endpoint", "list"}, {"kind", "refuse_draw"}, {"drawId", 1}},
                                   {{"endpoint", "approve"}, {"kind", "refuse_draw"}},
                                   {{"endpoint", "approve"}, {"kind", "stale"}},
                                   {{"endpoint", "approve"}, {"kind", "partial"}, {"times", -1}},
                                   {{"endpoint", "approve"}, {"kind", "partial"}, {"probability", 2}},
                                   json::array()};
    for (const auto& fault : faults)
        EXPECT_EQ(bench.portal("POST", "/faults", fault).status, 400U) << fault;
}

TEST(Faults, a_deeply_nested_body_is_refused) {
    Bench bench;
    const std::string deep = R"({"kind":)" + std::string(500'000, '[') + std::string(500'000, ']') + "}";
    EXPECT_EQ(bench.api("POST", bench.process.base_path() + "/portal/faults", deep).status, 400U);
    EXPECT_EQ(bench.api("POST", "/caseBudgets/draws/approve", deep).status, 400U);
    EXPECT_EQ(bench.portal("GET", "/faults").json(), json::array());
}

}  // namespace
}  // namespace sandbox_test
