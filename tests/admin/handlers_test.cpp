// The operators' API on a real ledger, without a socket.
#include "drawbridge/admin/handlers.hpp"
#include "admin/fixed_clock.hpp"
#include "admin/office.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "drawbridge/ledger/facts/deliveries.hpp"
#include "drawbridge/ledger/facts/invariant_checks.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "ledger/ledger_fixture.hpp"

namespace drawbridge::admin {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class HandlersTest : public ledger::LedgerFixture {
  protected:
    struct Reply {
        int status = 0;
        json body;
    };

    Reply send(const std::string& method, const std::string& target, const std::string& body = {}) {
        asio::io_context io;
        Request request;
        request.method = method;
        request.target = target;
        request.body = body;
        request.actor = "uid 7 (ana)";
        request.uid = ::getuid();  // owns the folders: every role but finance's
        request.groups = {::getgid()};
        Reply reply;
        asio::co_spawn(io, handle(context_, std::move(request)),
                       [&](const std::exception_ptr& failure, Response response) {
                           if (failure) std::rethrow_exception(failure);
                           reply.status = response.status;
                           reply.body = json::parse(response.body);
                       });
        io.run();
        return reply;
    }

    std::string error_of(const Reply& reply) { return reply.body["error"]["message"].get<std::string>(); }

    // Draws 1 to 3 approved and paid, draw 4 held, draw 5 pending.
    void fill() {
        for (DrawId id = 1; id <= 3; ++id)
            read(test::sample_draw(id, DrawStatus::approved, "1234.50"));
        pay(/*release=*/false);
        read(test::sample_draw(4, DrawStatus::pending_approval, "7.00"));
        decide(4, /*approve=*/false);
        read(test::sample_draw(5, DrawStatus::pending_approval, "8.00"));
    }

    std::int64_t raise(const std::string& reason_code) {
        ledger->transaction(
            [&] { ledger::raise_exception(*ledger, {"pay", reason_code, 4, std::nullopt, "", "detail"}, stamp()); });
        return ledger::open_exceptions(*ledger).back().exception_id;
    }

    FixedClock clock_;
    Office office_{*ledger, clock_, folder.path()};
    rules::RuleSet& rules_ = office_.shared.rules;
    AdminContext& context_ = office_.context;
};

TEST_F(HandlersTest, an_act_is_in_the_high_water_mark_before_it_is_answered) {
    const auto mark = [&] {
        std::ifstream file(folder.path() / "ledger.mark");
        return std::string(std::istreambuf_iterator<char>(file), {});
    };
    const auto before = mark();
    EXPECT_EQ(send("GET", "/status").status, 200);
    EXPECT_EQ(mark(), before);
    EXPECT_EQ(send("POST", "/pause", R"({"reason": "fraud"})").status, 200);
    EXPECT_NE(mark(), before) << "a ledger that lacks the pause is an older copy";
}

TEST_F(HandlersTest, status_shows_what_needs_a_person_and_that_the_draws_add_up) {
    fill();
    raise("no_payee");
    const auto reply = send("GET", "/status");
    ASSERT_EQ(reply.status, 200);
    const auto& attention = reply.body["needs_attention"];
    EXPECT_EQ(attention["open_exceptions"], 1);
    EXPECT_EQ(attention["exceptions_by_reason"][0]["reason_code"], "no_payee");
    ASSERT_EQ(attention["files_waiting_for_release"].size(), 1U);
    EXPECT_EQ(attention["files_waiting_for_release"][0]["total"], "3703.50");
    EXPECT_EQ(attention["files_waiting_for_release"][0]["payments"], 3);
    EXPECT_TRUE(attention["paused"].is_null());
    EXPECT_TRUE(reply.body["reconciliation"]["adds_up"].get<bool>());
    EXPECT_EQ(reply.body["reconciliation"]["seen"]["count"], 5);
    EXPECT_EQ(reply.body["reconciliation"]["seen"]["amount"], "3718.50");
    EXPECT_EQ(reply.body["at"], "2026-03-04T15:30:00.000Z");
    for (const auto& state : reply.body["states"]) {
        if (state["state"] != "paying") continue;
        EXPECT_EQ(state["count"], 3);
        EXPECT_EQ(state["amount"], "3703.50");
    }
}

TEST_F(HandlersTest, status_shows_the_last_run_of_every_step) {
    for (const Step step : all_steps) {
        ledger->transaction([&] {
            ledger::record_run(*ledger, {step, now, now, true, "fine"});
            if (step == Step::deliver) ledger::record_run(*ledger, {step, now, now, false, "no route"});
        });
    }
    for (const char* target : {"/status", "/runs"}) {
        const auto runs = send("GET", target).body["runs"];
        ASSERT_EQ(runs.size(), all_steps.size()) << target;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            EXPECT_EQ(runs[i]["step"].get<std::string>(), to_string(all_steps[i]));
            EXPECT_EQ(runs[i]["ok"], all_steps[i] != Step::deliver);
            EXPECT_EQ(runs[i]["summary"], all_steps[i] == Step::deliver ? "no route" : "fine");
            EXPECT_FALSE(runs[i]["last_ok"].is_null());
        }
    }
}

TEST_F(HandlersTest, draws_are_filtered_and_paged) {
    fill();
    auto reply = send("GET", "/draws?limit=2");
    ASSERT_EQ(reply.status, 200);
    ASSERT_EQ(reply.body["draws"].size(), 2U);
    EXPECT_EQ(reply.body["draws"][0]["id"], 1);
    EXPECT_EQ(reply.body["draws"][0]["amount"], "1234.50");
    EXPECT_EQ(reply.body["next_after"], 2);
    reply = send("GET", "/draws?limit=3&after=2");
    ASSERT_EQ(reply.body["draws"].size(), 3U);
    EXPECT_TRUE(reply.body["next_after"].is_null()) << "a page that is exactly full is the last one";
    reply = send("GET", "/draws?state=held");
    ASSERT_EQ(reply.body["draws"].size(), 1U);
    EXPECT_EQ(reply.body["draws"][0]["why"], "because");
}

TEST_F(HandlersTest, a_draw_has_its_fields_and_its_timeline) {
    fill();
    const auto reply = send("GET", "/draws/1");
    ASSERT_EQ(reply.status, 200);
    EXPECT_EQ(reply.body["draw"]["state"], "paying");
    EXPECT_EQ(reply.body["fields"]["amountApproved"], "1234.50");
    EXPECT_EQ(reply.body["fields"]["caseId"], 7001);
    EXPECT_EQ(reply.body["payee_name"], "Ana Alvarez");
    EXPECT_TRUE(reply.body["fields"]["description"].is_null());
    EXPECT_GE(reply.body["timeline"].size(), 3U);
}

TEST_F(HandlersTest, no_answer_contains_an_account_number) {
    fill();
    const auto name = ledger::payment_files(*ledger, false).front().name;
    for (const std::string& target : {std::string("/status"), std::string("/draws"), std::string("/draws/1"),
                                      std::string("/files"), "/files/" + name}) {
        EXPECT_THAT(send("GET", target).body.dump(), Not(HasSubstr("123456789"))) << target;
    }
    EXPECT_EQ(send("GET", "/files/" + name).body["payments"][0]["account"], "****6789");
}

TEST_F(HandlersTest, an_exception_shows_its_line_and_is_matched_and_undone) {
    read(test::sample_draw(1, DrawStatus::approved));
    pay();
    confirm({{2, "99999", ConfirmationKind::paid, Money::parse("100.00").value(), parse_date("2026-03-05").value()}});
    const auto id = ledger::open_exceptions(*ledger).back().exception_id;
    const std::string target = "/exceptions/" + std::to_string(id);
    EXPECT_EQ(send("GET", "/exceptions").body["exceptions"][0]["proposal"]["payment_id"], "P0000000001");
    auto reply = send("GET", target);
    ASSERT_EQ(reply.status, 200) << reply.body;
    EXPECT_EQ(reply.body["line"]["amount"], "100.00");
    EXPECT_EQ(reply.body["line"]["references"][0]["text"], "99999");
    ASSERT_EQ(reply.body["proposals"].size(), 1U);
    EXPECT_GE(reply.body["proposals"][0]["score"], 40);
    reply = send("POST", target + "/resolve", R"({"reason": "seen", "match": "check 7"})");
    EXPECT_EQ(reply.status, 400);
    EXPECT_THAT(error_of(reply), HasSubstr("P0000000123"));
    EXPECT_EQ(send("POST", target + "/resolve", R"({"reason": "seen", "match": "P0000000009"})").status, 404);
    EXPECT_EQ(send("POST", target + "/undo", R"({"reason": "seen"})").status, 409);
    reply = send("POST", target + "/resolve", R"({"reason": "seen", "match": "P0000000001"})");
    ASSERT_EQ(reply.status, 200) << reply.body;
    EXPECT_EQ(reply.body["exception"]["closed_by"], "uid 7 (ana)");
    EXPECT_EQ(state(1), "paid");
    EXPECT_EQ(send("GET", target).body["line"]["matched_to"], "P0000000001");
    EXPECT_EQ(send("POST", target + "/undo").status, 400) << "a reason is missing";
    reply = send("POST", target + "/undo", R"({"reason": "another's"})");
    ASSERT_EQ(reply.status, 200) << reply.body;
    EXPECT_EQ(reply.body["undone"], id);
    EXPECT_EQ(state(1), "paying");
    EXPECT_EQ(send("GET", "/exceptions/12345").status, 404);
}

TEST_F(HandlersTest, a_wrong_request_gets_a_clear_error) {
    fill();
    struct Case {
        const char* method;
        const char* target;
        const char* body;
        int status;
        const char* words;
    };
    const Case cases[] = {
        {"GET", "/draws?state=hold", "", 400, "unknown state 'hold'"},
        {"GET", "/draws?limit=0", "", 400, "not a whole number from 1"},
        {"GET", "/draws?limit=x", "", 400, "not a whole number"},
        {"GET", "/draws?limti=5", "", 400, "unknown parameter 'limti'"},
        {"GET", "/draws?limit=5&limit=6", "", 400, "occurs twice"},
        {"GET", "/draws/99", "", 404, "draw 99 is not in the ledger"},
        {"GET", "/draws/abc", "", 400, "not a whole number"},
        {"GET", "/files/none", "", 404, "no payment file named none"},
        {"GET", "/nothing", "", 404, "no route GET /nothing"},
        {"POST", "/status", "", 405, "POST /status: use GET"},
        {"GET", "no path", "", 400, "not a path"},
        {"POST", "/pause", "", 400, "reason is missing"},
        {"POST", "/pause", R"({"reason": "  "})", 400, "reason is empty"},
        {"POST", "/pause", R"({"reason": 5})", 400, "'reason' must be text"},
        {"POST", "/pause", "[1]", 400, "not a JSON object"},
        {"POST", "/pause", "{", 400, "not valid JSON"},
        {"POST", "/pause", R"({"reason": "a", "reason": "b"})", 400, "the body has 'reason' twice"},
        {"POST", "/pause", R"({"reason": "a", "x": [{"y": {"z": 1}, "z": 1, "z": 2}]})", 400, "the body has 'z' twice"},
        {"POST", "/resume", R"({"reason": "r"})", 409, "nothing is paused"},
        {"POST", "/resume", R"({"reason": "r", "nothing_else_sent": true})", 409, "no draw is held as possibly_paid"},
        {"POST", "/exceptions/77/resolve", R"({"reason": "r"})", 404, "77"},
        {"POST", "/pay", "", 400, "reason is missing"},
    };
    EXPECT_EQ(send("GET", "/status?", "").status, 200);
    for (const auto& one : cases) {
        const auto reply = send(one.method, one.target, one.body);
        EXPECT_EQ(reply.status, one.status) << one.method << " " << one.target;
        EXPECT_THAT(error_of(reply), HasSubstr(one.words)) << one.method << " " << one.target;
    }
}

TEST_F(HandlersTest, an_exception_is_closed_once_by_its_caller) {
    fill();
    const auto target = "/exceptions/" + std::to_string(raise("no_payee")) + "/resolve";
    const auto closed = send("POST", target, R"({"reason": "payee added"})");
    ASSERT_EQ(closed.status, 200);
    EXPECT_EQ(closed.body["exception"]["closed_by"], "uid 7 (ana)");
    EXPECT_EQ(closed.body["exception"]["closed_reason"], "payee added");
    EXPECT_EQ(send("GET", "/exceptions").body["exceptions"].size(), 0U);
    EXPECT_EQ(send("POST", target, R"({"reason": "again"})").status, 409);
    EXPECT_TRUE(violations().empty());
}

TEST_F(HandlersTest, exceptions_are_listed_by_the_day_on_which_they_were_closed) {
    fill();
    const auto id = raise("no_payee");
    raise("over_payment_limit");
    const auto on = [&](const std::string& query) { return send("GET", "/exceptions?total=true&" + query); };
    EXPECT_EQ(on("closed_on=2026-03-04").body["total"], 0);
    ASSERT_EQ(send("POST", "/exceptions/" + std::to_string(id) + "/resolve", R"({"reason": "called"})").status, 200);
    const auto today = on("closed_on=2026-03-04").body;
    EXPECT_EQ(today["total"], 1);
    ASSERT_EQ(today["exceptions"].size(), 1U);
    EXPECT_EQ(today["exceptions"][0]["id"], id);
    EXPECT_EQ(today["exceptions"][0]["closed_by"], "uid 7 (ana)");
    EXPECT_EQ(today["exceptions"][0]["closed_reason"], "called");
    EXPECT_EQ(on("closed_on=2026-03-04&state=closed").body["total"], 1);
    for (const char* other : {"closed_on=2026-03-03", "closed_on=2026-03-05", "closed_on=2026-03-04&reason=returned"}) {
        EXPECT_EQ(on(other).body["total"], 0) << other;
        EXPECT_EQ(on(other).body["exceptions"].size(), 0U) << other;
    }
    EXPECT_EQ(on("closed_on=2026-03-04&state=open").status, 400);
    EXPECT_EQ(on("closed_on=yesterday").status, 400);
}

TEST_F(HandlersTest, the_pulse_tells_that_the_ledger_does_not_verify_until_it_does) {
    EXPECT_EQ(send("GET", "/pulse").body["breach"], nullptr);
    const auto record = [&](std::vector<std::string> violations) {
        ledger->transaction(
            [&] { ledger::record_checks(*ledger, {{7, "a title", 3, std::move(violations)}}, stamp()); });
    };
    record({"a payment has no decision"});
    EXPECT_EQ(send("GET", "/pulse").body["breach"]["invariant"], 7);
    // Closing its exception does not repair the ledger.
    const auto id = ledger::open_exceptions(*ledger).back().exception_id;
    ASSERT_EQ(send("POST", "/exceptions/" + std::to_string(id) + "/resolve", R"({"reason": "seen"})").status, 200);
    EXPECT_EQ(send("GET", "/pulse").body["breach"]["invariant"], 7);
    record({});
    EXPECT_EQ(send("GET", "/pulse").body["breach"], nullptr);
}

TEST_F(HandlersTest, exceptions_are_closed_together_or_not_at_all) {
    fill();
    const auto first = raise("no_payee"), second = raise("over_payment_limit");
    const auto resolve = [&](std::initializer_list<std::int64_t> ids) {
        return send("POST", "/exceptions/resolve", json{{"reason", "payees added"}, {"ids", ids}}.dump());
    };
    EXPECT_EQ(resolve({first, 12345}).status, 404);
    EXPECT_EQ(resolve({first, first}).status, 400) << "named twice";
    EXPECT_EQ(send("GET", "/exceptions").body["exceptions"].size(), 2U);
    EXPECT_EQ(resolve({first, second}).status, 200);
    EXPECT_EQ(send("GET", "/exceptions").body["exceptions"].size(), 0U);
    EXPECT_TRUE(violations().empty());
}

TEST_F(HandlersTest, an_exception_says_what_to_do_and_what_a_person_may_do_now) {
    fill();
    const std::string blocked = "/exceptions/" + std::to_string(raise("no_payee"));
    const std::string held = "/exceptions/" + std::to_string(raise("over_payment_limit"));
    const auto listed = send("GET", "/exceptions").body["exceptions"];
    ASSERT_EQ(listed.size(), 2U);
    EXPECT_EQ(listed[0]["title"], "No payee for this draw");
    EXPECT_THAT(listed[0]["what_to_do"].get<std::string>(), HasSubstr("payees.csv"));
    EXPECT_EQ(listed[0]["acts"], json::array({"resolve"}));
    EXPECT_FALSE(listed[0]["resolve_lifts"].get<bool>());
    EXPECT_TRUE(listed[1]["resolve_lifts"].get<bool>());
    const auto one = send("GET", held).body["exception"];
    EXPECT_THAT(one["meaning"].get<std::string>(), HasSubstr("pay.limits.payment"));
    EXPECT_FALSE(one["resolve_does"].get<std::string>().empty());
    const auto closed = send("POST", blocked + "/resolve", R"({"reason": "payee added"})").body["exception"];
    EXPECT_EQ(closed["acts"], json::array({"undo"}));
    ledger->transaction(
        [&] { ledger::close_exceptions(*ledger, 4, "pay", {}, "it can be paid now", stamp("drawbridge")); });
    EXPECT_EQ(send("GET", held).body["exception"]["acts"], json::array()) << "the program closed it";
}

TEST_F(HandlersTest, a_person_approves_held_draws_instead_of_a_rule) {
    fill();
    rules_ = rules::parse_rules("version: 1\napprover_id: 1201\nrules: []\n", "r").value();
    const auto reply = send("POST", "/draws/approve", R"({"ids": [5, 4], "reason": "lease seen"})");
    ASSERT_EQ(reply.status, 200) << reply.body;
    EXPECT_EQ(reply.body["approved"], json::array({4, 5}));
    EXPECT_EQ(reply.body["amount"], "15.00");
    EXPECT_EQ(state(4), "approving");
    // Submitted under any rules in force, and not decided by them again.
    const auto due = ledger::approvals_to_submit(*ledger, sha256_hex("other rules"), {}, 500);
    ASSERT_EQ(due.size(), 2U);
    EXPECT_EQ(due[0].approver_id, 1201);
    EXPECT_EQ(due[0].notes, "lease seen");
    EXPECT_TRUE(ledger::draws_to_decide(*ledger, sha256_hex("other rules"), clock_.now(), {}, 500).empty());
    EXPECT_THAT(send("GET", "/draws/4").body["timeline"].dump(),
                testing::HasSubstr("approve by uid 7 (ana) instead of a rule: lease seen"));
    // A later change of the draw is decided by the rules again.
    auto changed = ledger::newest_reading(*ledger, 4)->draw;
    changed.amount_requested = Money::from_cents(1);
    changed.modified_date += std::chrono::seconds(1);
    read(changed);
    EXPECT_EQ(ledger::approvals_to_submit(*ledger, sha256_hex("other rules"), {}, 500).size(), 1U);
    EXPECT_EQ(ledger::draws_to_decide(*ledger, sha256_hex("other rules"), clock_.now(), {}, 500).size(), 1U);
    EXPECT_TRUE(violations().empty());
}

TEST_F(HandlersTest, draws_that_changed_since_their_preview_are_not_approved) {
    fill();
    rules_ = rules::parse_rules("version: 1\napprover_id: 1201\nrules: []\n", "r").value();
    const auto preview = send("POST", "/draws/approve", R"({"ids": [5, 4], "reason": "x", "preview": true})");
    ASSERT_EQ(preview.status, 200) << preview.body;
    const auto draw = ledger::newest_reading(*ledger, 4)->draw;
    EXPECT_EQ(preview.body["draws"][0], (json{{"id", 4}, {"amount", "7.00"}, {"payee", *draw.field_a}}));
    EXPECT_EQ(preview.body["total"], "15.00");
    EXPECT_EQ(state(4), "held");
    const std::string body = json{{"ids", {5, 4}}, {"reason", "x"}, {"expect", preview.body["expect"]}}.dump();
    auto changed = draw;
    changed.field_a = "ANOTHER";
    changed.modified_date += std::chrono::seconds(1);
    read(changed);
    EXPECT_THAT(error_of(send("POST", "/draws/approve", body)), testing::HasSubstr("look at the draws again"));
    changed.field_a = draw.field_a;
    changed.modified_date += std::chrono::seconds(1);
    read(changed);
    EXPECT_EQ(send("POST", "/draws/approve", body).status, 200);
}

TEST_F(HandlersTest, a_persons_approval_applies_to_all_named_draws_or_none) {
    fill();
    struct Case {
        std::string body;
        int status;
        std::string says;
    };
    const Case before{R"({"ids": [4], "reason": "x"})", 400, "no approver is named"};
    EXPECT_THAT(error_of(send("POST", "/draws/approve", before.body)), testing::HasSubstr(before.says));
    rules_ = rules::parse_rules("version: 1\napprover_id: 1201\nrules: []\n", "r").value();
    std::string many;
    for (int id = 1; id <= 501; ++id)
        many += (many.empty() ? "" : ",") + std::to_string(id);
    for (const auto& c : {
             Case{R"({"ids": [4, 1, 77], "reason": "x"})", 409,
                  "nothing is approved: draw 1 is Approved, not Pending Approval; draw 77 is not in the ledger"},
             Case{R"({"ids": [4, 4], "reason": "x"})", 400, "draw 4 is named twice"},
             Case{R"({"ids": [], "reason": "x"})", 400, "no draw is named"},
             Case{R"({"ids": ["4"], "reason": "x"})", 400, "'ids' must be a list of whole numbers"},
             Case{"{\"ids\": [" + many + "], \"reason\": \"x\"}", 400, "501 draws are too many"},
             Case{R"({"ids": [4]})", 400, "a reason is missing"},
             Case{R"({"ids": [4], "reason": "one\nand another"})", 400, "write one line"},
             Case{R"({"ids": [4], "reason": "x", "approver_id": 0})", 400, "not a whole number above zero"},
         }) {
        const auto reply = send("POST", "/draws/approve", c.body);
        EXPECT_EQ(reply.status, c.status) << c.body;
        EXPECT_THAT(error_of(reply), testing::HasSubstr(c.says));
    }
    EXPECT_EQ(state(4), "held");
}

TEST_F(HandlersTest, pause_and_resume_are_recorded_with_their_reason) {
    ASSERT_EQ(send("POST", "/pause", R"({"reason": "odd totals"})").status, 200);
    const auto movement = ledger::movement(*ledger);
    ASSERT_TRUE(movement);
    EXPECT_TRUE(movement->paused);
    EXPECT_EQ(movement->by, "uid 7 (ana)");
    EXPECT_EQ(movement->reason, "odd totals");
    EXPECT_EQ(send("GET", "/status").body["needs_attention"]["paused"]["reason"], "odd totals");
    EXPECT_EQ(send("POST", "/pause", R"({"reason": "again"})").status, 409);
    ASSERT_EQ(send("POST", "/resume", R"({"reason": "clear"})").status, 200);
    EXPECT_FALSE(ledger::is_paused(*ledger));
}

TEST_F(HandlersTest, acts_are_recorded_with_the_callers_identity) {
    rules_ = rules::parse_rules("version: 1\napprover_id: 1201\nrules: []\n", "r").value();
    const auto paid = send("POST", "/pay", R"({"reason": "late"})");
    EXPECT_EQ(paid.status, 200) << paid.body;
    EXPECT_THAT(paid.body["summary"].get<std::string>(), HasSubstr("0 payments planned"));
    const auto trail = send("GET", "/audit?action=pay.ordered").body["audit"];
    ASSERT_EQ(trail.size(), 1U);
    EXPECT_EQ(trail[0]["actor"], "uid 7 (ana)");
    EXPECT_EQ(trail[0]["detail"], "late");
    EXPECT_EQ(send("POST", "/files/A%20B/release", R"({"reason": "r"})").status, 404);
    EXPECT_EQ(send("POST", "/reload").body["in_force"], "uid 7 (ana)");
}

TEST_F(HandlersTest, nothing_is_paid_without_rules) {
    office_.program.live.reload_problems = {"rules.yaml:1:1: no rules"};
    const auto refused = send("POST", "/pay", R"({"reason": "late"})");
    EXPECT_EQ(refused.status, 400);
    EXPECT_THAT(error_of(refused), HasSubstr("so nothing is paid:\nrules.yaml:1:1: no rules"));
}

TEST_F(HandlersTest, a_stopping_daemon_begins_no_act) {
    context_.turn.close();
    const auto refused = send("POST", "/pay", R"({"reason": "late"})");
    EXPECT_EQ(refused.status, 503);
    EXPECT_THAT(error_of(refused), HasSubstr("nothing was paid"));
    EXPECT_EQ(send("POST", "/files/x/release", R"({"reason": "r"})").status, 503);
}

TEST_F(HandlersTest, a_delivery_exception_requires_the_outcome) {
    fill();
    const std::string name = ledger::payment_files(*ledger, false).front().name;
    const ledger::ExceptionDetails uncertain{"pay", "delivery_uncertain", std::nullopt, std::nullopt, name, "detail"};
    ledger->transaction([&] { ledger::raise_exception(*ledger, uncertain, stamp()); });
    const std::string exception = "/exceptions/" + std::to_string(ledger::open_exceptions(*ledger).back().exception_id);
    const auto closed = send("POST", exception + "/resolve", R"({"reason": "r"})");
    EXPECT_EQ(closed.status, 400);
    EXPECT_THAT(error_of(closed), HasSubstr("--by-hand"));
    EXPECT_EQ(send("POST", exception + "/deliver", R"({"reason": "r"})").status, 400) << "'how' is missing";
    EXPECT_EQ(send("POST", exception + "/deliver", R"({"how": "again"})").status, 400) << "the reason is missing";
    const std::string not_sent = name + " is not released: nothing was sent";
    EXPECT_EQ(error_of(send("POST", exception + "/deliver", R"({"reason": "r", "how": "again"})")), not_sent);
    EXPECT_EQ(error_of(send("POST", "/files/" + name + "/deliver", R"({"reason": "r", "how": "by_hand"})")), not_sent);
    const std::string other = "/exceptions/" + std::to_string(raise("no_payee"));
    EXPECT_EQ(send("POST", other + "/deliver", R"({"reason": "r", "how": "again"})").status, 404);
}

TEST_F(HandlersTest, files_show_their_delivery) {
    fill();
    const std::string name = ledger::payment_files(*ledger, false).front().name;
    EXPECT_TRUE(send("GET", "/files").body["files"][0]["delivery"].is_null());
    ledger->transaction([&] {
        const auto file = ledger::find_file(*ledger, name);
        ASSERT_TRUE(ledger::order_release(*ledger, *file, "test", stamp("uid 1 (bo)")));
        ledger::order_delivery(*ledger, file->file_id, {.by_sftp = true}, stamp());
        ledger::record_released(*ledger, file->file_id, stamp());
        disbursement::DeliveryFact intent{.step = disbursement::DeliveryStep::intent, .at = now, .by = "drawbridge"};
        intent.server = "sftp://a@b:22/c";
        intent.temporary_name = "tmp";
        intent.size_bytes = 940;
        ledger::record_delivery_step(*ledger, file->file_id, intent);
    });
    EXPECT_EQ(send("GET", "/files").body["files"][0]["delivery"]["state"], "uploading");
    const auto delivery = send("GET", "/files/" + name).body["file"]["delivery"];
    EXPECT_EQ(delivery["server"], "sftp://a@b:22/c");
    EXPECT_EQ(delivery["steps"][0]["step"], "intent");
    EXPECT_EQ(send("GET", "/status").body["undelivered"]["files"], 1);
}

TEST_F(HandlersTest, verify_reports_each_invariant) {
    fill();
    const auto reply = send("GET", "/verify");
    ASSERT_EQ(reply.status, 200);
    EXPECT_TRUE(reply.body["clean"].get<bool>());
    EXPECT_EQ(reply.body["invariants"].size(), 13U);
    EXPECT_TRUE(reply.body["invariants"][1]["ok"].get<bool>());
    EXPECT_EQ(reply.body["invariants"][1]["number"], 1);
}

// Pages of one row add up to the whole list.
TEST_F(HandlersTest, every_list_is_paged) {
    fill();
    for (const char* code : {"amount_missing", "amount_zero", "no_payee"})
        raise(code);
    read(test::sample_draw(6, DrawStatus::approved, "9.00"));
    pay(/*release=*/false);
    for (const std::string name : {"draws", "exceptions", "files", "alerts", "backups"}) {
        const auto answer = send("GET", "/" + name + "?total=true");
        ASSERT_EQ(answer.status, 200) << name << ": " << answer.body;
        const auto& whole = answer.body;
        json rows = json::array();
        json next = 0;
        while (!next.is_null()) {
            auto page = send("GET", "/" + name + "?limit=1&after=" + next.dump()).body;
            ASSERT_TRUE(page.contains(name) && page.contains("next_after")) << name << ": " << page;
            ASSERT_LE(page[name].size(), 1U) << name;
            for (auto& row : page[name])
                rows.push_back(std::move(row));
            next = page["next_after"];
        }
        EXPECT_EQ(rows, whole[name]) << name;
        EXPECT_EQ(whole["total"], rows.size()) << name;
        EXPECT_EQ(send("GET", "/" + name + "?limit=0").status, 400) << name;
        EXPECT_EQ(send("GET", "/" + name + "?page=2").status, 400) << name;
    }
    EXPECT_EQ(send("GET", "/exceptions").body["exceptions"].size(), 3U);
    EXPECT_EQ(send("GET", "/draws").body["draws"].size(), 6U);
}

}  // namespace
}  // namespace drawbridge::admin
