#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "sandbox_process.hpp"

namespace sandbox_test {
namespace {

using testing::ElementsAre;
using Ids = std::vector<std::int64_t>;

// Four draws, ids 1 to 4, that differ in every published field; draw 4 has no nullable values.
class List : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        bench = new Bench;
        for (std::int64_t id = 1; id <= 3; ++id) {
            const auto n = std::to_string(id);
            nlohmann::json draw{{"id", id},
                                {"caseId", 10 * id},
                                {"caseName", "Case " + n + " of José O'Brien"},
                                {"status", id},
                                {"requestedBy", "r" + n + "@example.org"},
                                {"requestedDate", "2025-01-0" + n + "T10:00:00"},
                                {"amountRequested", 100.25 * static_cast<double>(id)},
                                {"approvedBy", "a" + n + "@example.org"},
                                {"approvedDate", "2025-02-0" + n + "T10:00:00.5"},
                                {"amountApproved", 10 * id},
                                {"disbursedBy", "d" + n + "@example.org"},
                                {"disbursedDate", "2025-03-0" + n + "T10:00:00"},
                                {"amountDisbursed", 0.5 * static_cast<double>(id)},
                                {"description", "draw " + n + " 100%_done"},
                                {"modifiedBy", "m" + n + "@example.org"},
                                {"modifiedDate", "2025-04-0" + n + "T10:00:00"},
                                {"configDrawApproverGroupId", 300 + id},
                                {"workflowId", 10 + id}};
            for (const char* field : {"fieldA", "fieldB", "fieldC", "fieldD", "fieldE"})
                draw[field] = std::string(field) + "-" + n;
            bench->add(draw);
        }
        bench->add({{"id", 4},
                    {"status", 0},
                    {"requestedBy", "z4@example.org"},
                    {"requestedDate", "2025-01-04T10:00:00"},
                    {"modifiedBy", "z4@example.org"},
                    {"modifiedDate", "2025-04-04T10:00:00"},
                    {"configDrawApproverGroupId", 304},
                    {"workflowId", 14}});
    }
    static void TearDownTestSuite() {
        delete bench;
        bench = nullptr;
    }
    static Bench* bench;
};

Bench* List::bench = nullptr;

TEST_F(List, filters_every_text_field_with_four_operators) {
    const std::vector<std::pair<std::string, std::string>> values{{"caseName", "Case 2 of José O'Brien"},
                                                                  {"requestedBy", "r2@example.org"},
                                                                  {"approvedBy", "a2@example.org"},
                                                                  {"disbursedBy", "d2@example.org"},
                                                                  {"description", "draw 2 100%_done"},
                                                                  {"modifiedBy", "m2@example.org"},
                                                                  {"fieldA", "fieldA-2"},
                                                                  {"fieldB", "fieldB-2"},
                                                                  {"fieldC", "fieldC-2"},
                                                                  {"fieldD", "fieldD-2"},
                                                                  {"fieldE", "fieldE-2"}};
    const auto encode = [](const std::string& text) {
        std::string out;
        for (const char c : text) {
            constexpr const char* digits = "0123456789ABCDEF";
            out += '%';
            out += digits[static_cast<unsigned char>(c) >> 4U];
            out += digits[static_cast<unsigned char>(c) & 15U];
        }
        return out;
    };
    for (const auto& [field, value] : values) {
        const auto two = value.find('2');
        const auto ids = [&name = field, &encode](std::string_view op, const std::string& text) {
            return bench->ids(fmt::format("{}{}={}", name, op, encode(text)));
        };
        EXPECT_THAT(ids("", value), ElementsAre(2)) << field;
        EXPECT_THAT(ids("", value.substr(1)), ElementsAre()) << field;
        EXPECT_THAT(ids("[contains]", value.substr(two - 1, 2)), ElementsAre(2)) << field;
        EXPECT_THAT(ids("[startsWith]", value.substr(0, two + 1)), ElementsAre(2)) << field;
        EXPECT_THAT(ids("[endsWith]", value.substr(two)), ElementsAre(2)) << field;
        EXPECT_EQ(bench->list(field + "[gt]=a").status, 400U) << field;
    }
}

TEST_F(List, compares_every_number_and_date_with_five_operators) {
    const std::vector<std::pair<std::string, std::string>> values{{"id", "2"},
                                                                  {"caseId", "20"},
                                                                  {"status", "2"},
                                                                  {"amountRequested", "200.5"},
                                                                  {"amountApproved", "20"},
                                                                  {"amountDisbursed", "1"},
                                                                  {"requestedDate", "2025-01-02T10:00:00"},
                                                                  {"approvedDate", "2025-02-02T10:00:00.500"},
                                                                  {"disbursedDate", "2025-03-02T10:00:00.000Z"},
                                                                  {"modifiedDate", "2025-04-02T10:00"},
                                                                  {"configDrawApproverGroupId", "302"},
                                                                  {"workflowId", "12"}};
    for (const auto& [field, value] : values) {
        const auto among = [&name = field, &text = value](std::string_view op) {
            auto ids = bench->ids(fmt::format("{}{}={}", name, op, text));
            std::erase(ids, 4);  // draw 4 has no value in some fields and a different one in others
            return ids;
        };
        EXPECT_EQ(among(""), (Ids{2})) << field;
        EXPECT_EQ(among("[gt]"), (Ids{3})) << field;
        EXPECT_EQ(among("[gte]"), (Ids{2, 3})) << field;
        EXPECT_EQ(among("[lt]"), (Ids{1})) << field;
        EXPECT_EQ(among("[lte]"), (Ids{1, 2})) << field;
        EXPECT_EQ(bench->list(field + "[contains]=2").status, 400U) << field;
        EXPECT_EQ(bench->list(field + "=two").status, 400U) << field;
        EXPECT_EQ(bench->list(field + "=").status, 400U) << field;
    }
}

TEST_F(List, combines_filters_and_accepts_plain_and_encoded_brackets) {
    EXPECT_THAT(bench->ids("id%5Bgt%5D=1&status%5blte%5d=2"), ElementsAre(2, 4));
    EXPECT_THAT(bench->ids("id[gt]=1&id[lt]=3"), ElementsAre(2));
    EXPECT_THAT(bench->ids("status=1&status=2"), ElementsAre());
    EXPECT_THAT(bench->ids("&&id=3&"), ElementsAre(3));
    EXPECT_THAT(bench->ids("caseName=Case+3+of+Jos%C3%A9+O'Brien"), ElementsAre(3));
}

TEST_F(List, compares_amounts_between_two_cents) {
    EXPECT_THAT(bench->ids("amountRequested[gt]=100.249"), ElementsAre(1, 2, 3));
    EXPECT_THAT(bench->ids("amountRequested[gt]=100.251"), ElementsAre(2, 3));
    EXPECT_THAT(bench->ids("amountRequested=100.251"), ElementsAre());
    EXPECT_THAT(bench->ids("amountRequested[lt]=1e3&amountRequested[gte]=3.0075e2"), ElementsAre(3));
}

TEST_F(List, text_filters_are_case_sensitive_without_wildcards) {
    EXPECT_THAT(bench->ids("caseName[contains]=josé"), ElementsAre());
    EXPECT_THAT(bench->ids("description[contains]=%25_done"), ElementsAre(1, 2, 3));
    EXPECT_THAT(bench->ids("description[contains]=%25%25"), ElementsAre());
    EXPECT_THAT(bench->ids("description[startsWith]=_raw"), ElementsAre());
    EXPECT_THAT(bench->ids("fieldA[contains]="), ElementsAre(1, 2, 3));
    EXPECT_THAT(bench->ids("fieldA[endsWith]="), ElementsAre(1, 2, 3));
    EXPECT_THAT(bench->ids("fieldA[endsWith]=much-longer-than-the-value-fieldA-1"), ElementsAre());
}

TEST_F(List, sorts_by_every_field_in_both_directions_with_nulls_first) {
    const auto record = bench->get("/caseBudgets/draws/4").json();
    for (const auto& [field, value] : record.items()) {
        const bool first = value.is_null() || field == "status";
        const Ids up = first ? Ids{4, 1, 2, 3} : Ids{1, 2, 3, 4};
        EXPECT_EQ(bench->ids("sortBy=" + field), up) << field;
        EXPECT_EQ(bench->ids("sortBy=" + field + "&sortOrder=desc"), Ids(up.rbegin(), up.rend())) << field;
    }
}

TEST_F(List, refuses_unknown_parameters) {
    for (const auto* query :
         {"nope=1", "sortBy=nope", "sortBy=participant_FieldA", "sortOrder=up", "sortOrder=ASC", "id[like]=1",
          "id[gt=1", "participant_FieldA=x", "admin_Description=x", "approvalCount=1", "requestedDate=2025-02-30",
          "requestedDate=2025-01-01T10:00:00%2B01:00", "id=%4", "id=%zz", "amountRequested=1,5", "status=3.0"}) {
        const auto answer = bench->list(query);
        EXPECT_EQ(answer.status, 400U) << query;
        EXPECT_EQ(answer.headers.at("content-type"), "application/problem+json") << query;
    }
}

TEST_F(List, pages_are_exact_at_the_boundaries) {
    struct Case {
        const char* query;
        std::int64_t number, size, count;
        std::size_t records;
    };
    const std::vector<Case> cases{{"", 1, 50, 1, 4},
                                  {"pageSize=4", 1, 4, 1, 4},
                                  {"pageSize=3", 1, 3, 2, 3},
                                  {"pageSize=3&pageNumber=2", 2, 3, 2, 1},
                                  {"pageSize=3&pageNumber=3", 3, 3, 2, 0},
                                  {"pageNumber=9223372036854775807&pageSize=1000", 9223372036854775807, 1000, 1, 0},
                                  {"pageSize=1", 1, 1, 4, 1},
                                  {"pageSize=1001", 1, 1000, 1, 4},
                                  {"pageSize=9223372036854775807", 1, 1000, 1, 4}};
    for (const auto& entry : cases) {
        const auto page = bench->list(entry.query).json();
        EXPECT_EQ(page["pageNumber"], entry.number) << entry.query;
        EXPECT_EQ(page["pageSize"], entry.size) << entry.query;
        EXPECT_EQ(page["pageCount"], entry.count) << entry.query;
        EXPECT_EQ(page["totalRecordCount"], 4) << entry.query;
        EXPECT_EQ(page["records"].size(), entry.records) << entry.query;
    }
    const auto nothing = bench->list("id=99").json();
    EXPECT_EQ(nothing["pageCount"], 0);
    EXPECT_EQ(nothing["totalRecordCount"], 0);
    EXPECT_TRUE(nothing["records"].empty());
    for (const auto* query : {"pageSize=0", "pageSize=-1", "pageSize=ten", "pageSize=", "pageSize=1.5", "pageNumber=0",
                              "pageNumber=-1", "pageNumber=x", "pageNumber=9223372036854775808"}) {
        EXPECT_EQ(bench->list(query).status, 400U) << query;
    }
}

TEST_F(List, writes_values_as_specified) {
    const auto one = bench->get("/caseBudgets/draws/1").body;
    EXPECT_THAT(one, testing::HasSubstr(R"("amountRequested":100.25,)"));
    EXPECT_THAT(one, testing::HasSubstr(R"("amountApproved":10,)"));
    EXPECT_THAT(one, testing::HasSubstr(R"("amountDisbursed":0.5,)"));
    EXPECT_THAT(one, testing::HasSubstr(R"("requestedDate":"2025-01-01T10:00:00",)"));
    EXPECT_THAT(one, testing::HasSubstr(R"("approvedDate":"2025-02-01T10:00:00.500",)"));
    EXPECT_EQ(nlohmann::json::parse(one).size(), 23U);
    for (const auto* path :
         {"/caseBudgets/draws/99", "/caseBudgets/draws/x", "/caseBudgets/draws/1/", "/caseBudgets"}) {
        EXPECT_EQ(bench->get(path).status, 404U) << path;
    }
    EXPECT_EQ(bench->api("DELETE", "/caseBudgets/draws/1").headers.at("allow"), "GET, PATCH");
}

TEST(ListTies, follow_the_id_in_the_sort_direction) {
    Bench bench;
    for (int id = 1; id <= 5; ++id)
        bench.add({{"id", id}, {"workflowId", id % 2}});
    EXPECT_THAT(bench.ids("sortBy=workflowId"), ElementsAre(2, 4, 1, 3, 5));
    EXPECT_THAT(bench.ids("sortBy=workflowId&sortOrder=desc"), ElementsAre(5, 3, 1, 4, 2));
}

TEST(ListSweep, counts_are_exact_on_every_page_while_draws_change) {
    Bench bench({"--draws", "700", "--seed", "3"});
    std::set<std::int64_t> seen;
    std::int64_t last = 0;
    bool disturbed = false;
    const auto total = bench.list("status=3").json()["totalRecordCount"].get<std::int64_t>();
    for (;;) {
        const auto query = "status=3&id[gt]=" + std::to_string(last) + "&sortBy=id&sortOrder=asc&pageSize=40";
        const auto page = bench.list(query).json();
        const auto passed = static_cast<std::int64_t>(seen.size());
        EXPECT_EQ(page["totalRecordCount"].get<std::int64_t>(), total - passed - (disturbed ? 1 : 0));
        if (page["records"].empty()) break;
        for (const auto& record : page["records"]) {
            last = record["id"].get<std::int64_t>();
            EXPECT_TRUE(seen.insert(last).second);
        }
        if (!disturbed && seen.size() > 100) {
            const auto next = bench.ids("status=3&pageSize=1&id[gt]=" + std::to_string(last)).at(0);
            EXPECT_EQ(bench.portal("POST", "/draws/" + std::to_string(next) + "/cancel").status, 200U);
            disturbed = true;
        }
    }
    EXPECT_EQ(static_cast<std::int64_t>(seen.size()), total - 1);
}

TEST(ListOptions, are_configurable) {
    Bench bench({"--page-size-default", "7", "--page-size-max", "9", "--page-size-over", "refuse",
                 "--unknown-parameters", "ignore", "--error-body", "text", "--base-path", "/api"});
    const auto none = bench.list("");
    EXPECT_EQ(none.status, 404U);
    const auto page = bench.get("/api/caseBudgets/draws?nope=1").json();
    EXPECT_EQ(page["pageSize"], 7);
    const auto over = bench.get("/api/caseBudgets/draws?pageSize=10");
    EXPECT_EQ(over.status, 400U);
    EXPECT_EQ(over.headers.at("content-type"), "text/plain; charset=utf-8");
    EXPECT_EQ(bench.get("/api/caseBudgets/draws?id[gt]=x").status, 400U);
    Bench silent({"--error-body", "empty"});
    EXPECT_EQ(silent.get("/caseBudgets/draws/1").status, 404U);
    EXPECT_EQ(silent.get("/caseBudgets/draws/1").body, "");
}

}  // namespace
}  // namespace sandbox_test
