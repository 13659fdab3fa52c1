#include "drawbridge/pages/screens.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/describe/enumerators.hpp>
#include <boost/mp11/algorithm.hpp>
#include <regex>
#include <set>

#include "drawbridge/domain/timeline_event.hpp"
#include "pages/screen_list.hpp"

namespace drawbridge::pages {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::size_t count(const std::string& page, std::string_view word) {
    std::size_t times = 0;
    for (auto at = page.find(word); at != std::string::npos; at = page.find(word, at + word.size()))
        ++times;
    return times;
}

TEST(Screens, have_one_heading_one_main_part_and_no_inline_style_or_script) {
    for (const auto& screen : samples::screens()) {
        const std::string page = screen.make(Theme::system, {});
        EXPECT_EQ(count(page, "<h1>"), 1U) << screen.name;
        EXPECT_EQ(count(page, "<main "), 1U) << screen.name;
        EXPECT_EQ(count(page, " style="), 0U) << screen.name;
        EXPECT_EQ(count(page, "<style"), 0U) << screen.name;
        EXPECT_EQ(count(page, "<script"), count(page, "<script type=\"module\" src=\"/assets/")) << screen.name;
        EXPECT_THAT(page, HasSubstr("<html lang=\"en\"")) << screen.name;
        EXPECT_FALSE(std::regex_search(page, std::regex(R"( on[a-z]+=)"))) << screen.name;
    }
}

TEST(Screens, have_each_id_once_and_a_label_for_each_field) {
    const std::regex id(R"re( id="([^"]*)")re"), label_for(R"re( for="([^"]*)")re");
    for (const auto& screen : samples::screens()) {
        const std::string page = screen.make(Theme::system, {});
        std::set<std::string> ids;
        for (std::sregex_iterator at(page.begin(), page.end(), id), end; at != end; ++at)
            EXPECT_TRUE(ids.insert((*at)[1]).second) << screen.name << ": " << (*at)[1];
        for (std::sregex_iterator at(page.begin(), page.end(), label_for), end; at != end; ++at)
            EXPECT_TRUE(ids.contains((*at)[1])) << screen.name << ": " << (*at)[1];
    }
}

TEST(Screens, stay_small_where_a_list_is_one_page_of_200_rows) {
    for (const auto& screen : samples::screens()) {
        if (screen.name == "file-many") continue;  // 500 payments
        EXPECT_LT(screen.make(Theme::system, {}).size(), 200'000U) << screen.name;
    }
}

TEST(Screens, show_something_for_an_answer_that_lacks_everything) {
    const PageContext page = samples::context("/");
    const Json nothing = nullptr, empty = Json::object(), wrong = Json::array({1, "x", nullptr});
    for (const Json& answer : {nothing, empty, wrong}) {
        for (const std::string& made : {today_page(page, answer, answer, answer),
                                        files_page(page, answer, {}),
                                        file_page(page, answer),
                                        exceptions_page(page, answer, answer, {}),
                                        exception_page(page, answer, answer),
                                        draws_page(page, answer, {}),
                                        draw_page(page, answer, answer, answer),
                                        bank_files_page(page, answer, answer),
                                        bank_preview_page(page, "", "", answer),
                                        bank_file_page(page, answer),
                                        checks_page(page, answer, answer, {}),
                                        calendar_page(page, answer, answer),
                                        rules_page(page, answer, answer, answer, answer),
                                        change_page(page, answer),
                                        audit_page(page, answer, answer, {}),
                                        signed_act_page(page, answer),
                                        people_page(page, answer, answer, answer),
                                        calendar_day_page(page, answer, answer),
                                        find_page(page, "", answer),
                                        sign_page(page, answer, ""),
                                        error_page(page, 500, answer)})
            EXPECT_THAT(made, HasSubstr("</html>"));
    }
    PageContext nobody = page;
    nobody.me = nullptr;
    nobody.pulse = nullptr;
    EXPECT_THAT(today_page(nobody, nothing, nothing, nothing), HasSubstr("Sign in"));
    EXPECT_THAT(me_page(nobody, nothing), HasSubstr("</html>"));
}

TEST(Today, says_in_a_sentence_whether_a_person_is_needed) {
    const PageContext page = samples::context("/");
    EXPECT_THAT(today_page(page, samples::status(2, 5), samples::exceptions(5), nullptr),
                HasSubstr("<h1>Two files are waiting for release. Five exceptions are open.</h1>"));
    EXPECT_THAT(today_page(page, samples::status(0, 0), samples::exceptions(0), nullptr),
                HasSubstr("<h1>Nothing needs a person.</h1>"));
    EXPECT_THAT(today_page(page, samples::status(0, 1), samples::exceptions(1), nullptr),
                HasSubstr("<h1>One exception is open.</h1>"));
    Json proposed = samples::status(0, 0);
    proposed["change_control"]["waiting"].push_back(Json::object());
    EXPECT_THAT(today_page(page, proposed, samples::exceptions(0), nullptr),
                HasSubstr("<h1>One change is waiting for two people.</h1>"));
}

TEST(Today, shows_where_the_money_is_with_its_cents) {
    const std::string page = today_page(samples::context("/"), samples::status(2, 5), nullptr, nullptr);
    EXPECT_THAT(page, HasSubstr("$182,340<span class=\"cents\">.10</span>"));
    EXPECT_THAT(page, HasSubstr("164 draws, 2 files"));
}

TEST(Today, counts_in_each_tile_what_its_link_lists) {
    Json answer = samples::status(0, 0);
    answer["states"] = Json::array({{{"state", "held"}, {"count", 3}, {"amount", "30.00"}},
                                    {{"state", "blocked"}, {"count", 2}, {"amount", "5.00"}}});
    const std::string page = today_page(samples::context("/"), answer, nullptr, nullptr);
    EXPECT_TRUE(std::regex_search(page, std::regex(R"(state=held"><[^$]*\$30<[^$]*>3 draws)"))) << page;
    EXPECT_THAT(page, HasSubstr("state=blocked\">Blocked $5.00 (2)</a>"));
}

TEST(Today, names_the_hosts_of_a_ledger_in_postgresql) {
    Json answer = samples::status(0, 0);
    EXPECT_THAT(today_page(samples::context("/"), answer, nullptr, nullptr), Not(HasSubstr("PostgreSQL")));
    answer["ledger"]["hosts"] = samples::hosts();
    const std::string page = today_page(samples::context("/"), answer, nullptr, nullptr);
    EXPECT_THAT(page, HasSubstr("in PostgreSQL, written by hall-1 812 since "));
    EXPECT_THAT(page, HasSubstr("today 13:18</time>, nothing behind"));
    EXPECT_THAT(page, HasSubstr("missing</span> annex-1, seen "));
    EXPECT_THAT(page, HasSubstr("db-2, sync, lag 12 ms"));
    EXPECT_THAT(page, HasSubstr("lags</span> db-3, async, lag 48,211 ms"));
}

TEST(Draws, keep_the_workflow_when_another_filter_is_chosen) {
    const PageContext page = samples::context("/draws?workflow=12&state=held");
    EXPECT_THAT(draws_page(page, samples::draws(2), {{"workflow", "12"}, {"state", "held"}}),
                HasSubstr("name=\"workflow\" value=\"12\""));
    EXPECT_THAT(draws_page(page, samples::draws(2), {}), Not(HasSubstr("name=\"workflow\"")));
}

std::string headed(std::string_view event, const std::string& detail) {
    Json answer = samples::draw();
    answer["timeline"] =
        Json::array({{{"at", "2026-11-20T14:15:00.000Z"}, {"what", "payment"}, {"event", event}, {"detail", detail}}});
    const std::string page = draw_page(samples::context("/draws/100041"), answer, nullptr, nullptr);
    std::smatch found;
    const std::regex entry(R"re(<li class="([a-z]*)"><time.*?<div><p>([^<]*)</p>)re");
    return std::regex_search(page, found, entry) ? found.str(1) + ": " + found.str(2) : "none";
}

TEST(Draw, heads_an_entry_by_its_event_whatever_its_text_says) {
    const std::string all = "to be sent, approve, submitted, accepted, staged, voided, released, delivered, returned";
    EXPECT_EQ(headed("report_failed", "attempt: refused (422): " + all), "alarm: Report to the service failed");
    EXPECT_EQ(headed("report_withdrawn", "withdrawn: it never reached the service"), ": Report withdrawn");
    EXPECT_EQ(headed("decided_hold", "hold: to be approved by the director"), "wait: Held");
    EXPECT_EQ(headed("line_exception", "bank.csv line 2: paid 10.00: exception"),
              "alarm: A line of the bank that decided nothing");
    EXPECT_EQ(headed("line_paid", "returned items of november.csv line 1"), "good: Confirmed by the bank");
    EXPECT_EQ(headed("payment_planned", "P1: 10.00 to Released Prisoners Fund"), "good: Payment planned");
    EXPECT_EQ(headed("from_a_later_version", all), ": Payment") << "an event that this console does not know";
}

TEST(Draw, names_the_payee_and_tells_times_of_the_office) {
    const std::string page = draw_page(samples::context("/draws/100041"), samples::draw(), nullptr, nullptr);
    EXPECT_THAT(page, HasSubstr("Harbor Drive Apartments (PAYEE-0002)"));
    EXPECT_THAT(page, HasSubstr("modified by ingrid at Fri, Nov 20 09:14<"));
    Json held = samples::draw();
    held["draw"]["state"] = "held";
    EXPECT_THAT(draw_page(samples::context("/draws/100041"), held, nullptr, nullptr),
                HasSubstr("$19,513.82 to Harbor Drive Apartments (PAYEE-0002). You can then not release"));
}

TEST(Draw, says_what_holds_it_although_the_rules_approve_it) {
    Json explained = samples::explanation({});
    const PageContext page = samples::context("/draws/100041");
    EXPECT_THAT(draw_page(page, samples::draw({}), explained), Not(HasSubstr("Held all the same")));
    explained["held_because"] = "an approval of this draw was submitted before";
    EXPECT_THAT(draw_page(page, samples::draw({}), explained),
                HasSubstr("Held all the same: an approval of this draw was submitted before"));
}

TEST(Draw, has_a_heading_for_every_event) {
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<TimelineEvent>>([](auto one) {
        EXPECT_FALSE(headed(one.name, "x").ends_with(": ")) << one.name;
        EXPECT_EQ(parse_timeline_event(to_string(one.value)), one.value);
    });
}

TEST(ChangePage, says_when_this_acceptance_is_the_one_that_counts) {
    Json answer = samples::change();
    const auto made = [&] { return change_page(samples::context("/changes/x"), answer); };
    EXPECT_THAT(made(), HasSubstr("once a second person has accepted it"));
    answer["change"]["accepted"] = Json::array({{{"by", "uid 1001 (ben)"}, {"counts", true}}});
    EXPECT_THAT(made(), HasSubstr("It takes effect at once: ben has accepted it."));
    answer["change"]["accepted"][0]["counts"] = false;
    EXPECT_THAT(made(), HasSubstr("once a second person has accepted it"));
    answer["change"]["accepted"][0]["counts"] = true;
    answer["accepted_by_you"] = true;  // as that uid
    EXPECT_THAT(made(), AllOf(HasSubstr("You have accepted it: another person must accept it too."),
                              HasSubstr("Sign and reject"), Not(HasSubstr("Sign and accept"))));
}

TEST(People, tells_what_a_key_claims_about_itself_as_its_claim) {
    Json keys = samples::passkeys();
    keys["passkeys"][0]["backup_eligible"] = false;
    const std::string page = people_page(samples::context("/people"), samples::people(2), keys, nullptr);
    EXPECT_THAT(page, HasSubstr("says it is bound to one device"));
}

TEST(People, tells_whom_a_waiting_change_is_about) {
    PageContext context = samples::context("/people");
    set_reader(context, samples::me("Erin Walsh", "passkey", {"admin"}));
    const std::string page = people_page(context, samples::people(4), samples::passkeys(), nullptr);
    EXPECT_THAT(page, HasSubstr("Grant finance: person 3, Carla Dubois</p>"));
    EXPECT_THAT(page, HasSubstr("Change 4 is not made (grant finance: person 3, Carla Dubois)."));
    EXPECT_THAT(page, HasSubstr("Change 4 is made (grant finance: person 3, Carla Dubois). Neither"));
}

TEST(BankFiles, are_taken_as_the_format_with_which_they_were_previewed) {
    Json preview = samples::preview(2);
    preview["profile"] = nullptr;  // "csv" is a format, not a profile
    const std::string page = bank_preview_page(samples::context("/bank-files/preview"), "u1", "csv", preview);
    EXPECT_EQ(count(page, "type=\"hidden\" name=\"profile\" value=\"csv\""), 1U);
    EXPECT_THAT(page, HasSubstr("/bank-files/preview.csv?upload=u1&amp;name=bank-20261123.csv&amp;profile=csv"));
}

TEST(BankFiles, say_of_a_refused_preview_that_nothing_is_recorded) {
    Json refused = {{"name", "a.csv"}, {"fate", "refused"}, {"problems", {"line 3: no amount"}}};
    const std::string preview = bank_preview_page(samples::context("/bank-files"), "u", "", refused);
    EXPECT_THAT(preview,
                AllOf(HasSubstr("Nothing is recorded until you quarantine it."), Not(HasSubstr("is kept byte"))));
    refused["confirmation"] = {{"name", "a.csv"}, {"outcome", "refused"}};
    EXPECT_THAT(bank_file_page(samples::context("/bank-files/a"), refused), HasSubstr("is kept byte for byte"));
}

TEST(BankFiles, count_with_separators) {
    const Json file = {{"fate", "taken"}, {"exceptions", 60'000}, {"duplicates", 7'000}, {"without_effect", 8'000}};
    const std::string page = bank_preview_page(samples::context("/bank-files"), "u", "", file);
    EXPECT_THAT(page, AllOf(HasSubstr(">60,000<"), HasSubstr(">7,000<"), HasSubstr(">8,000<")));
}

TEST(BankFiles, say_that_a_file_over_the_maximum_size_was_not_read) {
    Json list = samples::confirmations(1);
    list["confirmations"][0]["name"] = "huge.csv";
    list["confirmations"][0]["sha256"] = "";
    EXPECT_THAT(bank_files_page(samples::context("/bank-files"), list, nullptr),
                AllOf(HasSubstr("huge.csv (not read)"), Not(HasSubstr("href=\"/bank-files/\""))));
}

TEST(BankFiles, never_show_returned_money_as_paid) {
    Json list = samples::confirmations(1);
    auto& file = list["confirmations"][0];
    file["paid"] = "0.00";
    file["returned"] = "333.33";
    file["outcomes"]["applied"]["amount"] = "333.33";
    const PageContext page = samples::context("/bank-files");
    const std::regex paid_then_returned(R"(Paid<[^$]*\$0\.00<[^$]*\$333\.33<)");
    EXPECT_TRUE(std::regex_search(bank_files_page(page, list, nullptr), paid_then_returned));
    EXPECT_TRUE(std::regex_search(bank_file_page(page, {{"confirmation", file}}), paid_then_returned));
    Json preview = samples::preview(1);
    preview["paid"] = "0.00";
    preview["returned"] = "333.33";
    EXPECT_THAT(bank_preview_page(page, "u1", "csv", preview), HasSubstr("$0.00 paid, $333.33 returned or voided."));
}

TEST(Audit, verifies_once_and_not_for_every_page_of_the_list) {
    const PageContext page = samples::context("/audit?verify=true&actor=anna");
    const std::string made = audit_page(page, samples::audit(3000), samples::verification(true), {});
    EXPECT_THAT(made, HasSubstr("rel=\"next\" href=\"/audit?actor=anna&amp;after="));
}

TEST(Files, sum_up_what_is_paid) {
    const auto file = [](std::string_view name, std::string_view kind, std::string_view state) {
        return Json{{"name", name}, {"kind", kind}, {"state", state}, {"payments", 2}, {"total", "10.00"}};
    };
    const Json list = {{"files", Json::array({file("A", "payments", "released"), file("B", "payments", "voided"),
                                              file("C", "check_orders", "released")})}};
    const std::string page = files_page(samples::context("/files"), list, {});
    const auto foot = page.substr(page.find("<tfoot"));
    EXPECT_THAT(foot, AllOf(HasSubstr(">2<"), HasSubstr("$10.00"), Not(HasSubstr("$20.00"))));
    EXPECT_THAT(foot, HasSubstr("without voided files and check orders"));
}

TEST(FilePage, of_check_orders_shows_no_payments) {
    Json answer = samples::file("staged", 2);
    answer["file"]["kind"] = "check_orders";
    answer["file"]["rail"] = "check";
    for (Json& payment : answer["payments"])
        payment["approved_by"] = nullptr;
    answer["largest_payment"] = "0.00";
    const std::string page = file_page(samples::context("/files/A"), answer);
    EXPECT_THAT(page, AllOf(HasSubstr("2 check orders, $"), HasSubstr(">Check orders<")));
    EXPECT_THAT(page, AllOf(Not(HasSubstr("2 payments")), Not(HasSubstr("the portal")), Not(HasSubstr("Largest")),
                            Not(HasSubstr("Remove a payment"))));
}

TEST(Checks, sum_up_what_is_out_or_paid) {
    const auto check = [](std::string_view number, std::string_view state) {
        return Json{{"number", number}, {"state", state}, {"amount", "10.00"}};
    };
    const Json list = {{"checks", Json::array({check("1", "issued"), check("2", "paid"), check("3", "stopped"),
                                               check("4", "not_issued")})}};
    const std::string page = checks_page(samples::context("/checks"), list, nullptr, {});
    EXPECT_THAT(page.substr(page.find("<tfoot")), HasSubstr("$20.00"));
}

TEST(FilePage, says_first_why_one_may_not_release_it) {
    Json answer = samples::file("staged", 3);
    answer["may_release"] = {{"ok", false}, {"because", "you approved draw 100023. Carla Dubois may."}};
    const std::string page = file_page(samples::context("/files/A"), answer);
    EXPECT_THAT(page, HasSubstr("You may not release this file. </b>You approved draw 100023. Carla Dubois may."));
    EXPECT_THAT(page, Not(HasSubstr("Sign and release")));
}

TEST(FilePage, says_that_only_the_payments_on_it_are_in_order) {
    Json answer = samples::file("staged", 3);
    EXPECT_THAT(file_page(samples::context("/files/A"), answer), Not(HasSubstr("of these")));
    answer["file"]["payments"] = 400;
    EXPECT_THAT(file_page(samples::context("/files/A"), answer), HasSubstr(">of these 3: "));
}

TEST(FilePage, asks_for_a_signature_over_what_is_seen) {
    const Json answer = samples::file("staged", 3);
    const std::string page = file_page(samples::context("/files/A"), answer);
    EXPECT_THAT(page, HasSubstr("name=\"act.path\" value=\"/files/ACH-20261123-A.ach/release\""));
    EXPECT_THAT(page,
                HasSubstr("name=\"expect.sha256\" value=\"" + answer["file"]["sha256"].get<std::string>() + "\""));
    EXPECT_THAT(page, HasSubstr("name=\"expect.payments:number\" value=\"3\""));
    EXPECT_THAT(page, HasSubstr("name=\"expect.total\" value=\"" + answer["file"]["total"].get<std::string>() + "\""));
}

TEST(FilePage, lets_a_read_only_session_look_and_leads_it_to_sign_in) {
    PageContext page = samples::context("/files/A");
    page.me = samples::me("Ben Ortiz", "link", {"releaser", "operator"});
    const std::string made = file_page(page, samples::file("staged", 3));
    EXPECT_THAT(made, HasSubstr("This session only reads. "));
    EXPECT_THAT(made, Not(HasSubstr("data-act")));
}

TEST(RulesPage, lets_a_read_only_session_test_no_file) {
    PageContext page = samples::context("/rules");
    EXPECT_THAT(rules_page(page, nullptr, nullptr, nullptr, nullptr), HasSubstr("action=\"/rules/try\""));
    page.me = samples::me("Ben Ortiz", "link", {"operator"});
    const std::string made = rules_page(page, nullptr, nullptr, nullptr, nullptr);
    EXPECT_THAT(made, HasSubstr("This session only reads. "));
    EXPECT_THAT(made, Not(HasSubstr("/rules/try")));
}

TEST(FilePage, puts_new_payees_first) {
    Json answer = samples::file("staged", 3);
    for (Json& payment : answer["payments"])
        payment["first_time"] = payment["payee_key"] == "V0102";
    const std::string page = file_page(samples::context("/files/A"), answer);
    EXPECT_LT(page.find("Łukasz Dvořák"), page.find("Harbor Drive Apartments"));
}

TEST(Acts, are_for_those_whose_role_allows_them) {
    PageContext page = samples::context("/draws/100041");
    Json draw = samples::draw();
    draw["draw"]["state"] = "held";
    EXPECT_THAT(draw_page(page, draw, nullptr), HasSubstr("Sign and approve"));
    page.me = samples::me("Dev Raman", "passkey", {"auditor"});
    EXPECT_THAT(draw_page(page, draw, nullptr), Not(HasSubstr("Sign and approve")));
}

TEST(FilePage, names_who_ordered_an_upload_again) {
    Json answer = samples::file("released", 1);
    answer["file"]["delivery"]["steps"].push_back({{"at", "2026-11-23T19:00:00.000Z"},
                                                   {"step", "again"},
                                                   {"by", "Dora"},
                                                   {"detail", "the bank does not have it: asked"}});
    const std::string made = file_page(samples::context("/files/a"), answer);
    EXPECT_THAT(made, HasSubstr("Upload again ordered by Dora"));
}

TEST(ExceptionPage, offers_an_upload_again_to_releasers_and_a_delivery_by_hand_to_operators) {
    PageContext page = samples::context("/exceptions/9");
    Json answer = samples::exception();
    answer["exception"]["step"] = "deliver";
    answer["exception"]["acts"] = {"deliver_by_hand", "deliver_again"};
    set_reader(page, samples::me("Ben Ortiz", "passkey", {"releaser"}));
    EXPECT_THAT(exception_page(page, answer, nullptr),
                AllOf(HasSubstr("Sign and upload again"), Not(HasSubstr("The bank has it…"))));
    set_reader(page, samples::me("Olga Berg", "passkey", {"operator"}));
    EXPECT_THAT(exception_page(page, answer, nullptr),
                AllOf(HasSubstr("The bank has it…"), Not(HasSubstr("Sign and upload again"))));
    answer["exception"]["closed_at"] = "2026-11-23T18:00:00.000Z";
    set_reader(page, samples::me("Ben Ortiz", "passkey", {"releaser"}));
    EXPECT_THAT(exception_page(page, answer, nullptr), Not(HasSubstr("Sign and upload again")));
}

TEST(Lists, name_the_command_with_the_same_filters) {
    const auto page = draws_page(samples::context("/draws"), samples::draws(3),
                                 {{"state", "held"}, {"text", "Anna's roof"}, {"sort", "-amount"}, {"after", "7"}});
    EXPECT_THAT(page, HasSubstr("drawbridge draws --state=held --text=&#39;Anna&#39;\\&#39;&#39;s roof&#39; "
                                "--sort=-amount</code>"));
}

TEST(Lists, lead_to_their_next_page_with_the_same_filters) {
    Json draws = samples::draws(3000);
    const PageContext page = samples::context("/draws?state=held&after=7&sort=-amount");
    EXPECT_THAT(draws_page(page, draws, {{"state", "held"}}),
                HasSubstr("rel=\"next\" href=\"/draws?state=held&amp;sort=-amount&amp;after=100201\""));
}

TEST(Exceptions, show_the_beginning_of_a_hash_and_commands_as_code) {
    const std::string page = exceptions_page(samples::context("/exceptions"), samples::exceptions(4), nullptr, {});
    EXPECT_THAT(page, HasSubstr("title=\"" + std::string(64, 'c') + "\">" + std::string(12, 'c') + "…<"));
    EXPECT_THAT(exception_page(samples::context("/exceptions/15"), samples::exception(), nullptr),
                HasSubstr("Run <code>drawbridge exception ID</code>, and choose"));
}

TEST(Errors, show_an_example_as_it_must_be_written_and_commands_as_code) {
    const Json error = {{"error", {{"message", "total: write it like 1234.50, not 5.00: run `drawbridge file`"}}}};
    EXPECT_THAT(error_page(samples::context("/"), 400, error),
                HasSubstr("write it like 1234.50, not $5.00: run <code>drawbridge file</code>"));
}

TEST(Moments, that_are_now_are_not_ago) {
    Json answer = samples::status(0, 0);
    answer["backup"] = {{"at", "2026-11-23T18:18:50.000Z"}};
    const std::string page = today_page(samples::context("/"), answer, nullptr, nullptr);
    EXPECT_THAT(page, AllOf(HasSubstr(">just now<"), Not(HasSubstr("just now</time> ago"))));
}

TEST(Moments, are_in_the_zone_of_the_office) {
    const std::string page = draw_page(samples::context("/draws/100041"), samples::draw(), nullptr);
    EXPECT_THAT(page, HasSubstr("Fri, Nov 20</span> 09:15"));
    EXPECT_THAT(page, HasSubstr("Tuesday, November 24"));
}

TEST(Moments, count_banking_days_without_the_closures_of_the_office) {
    PageContext page = samples::context("/");
    page.known_at = parse_instant("2026-11-24T18:00:00Z").value();
    const auto today_at = [&](const char* now) {
        page.now = parse_instant(now).value();
        return today_page(page, samples::status(2, 5), samples::exceptions(5), nullptr);
    };
    EXPECT_THAT(today_at("2026-11-25T18:00:00Z"), HasSubstr(">1 banking day<"));
    EXPECT_THAT(today_at("2026-11-30T18:00:00Z"), HasSubstr(">2 banking days<"))
        << "Thanksgiving, a closure and a weekend are between";
}

TEST(AuditPage, never_calls_a_broken_ledger_verified) {
    const PageContext page = samples::context("/audit");
    EXPECT_THAT(audit_page(page, samples::audit(3), samples::verification(true), {}),
                HasSubstr("The chain is verified"));
    const std::string broken = audit_page(page, samples::audit(3), samples::verification(false), {});
    EXPECT_THAT(broken, HasSubstr("<h1>The ledger does not verify.</h1>"));
    EXPECT_THAT(broken, Not(HasSubstr("is verified")));
}

TEST(Paused, is_said_on_every_page) {
    PageContext page = samples::context("/checks");
    page.pulse["paused"] = {
        {"since", "2026-11-23T17:58:00.000Z"}, {"by", "uid 1003 (carla)"}, {"reason", "the bank called"}};
    const std::string made = checks_page(page, samples::checks(3), nullptr, {});
    EXPECT_THAT(made, HasSubstr("All payments are paused."));
    EXPECT_THAT(made, HasSubstr("today 12:58"));
    EXPECT_THAT(made, HasSubstr("by carla: the bank called"));
}

}  // namespace
}  // namespace drawbridge::pages
