// What the console reads: lists, filters, one file before its release, the calendar, the audit trail.
#include <map>
#include <regex>

#include "admin/console_fixture.hpp"
#include "routes.hpp"

namespace drawbridge::admin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class Reading : public ConsoleFixture {
  protected:
    [[nodiscard]] json get(const std::string& target) {
        const auto reply = send(7001, "GET", target);
        EXPECT_EQ(reply.status, 200) << target << ": " << reply.error();
        return reply.body;
    }
    static std::vector<std::int64_t> ids(const json& list) {
        std::vector<std::int64_t> all;
        for (const auto& row : list)
            all.push_back(row["id"].get<std::int64_t>());
        return all;
    }
    std::string raise(const std::string& step, const std::string& code) {
        ledger->transaction([&] {
            ledger::raise_exception(*ledger, {step, code, std::nullopt, std::nullopt, code + " file", "detail"},
                                    stamp());
        });
        return std::to_string(ledger::open_exceptions(*ledger).back().exception_id);
    }
};

TEST_F(Reading, the_pulse_moves_with_every_change) {
    const auto before = get("/pulse");
    EXPECT_EQ(before["files_waiting"], 0);
    EXPECT_EQ(before["paused"], false);
    stage(7);
    raise("pay", "no_payee");
    const auto after = get("/pulse");
    EXPECT_EQ(after["files_waiting"], 1);
    EXPECT_EQ(after["open_exceptions"], 1);
    EXPECT_GT(after["audit_seq"], before["audit_seq"]);
}

TEST_F(Reading, find_names_everything_that_a_number_may_be) {
    const auto file = stage(7);
    const auto kinds = [&](const std::string& q) {
        std::vector<std::string> found;
        const json answer = get("/find?q=" + q);
        for (const auto& match : answer["matches"])
            found.push_back(match["kind"].get<std::string>() + " " + match["path"].get<std::string>());
        return found;
    };
    const auto row = *ledger::find_file(*ledger, file);
    const auto payment = ledger::load_file(*ledger, row.file_id).file.payments.front();
    EXPECT_THAT(kinds("7"), ::testing::Contains("draw /draws/7"));
    EXPECT_THAT(kinds(disbursement::format_payment_id(payment.payment_id)), ElementsAre("payment /draws/7"));
    EXPECT_THAT(kinds(*payment.trace_number), ::testing::Contains("payment /draws/7"));
    EXPECT_THAT(kinds(file), ElementsAre("file /files/" + file));
    EXPECT_THAT(kinds(row.sha256), ElementsAre("file /files/" + file));
    EXPECT_THAT(kinds("$125.00"), ::testing::Contains("draw /draws/7"));
    EXPECT_THAT(kinds("125.00"), ::testing::Contains("file /files/" + file));
    EXPECT_THAT(kinds("no%20such%20thing"), IsEmpty());
    EXPECT_THAT(kinds("%25"), IsEmpty()) << "a wildcard finds itself";
    EXPECT_EQ(send(7001, "GET", "/find").status, 400);
}

TEST_F(Reading, draws_are_filtered_sorted_and_summed) {
    read(test::sample_draw(1, DrawStatus::pending_approval, "10.00"));
    read(test::sample_draw(2, DrawStatus::pending_approval, "30.00"));
    read(test::sample_draw(3, DrawStatus::approved, "20.00"));
    const auto listed = [&](const std::string& query) { return ids(get("/draws?" + query)["draws"]); };
    EXPECT_THAT(listed("state=pending"), ElementsAre(1, 2));
    EXPECT_THAT(listed("min_amount=15.00"), ElementsAre(2, 3));
    EXPECT_THAT(listed("min_amount=15.00&max_amount=25.00"), ElementsAre(3));
    EXPECT_THAT(listed("sort=-amount"), ElementsAre(2, 3, 1));
    EXPECT_THAT(listed("sort=amount&limit=2&after=1"), ElementsAre(3, 2));
    EXPECT_THAT(listed("sort=-id"), ElementsAre(3, 2, 1));
    auto without = test::sample_draw(4, DrawStatus::pending_approval, "1.00");
    without.amount_requested.reset();
    read(without);
    EXPECT_THAT(listed("sort=amount"), ElementsAre(1, 3, 2, 4)) << "no amount comes last";
    EXPECT_THAT(listed("sort=-amount"), ElementsAre(2, 3, 1, 4)) << "in both directions";
    EXPECT_THAT(listed("sort=-amount&limit=2&after=3"), ElementsAre(1, 4));
    EXPECT_THAT(listed("sort=-id&after=3&limit=1"), ElementsAre(2));
    EXPECT_THAT(listed("workflow=999999"), IsEmpty());
    EXPECT_THAT(listed("text=zzzz"), IsEmpty());
    const auto summed = get("/draws?min_amount=15.00&total=true&limit=1");
    EXPECT_EQ(summed["total"], 2);
    EXPECT_EQ(summed["sum"], "50.00");
    EXPECT_EQ(summed["next_after"], 2);
    EXPECT_EQ(get("/draws?total=true")["sum"], "60.00");
    for (const char* wrong : {"sort=x", "min_amount=x", "workflow=x", "state=x", "what=x"})
        EXPECT_EQ(send(7001, "GET", std::string("/draws?") + wrong).status, 400) << wrong;
}

TEST_F(Reading, a_timeline_names_what_each_entry_is_about) {
    const auto file = stage(7);
    const json answer = get("/draws/7");
    bool found = false;
    for (const auto& entry : answer["timeline"]) {
        EXPECT_TRUE(entry.contains("by") && entry.contains("payment_id") && entry.contains("exception_id"));
        found = found || (entry["what"] == "payment" && entry["file"] == file && !entry["payment_id"].is_null());
    }
    EXPECT_TRUE(found) << answer.dump(1);
}

TEST_F(Reading, exceptions_are_filtered_and_closed_ones_are_listed_too) {
    const auto first = raise("pay", "no_payee");
    raise("confirm", "file_refused");
    EXPECT_THAT(get("/exceptions")["exceptions"], SizeIs(2));
    EXPECT_THAT(get("/exceptions?reason=no_payee")["exceptions"], SizeIs(1));
    EXPECT_THAT(get("/exceptions?step=confirm")["exceptions"], SizeIs(1));
    EXPECT_THAT(get("/exceptions?state=closed")["exceptions"], IsEmpty());
    ASSERT_EQ(act(7001, "/exceptions/" + first + "/resolve").status, 200);
    const auto closed = get("/exceptions?state=closed&total=true");
    EXPECT_EQ(closed["total"], 1);
    EXPECT_EQ(closed["exceptions"][0]["reason_code"], "no_payee");
    EXPECT_EQ(send(7001, "GET", "/exceptions?step=x").status, 400);
    const auto misspelled = send(7001, "GET", "/exceptions?reason=no_paye");
    EXPECT_EQ(misspelled.status, 400);
    EXPECT_THAT(misspelled.body.dump(), HasSubstr("unknown reason code 'no_paye': did you mean 'no_payee'?"));
}

TEST_F(Reading, files_come_newest_first_and_by_state) {
    const auto first = stage(7);
    now += std::chrono::hours(1);
    const auto second = stage(8);
    const auto names = [&](const std::string& query) {
        std::vector<std::string> all;
        const json answer = get(query.empty() ? "/files" : "/files?" + query);
        for (const auto& file : answer["files"])
            all.push_back(file["name"]);
        return all;
    };
    EXPECT_THAT(names("order=oldest"), ElementsAre(first, second));
    EXPECT_THAT(names(""), ElementsAre(second, first));
    EXPECT_THAT(names("order=newest"), ElementsAre(second, first));
    EXPECT_THAT(names("order=newest&limit=1"), ElementsAre(second));
    EXPECT_THAT(names("state=staged"), ElementsAre(second, first));
    EXPECT_THAT(names("state=staged&order=oldest"), ElementsAre(first, second));
    EXPECT_THAT(names("state=released&order=newest"), IsEmpty());
    EXPECT_EQ(send(7001, "GET", "/files?state=x").status, 400);
}

TEST_F(Reading, a_file_says_who_may_release_it_and_what_is_in_it) {
    const auto name = stage(7);
    const auto of_maker = get("/files/" + name);
    EXPECT_EQ(of_maker["may_release"]["ok"], false);
    EXPECT_THAT(of_maker["may_release"]["because"].get<std::string>(), HasSubstr("Ben"));
    EXPECT_EQ(of_maker["first_time_payees"]["count"], 1);
    EXPECT_EQ(of_maker["first_time_payees"]["amount"], "125.00");
    EXPECT_EQ(of_maker["largest_payment"], "125.00");
    ASSERT_THAT(of_maker["batches"], SizeIs(1));
    EXPECT_EQ(of_maker["batches"][0]["credits"], "125.00");
    EXPECT_EQ(of_maker["control"]["batch_count"], 1);
    EXPECT_EQ(of_maker["control"]["entry_addenda_count"], 1);
    EXPECT_EQ(of_maker["control"]["block_count"], 1);
    EXPECT_THAT(of_maker["payments"], SizeIs(1));
    const auto of_ben = send(7002, "GET", "/files/" + name).body;
    EXPECT_EQ(of_ben["may_release"]["ok"], true) << of_ben["may_release"].dump();
    ASSERT_EQ(act(7002, "/files/" + name + "/release").status, 200);
    const auto released = get("/files/" + name);
    EXPECT_EQ(released["file"]["release_reason"], "because");
    EXPECT_THAT(released["may_release"]["because"].get<std::string>(), HasSubstr("already released"));
}

TEST_F(Reading, payments_of_a_file_come_in_pages) {
    for (const DrawId id : {11, 12, 13})
        read(test::sample_draw(id, DrawStatus::approved));
    pay_as(stamp("uid 7001 (maker)"), /*release=*/false);
    const auto name = ledger::payment_files(*ledger, true).back().name;
    std::vector<std::int64_t> draws;
    std::string after;
    for (int page = 0; page < 5; ++page) {
        const auto answer = get("/files/" + name + "?payments_limit=2" + after);
        for (const auto& payment : answer["payments"])
            draws.push_back(payment["draw_id"]);
        if (answer["next_payments_after"].is_null()) break;
        after = "&payments_after=" + std::to_string(answer["next_payments_after"].get<std::int64_t>());
    }
    std::ranges::sort(draws);
    EXPECT_THAT(draws, ElementsAre(11, 12, 13));
    EXPECT_THAT(get("/files/" + name)["payments"], SizeIs(3)) << "without a limit: all of them";
}

TEST_F(Reading, confirmation_files_and_their_lines) {
    stage(7);
    confirm({}, "empty.csv");
    const auto list = get("/confirmations?total=true");
    ASSERT_THAT(list["confirmations"], SizeIs(1));
    EXPECT_EQ(list["confirmations"][0]["name"], "empty.csv");
    const auto sha = list["confirmations"][0]["sha256"].get<std::string>();
    EXPECT_EQ(get("/confirmations/" + sha)["confirmation"]["outcome"], "applied");
    EXPECT_EQ(get("/confirmations/" + sha.substr(0, 8))["lines"], json::array());
    EXPECT_EQ(send(7001, "GET", "/confirmations/" + std::string(64, '0')).status, 404);
    EXPECT_EQ(send(7001, "GET", "/confirmations/xyz").status, 400);
}

TEST_F(Reading, the_audit_trail_is_filtered_and_paged) {
    act(7001, "/pause");
    const auto all = get("/audit?limit=3");
    ASSERT_THAT(all["audit"], SizeIs(3));
    EXPECT_GT(all["audit"][0]["seq"], all["audit"][1]["seq"]);
    const auto next = get("/audit?limit=3&after=" + std::to_string(all["next_after"].get<std::int64_t>()));
    EXPECT_LT(next["audit"][0]["seq"], all["audit"][2]["seq"]);
    const auto of_pause = get("/audit?action=paused&actor=7001");
    ASSERT_THAT(of_pause["audit"], SizeIs(1)) << of_pause.dump(1);
    EXPECT_EQ(of_pause["next_after"], nullptr);
    EXPECT_EQ(get("/audit?action=%25nothing")["audit"], json::array());
    EXPECT_EQ(get("/audit?action=paused&actor=mia")["audit"], of_pause["audit"]) << "the uid belongs to Mia";
    EXPECT_EQ(get("/audit?action=paused&actor=ben")["audit"], json::array());
    const auto unfiltered = get("/audit");
    for (const auto& entry : unfiltered["audit"])
        EXPECT_NE(entry["action"], "facts.sealed");
}

TEST_F(Reading, the_calendar_and_the_forecast_put_money_on_its_day) {
    stage(7);
    office_.config.pay.cutoffs = {std::chrono::hours(14)};
    read(test::sample_draw(8, DrawStatus::pending_approval, "10.00"));
    const json month = get("/calendar?from=2026-03-04&to=2026-03-12");
    Money settles;
    for (const auto& day : month["days"])
        settles += Money::parse(day["settles"]["amount"].get<std::string>()).value();
    EXPECT_EQ(settles.to_string(), "125.00");
    const json cash = get("/forecast?days=8");
    ASSERT_THAT(cash["days"], SizeIs(8));
    EXPECT_EQ(cash["next_run_at"], "2026-03-04T19:00:00.000Z");
    EXPECT_EQ(cash["days"][1]["date"], "2026-03-05");
    EXPECT_EQ(cash["days"][1]["possible"]["amount"], "10.00");
    Money waiting;
    for (const auto& day : cash["days"])
        waiting += Money::parse(day["waiting"]["amount"].get<std::string>()).value();
    EXPECT_EQ(waiting.to_string(), "125.00");
    EXPECT_EQ(send(7001, "GET", "/calendar?from=2026-03-04&to=2026-03-01").status, 400);
    EXPECT_EQ(send(7001, "GET", "/calendar?from=9999-12-31").status, 400) << "it would have days of the year 10000";
    EXPECT_EQ(send(7001, "GET", "/calendar?from=9999-12-31&to=9999-12-31").status, 200);
    EXPECT_EQ(send(7001, "GET", "/forecast?days=0").status, 400);
}

TEST_F(Reading, a_file_that_missed_its_settlement_date_is_overdue) {
    const auto name = stage(7);
    EXPECT_EQ(get("/forecast")["overdue"]["count"], 0);
    clock_.at += std::chrono::days(8);
    const json cash = get("/forecast");
    EXPECT_EQ(cash["overdue"]["count"], 1);
    EXPECT_EQ(cash["overdue"]["amount"], "125.00");
    const json waits = get("/status")["needs_attention"]["files_waiting_for_release"];
    ASSERT_THAT(waits, SizeIs(1));
    EXPECT_EQ(waits[0]["missed_settlement"], true);
}

TEST_F(Reading, a_return_changes_no_earlier_day_of_the_calendar) {
    const auto name = stage(7);
    const auto file = ledger::find_file(*ledger, name).value();
    ledger->transaction([&] {
        ASSERT_TRUE(ledger::order_release(*ledger, file, "test", stamp(releaser_)));
        ledger::record_released(*ledger, file.file_id, stamp());
    });
    EXPECT_EQ(get("/files/" + name)["file"]["release_ordered_by"], "Ben (uid 7002)");
    const auto payment = ledger::load_file(*ledger, file.file_id).file.payments.front();
    const auto settles = payment.effective_entry_date.value();
    const std::string day = "/calendar?from=" + format_date(settles) + "&to=" + format_date(settles);
    const json before = get(day)["days"][0];
    EXPECT_EQ(before["settles"]["amount"], "125.00");
    confirm({{2, *payment.trace_number, ConfirmationKind::returned, payment.amount,
              test::sample_plan_settings().zone.date_of(now)}},
            "returns.csv");
    ASSERT_EQ(state(7), "returned");
    EXPECT_EQ(get(day)["days"][0], before);
}

TEST_F(Reading, rules_are_shown_with_their_hits_and_checked_line_by_line) {
    const std::string text =
        "version: 1\napprover_id: 1201\nrules:\n  - name: small\n    when:\n      amountRequested: "
        "{lte: 50.00}\n    approve: {}\n";
    const auto parsed = rules::parse_rules(text, "rules.yaml");
    ASSERT_TRUE(parsed) << text::to_string(parsed.error());
    rules_ = *parsed;
    const auto shown = get("/rules");
    EXPECT_EQ(shown["sha256"], rules_.sha256);
    ASSERT_THAT(shown["rules"], SizeIs(1));
    EXPECT_THAT(shown["rules"][0]["text"].get<std::string>(), HasSubstr("name: small"));
    EXPECT_EQ(shown["never_matched"], json{"small"});
    EXPECT_EQ(send(7001, "POST", "/rules/check", {{"rules", text}}).body["ok"], true);
    const auto wrong = send(7001, "POST", "/rules/check", {{"rules", "rules: 7\n"}, {"file", "mine.yaml"}}).body;
    EXPECT_EQ(wrong["ok"], false);
    EXPECT_EQ(wrong["diagnostics"][0]["file"], "mine.yaml");
    EXPECT_GT(wrong["diagnostics"][0]["line"], 0);
}

// Everybody waits while the daemon reads it.
TEST_F(Reading, a_rule_file_to_try_is_not_too_large) {
    read(test::sample_draw(9, DrawStatus::approved, "12.34"));
    const std::string small = "version: 1\nrules: []\n";
    const std::string large = small + "#" + std::string(256 * 1024, 'x') + "\n";
    for (const auto& [target, body] : {std::pair<std::string, json>("/rules/check", {{"rules", large}}),
                                       {"/rules/backtest", {{"rules", large}}},
                                       {"/rules/backtest", {{"rules", small}, {"base", large}}},
                                       {"/draws/9/explain", {{"rules", large}}}}) {
        const auto refused = send(7001, "POST", target, body);
        EXPECT_THAT(refused.body.dump(), HasSubstr("bytes, and may have 262144")) << target;
    }
}

TEST_F(Reading, an_exception_has_the_amount_of_what_it_is_about) {
    read(test::sample_draw(9, DrawStatus::approved, "12.34"));
    ledger->transaction(
        [&] { ledger::raise_exception(*ledger, {"pay", "no_payee", 9, std::nullopt, "", "detail"}, stamp()); });
    EXPECT_EQ(get("/exceptions")["exceptions"][0]["amount"], "12.34");
    EXPECT_EQ(get("/draws/9")["exceptions"][0]["amount"], "12.34");
    const auto about_no_money = raise("confirm", "file_refused");
    EXPECT_EQ(get("/exceptions/" + about_no_money)["exception"]["amount"], nullptr);
}

TEST_F(Reading, a_limit_that_is_too_large_is_refused_with_the_maximum) {
    for (const char* list :
         {"alerts", "audit", "backups", "checks", "confirmations", "draws", "exceptions", "files", "runs"}) {
        const auto refused = send(7001, "GET", "/" + std::string(list) + "?limit=1001");
        EXPECT_EQ(refused.status, 400) << list;
        EXPECT_THAT(refused.error(), HasSubstr("limit 1001 is too large: the maximum is 1000")) << list;
    }
    EXPECT_THAT(send(7001, "GET", "/files/" + stage(7) + "?payments_limit=1001").error(),
                HasSubstr("the maximum is 1000"));
}

// What does not fit this schema of the document. It knows the part of JSON Schema that the document uses.
std::vector<std::string> misfits(const json& document, const json& value, const json& schema, const std::string& at) {
    std::vector<std::string> found;
    const auto add = [&](std::vector<std::string> more) { std::ranges::move(more, std::back_inserter(found)); };
    if (schema.contains("$ref")) {
        const auto target = schema["$ref"].get<std::string>().substr(1);
        return misfits(document, value, document.at(json::json_pointer(target)), at);
    }
    if (schema.contains("anyOf")) {
        for (const auto& part : schema["anyOf"]) {
            found = misfits(document, value, part, at);
            if (found.empty()) return found;
            if (!value.is_null()) return found;  // the first part says what else it may be
        }
        return found;
    }
    const std::map<std::string, bool> types = {{"string", value.is_string()},          {"null", value.is_null()},
                                               {"integer", value.is_number_integer()}, {"boolean", value.is_boolean()},
                                               {"number", value.is_number()},          {"array", value.is_array()},
                                               {"object", value.is_object()}};
    if (schema.contains("type") && !types.at(schema["type"].get<std::string>()))
        return {at + " is no " + schema["type"].dump() + ": " + value.dump()};
    if (schema.contains("enum") && std::ranges::find(schema["enum"], value) == schema["enum"].end())
        found.push_back(at + " is none of " + schema["enum"].dump() + ": " + value.dump());
    if (schema.contains("pattern") &&
        !std::regex_match(value.get<std::string>(), std::regex(schema["pattern"].get<std::string>())))
        found.push_back(at + " does not match: " + value.dump());
    for (const auto& name : schema.value("required", json::array())) {
        if (!value.contains(name.get<std::string>())) found.push_back(at + " lacks " + name.dump());
    }
    if (schema.contains("properties")) {
        for (const auto& [name, part] : value.items()) {
            if (!schema["properties"].contains(name)) {
                found.push_back(at + " has '" + name + "', which the document lacks");
            } else {
                add(misfits(document, part, schema["properties"][name], at + "." + name));
            }
        }
    }
    if (schema.contains("items")) {
        for (const auto& part : value)
            add(misfits(document, part, schema["items"], at + "[]"));
    }
    return found;
}

// Every route, and the members and types of the answers that this fixture can give.
TEST_F(Reading, the_openapi_document_describes_every_route_and_its_answer) {
    const auto file = stage(7);
    confirm({}, "empty.csv");
    raise("pay", "no_payee");
    rules_.sha256 = std::string(64, 'a');
    const json document = get("/openapi.json");
    for (const auto& route : routes()) {
        const std::string pattern(route.pattern);
        const auto path = std::ranges::find_if(document["paths"].items(), [&](const auto& one) {
            return std::regex_replace(one.key(), std::regex(R"(\{[^}]*\})"), "*") == pattern;
        });
        ASSERT_TRUE(path != document["paths"].items().end()) << pattern << " is not described";
        const std::string method = route.method == "GET" ? "get" : "post";
        ASSERT_TRUE(path.value().contains(method)) << pattern;
        EXPECT_FALSE(path.value()[method]["x-roles"].empty());
    }
    const std::pair<std::string, std::string> asked[] = {
        {"/status", "/status"},
        {"/pulse", "/pulse"},
        {"/find", "/find?q=7"},
        {"/draws", "/draws?total=true"},
        {"/draws/{id}", "/draws/7"},
        {"/rules", "/rules"},
        {"/exceptions", "/exceptions"},
        {"/exceptions/{id}", "/exceptions/1"},
        {"/files", "/files?total=true"},
        {"/files/{name}", "/files/" + file},
        {"/confirmations", "/confirmations"},
        {"/confirmations/{sha256}", "/confirmations/" + sha256_hex("empty.csv")},
        {"/checks", "/checks"},
        {"/checks", "/checks?state=stale"},
        {"/alerts", "/alerts?total=true"},
        {"/backups", "/backups"},
        {"/verify", "/verify"},
        {"/reconcile", "/reconcile"},
        {"/changes", "/changes"},
        {"/runs", "/runs"},
        {"/audit", "/audit"},
        {"/people", "/people"},
        {"/passkeys", "/passkeys"},
        {"/openapi.json", "/openapi.json"},
    };
    for (const auto& [path, target] : asked) {
        const auto& schema =
            document["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"];
        const json answer = get(target);
        EXPECT_THAT(misfits(document, get(target), schema, target), IsEmpty());
    }
}

}  // namespace
}  // namespace drawbridge::admin
