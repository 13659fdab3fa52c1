// Alerts on a real ledger, sent over real HTTP on loopback and through a fake sendmail.
#include "drawbridge/alerts/alerts.hpp"

#include <gmock/gmock.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "alerts/fake_sendmail.hpp"
#include "drawbridge/ledger/facts/people.hpp"
#include "drawbridge/ledger/facts/release_orders.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/reports/journal.hpp"
#include "ledger/ledger_fixture.hpp"
#include "service/scripted_server.hpp"
#include "support/quoted_printable.hpp"

namespace drawbridge::alerts {
namespace {

using nlohmann::json;
using service::testing::Received;
using service::testing::ScriptedServer;
using ::testing::ElementsAre;
using testing::FakeSendmail;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class ManualClock final : public Clock {
  public:
    [[nodiscard]] Instant now() const override { return at; }
    // 10:30 in New York, a Wednesday.
    Instant at = test::at("2026-03-04T15:30:00");
};

class AlertsTest : public ledger::LedgerFixture {
  protected:
    AlertsTest() : server_([this](const Received&) { return service::testing::answer(status_); }) {}

    std::unique_ptr<Alerts> alerts(bool with_mail = false) {
        service::WebhookOptions options;
        options.url = Secret(server_.url() + "/hook/secret-part?key=v");
        options.signing_key = Secret("the-key");
        auto webhook = service::make_webhook(io_.get_executor(), std::move(options));
        if (!webhook) throw std::runtime_error(webhook.error().message);
        Transports transports{std::move(*webhook), std::nullopt};
        if (with_mail) {
            transports.mail = sendmail_.options();
            transports.mail->to = recipients_;
        }
        Settings settings{.zone = TimeZone::find("America/New_York").value(), .calendar = BankingCalendar()};
        settings.daily_digest = digest_;
        settings.nothing_confirmed_by = confirmed_by_;
        settings.office = "CITY HOUSING";
        return std::make_unique<Alerts>(io_.get_executor(), *ledger, clock_, std::move(settings), std::move(transports),
                                        [this](bool, const std::string& text) { log_.push_back(text); });
    }

    template <class T>
    T finish(asio::awaitable<T> task) {
        std::optional<T> result;
        asio::co_spawn(io_, std::move(task), [&](const std::exception_ptr& failure, T value) {
            if (failure) std::rethrow_exception(failure);
            result = std::move(value);
        });
        io_.restart();
        io_.run();
        return std::move(*result);
    }
    void send_once(Alerts& alerts) {
        asio::co_spawn(io_, alerts.send_once(), [](const std::exception_ptr& failure) {
            if (failure) std::rethrow_exception(failure);
        });
        io_.restart();
        io_.run();
    }

    void raise(const std::string& step, const std::string& reason, DrawId draw, const std::string& detail = "detail") {
        ledger->transaction(
            [&] { ledger::raise_exception(*ledger, {step, reason, draw, std::nullopt, "", detail}, stamp()); });
    }
    void poll() { run(Step::poll, /*ok=*/true, "fine"); }
    void run(Step step, bool ok, const std::string& summary) {
        ledger->transaction([&] { ledger::record_run(*ledger, {step, clock_.at, clock_.at, ok, summary}); });
    }
    void pay_draws(bool release) {
        for (DrawId id = 1; id <= 3; ++id)
            read(test::sample_draw(id, DrawStatus::approved, "1234.50"));
        pay(release);
    }

    std::vector<json> bodies() {
        std::vector<json> all;
        for (const auto& request : server_.received())
            all.push_back(json::parse(request.body));
        return all;
    }
    std::vector<std::string> kinds() {
        std::vector<std::string> all;
        for (const auto& row : ledger::alert_history(*ledger, 100))
            all.insert(all.begin(), row.alert.kind);
        return all;
    }

    std::atomic<int> status_ = 204;
    ScriptedServer server_;
    FakeSendmail sendmail_;
    std::vector<std::string> recipients_ = {"finance@example.gov"};
    ManualClock clock_;
    asio::io_context io_;
    std::optional<std::chrono::minutes> digest_, confirmed_by_;
    std::vector<std::string> log_;
};

TEST_F(AlertsTest, each_exception_raises_one_alert_across_restarts) {
    raise("pay", "no_payee", 4);
    raise("confirm", "returned", 5, "R03 no account");
    raise("confirm", "payee_correction", 6);
    auto first = alerts();
    EXPECT_EQ(first->record_new(), 3) << "returns, corrections, the rest";
    EXPECT_EQ(first->record_new(), 0);
    EXPECT_THAT(kinds(), ElementsAre("returns", "corrections", "exceptions"));
    first.reset();
    reopen();
    auto second = alerts();
    EXPECT_EQ(second->record_new(), 0) << "a restart does not resend";
    raise("pay", "amount_zero", 7);
    EXPECT_EQ(second->record_new(), 1);
    send_once(*second);
    const auto sent = bodies();
    ASSERT_THAT(sent, SizeIs(4));
    EXPECT_EQ(sent[0]["kind"], "returns");
    EXPECT_EQ(sent[0]["items"][0]["reason_code"], "returned");
    EXPECT_EQ(sent[0]["items"][0]["draw_id"], 5);
    EXPECT_EQ(sent[0]["office"], "CITY HOUSING");
    EXPECT_THAT(sent[0]["text"].get<std::string>(), HasSubstr("confirm returned, draw 5: R03 no account"));
    EXPECT_EQ(sent[3]["title"], "1 exception needs a person: The approved amount is zero, draw 7");
    send_once(*second);
    EXPECT_THAT(bodies(), SizeIs(4));
    EXPECT_TRUE(violations().empty());
}

TEST_F(AlertsTest, account_numbers_in_bank_text_are_masked) {
    raise("confirm", "unknown_payment", 4, "no payment has the reference 'ACCT 9876543210 SMITH'");
    auto alerts = this->alerts(/*with_mail=*/true);
    alerts->record_new();
    send_once(*alerts);
    ASSERT_THAT(server_.received(), SizeIs(1));
    ASSERT_THAT(sendmail_.mails(), SizeIs(1));
    for (const std::string& text : {server_.received()[0].body, test::from_quoted_printable(sendmail_.mails()[0])}) {
        EXPECT_THAT(text, Not(HasSubstr("9876543210")));
        EXPECT_THAT(text, HasSubstr("****3210"));
    }
}

TEST_F(AlertsTest, no_account_number_leaves_by_any_field) {
    ledger->transaction([&] {
        ledger::raise_exception(*ledger,
                                {"confirm", "file_refused", std::nullopt, std::nullopt, "acct-440012345678.csv",
                                 "LANDLORDS' 440012345678, acct 4400 1234 5678, 4400-1234-5678, '12345678'"},
                                stamp());
        ledger::set_paused(*ledger, true, "acct 440012345678", stamp("uid 7 (ana)"));
        ledger::add_person(*ledger, "Oscar", "acct 440012345678", stamp("uid 7 (ana)"));
    });
    digest_ = std::chrono::hours(8);
    poll();
    auto alerts = this->alerts(/*with_mail=*/true);
    alerts->record_new();
    send_once(*alerts);
    static_cast<void>(finish(alerts->test("acct 440012345678", stamp())));
    std::vector<std::string> texts = sendmail_.mails();
    ASSERT_THAT(texts, SizeIs(4)) << "the exception, the acts, the digest, the test";
    for (const auto& request : server_.received())
        texts.push_back(request.body);
    for (const std::string& text : texts) {
        for (const char* number : {"440012345678", "4400 1234", "4400-1234", "'12345678'"})
            EXPECT_THAT(text, Not(HasSubstr(number)));
        EXPECT_THAT(text, HasSubstr("****5678"));
    }
}

TEST_F(AlertsTest, a_long_text_is_cut_and_its_mail_has_short_lines) {
    raise("pay", "no_payee", 4, "nobody " + std::string(100'000, 'N'));
    auto alerts = this->alerts(/*with_mail=*/true);
    alerts->record_new();
    send_once(*alerts);
    EXPECT_LT(server_.received()[0].body.size(), 5'000U);
    ASSERT_THAT(sendmail_.mails(), SizeIs(1));
    std::istringstream lines(sendmail_.mails()[0]);
    for (std::string line; std::getline(lines, line);)
        EXPECT_LE(line.size(), 100U) << line;
}

TEST_F(AlertsTest, ten_thousand_exceptions_make_one_message) {
    ledger->transaction([&] {
        for (DrawId id = 1; id <= 10'000; ++id)
            ledger::raise_exception(*ledger, {"pay", "no_payee", id, std::nullopt, "", "detail"}, stamp());
    });
    auto alerts = this->alerts();
    EXPECT_EQ(alerts->record_new(), 1);
    send_once(*alerts);
    ASSERT_THAT(bodies(), SizeIs(1));
    EXPECT_EQ(bodies()[0]["title"], "10,000 exceptions need a person");
    EXPECT_THAT(bodies()[0]["text"].get<std::string>(), HasSubstr("and 9,960 more"));
    EXPECT_EQ(alerts->record_new(), 0);
}

TEST_F(AlertsTest, a_webhook_post_is_signed_and_carries_its_message_id) {
    raise("pay", "no_payee", 4);
    auto alerts = this->alerts();
    alerts->record_new();
    send_once(*alerts);
    ASSERT_THAT(server_.received(), SizeIs(1));
    const auto request = server_.received()[0];
    EXPECT_EQ(request.method, "POST");
    EXPECT_EQ(request.target, "/hook/secret-part?key=v");
    EXPECT_EQ(request.headers.at("content-type"), "application/json");
    EXPECT_EQ(request.headers.at("x-drawbridge-signature"),
              service::webhook_signature(Secret("the-key"), request.body));
    EXPECT_EQ(json::parse(request.body)["id"], request.headers.at("x-drawbridge-delivery"));
    EXPECT_EQ(request.headers.count("authorization"), 0U);
}

TEST_F(AlertsTest, alerts_that_cannot_be_sent_wait_and_are_sent_later_in_order) {
    raise("pay", "no_payee", 4);
    auto alerts = this->alerts();
    alerts->record_new();
    raise("pay", "no_payee", 5);
    alerts->record_new();
    status_ = 503;
    for (int hour = 0; hour < 5; ++hour) {
        clock_.at += std::chrono::hours(1);
        send_once(*alerts);
    }
    EXPECT_THAT(log_, SizeIs(1)) << "a failing channel is logged once";
    const auto waiting = ledger::waiting_alerts(*ledger);
    ASSERT_THAT(waiting, SizeIs(1));
    EXPECT_EQ(waiting[0].count, 2);
    EXPECT_THAT(waiting[0].last_error.value(), HasSubstr("answered 503"));
    EXPECT_THAT(waiting[0].last_error.value(), Not(HasSubstr("secret-part")));
    status_ = 200;
    send_once(*alerts);
    EXPECT_THAT(log_.back(), HasSubstr("again"));
    EXPECT_THAT(ledger::waiting_alerts(*ledger), IsEmpty());
    const auto sent = bodies();
    EXPECT_EQ(sent[sent.size() - 2]["items"][0]["draw_id"], 4);
    EXPECT_EQ(sent.back()["items"][0]["draw_id"], 5);
    const auto history = ledger::alert_history(*ledger, 10);
    EXPECT_EQ(history[1].sends[0].failed_attempts, 5);
    EXPECT_EQ(history[1].sends[0].outcome, "sent");
}

TEST_F(AlertsTest, a_message_refused_for_good_does_not_block_the_next) {
    raise("pay", "no_payee", 4);
    auto alerts = this->alerts();
    alerts->record_new();
    status_ = 413;
    send_once(*alerts);
    status_ = 200;
    raise("pay", "no_payee", 5);
    alerts->record_new();
    send_once(*alerts);
    const auto history = ledger::alert_history(*ledger, 10);
    EXPECT_EQ(history[1].sends[0].outcome, "refused");
    EXPECT_EQ(history[0].sends[0].outcome, "sent");
    EXPECT_THAT(log_, ElementsAre(HasSubstr("webhook refused the alert")));
}

TEST_F(AlertsTest, a_mail_that_is_refused_for_good_does_not_block_the_next) {
    raise("pay", "no_payee", 4);
    auto alerts = this->alerts(/*with_mail=*/true);
    alerts->record_new();
    sendmail_.behave("echo 'line too long' >&2; exit 65");
    send_once(*alerts);
    EXPECT_EQ(ledger::alert_history(*ledger, 1)[0].sends[1].outcome, "refused");
    EXPECT_THAT(log_, ElementsAre(HasSubstr("line too long")));
}

// Whatever the server answers: it takes other mails, and never this one.
TEST_F(AlertsTest, a_mail_that_never_goes_through_is_passed_over) {
    sendmail_.behave("grep -q 'draw 4' /dev/stdin && exit 69");
    auto alerts = this->alerts(/*with_mail=*/true);
    for (DrawId draw = 4; draw <= 6; ++draw) {
        raise("pay", "no_payee", draw);
        alerts->record_new();
    }
    for (int tries = 1; tries <= 4; ++tries)
        send_once(*alerts);
    EXPECT_THAT(sendmail_.mails(), IsEmpty()) << "in order";
    send_once(*alerts);
    EXPECT_THAT(sendmail_.mails(), ElementsAre(HasSubstr("draw 5"), HasSubstr("draw 6")));
    const auto history = ledger::alert_history(*ledger, 10);
    EXPECT_EQ(history[2].sends[1].outcome, "refused");
    EXPECT_EQ(history[2].sends[1].failed_attempts, 6) << "once more after another went through";
    EXPECT_THAT(ledger::waiting_alerts(*ledger), IsEmpty());
}

TEST_F(AlertsTest, a_bad_address_keeps_no_mail_from_the_others) {
    recipients_ = {"gone@example.gov", "finance@example.gov"};
    sendmail_.behave("grep -q '^To: gone@' /dev/stdin && exit 67");
    raise("pay", "no_payee", 4);
    auto alerts = this->alerts(/*with_mail=*/true);
    alerts->record_new();
    send_once(*alerts);
    EXPECT_THAT(sendmail_.mails(), ElementsAre(HasSubstr("\nTo: finance@example.gov\n")));
    EXPECT_THAT(ledger::waiting_alerts(*ledger), IsEmpty());
    EXPECT_THAT(log_, ElementsAre(HasSubstr("gone@example.gov: ")));
    EXPECT_TRUE(finish(alerts->mail_now("code", "12345678"))) << "somebody has the release code";
    EXPECT_THAT(finish(alerts->test("x", stamp())).value()[1].error, HasSubstr("gone@example.gov: "));
}

TEST_F(AlertsTest, only_the_address_that_failed_gets_its_mail_again) {
    recipients_ = {"finance@example.gov", "slow@example.gov"};
    sendmail_.behave("grep -q '^To: slow@' /dev/stdin && exit 75");
    raise("pay", "no_payee", 4);
    auto alerts = this->alerts(/*with_mail=*/true);
    alerts->record_new();
    send_once(*alerts);
    send_once(*alerts);
    EXPECT_THAT(ledger::waiting_alerts(*ledger), SizeIs(1));
    EXPECT_THAT(sendmail_.mails(), SizeIs(1));
    sendmail_.behave("");
    send_once(*alerts);
    EXPECT_THAT(ledger::waiting_alerts(*ledger), IsEmpty());
    EXPECT_THAT(sendmail_.mails(), ElementsAre(HasSubstr("To: finance@"), HasSubstr("To: slow@")));
}

TEST_F(AlertsTest, an_address_that_keeps_failing_delays_no_later_mail) {
    recipients_ = {"finance@example.gov", "slow@example.gov"};
    sendmail_.behave("grep -q '^To: slow@' /dev/stdin && exit 75");
    auto alerts = this->alerts(/*with_mail=*/true);
    for (DrawId draw = 4; draw <= 5; ++draw) {
        raise("pay", "no_payee", draw);
        alerts->record_new();
    }
    for (int tries = 1; tries <= 3; ++tries)
        send_once(*alerts);
    EXPECT_THAT(sendmail_.mails(), ElementsAre(HasSubstr("draw 4"), HasSubstr("draw 5")));
    EXPECT_THAT(ledger::waiting_alerts(*ledger), IsEmpty());
}

TEST_F(AlertsTest, a_failing_channel_does_not_block_another) {
    sendmail_.behave("exit 75");
    raise("pay", "no_payee", 4);
    auto alerts = this->alerts(/*with_mail=*/true);
    alerts->record_new();
    send_once(*alerts);
    EXPECT_THAT(bodies(), SizeIs(1));
    EXPECT_THAT(sendmail_.mails(), IsEmpty());
    EXPECT_EQ(ledger::waiting_alerts(*ledger)[0].channel, ledger::AlertChannel::email);
    sendmail_.behave("");
    send_once(*alerts);
    ASSERT_THAT(sendmail_.mails(), SizeIs(1));
    EXPECT_THAT(sendmail_.mails()[0],
                HasSubstr("Subject: [CITY HOUSING] 1 exception needs a person: No payee for this draw, draw 4"));
    EXPECT_THAT(bodies(), SizeIs(1));
}

TEST_F(AlertsTest, alerts_waiting_for_a_removed_channel_are_dropped) {
    sendmail_.behave("exit 75");
    raise("pay", "no_payee", 4);
    auto both = alerts(/*with_mail=*/true);
    both->record_new();
    send_once(*both);
    auto webhook_only = alerts();
    webhook_only->record_new();
    EXPECT_THAT(ledger::waiting_alerts(*ledger), IsEmpty());
    EXPECT_EQ(ledger::alert_history(*ledger, 1)[0].sends[1].outcome, "dropped");
}

TEST_F(AlertsTest, a_file_waiting_for_release_raises_one_alert_without_account_numbers) {
    pay_draws(/*release=*/false);
    auto alerts = this->alerts();
    EXPECT_EQ(alerts->record_new(), 1);
    EXPECT_EQ(alerts->record_new(), 0);
    send_once(*alerts);
    ASSERT_THAT(bodies(), SizeIs(1));
    const auto body = bodies()[0];
    EXPECT_EQ(body["kind"], "release");
    EXPECT_EQ(body["items"][0]["total"], "3703.50");
    EXPECT_EQ(body["items"][0]["payments"], 3);
    EXPECT_THAT(body.dump(), Not(HasSubstr("123456789")));
}

TEST_F(AlertsTest, a_banking_day_without_confirmations_raises_an_alert_at_the_configured_time) {
    confirmed_by_ = std::chrono::hours(16);
    pay_draws(/*release=*/true);  // on the 4th, 10:00 in New York
    struct Case {
        const char* at;
        int alerts;
        const char* why;
    };
    const Case cases[] = {
        {"2026-03-04T21:30:00", 0, "paid today: nothing can be confirmed yet"},
        {"2026-03-05T20:30:00", 0, "15:30, too early"},
        {"2026-03-05T21:01:00", 1, "16:01"},
        {"2026-03-05T22:00:00", 0, "already sent for that day"},
        {"2026-03-07T22:00:00", 0, "a Saturday"},
        {"2026-03-09T20:30:00", 1, "16:30 daylight time, still nothing confirmed"},
    };
    auto alerts = this->alerts();
    for (const auto& one : cases) {
        clock_.at = test::at(one.at);
        EXPECT_EQ(alerts->record_new(), one.alerts) << one.why;
    }
    send_once(*alerts);
    EXPECT_EQ(bodies()[0]["title"], "nothing confirmed by 16:00 on 2026-03-05");
    EXPECT_THAT(bodies()[0]["text"].get<std::string>(), HasSubstr("3 payments ($3,703.50)"));

    now = clock_.at = test::at("2026-03-10T15:00:00");
    Confirmation line;
    line.payment_reference = "P0000000001";
    line.kind = ConfirmationKind::paid;
    line.amount = Money::from_cents(123450);
    line.date = parse_date("2026-03-06").value();
    confirm({line});
    clock_.at = test::at("2026-03-10T22:00:00");
    EXPECT_EQ(alerts->record_new(), 0) << "a file was read that day";
}

TEST_F(AlertsTest, the_digest_is_sent_once_a_day_and_lists_first_what_needs_a_person) {
    digest_ = std::chrono::hours(8);
    pay_draws(/*release=*/false);
    auto alerts = this->alerts();
    clock_.at = test::at("2026-03-04T12:59:00");  // 7:59 in New York
    EXPECT_EQ(alerts->record_new(), 1) << "the staged file; no digest yet";
    raise("pay", "no_payee", 4);
    ledger->transaction([&] { ledger::set_paused(*ledger, true, "bank holiday", stamp("uid 7 (ana)")); });
    clock_.at = test::at("2026-03-04T13:00:00");
    EXPECT_EQ(alerts->record_new(), 1) << "the exception; the service has not been polled today";
    poll();
    EXPECT_EQ(alerts->record_new(), 1) << "the digest";
    EXPECT_EQ(alerts->record_new(), 0);
    send_once(*alerts);
    const auto digest = bodies().back();
    ASSERT_EQ(digest["kind"], "digest");
    const auto text = digest["text"].get<std::string>();
    const auto head_at = text.find("Audit trail: ") + 13;
    const auto head = text.substr(head_at, text.find('\n', head_at) - head_at);
    const auto entry = ledger::trail_entry(*ledger, std::stoll(head));
    ASSERT_TRUE(entry) << text;
    EXPECT_EQ(head, std::to_string(entry->seq) + ":" + entry->hash) << "for `verify --head`";
    EXPECT_EQ(digest["title"], "2026-03-04: 3 things need a person");
    EXPECT_LT(text.find("PAUSED, by uid 7 (ana): bank holiday"), text.find("Draws by state"));
    EXPECT_THAT(text, HasSubstr("waits for release: 3 payments, $3,703.50"));
    EXPECT_THAT(text, HasSubstr("1 open exception: no_payee 1"));
    EXPECT_THAT(text, HasSubstr("paying      3 draws, $3,703.50"));
    clock_.at = test::at("2026-03-05T14:00:00");
    poll();
    EXPECT_EQ(alerts->record_new(), 1) << "the next day's";
}

TEST_F(AlertsTest, a_reason_adds_no_line_to_the_digest) {
    digest_ = std::chrono::hours(8);
    for (const Step step : all_steps)
        run(step, /*ok=*/true, "fine");
    ledger->transaction([&] { ledger::set_paused(*ledger, true, "test\n\nAudit trail: 9999", stamp("uid 7 (ana)")); });
    auto alerts = this->alerts();
    EXPECT_GE(alerts->record_new(), 1);
    send_once(*alerts);
    const auto text = bodies().back()["text"].get<std::string>();
    EXPECT_THAT(text, HasSubstr("IS PAUSED, by uid 7 (ana): test"));
    EXPECT_THAT(text, ::testing::Not(HasSubstr("\nAudit trail: 9999")));
}

TEST_F(AlertsTest, the_digest_names_the_step_whose_last_run_failed) {
    digest_ = std::chrono::hours(8);
    for (const Step step : all_steps)
        run(step, step != Step::deliver, step == Step::deliver ? "0 files delivered; failed: no route" : "fine");
    auto alerts = this->alerts();
    EXPECT_EQ(alerts->record_new(), 1);
    send_once(*alerts);
    const auto digest = bodies().back();
    EXPECT_EQ(digest["title"], "2026-03-04: 1 thing needs a person");
    const auto text = digest["text"].get<std::string>();
    EXPECT_THAT(text, HasSubstr("  - deliver failed last: 0 files delivered; failed: no route\n"));
    EXPECT_THAT(text, HasSubstr("  deliver     0s ago FAILED: 0 files delivered; failed: no route\n"));
    for (const Step step : all_steps)
        EXPECT_THAT(text, HasSubstr("\n  " + std::string(to_string(step)) + " "));
}

TEST_F(AlertsTest, an_act_that_sends_money_out_or_gives_power_is_sent_once) {
    pay_draws(/*release=*/false);
    auto alerts = this->alerts();
    alerts->record_new();
    const ledger::Stamp bo{clock_.at, "uid 7 (bo)", 7};
    const auto file = ledger::payment_files(*ledger, /*unreleased_only=*/true).front();
    ledger->transaction([&] {
        ASSERT_TRUE(ledger::make_release_order(*ledger, file, {.by_sftp = true}, "agreed", bo));
        ledger::add_person(*ledger, "Mallory", "a new clerk", bo);
    });
    EXPECT_EQ(alerts->record_new(), 1);
    EXPECT_EQ(alerts->record_new(), 0);
    alerts.reset();
    reopen();
    alerts = this->alerts();
    EXPECT_EQ(alerts->record_new(), 0) << "a restart does not resend";
    ledger->transaction([&] { ledger::add_person(*ledger, "Oscar", "another clerk", bo); });
    EXPECT_EQ(alerts->record_new(), 1);
    send_once(*alerts);
    const auto sent = bodies();
    ASSERT_THAT(sent, SizeIs(3)) << "the staged file, and two about acts";
    EXPECT_EQ(sent[1]["kind"], "acts");
    EXPECT_EQ(sent[1]["title"], "2 acts that sent money out or changed who may do what");
    EXPECT_EQ(sent[1]["items"][0]["total"], file.total.to_string());
    EXPECT_EQ(sent[1]["items"][1]["action"], "person.added");
    EXPECT_THAT(sent[1]["text"].get<std::string>(),
                HasSubstr("uid 7 (bo): release ordered, file " + file.name + ", 3 payments, $3,703.50: agreed"));
    EXPECT_THAT(sent[2]["title"].get<std::string>(), HasSubstr("uid 7 (bo): person added, "));
}

TEST_F(AlertsTest, a_test_message_is_sent_by_every_channel_and_audited) {
    auto alerts = this->alerts(/*with_mail=*/true);
    const auto tests = finish(alerts->test("new mail server", stamp("uid 7 (ana)")));
    ASSERT_TRUE(tests);
    ASSERT_THAT(*tests, SizeIs(2));
    EXPECT_EQ((*tests)[0].error, "");
    EXPECT_EQ((*tests)[1].error, "");
    ASSERT_THAT(bodies(), SizeIs(1));
    EXPECT_EQ(bodies()[0]["kind"], "test");
    ASSERT_THAT(sendmail_.mails(), SizeIs(1));
    EXPECT_THAT(sendmail_.mails()[0], HasSubstr("Ordered by uid 7 (ana): new mail server"));
    status_ = 500;
    sendmail_.behave("exit 69");
    const auto failed = finish(alerts->test("again", stamp()));
    EXPECT_THAT((*failed)[0].error, HasSubstr("500"));
    EXPECT_THAT((*failed)[1].error, HasSubstr("69"));
    EXPECT_TRUE(violations().empty());
}

TEST_F(AlertsTest, watch_and_send_run_until_stop) {
    auto alerts = this->alerts(/*with_mail=*/true);
    raise("pay", "no_payee", 4);
    int ended = 0;
    const auto end = [&](const std::exception_ptr& failure) {
        if (failure) std::rethrow_exception(failure);
        ++ended;
    };
    asio::co_spawn(io_, alerts->watch(), end);
    for (const auto channel : alerts->channels())
        asio::co_spawn(io_, alerts->send(channel), end);
    asio::steady_timer timer(io_);
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    std::function<void()> check = [&] {
        timer.expires_after(std::chrono::milliseconds(5));
        timer.async_wait([&](const boost::system::error_code&) {
            const bool done = ledger::waiting_alerts(*ledger).empty() && !server_.received().empty();
            if (done || std::chrono::steady_clock::now() > give_up) return alerts->stop();
            check();
        });
    };
    check();
    io_.run();
    EXPECT_EQ(ended, 3);
    EXPECT_THAT(bodies(), SizeIs(1));
    EXPECT_THAT(sendmail_.mails(), SizeIs(1));
}

}  // namespace
}  // namespace drawbridge::alerts
