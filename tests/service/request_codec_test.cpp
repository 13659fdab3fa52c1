#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "drawbridge/service/codec.hpp"
#include "service/draw_text.hpp"

namespace drawbridge::service {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::json;
using testing::whole_draw;
using testing::with;

std::vector<Approval> approvals(std::initializer_list<DrawId> ids) {
    std::vector<Approval> result;
    for (const DrawId id : ids)
        result.push_back({.id = id, .approver_id = 1201, .notes = {}, .notification_emails = {}});
    return result;
}

TEST(ApprovalCodec, sends_only_what_is_set) {
    std::vector<Approval> asked = approvals({5});
    asked.push_back({.id = 6, .approver_id = 1202, .notes = "by \"rule\"", .notification_emails = {"f@example.gov"}});
    EXPECT_EQ(encode_approvals(asked), R"([{"id":5,"approverId":1201},{"id":6,"approverId":1202,)"
                                       R"("notes":"by \"rule\"","notificationsEmails":["f@example.gov"]}])");
}

TEST(ApprovalCodec, reads_a_result_in_every_format) {
    const std::string draw7 = json(whole_draw());
    const std::string pending7 = json(with(whole_draw(), "status", "3"));
    struct Case {
        std::string result;
        const char* expected;  // "approved", "unanswered", or the error's text
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
        // An approval whose draw is not approved, a refusal whose draw is, another draw, a blank error.
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

TEST(ApprovalCodec, answers_follow_the_request_order_and_unrequested_draws_are_named) {
    const auto answer =
        parse_approval_answer(R"([{"drawId":99},{"drawId":3,"error":"no"},{"drawId":7,"draw":)" + json(whole_draw()) +
                                  "},{\"drawId\":98},{\"drawId\":97,\"error\":\"no\"}]",
                              approvals({7, 5, 3}));
    ASSERT_TRUE(answer);
    ASSERT_EQ(answer->outcomes.size(), 2U);
    EXPECT_EQ(answer->outcomes[0].id, 7);
    ASSERT_TRUE(answer->outcomes[0].draw);
    EXPECT_EQ(answer->outcomes[0].draw->amount_approved->cents(), 125025);
    EXPECT_EQ(answer->outcomes[1].id, 3);
    EXPECT_THAT(answer->unanswered, ElementsAre(5));
    EXPECT_THAT(answer->unrequested, ElementsAre(98, 99));
}

TEST(ApprovalCodec, an_envelope_with_a_single_list_is_understood) {
    const auto answer = parse_approval_answer(R"({"count":1,"results":[{"drawId":7}]})", approvals({7}));
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->outcomes.size(), 1U);
}

TEST(ApprovalCodec, an_empty_body_answers_no_draw_and_garbage_is_refused) {
    const auto empty = parse_approval_answer(" ", approvals({7, 8}));
    ASSERT_TRUE(empty);
    EXPECT_THAT(empty->outcomes, IsEmpty());
    EXPECT_THAT(empty->unanswered, ElementsAre(7, 8));
    for (const char* body : {"<html>", "[{\"drawId\":7}", "{}", "true", R"({"a":[],"b":[]})"}) {
        EXPECT_FALSE(parse_approval_answer(body, approvals({7}))) << body;
    }
}

TEST(PatchCodec, sends_only_what_is_set_and_null_to_clear) {
    EXPECT_EQ(encode_patch({}), "{}");
    const DrawPatch patch{.description = "paid é",
                          .disbursed_date = *parse_instant("2026-03-04T05:06:07Z"),
                          .fields = {{"fieldB", "TRACE"}, {"admin_Description", std::nullopt}}};
    EXPECT_EQ(encode_patch(patch), R"({"description":"paid é","disbursedDate":"2026-03-04T05:06:07",)"
                                   R"("admin_Description":null,"fieldB":"TRACE"})");
}

TEST(TokenCodec, lifetime_is_milliseconds_and_the_type_is_bearer_in_any_case) {
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

TEST(TokenCodec, an_invalid_token_is_refused_without_showing_it) {
    EXPECT_THAT(parse_token("{\"access_token\":\"" + std::string(33000, 'x') + "\"}").error().message,
                HasSubstr("its access_token has 33000 bytes, and a header holds 32768"));
    for (const char* body : {"", "[]", "{}", R"({"access_token":""})", R"({"access_token":5})",
                             R"({"access_token":"abc","token_type":"mac"})", R"({"access_token":"a\r\nX-Evil: 1"})"}) {
        const auto token = parse_token(body);
        ASSERT_FALSE(token) << body;
        EXPECT_THAT(token.error().message, ::testing::Not(HasSubstr("abc")));
    }
}

TEST(TokenCodec, credentials_are_form_encoded) {
    EXPECT_EQ(encode_token_request(Secret("id 1"), Secret("a&b=c+é")),
              "grant_type=client_credentials&client_id=id%201&client_secret=a%26b%3Dc%2B%C3%A9");
}

TEST(ErrorText, understands_the_usual_formats) {
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
