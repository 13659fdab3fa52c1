#include "drawbridge/service/codec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace drawbridge::service {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A draw with every field, as name and JSON text, so that a case can change one of them.
using Fields = std::vector<std::pair<std::string, std::string>>;

Fields whole_draw() {
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

std::string json(const Fields& fields) {
    std::string text = "{";
    for (const auto& [name, value] : fields)
        text += (text.size() > 1 ? "," : "") + ("\"" + name + "\":" + value);
    return text + "}";
}

Fields with(Fields fields, const std::string& name, const std::string& value) {
    for (auto& field : fields)
        if (field.first == name) field.second = value;
    return fields;
}

Fields without(Fields fields, const std::string& name) {
    std::erase_if(fields, [&](const auto& field) { return field.first == name; });
    return fields;
}

std::string page(const std::vector<std::string>& records, const std::string& envelope = "") {
    std::string text = "{" + envelope + "\"records\":[";
    for (std::size_t i = 0; i < records.size(); ++i)
        text += (i > 0 ? "," : "") + records[i];
    return text + "]}";
}

// A record of which only what paging looks at matters.
std::string record(DrawId id, int status = 3, std::int64_t workflow = 12,
                   const std::string& modified = "2026-03-07T00:00:00") {
    Fields fields = with(whole_draw(), "id", std::to_string(id));
    fields = with(fields, "status", std::to_string(status));
    fields = with(fields, "workflowId", std::to_string(workflow));
    return json(with(fields, "modifiedDate", "\"" + modified + "\""));
}

ListAnswer listed(const std::string& body) {
    auto answer = parse_list(body);
    EXPECT_TRUE(answer) << (answer ? "" : answer.error().message);
    return answer ? std::move(*answer) : ListAnswer();
}

TEST(DrawCodec, EveryFieldOfTheInterfaceReachesTheDraw) {
    const auto draw = parse_draw(json(whole_draw()));
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

TEST(DrawCodec, AmountsAreReadToTheCentHoweverTheyAreWritten) {
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
        {"12345678901.25", 1234567890125},
        {"92233720368547758.07", 9223372036854775807},
        {"0.29", 29},
        {"4.35", 435},
        {"1.005e2", 10050},
    };
    for (const auto& [text, cents] : cases) {
        const auto draw = parse_draw(json(with(whole_draw(), "amountApproved", text)));
        ASSERT_TRUE(draw) << text << ": " << draw.error().message;
        EXPECT_EQ(draw->amount_approved->cents(), cents) << text;
    }
}

TEST(DrawCodec, AnAmountThatIsNoAmountOfDollarsAndCentsIsRefusedByName) {
    for (const char* text : {"-1", "-0.01", "12.505", "0.001", "92233720368547758.08", "1e20", "\"100\"", "true", "{}",
                             "[1]", "18446744073709551616", "1e999"}) {
        const auto draw = parse_draw(json(with(whole_draw(), "amountRequested", text)));
        ASSERT_FALSE(draw) << text;
        EXPECT_EQ(draw.error().code, ErrorCode::protocol);
        EXPECT_THAT(draw.error().message, HasSubstr("draw 7: amountRequested: ")) << text;
    }
}

TEST(DrawCodec, NullableFieldsMayBeNullOrMissing) {
    const auto reference = whole_draw();
    for (const DrawField& field : draw_fields()) {
        const std::string name(field.name);
        for (const Fields& fields : {with(reference, name, "null"), without(reference, name)}) {
            const auto draw = parse_draw(json(fields));
            ASSERT_EQ(draw.has_value(), field.nullable) << json(fields);
            if (field.nullable) {
                EXPECT_EQ(display(field.get(*draw)), "null") << name;
            } else {
                EXPECT_THAT(draw.error().message, HasSubstr(name + ": it "));
            }
        }
    }
}

TEST(DrawCodec, AnIllTypedFieldIsAnErrorThatNamesDrawAndField) {
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
        const auto draw = parse_draw(json(with(whole_draw(), name, value)));
        ASSERT_FALSE(draw) << name << "=" << value;
        EXPECT_THAT(draw.error().message, HasSubstr(std::string("draw 7: ") + name + ": "));
    }
}

TEST(DrawCodec, OrderUnknownFieldsAndUnknownStatusesAreTolerated) {
    Fields fields = with(whole_draw(), "status", "42");
    std::ranges::reverse(fields);
    fields.emplace_back("approvals", R"([{"id":9,"records":[{"id":1}]},null,"x"])");
    fields.insert(fields.begin(), {"extra", R"({"amountApproved":1,"deep":[[{}]]})"});
    const auto draw = parse_draw(json(fields));
    ASSERT_TRUE(draw) << draw.error().message;
    EXPECT_EQ(static_cast<int>(draw->status), 42);
    EXPECT_FALSE(is_known(draw->status));
    EXPECT_EQ(draw->amount_approved->cents(), 125025);
    const auto in_page = listed(page({json(fields)}));
    ASSERT_EQ(in_page.draws.size(), 1U);
    EXPECT_EQ(in_page.draws[0], *draw);
}

TEST(DrawCodec, AFieldThatIsThereTwiceIsRefused) {
    Fields fields = whole_draw();
    fields.emplace_back("amountApproved", "9999");
    const auto draw = parse_draw(json(fields));
    ASSERT_FALSE(draw);
    EXPECT_THAT(draw.error().message, HasSubstr("draw 7: amountApproved: it is there twice"));
}

TEST(DrawCodec, IdsMayBeWrittenAsWholeDecimals) {
    const auto draw = parse_draw(json(with(with(whole_draw(), "id", "7.0"), "workflowId", "1.2e1")));
    ASSERT_TRUE(draw) << draw.error().message;
    EXPECT_EQ(draw->id, 7);
    EXPECT_EQ(draw->workflow_id, 12);
}

TEST(ListCodec, ABadRecordIsNamedAndTheOthersGoOn) {
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

TEST(ListCodec, TextsWithEscapesAreWholeAndDoNotRunIntoTheNext) {
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

TEST(ListCodec, TheEnvelopeIsReadWhereverItsNumbersStand) {
    const auto before = listed(page({record(1)}, R"("pageSize":10,"pageCount":2.0,"totalRecordCount":15,)"));
    EXPECT_EQ(before.page_size, 10);
    EXPECT_EQ(before.page_count, 2);
    EXPECT_EQ(before.total_record_count, 15);
    const auto after = listed(R"({"records":[],"links":{"pageSize":3},"totalRecordCount":15,"pageSize":null})");
    EXPECT_EQ(after.total_record_count, 15);
    EXPECT_EQ(after.page_size, std::nullopt);
}

TEST(ListCodec, WhatIsNoListOfDrawsIsRefused) {
    for (const char* body : {"", "null", "[]", "{}", R"({"records":null})", R"({"records":{}})", R"({"data":[]})",
                             R"({"records":[]}x)", R"({"records":[)", "<html>", R"({"records":[],"records":[]})",
                             "\"records\"", "[1,2]", R"({"records":[{"id":1]})"}) {
        const auto answer = parse_list(body);
        ASSERT_FALSE(answer) << body;
        EXPECT_EQ(answer.error().code, ErrorCode::protocol);
    }
}

TEST(ListPage, IsLastOnlyWhenNothingSaysThatThereIsMore) {
    struct Case {
        int page_size;
        std::vector<std::string> records;
        const char* envelope;
        bool last;
    };
    const Case cases[] = {
        {2, {}, "", true},
        {2, {record(1)}, "", true},
        {2, {record(1), record(2)}, "", false},
        {2, {record(1), record(2)}, R"("totalRecordCount":2,)", false},
        {3, {record(1), record(2)}, R"("totalRecordCount":2,)", true},
        {3, {record(1), record(2)}, R"("totalRecordCount":9,)", false},
        {3, {record(1), record(2)}, R"("pageSize":2,)", false},
        {3, {record(1)}, R"("pageSize":2,)", true},
        {3, {record(1), record(2)}, R"("pageSize":2,"totalRecordCount":2,)", true},
        {3, {record(1)}, R"("pageCount":4,)", false},
        {3, {record(1)}, R"("pageCount":1,)", true},
        {3, {}, R"("totalRecordCount":9,)", true},
    };
    for (const Case& c : cases) {
        const std::string body = page(c.records, c.envelope);
        const auto result = check_page(ListQuery{.page_size = c.page_size}, listed(body));
        ASSERT_TRUE(result) << result.error().message;
        EXPECT_EQ(result->last, c.last) << c.envelope << " " << c.records.size() << "/" << c.page_size;
        EXPECT_EQ(result->last_id, static_cast<DrawId>(c.records.size()));
    }
}

TEST(ListPage, AServiceThatIgnoresWhatWasAskedIsRefused) {
    struct Case {
        ListQuery query;
        std::vector<std::string> records;
        const char* says;
    };
    const Instant since = *parse_instant("2026-03-07T00:00:05.900");
    const Case cases[] = {
        {{.status = DrawStatus::approved}, {record(1, 4), record(2, 3)}, "draw 2 is Pending Approval"},
        {{.workflow_id = 14}, {record(1, 3, 12)}, "draw 1 is of workflow 12"},
        {{.modified_since = since}, {record(1, 3, 12, "2026-03-07T00:00:04.999")}, "draw 1 was modified 2026-03-07"},
        {{.after_id = 5}, {record(5)}, "asked for ids above 5, draw 5 came"},
        {{.after_id = 5}, {record(6), record(3)}, "asked for ids above 5, draw 3 came"},
        {{}, {record(1), record(3), record(2)}, "draw 2 came after draw 3"},
        {{}, {record(1), record(1)}, "draw 1 came after draw 1"},
        {{}, {record(-1)}, "asked for ids above 0"},
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

TEST(ListPage, TimesAreComparedInWholeSecondsBecauseAServiceMayShowFewerDigitsThanItKeeps) {
    const ListQuery query{.modified_since = *parse_instant("2026-03-07T00:00:05.900")};
    EXPECT_TRUE(check_page(query, listed(page({record(1, 3, 12, "2026-03-07T00:00:05")}))));
    EXPECT_THAT(list_target(query, 1), HasSubstr("&modifiedDate%5Bgte%5D=2026-03-07T00%3A00%3A05"));
}

TEST(ListPage, APageWithoutAReadableIdCannotBeFollowedByAnother) {
    const std::string nameless = json(without(whole_draw(), "id"));
    EXPECT_FALSE(check_page(ListQuery{.page_size = 1}, listed(page({nameless}))));
    const auto last = check_page(ListQuery{.after_id = 3, .page_size = 2}, listed(page({nameless})));
    ASSERT_TRUE(last) << last.error().message;
    EXPECT_EQ(last->bad.size(), 1U);
    EXPECT_EQ(last->last_id, 3);
}

TEST(ListTarget, HoldsTheKeysetAndEveryFilterPercentEncoded) {
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

std::vector<Approval> approvals(std::initializer_list<DrawId> ids) {
    std::vector<Approval> result;
    for (const DrawId id : ids)
        result.push_back({.id = id, .approver_id = 1201, .notes = {}, .notification_emails = {}});
    return result;
}

TEST(ApprovalCodec, SendsWhatIsSetAndNothingElse) {
    std::vector<Approval> asked = approvals({5});
    asked.push_back({.id = 6, .approver_id = 1202, .notes = "by \"rule\"", .notification_emails = {"f@example.gov"}});
    EXPECT_EQ(encode_approvals(asked), R"([{"id":5,"approverId":1201},{"id":6,"approverId":1202,)"
                                       R"("notes":"by \"rule\"","notificationsEmails":["f@example.gov"]}])");
}

TEST(ApprovalCodec, ReadsOneResultHoweverItIsShaped) {
    const std::string draw7 = json(whole_draw());
    const std::string pending7 = json(with(whole_draw(), "status", "3"));
    struct Case {
        std::string result;
        const char* expected;  // "approved", "unanswered", or the error's words
    };
    const Case cases[] = {
        {R"({"drawId":7,"error":null,"draw":)" + draw7 + "}", "approved"},
        {R"({"draw":)" + draw7 + R"(,"drawId":7})", "approved"},
        {R"({"drawId":7})", "approved"},
        {R"({"drawId":7.0,"error":{},"draw":null})", "approved"},
        {R"({"drawId":7,"error":"","draw":{}})", "approved"},
        {R"({"drawId":7,"error":false})", "approved"},
        {R"({"drawId":7,"error":[],"draw":{"id":7,"status":4}})", "approved"},
        {R"({"drawId":7,"draw":{"id":7,"status":5}})", "approved"},
        {R"({"drawId":7,"error":"no\nfunds"})", "no funds"},
        {R"({"drawId":7,"error":{"message":"wrong state","code":"E12"},"draw":null})", "wrong state (E12)"},
        {R"({"drawId":7,"error":{"code":17}})", R"({"code":17})"},
        {R"({"drawId":7,"error":{"detail":"locked"},"draw":)" + pending7 + "}", "locked"},
        {R"({"drawId":7,"error":["a","b"]})", "a; b"},
        {R"({"drawId":7,"error":true})", "true"},
        // An approval whose draw is not approved, a refusal whose draw is, another draw, an error that says nothing.
        {R"({"drawId":7,"error":null,"draw":)" + pending7 + "}", "unanswered"},
        {R"({"drawId":7,"error":{"message":"already"},"draw":)" + draw7 + "}", "unanswered"},
        {R"({"drawId":7,"draw":{"id":8,"status":4}})", "unanswered"},
        {R"({"drawId":7,"error":{"message":null,"code":0}})", "unanswered"},
        {R"({"drawId":7,"error":0})", "unanswered"},
        {R"({"drawId":7},{"drawId":7,"error":"twice"})", "unanswered"},
        {R"({"drawId":"7"})", "unanswered"},
        {R"({"error":null})", "unanswered"},
        {"7", "unanswered"},
    };
    for (const Case& c : cases) {
        const auto answer = parse_approval_answer("[" + c.result + "]", approvals({7}));
        ASSERT_TRUE(answer) << answer.error().message;
        std::string seen = "unanswered";
        if (!answer->outcomes.empty()) {
            const ApprovalOutcome& outcome = answer->outcomes[0];
            EXPECT_EQ(outcome.id, 7);
            seen = outcome.approved ? "approved" : outcome.error;
            EXPECT_EQ(outcome.approved, outcome.error.empty());
        }
        EXPECT_EQ(seen, c.expected) << c.result;
        EXPECT_EQ(answer->unanswered.size(), answer->outcomes.empty() ? 1U : 0U);
    }
}

TEST(ApprovalCodec, AnswersAreSortedByRequestAndStrangersAreNamed) {
    const auto answer = parse_approval_answer(
        R"([{"drawId":99},{"drawId":3,"error":"no"},{"drawId":7,"draw":)" + json(whole_draw()) + "},{\"drawId\":98}]",
        approvals({7, 5, 3}));
    ASSERT_TRUE(answer);
    ASSERT_EQ(answer->outcomes.size(), 2U);
    EXPECT_EQ(answer->outcomes[0].id, 7);
    ASSERT_TRUE(answer->outcomes[0].draw);
    EXPECT_EQ(answer->outcomes[0].draw->amount_approved->cents(), 125025);
    EXPECT_EQ(answer->outcomes[1].id, 3);
    EXPECT_THAT(answer->unanswered, ElementsAre(5));
    EXPECT_THAT(answer->unasked, ElementsAre(98, 99));
}

TEST(ApprovalCodec, AnEnvelopeAroundTheOnlyListIsUnderstood) {
    const auto answer = parse_approval_answer(R"({"count":1,"results":[{"drawId":7}]})", approvals({7}));
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->outcomes.size(), 1U);
}

TEST(ApprovalCodec, AnEmptyBodyAnswersForNoDrawAndGarbageIsRefused) {
    const auto empty = parse_approval_answer(" ", approvals({7, 8}));
    ASSERT_TRUE(empty);
    EXPECT_THAT(empty->outcomes, IsEmpty());
    EXPECT_THAT(empty->unanswered, ElementsAre(7, 8));
    for (const char* body : {"<html>", "[{\"drawId\":7}", "{}", "true", R"({"a":[],"b":[]})"}) {
        EXPECT_FALSE(parse_approval_answer(body, approvals({7}))) << body;
    }
}

TEST(PatchCodec, SendsOnlyWhatIsSetAndNullToClear) {
    EXPECT_EQ(encode_patch({}), "{}");
    const DrawPatch patch{.description = "paid é",
                          .disbursed_date = *parse_instant("2026-03-04T05:06:07Z"),
                          .fields = {{"fieldB", "TRACE"}, {"admin_Description", std::nullopt}}};
    EXPECT_EQ(encode_patch(patch), R"({"description":"paid é","disbursedDate":"2026-03-04T05:06:07",)"
                                   R"("admin_Description":null,"fieldB":"TRACE"})");
}

TEST(TokenCodec, LifetimeIsMillisecondsAndTheTypeIsBearerInAnyCase) {
    for (const char* type : {R"("token_type":"Bearer",)", R"("token_type":"BEARER",)", "", R"("token_type":null,)"}) {
        const auto token =
            parse_token(std::string("{") + type + R"("scope":"x","expires_in":3600000,"access_token":"abc"})");
        ASSERT_TRUE(token) << type << token.error().message;
        EXPECT_EQ(token->value.reveal(), "abc");
        EXPECT_EQ(token->expires_in, std::chrono::hours(1));
    }
    EXPECT_EQ(parse_token(R"({"access_token":"a"})")->expires_in, std::nullopt);
    EXPECT_EQ(parse_token(R"({"access_token":"a","expires_in":"60000"})")->expires_in, std::chrono::minutes(1));
    EXPECT_EQ(parse_token(R"({"access_token":"a","expires_in":-5})")->expires_in, std::chrono::milliseconds(0));
}

TEST(TokenCodec, WhatIsNoBearerTokenIsRefusedWithoutShowingIt) {
    for (const char* body : {"", "[]", "{}", R"({"access_token":""})", R"({"access_token":5})",
                             R"({"access_token":"abc","token_type":"mac"})", R"({"access_token":"a\r\nX-Evil: 1"})"}) {
        const auto token = parse_token(body);
        ASSERT_FALSE(token) << body;
        EXPECT_THAT(token.error().message, testing::Not(HasSubstr("abc")));
    }
}

TEST(TokenCodec, CredentialsAreFormEncoded) {
    EXPECT_EQ(encode_token_request(Secret("id 1"), Secret("a&b=c+é")),
              "grant_type=client_credentials&client_id=id%201&client_secret=a%26b%3Dc%2B%C3%A9");
}

TEST(ErrorText, UnderstandsTheUsualShapes) {
    const std::pair<std::string, const char*> cases[] = {
        {"", ""},
        {"null", ""},
        {"{}", ""},
        {"plain\r\n text ", "plain text"},
        {R"({"type":"about:blank","title":"Conflict","status":409,"detail":"not disbursed yet"})", "not disbursed yet"},
        {R"({"title":"Conflict","status":409})", "Conflict"},
        {R"({"error":"invalid_client","error_description":"unknown client"})", "unknown client"},
        {R"({"error":{"code":"E1","message":"no"}})", "no (E1)"},
        {R"({"errors":[{"message":"a"},{"message":"b"}]})", "a; b"},
        {R"({"message":"invalid","errors":{"detail":"date"}})", "invalid: date"},
        {R"(["x"])", "x"},
        {R"({"weird":1})", R"({"weird":1})"},
    };
    for (const auto& [body, text] : cases)
        EXPECT_EQ(error_text(body), text) << body;
    const std::string cut = error_text(std::string(299, 'x') + "éééé");
    EXPECT_EQ(cut, std::string(299, 'x') + "...");
}

}  // namespace
}  // namespace drawbridge::service
