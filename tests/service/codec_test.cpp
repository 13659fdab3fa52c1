#include "drawbridge/service/codec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "service/draw_text.hpp"

namespace drawbridge::service {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using testing::Fields;
using ::testing::HasSubstr;
using testing::json;
using testing::whole_draw;
using testing::with;
using testing::without;

std::string page(const std::vector<std::string>& records, const std::string& envelope = "") {
    std::string text = "{" + envelope + "\"records\":[";
    for (std::size_t i = 0; i < records.size(); ++i)
        text += (i > 0 ? "," : "") + records[i];
    return text + "]}";
}

// A record with only the fields that paging uses.
std::string record(DrawId id, int status = 3, std::int64_t workflow = 12,
                   const std::string& modified = "2026-03-07T00:00:00") {
    Fields fields = with(whole_draw(), "id", std::to_string(id));
    fields = with(fields, "status", std::to_string(status));
    fields = with(fields, "workflowId", std::to_string(workflow));
    return json(with(fields, "modifiedDate", "\"" + modified + "\""));
}

Result<Draw> draw_in(const std::string& body) {
    auto read = parse_draw(body);
    if (!read) return std::unexpected(read.error());
    return std::move(read->draw);
}

ListAnswer listed(const std::string& body) {
    auto answer = parse_list(body);
    EXPECT_TRUE(answer) << (answer ? "" : answer.error().message);
    return answer ? std::move(*answer) : ListAnswer();
}

TEST(DrawCodec, every_field_of_the_interface_reaches_the_draw) {
    const auto draw = draw_in(json(whole_draw()));
    ASSERT_TRUE(draw) << draw.error().message;
    std::vector<std::string> shown;
    for (const DrawField& field : draw_fields())
        shown.push_back(std::string(field.name) + "=" + display(field.get(*draw)));
    EXPECT_THAT(
        shown,
        ElementsAre("id=7", "caseId=70", "caseName=Fiancée O'Neil", "status=4", "requestedBy=ann@example.gov",
                    "requestedDate=2026-03-04T05:06:07.000Z", "amountRequested=1250.50", "approvedBy=bob@example.gov",
                    "approvedDate=2026-03-05T05:06:07.123Z", "amountApproved=1250.25", "disbursedBy=cy@example.gov",
                    "disbursedDate=2026-03-06T05:06:07.000Z", "amountDisbursed=1.00", "description=roof",
                    "modifiedBy=dee@example.gov", "modifiedDate=2026-03-07T00:00:00.123Z", "fieldA=PAYEE-0001",
                    "fieldB=b", "fieldC=c", "fieldD=d", "fieldE=e", "configDrawApproverGroupId=3", "workflowId=12"));
}

TEST(DrawCodec, amounts_are_read_to_the_cent_in_every_notation) {
    const std::pair<const char*, std::int64_t> cases[] = {
        {"100", 10000},
        {"100.0", 10000},
        {"100.10", 10010},
        {"100.1", 10010},
        {"1e2", 10000},
        {"1.0E+2", 10000},
        {"1.25e3", 125000},
        {"0", 0},
        {"0.00", 0},
        {"0.01", 1},
        {"12.500", 1250},
        {"1234567890.25", 123456789025},
        {"9999999999.99", 999999999999},
        {"0.29", 29},
        {"4.35", 435},
        {"1.005e2", 10050},
        {"0.30000000000000004", 30},
        {"11.129999999999999", 1113},
        {"0.999999999999", 100},
        {"12.500000000", 1250},
        {"9999999999.9800000001", 999999999998},
    };
    for (const auto& [text, cents] : cases) {
        const auto draw = draw_in(json(with(whole_draw(), "amountApproved", text)));
        ASSERT_TRUE(draw) << text << ": " << draw.error().message;
        EXPECT_EQ(draw->amount_approved->cents(), cents) << text;
    }
    for (const char* text : {"10000000000.00", "9999999999.999999999"})
        EXPECT_FALSE(draw_in(json(with(whole_draw(), "amountApproved", text)))) << "more than a file can total";
}

TEST(DrawCodec, an_invalid_amount_is_refused_by_name) {
    for (const char* text :
         {"-1", "-0.01", "12.505", "0.001", "92233720368547758.08", "1e20", "\"100\"", "true", "{}", "[1]",
          "18446744073709551616", "1e999", "12.500000001", "12.50000001", "12.49999999", "12.5049999999999",
          "-0.30000000000000004", "92233720368547758.0799999999", "1.9999999999e1"}) {
        const auto draw = draw_in(json(with(whole_draw(), "amountRequested", text)));
        ASSERT_FALSE(draw) << text;
        EXPECT_EQ(draw.error().code, ErrorCode::protocol);
        EXPECT_THAT(draw.error().message, HasSubstr("draw 7: amountRequested: ")) << text;
    }
}

TEST(DrawCodec, nullable_fields_may_be_null_or_missing) {
    const auto reference = whole_draw();
    for (const DrawField& field : draw_fields()) {
        const std::string name(field.name);
        for (const Fields& fields : {with(reference, name, "null"), without(reference, name)}) {
            const auto draw = draw_in(json(fields));
            ASSERT_EQ(draw.has_value(), field.nullable) << json(fields);
            if (field.nullable) {
                EXPECT_EQ(display(field.get(*draw)), "null") << name;
            } else {
                EXPECT_THAT(draw.error().message, HasSubstr(name + ": it "));
            }
        }
    }
}

TEST(DrawCodec, the_first_second_of_year_1_is_no_date) {
    const auto draw = draw_in(json(with(whole_draw(), "disbursedDate", R"("0001-01-01T00:00:00")")));
    ASSERT_TRUE(draw) << draw.error().message;
    EXPECT_FALSE(draw->disbursed_date);
    EXPECT_TRUE(draw->approved_date);
}

TEST(DrawCodec, what_a_draw_lacks_is_told_from_what_is_null) {
    EXPECT_EQ(parse_draw(json(with(whole_draw(), "fieldB", "null")))->lacks, 0U);
    EXPECT_NE(parse_draw(json(without(whole_draw(), "fieldB")))->lacks, 0U);
    const auto answer =
        listed(page({json(with(whole_draw(), "fieldB", "null")), json(without(whole_draw(), "fieldB"))}));
    EXPECT_EQ(answer.draws.size(), 1U);
    EXPECT_EQ(answer.partial.size(), 1U);
    EXPECT_TRUE(answer.has_null);
}

TEST(DrawCodec, a_field_of_the_wrong_type_is_an_error_that_names_draw_and_field) {
    const std::pair<const char*, const char*> cases[] = {
        {"status", "\"4\""},
        {"status", "4.5"},
        {"status", "99999999999"},
        {"workflowId", "true"},
        {"workflowId", "1.5"},
        {"requestedBy", "5"},
        {"modifiedDate", "5"},
        {"modifiedDate", "\"soon\""},
        {"requestedDate", "\"2026-02-30T00:00:00\""},
        {"caseId", "\"70\""},
        {"caseName", "{}"},
        {"fieldA", "7"},
        {"approvedDate", "\"\""},
        {"description", "[]"},
    };
    for (const auto& [name, value] : cases) {
        const auto draw = draw_in(json(with(whole_draw(), name, value)));
        ASSERT_FALSE(draw) << name << "=" << value;
        EXPECT_THAT(draw.error().message, HasSubstr(std::string("draw 7: ") + name + ": "));
    }
}

TEST(DrawCodec, order_unknown_fields_and_unknown_statuses_are_tolerated) {
    Fields fields = with(whole_draw(), "status", "42");
    std::ranges::reverse(fields);
    fields.emplace_back("approvals", R"([{"id":9,"records":[{"id":1}]},null,"x"])");
    fields.insert(fields.begin(), {"extra", R"({"amountApproved":1,"deep":[[{}]]})"});
    const auto draw = draw_in(json(fields));
    ASSERT_TRUE(draw) << draw.error().message;
    EXPECT_EQ(static_cast<int>(draw->status), 42);
    EXPECT_FALSE(is_known(draw->status));
    EXPECT_EQ(draw->amount_approved->cents(), 125025);
    const auto in_page = listed(page({json(fields)}));
    ASSERT_EQ(in_page.draws.size(), 1U);
    EXPECT_EQ(in_page.draws[0], *draw);
}

TEST(DrawCodec, a_repeated_field_is_refused) {
    Fields fields = whole_draw();
    fields.emplace_back("amountApproved", "9999");
    const auto draw = draw_in(json(fields));
    ASSERT_FALSE(draw);
    EXPECT_THAT(draw.error().message, HasSubstr("draw 7: amountApproved: it appears twice"));
}

TEST(DrawCodec, ids_may_be_written_as_whole_decimals) {
    const auto draw = draw_in(json(with(with(whole_draw(), "id", "7.0"), "workflowId", "1.2e1")));
    ASSERT_TRUE(draw) << draw.error().message;
    EXPECT_EQ(draw->id, 7);
    EXPECT_EQ(draw->workflow_id, 12);
}

TEST(ListCodec, a_bad_record_is_named_and_the_others_are_used) {
    const auto answer = listed(page({record(1), json(with(whole_draw(), "amountRequested", "12.505")),
                                     json(without(whole_draw(), "id")), "5", "[1]", "null", record(9)}));
    ASSERT_EQ(answer.draws.size(), 2U);
    EXPECT_EQ(answer.draws[1].id, 9);
    ASSERT_EQ(answer.bad.size(), 5U);
    EXPECT_EQ(answer.bad[0].id, 7);
    EXPECT_EQ(answer.bad[0].field, "amountRequested");
    EXPECT_THAT(answer.bad[0].message, HasSubstr("draw 7: amountRequested: '12.505'"));
    EXPECT_EQ(answer.bad[1].id, std::nullopt);
    EXPECT_EQ(answer.bad[1].field, "id");
    EXPECT_THAT(answer.bad[1].message, HasSubstr("(record 3 of its page)"));
    EXPECT_THAT(answer.bad[4].message, HasSubstr("it is not an object (record 6 of its page)"));
    EXPECT_THAT(answer.ids, ElementsAre(1, 7, std::nullopt, std::nullopt, std::nullopt, std::nullopt, 9));
}

TEST(ListCodec, texts_with_escapes_are_complete_and_separate) {
    const Fields fields = with(whole_draw(), "fieldA", R"("a\u00e9\"b\\c")");
    Fields named_with_escapes = without(whole_draw(), "fieldC");
    named_with_escapes.emplace_back(R"(\u0066ieldC)", R"("\n")");
    const auto answer = listed(page({json(fields), json(named_with_escapes)}));
    ASSERT_EQ(answer.draws.size(), 2U);
    EXPECT_EQ(answer.draws[0].field_a, "aé\"b\\c");
    EXPECT_EQ(answer.draws[0].field_b, "b");
    EXPECT_EQ(answer.draws[1].field_c, "\n");
    EXPECT_EQ(answer.draws[1].field_d, "d");
}

TEST(ListCodec, invalid_characters_do_not_affect_other_draws) {
    struct Case {
        std::string sent;  // between the quotes
        std::string read;
    };
    const std::string none = "\xEF\xBF\xBD";
    for (const auto& [sent, read] : {
             Case{"\\ud83d\\ude00", "\xF0\x9F\x98\x80"},  // a complete pair
             Case{"a\\ud83dz", "a" + none + "z"},         // only its first half
             Case{"a\\uDE00z", "a" + none + "z"},         // only its second half
             Case{"\\ud83d\\ud83d\\ude00", none + "\xF0\x9F\x98\x80"}, Case{"\\ud83d", none},
             Case{"\\ud83d\\u0041", none + "A"}, Case{"\\\\ud83d", "\\ud83d"},  // a backslash and letters
             Case{"Jos\xE9", "Jos" + none},                                     // Windows-1252
             Case{"\xC3\xA9\xF0\x9F\x98", "é" + none + none + none},            // cut off
             Case{"\xC0\xAF", none + none},                                     // overlong
         }) {
        const auto answer = listed(page({record(1), json(with(whole_draw(), "fieldA", '"' + sent + '"')), record(9)}));
        ASSERT_EQ(answer.draws.size(), 3U) << sent;
        EXPECT_EQ(answer.draws[1].field_a, read) << sent;
        EXPECT_EQ(answer.draws[2].id, 9);
    }
}

TEST(ListCodec, the_envelope_is_read_in_any_order) {
    const auto before = listed(page({record(1)}, R"("pageSize":10,"pageCount":2.0,"totalRecordCount":15,)"));
    EXPECT_EQ(before.page_size, 10);
    EXPECT_EQ(before.page_count, 2);
    EXPECT_EQ(before.total_record_count, 15);
    const auto after = listed(R"({"records":[],"links":{"pageSize":3},"totalRecordCount":15,"pageSize":null})");
    EXPECT_EQ(after.total_record_count, 15);
    EXPECT_EQ(after.page_size, std::nullopt);
}

TEST(ListCodec, anything_but_a_list_of_draws_is_refused) {
    for (const char* body : {"", "null", "[]", "{}", R"({"records":null})", R"({"records":null,"totalRecordCount":3})",
                             R"({"records":{}})", R"({"data":[]})", R"({"records":[]}x)", R"({"records":[)", "<html>",
                             R"({"records":[],"records":[]})", "\"records\"", "[1,2]", R"({"records":[{"id":1]})"}) {
        const auto answer = parse_list(body);
        ASSERT_FALSE(answer) << body;
        EXPECT_THAT(answer.error().code, AnyOf(ErrorCode::protocol, ErrorCode::invalid_input));
    }
}

// Smaller pages may show the records around the one that causes it.
TEST(ListCodec, an_object_that_stops_being_json_is_told_from_other_texts) {
    const std::pair<std::string, const char*> cases[] = {
        {"NaN", "it stops being JSON at byte "},
        {std::string(80, '['), "it is nested too deeply at byte "},
        {"1e99999999999", "it has a number that is too large at byte "},
    };
    for (const auto& [value, why] : cases) {
        const auto answer = parse_list("{\"records\":[{\"id\":1,\"extra\":" + value + "}]}");
        ASSERT_FALSE(answer) << value;
        EXPECT_EQ(answer.error().code, ErrorCode::invalid_input) << value;
        EXPECT_THAT(answer.error().message, HasSubstr(why));
    }
    EXPECT_EQ(parse_list("<html>").error().code, ErrorCode::protocol);
}

TEST(ListCodec, a_page_for_a_browser_and_an_empty_answer_are_named) {
    EXPECT_EQ(parse_list("").error().message, "the service's list of draws cannot be read: it is empty");
    EXPECT_EQ(parse_list("\r\n <!DOCTYPE html><html>").error().message,
              "the service's list of draws cannot be read: it is a page for a browser (it begins with "
              "'<!DOCTYPE html>'): check service.base_url");
    EXPECT_THAT(parse_token("<html>").error().message, HasSubstr("it is a page for a browser"));
    EXPECT_THAT(parse_token("secret").error().message, ::testing::Not(HasSubstr("secret")));
}

TEST(ListCodec, null_is_an_empty_list_if_the_envelope_counts_none) {
    const auto answer = listed(R"({"pageCount":0,"totalRecordCount":0,"records":null})");
    EXPECT_TRUE(answer.ids.empty());
    EXPECT_TRUE(check_page(ListQuery{.page_size = 3}, answer)->last);
}

// A service may cap its pages and count wrong, so no number ends a list.
TEST(ListPage, is_last_only_if_it_is_empty) {
    for (const char* envelope :
         {"", R"("totalRecordCount":2,)", R"("totalRecordCount":9,)", R"("pageSize":3,"pageCount":1,)",
          R"("pageSize":2,"pageCount":0,"totalRecordCount":0,)", R"("pageSize":2,"totalRecordCount":1,)"}) {
        for (const int page_size : {2, 3}) {
            const auto page_of_two =
                check_page(ListQuery{.page_size = page_size}, listed(page({record(1), record(2)}, envelope)));
            ASSERT_TRUE(page_of_two) << page_of_two.error().message;
            EXPECT_FALSE(page_of_two->last) << envelope;
            EXPECT_EQ(page_of_two->last_id, 2);
        }
        EXPECT_TRUE(check_page(ListQuery{.page_size = 3}, listed(page({}, envelope)))->last) << envelope;
    }
}

TEST(ListPage, a_draw_listed_twice_counts_once_and_is_a_bad_record_if_the_copies_differ) {
    const auto same = check_page({}, listed(page({record(1), record(1), record(2)})));
    ASSERT_TRUE(same) << same.error().message;
    EXPECT_EQ(same->draws.size(), 2U);
    EXPECT_TRUE(same->bad.empty());
    EXPECT_EQ(same->repeated, 1);
    const std::string unreadable = json(with(with(whole_draw(), "id", "1"), "amountRequested", "1.005"));
    for (const std::string& other : {record(1, 4), unreadable}) {
        const auto differing = check_page({}, listed(page({record(1), other, record(2)})));
        ASSERT_TRUE(differing) << differing.error().message;
        ASSERT_EQ(differing->draws.size(), 1U);
        EXPECT_EQ(differing->draws[0].id, 2);
        ASSERT_EQ(differing->bad.size(), 1U);
        EXPECT_EQ(differing->bad[0].id, 1);
    }
    const auto differing = check_page({}, listed(page({record(1), record(1, 4)})));
    EXPECT_EQ(differing->bad[0].message, "draw 1 is listed twice, and its copies differ");
}

TEST(ListPage, a_service_that_ignores_the_query_is_refused) {
    struct Case {
        ListQuery query;
        std::vector<std::string> records;
        const char* says;
    };
    const Case cases[] = {
        {{.status = DrawStatus::approved}, {record(1, 3), record(3, 3)}, "draw 1 is Pending Approval"},
        {{.workflow_id = 14}, {record(1, 3, 12), record(2, 3, 12)}, "draw 1 is in workflow 12"},
        {{.after_id = 5}, {record(5)}, "asked for ids above 5, draw 5 came"},
        {{.after_id = 5}, {record(6), record(3)}, "asked for ids above 5, draw 3 came"},
        {{}, {record(1), record(3), record(2)}, "draw 2 came after draw 3"},
        {{}, {record(1), record(2), record(1)}, "draw 1 came after draw 2"},
        {{.page_size = 1}, {record(1), record(2)}, "at most 1 records, 2 came"},
        {{.after_id = 5}, {json(with(whole_draw(), "id", "4"))}, "asked for ids above 5, draw 4 came"},
    };
    for (const Case& c : cases) {
        const auto result = check_page(c.query, listed(page(c.records)));
        ASSERT_FALSE(result) << c.says;
        EXPECT_EQ(result.error().code, ErrorCode::protocol);
        EXPECT_THAT(result.error().message, HasSubstr(c.says));
    }
}

TEST(ListPage, a_few_records_without_a_match_are_compared_with_another_list) {
    const ListQuery pending{.status = DrawStatus::pending_approval, .workflow_id = 12};
    const auto other = [&](const std::vector<std::string>& records) {
        return query_to_compare(pending, listed(page(records)));
    };
    EXPECT_EQ(other({record(1, 5), record(2, 5)})->status, DrawStatus::approved);
    EXPECT_EQ(other({record(1, 4), record(2, 5, 14)})->status, DrawStatus::cancelled);
    EXPECT_EQ(other({record(1, 3, 14), record(2, 3, 14)})->workflow_id, std::nullopt);
    EXPECT_EQ(other({record(1, 3, 14), record(2, 3, 14)})->status, DrawStatus::pending_approval);
    EXPECT_FALSE(other({record(1, 5), record(2, 3)})) << "one matches";
    EXPECT_FALSE(other({record(1, 5)})) << "one record alone is a bad record";
    const auto result = check_page(pending, listed(page({record(1, 5), record(2, 5)})), /*honors_filters=*/true);
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_TRUE(result->draws.empty());
    EXPECT_EQ(result->bad.size(), 2U);
}

TEST(ListPage, a_mismatching_record_is_set_aside_and_the_others_are_used) {
    const ListQuery query{.status = DrawStatus::approved};
    const auto result = check_page(query, listed(page({record(1, 4), record(2, 5), record(3, 4)})));
    ASSERT_TRUE(result) << result.error().message;
    ASSERT_EQ(result->draws.size(), 2U);
    EXPECT_EQ(result->draws[1].id, 3);
    ASSERT_EQ(result->bad.size(), 1U);
    EXPECT_EQ(result->bad[0].id, 2);
    const auto lagging = check_page(query, listed(page({record(1, 5), record(2, 5), record(3, 4)})));
    ASSERT_TRUE(lagging) << lagging.error().message;
    EXPECT_EQ(lagging->draws.size(), 1U);
    EXPECT_EQ(lagging->bad.size(), 2U);
    EXPECT_EQ(result->bad[0].field, "status");
    EXPECT_EQ(result->last_id, 3);
}

TEST(ListPage, an_id_below_one_is_a_bad_record) {
    for (const DrawId id : {DrawId{0}, DrawId{-1}, DrawId{INT64_MIN}}) {
        const auto result = check_page({}, listed(page({record(id), record(1)})));
        ASSERT_TRUE(result) << result.error().message;
        EXPECT_EQ(result->draws.size(), 1U);
        ASSERT_EQ(result->bad.size(), 1U);
        EXPECT_EQ(result->bad[0].field, "id");
        EXPECT_FALSE(result->bad[0].id);
    }
}

TEST(ListPage, times_are_compared_in_whole_seconds) {
    const ListQuery query{.modified_since = *parse_instant("2026-03-07T00:00:05.900")};
    const auto shown = [&](const char* modified) {
        return check_page(query, listed(page({record(1, 3, 12, modified), record(2, 3, 12, modified)}))).value();
    };
    EXPECT_EQ(shown("2026-03-07T00:00:05").draws.size(), 2U);
    EXPECT_EQ(shown("2026-03-07T00:00:04.999").draws.size(), 0U) << "the service compares minutes: they are known";
    EXPECT_EQ(shown("2026-03-07T00:00:04.999").bad.size(), 0U);
    EXPECT_THAT(list_target(query, 1), HasSubstr("&modifiedDate%5Bgte%5D=2026-03-07T00%3A00%3A05"));
}

TEST(ListPage, a_page_without_a_readable_id_cannot_be_followed_by_another) {
    const std::string nameless = json(without(whole_draw(), "id"));
    EXPECT_FALSE(check_page(ListQuery{.page_size = 1}, listed(page({nameless}))));
    const auto last = check_page(ListQuery{.after_id = 3, .page_size = 2}, listed(page({nameless})));
    ASSERT_TRUE(last) << last.error().message;
    EXPECT_EQ(last->bad.size(), 1U);
    EXPECT_EQ(last->last_id, 3);
}

TEST(ListTarget, has_the_keyset_and_every_filter_percent_encoded) {
    EXPECT_EQ(list_target(ListQuery{}, 1), "/caseBudgets/draws?pageNumber=1&pageSize=500&sortBy=id&sortOrder=asc");
    const ListQuery query{.status = DrawStatus::pending_approval,
                          .workflow_id = 12,
                          .modified_since = *parse_instant("2026-03-07T01:02:03"),
                          .after_id = 41,
                          .page_size = 50};
    EXPECT_EQ(list_target(query, 0),
              "/caseBudgets/draws?pageNumber=0&pageSize=50&sortBy=id&sortOrder=asc&id%5Bgt%5D=41&status=3&"
              "workflowId=12&modifiedDate%5Bgte%5D=2026-03-07T01%3A02%3A03");
}

}  // namespace
}  // namespace drawbridge::service
