// A request says only what the OpenAPI document describes: a misspelled or mistyped member never carries out an act.
#include "documented.hpp"

#include <regex>

#include "drawbridge/admin/reason.hpp"
#include "openapi_words.hpp"
#include "people_fixture.hpp"

namespace drawbridge::admin {
namespace {

using ledger::Role;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Documented : public PeopleFixture {
  protected:
    Documented() { add("Olga", anna, {Role::viewer, Role::auditor, Role::finance, Role::operate, Role::releaser}); }

    // A held draw that anna may approve.
    void hold(DrawId id) {
        rules_ = rules::parse_rules("version: 1\napprover_id: 1201\nrules: []\n", "r").value();
        read(test::sample_draw(id, DrawStatus::pending_approval, "7.00"));
        decide(id, /*approve=*/false);
    }
    // Somebody with every role asks.
    Reply ask(const Route& route, const std::string& parameters, const json& body) {
        std::string target(route.pattern);
        for (auto at = target.find('*'); at != std::string::npos; at = target.find('*'))
            target.replace(at, 1, "999");
        const bool is_of_admin = route.allowed.roles().has(Role::admin);
        return send(is_of_admin ? root : anna, std::string(route.method), target + parameters, body);
    }
};

struct Mistake {
    const char* target;
    const char* body;
    const char* words;
};

TEST_F(Documented, a_misspelled_or_mistyped_member_carries_out_no_act) {
    hold(4);
    const auto before = ledger::journal_end(*ledger);
    const Mistake mistakes[] = {
        {"/draws/approve", R"({"ids": [4], "reason": "r", "preview": "true"})", "'preview' must be true or false"},
        {"/draws/approve", R"({"ids": [4], "reason": "r", "preview": 1})", "'preview' must be true or false"},
        {"/draws/approve", R"({"ids": [4], "reason": "r", "preview": null})", "'preview' must be true or false"},
        {"/draws/approve", R"({"ids": [4], "reason": "r", "Preview": true})",
         "unknown member 'Preview': did you mean 'preview'?"},
        {"/draws/approve", R"({"ids": [4], "reason": "r", "expect": {}})",
         "'expect' compares nothing: name at least one of draws, total, seen"},
        {"/draws/approve", R"({"ids": [4], "reason": "r", "expect": {"totl": "7.00"}})",
         "unknown member 'expect.totl': did you mean 'expect.total'?"},
        {"/draws/approve", R"({"ids": [4], "reason": "r", "expect": {"draws": "1"}})",
         "'expect.draws' must be a whole number"},
        {"/draws/approve", R"({"ids": [9223372036854775808], "reason": "r"})", "'ids' must be a list of whole numbers"},
        {"/draws/approve", R"({"ids": [4], "reason": "r", "approver_id": 1.5})",
         "'approver_id' must be a whole number"},
        {"/files/X/release", R"({"reason": "r", "expected": {"total": "1.00"}})", "did you mean 'expect'?"},
        {"/files/X/release", R"({"reason": "r", "expect": {}})", "'expect' compares nothing"},
        {"/files/X/release", R"({"reason": "r", "expect": {"total": 1}})", "'expect.total' must be an amount in text"},
        {"/files/X/release", R"({"reason": "r", "expect": "yes"})", "'expect' must be an object"},
        {"/draws/4/reissue", R"({"reason": "r", "expect": {}})", "'expect' compares nothing"},
        {"/resume", R"({"reason": "r", "nothing_else_sent": "true"})", "'nothing_else_sent' must be true or false"},
        {"/resume", R"({"reason": "r", "despite_exception": true})", "did you mean 'despite_exceptions'?"},
        {"/backup", R"({"fil": "x"})", "unknown member 'fil': did you mean 'file'?"},
        {"/backup", R"({"file": "/x\u0000.ignored"})", "'file' must be text without a NUL character"},
        {"/archive/show", R"({"reason": "r", "name": "a\u0000b"})", "'name' must be text without a NUL character"},
        {"/ingest", R"({"name": "x"})", "unknown member 'name': this route has none"},
        {"/rules/backtest", R"({"rules": "version: 1\nrules: []\n", "file": 5})", "'file' must be text"},
        {"/rules/backtest", R"({"rules": "version: 1\nrules: []\n", "after": "x"})", "'after' must be a whole number"},
        {"/rules/backtest", R"({"rules": "version: 1\nrules: []\n", "after": 1.5})", "'after' must be a whole number"},
        {"/rules/backtest", R"({"rules": "version: 1\nrules: []\n", "after": 9223372036854775808})",
         "'after' must be a whole number"},
        {"/draws/4/explain", R"({"rules": "version: 1\nrules: []\n", "file": 5})", "'file' must be text"},
        {"/exceptions/resolve", R"({"reason": "r", "ids": [9223372036854775809]})", "a list of whole numbers"},
        {"/exceptions/resolve", R"({"reason": "r", "ids": [51, 7, 51]})", "exception 51 is named twice"},
        {"/draws/refresh", R"({"ids": [18446744073709551615]})", "'ids' must be a list of whole numbers"},
        {"/files/X/acknowledge", R"({"reason": "r", "payments": 1, "total": "1e5"})", "write it like 1234.50"},
    };
    for (const auto& one : mistakes) {
        const auto reply = send_text(anna, "POST", one.target, one.body, {});
        EXPECT_EQ(reply.status, 400) << one.target << " " << one.body;
        EXPECT_THAT(reply.error(), HasSubstr(one.words)) << one.target << " " << one.body;
    }
    EXPECT_EQ(state(4), "held");
    EXPECT_EQ(ledger::journal_end(*ledger), before) << "something was recorded";
    EXPECT_THAT(failures_, IsEmpty());
}

TEST_F(Documented, no_route_takes_what_the_document_does_not_name) {
    for (const auto& route : routes()) {
        const std::string name = std::string(route.method) + " " + std::string(route.pattern);
        const auto with_parameter = ask(route, "?zzzz=1", nullptr);
        EXPECT_EQ(with_parameter.status, 400) << name;
        EXPECT_THAT(with_parameter.error(), HasSubstr("unknown parameter 'zzzz'")) << name;
        if (route.pattern == "/ingest/*/bytes") continue;  // the body is the file
        const auto with_member = ask(route, "", {{"zzzz", 1}});
        EXPECT_EQ(with_member.status, 400) << name;
        EXPECT_THAT(with_member.error(), HasSubstr("unknown member 'zzzz'")) << name;
    }
}

// The text that a person signs names the reason.
TEST_F(Documented, what_is_signed_in_the_console_may_have_a_reason) {
    for (const auto& route : routes()) {
        if (console_access(route) != ConsoleAccess::signature) continue;
        const auto members = members_in(words_of(route.method, route.pattern)->body);
        EXPECT_NE(std::ranges::find(members, "reason", &Member::name), members.end()) << route.pattern;
    }
}

TEST_F(Documented, every_flag_is_true_or_false) {
    int flags = 0;
    for (const auto& route : routes()) {
        const auto* about = words_of(route.method, route.pattern);
        ASSERT_NE(about, nullptr) << route.pattern;
        for (const auto& member : members_in(about->body)) {
            if (member.type != "bool") continue;
            ++flags;
            for (const json& wrong : {json("true"), json("yes"), json(1), json(nullptr), json::array({true})}) {
                const auto reply = ask(route, "", {{"reason", "r"}, {"ids", {1}}, {member.name, wrong}});
                EXPECT_EQ(reply.status, 400) << route.pattern << " " << member.name << " " << wrong;
            }
        }
    }
    EXPECT_GE(flags, 4);
}

TEST_F(Documented, a_nul_in_the_address_is_refused) {
    hold(4);
    for (const char* target : {"/draws?text=%00", "/draws?payee=a%00b", "/audit?subject=%00", "/files/X%00Y",
                               "/find?q=%00", "/draws?te%00xt=a"}) {
        const auto reply = send(anna, "GET", target);
        EXPECT_EQ(reply.status, 400) << target;
        EXPECT_THAT(reply.error(), HasSubstr("NUL character")) << target;
    }
}

TEST_F(Documented, a_reason_shows_something_and_is_short) {
    const std::string long_enough(max_reason_bytes, 'x');
    for (const std::string& reason :
         {std::string(), std::string(" \t\r\n"), std::string("\u200b"), std::string("\u00a0"), std::string("\u3000"),
          std::string("\u200b \ufeff"), std::string("\u0001"), std::string("\u0085")}) {
        const auto reply = send(anna, "POST", "/pause", {{"reason", reason}});
        EXPECT_EQ(reply.status, 400) << json(reason);
        EXPECT_THAT(reply.error(), HasSubstr("the reason is empty")) << json(reason);
    }
    for (const std::string& reason :
         {long_enough + "x", std::string("bell\u0007"), std::string("escape \u001b[2J"), std::string(800'000, 'r')}) {
        const auto reply = send(anna, "POST", "/pause", {{"reason", reason}});
        EXPECT_EQ(reply.status, 400) << reason.substr(0, 20);
        EXPECT_THAT(reply.error(), HasSubstr("write at most 500 bytes")) << reason.substr(0, 20);
    }
    EXPECT_EQ(send_text(anna, "POST", "/pause", R"({"reason": "\u0000"})", {}).status, 400);
    EXPECT_FALSE(ledger::is_paused(*ledger));
    EXPECT_EQ(send(anna, "POST", "/pause", {{"reason", long_enough}}).status, 200);
    EXPECT_EQ(send(anna, "POST", "/resume", {{"reason", "two\nlines, \u0646\u0645\u06cc\u200c\u062e"}}).status, 200);
}

TEST_F(Documented, an_entry_of_the_trail_beyond_every_number_is_no_alarm) {
    for (const char* entry : {"99999999999999999999999", "9223372036854775808", "-1", "0", "abc", "1x"}) {
        const auto reply = send(anna, "GET", std::string("/verify?entry=") + entry);
        EXPECT_EQ(reply.status, 400) << entry;
        EXPECT_THAT(reply.error(), Not(HasSubstr("older copy"))) << entry;
    }
    EXPECT_EQ(send(anna, "GET", "/verify?entry=999999").status, 404);
}

TEST_F(Documented, a_total_counts_what_the_list_shows_or_is_refused) {
    ASSERT_EQ(act(anna, "/pause").status, 200);
    ASSERT_EQ(act(anna, "/resume").status, 200);
    const auto trail = send(anna, "GET", "/audit?total=true").body;
    EXPECT_EQ(trail["total"], trail["audit"].size());
    EXPECT_LT(trail["total"], ledger::journal_end(*ledger)) << "the trail has entries that only seal facts";
    EXPECT_EQ(send(anna, "GET", "/audit?total=true&action=paused").status, 400);
    read(test::sample_draw(1, DrawStatus::approved, "5.00"));
    pay(/*release=*/false);
    EXPECT_EQ(send(anna, "GET", "/files?total=true&state=staged").body["total"], 1);
    EXPECT_EQ(send(anna, "GET", "/files?total=true&state=released").body["total"], 0);
    EXPECT_EQ(send(anna, "GET", "/files?total=true").body["total"], 1);
    EXPECT_EQ(send(anna, "GET", "/checks?total=true&state=stale").status, 400);
}

TEST_F(Documented, amounts_have_no_exponent) {
    EXPECT_EQ(send(anna, "GET", "/draws?min_amount=1e5").status, 400);
    EXPECT_EQ(send(anna, "GET", "/draws?max_amount=1E2").status, 400);
    EXPECT_EQ(send(anna, "GET", "/draws?min_amount=12.5").status, 200);
    const json document = send(anna, "GET", "/openapi.json").body;
    EXPECT_EQ(document.dump().find("e5"), std::string::npos);
    for (const auto& parameter : document["paths"]["/draws"]["get"]["parameters"]) {
        if (parameter["name"] != "min_amount") continue;
        const std::regex pattern(parameter["schema"]["pattern"].get<std::string>());
        EXPECT_TRUE(std::regex_match("12.5", pattern));
        EXPECT_FALSE(std::regex_match("1e5", pattern));
        EXPECT_FALSE(std::regex_match("-1.00", pattern));
    }
}

TEST_F(Documented, another_method_names_those_of_the_path) {
    const auto ask_allow = [&](const std::string& method, const std::string& target) {
        asio::io_context io;
        Request request;
        request.method = method;
        request.target = target;
        request.uid = anna;
        Response got;
        asio::co_spawn(io, handle(context_, std::move(request)),
                       [&](const std::exception_ptr&, Response response) { got = std::move(response); });
        io.run();
        return std::to_string(got.status) + " " + got.allow;
    };
    EXPECT_EQ(ask_allow("POST", "/status"), "405 GET");
    EXPECT_EQ(ask_allow("GET", "/pause"), "405 POST");
    EXPECT_EQ(ask_allow("DELETE", "/people"), "405 GET, POST");
    EXPECT_EQ(ask_allow("GET", "/nothing"), "404 ");
    const auto on_port = handle_monitoring(context_, {.method = "POST", .target = "/metrics", .body = {}, .actor = {}});
    EXPECT_EQ(std::to_string(on_port.status) + " " + on_port.allow, "405 GET, HEAD");
}

// The document is what the daemon takes: bodies are closed, and an act without its reason is none.
TEST_F(Documented, bodies_of_requests_are_closed_in_the_document) {
    const json document = send(anna, "GET", "/openapi.json").body;
    int bodies = 0;
    for (const auto& [path, methods] : document["paths"].items()) {
        if (!methods.contains("post") || !methods["post"].contains("requestBody")) continue;
        const auto& body = methods["post"]["requestBody"];
        if (!body["content"].contains("application/json")) continue;
        ++bodies;
        const auto& schema = body["content"]["application/json"]["schema"];
        EXPECT_EQ(schema["additionalProperties"], false) << path;
        EXPECT_EQ(body["required"], schema.contains("required")) << path;
        const auto expect = schema["properties"].value("expect", json{{"$ref", "#/components/schemas/Seen"}});
        EXPECT_THAT(expect.value("$ref", ""), HasSubstr("#/components/schemas/Seen")) << path;
    }
    EXPECT_GT(bodies, 30);
    EXPECT_TRUE(document["paths"]["/ingest/{upload}/bytes"]["post"]["requestBody"]["required"]);
    EXPECT_TRUE(document["paths"]["/ingest/{upload}/bytes"]["post"]["parameters"][1]["required"]);
    for (const char* path : {"/healthz", "/readyz"}) {
        const auto& responses = document["paths"][path]["get"]["responses"];
        EXPECT_EQ(responses["200"]["content"], responses["503"]["content"]) << path;
        EXPECT_EQ(responses["503"]["content"]["application/json"]["schema"]["$ref"], "#/components/schemas/Health");
    }
    const auto& exception = document["components"]["schemas"]["Exception"]["properties"]["payment_id"];
    EXPECT_EQ(exception["anyOf"][0]["type"], "string");
}

}  // namespace
}  // namespace drawbridge::admin
