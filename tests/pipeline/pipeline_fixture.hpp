// Runs single steps in this process: a real ledger and spool in a folder, the real client, the real sandbox and
// its faults.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/system_error.hpp>
#include <chrono>
#include <exception>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/ledger/facts/decisions.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/passkeys.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/people.hpp"
#include "drawbridge/ledger/facts/plans.hpp"
#include "drawbridge/ledger/reports/draw_states.hpp"
#include "drawbridge/ledger/reports/history.hpp"
#include "drawbridge/ledger/reports/verify.hpp"
#include "drawbridge/pipeline/payment_files.hpp"
#include "drawbridge/pipeline/steps.hpp"
#include "pipeline/surroundings.hpp"
#include "support/sample_config.hpp"
#include "support/samples.hpp"
#include "support/temporary_folder.hpp"

namespace drawbridge::pipeline {

class Pipeline : public ::testing::Test {
  protected:
    // `around` may have several offices; without it, this one has a sandbox of its own over HTTP.
    explicit Pipeline(std::shared_ptr<Surroundings> around = nullptr)
        : around_(around ? std::move(around) : std::make_shared<OverHttp>(folder_.path())),
          sandbox_(around_->portal()),
          clock_(*around_) {
        spool_.emplace(folder_.path() / "state");
        around_->prepare(folder_.path() / "state");
        auto opened = ledger::Ledger::open(folder_.path() / "state", clock_.now());
        if (!opened) throw std::runtime_error(opened.error().message);
        ledger_.emplace(std::move(*opened));
        connect();
        use_rules("version: 1\napprover_id: 1201\nrules:\n  - name: all\n    when: always\n    approve: {}\n");
        context_->payees = test::sample_directory();
    }
    ~Pipeline() override {
        context_.reset();
        shared_.reset();
        ledger_.reset();
        around_->clear(folder_.path() / "state");
    }

    void connect() {
        service_ = around_->connect(io_.get_executor());
        config_ = test::sample_config(folder_.path() / "state");
        config_.service.page_size = 3;
        config_.pay.release = config::Release::automatic;
        config_.confirmations.quiet_period = std::chrono::milliseconds(0);
        Settings settings{.payee_key = find_draw_field("fieldA"), .plan = test::sample_plan_settings()};
        settings.draws_per_part = 2;
        settings.lines_per_piece = 2;
        settings.confirmations.rules = {{"*.csv", statements::Format::csv, ""},
                                        {"*.ach", statements::Format::nacha, ""}};
        shared_.emplace(Shared{*ledger_, *service_, *spool_, clock_, config_, std::move(settings), {}, {}});
        context_.emplace(*shared_);
    }

    void use_rules(const std::string& text) { context_->rules = rules::parse_rules(text, "rules.yaml").value(); }

    using StepFunction = asio::awaitable<StepReport> (*)(Context&);
    template <class T>
    T run_to_end(asio::awaitable<T> task) {
        std::optional<T> result;
        std::exception_ptr failure;
        asio::co_spawn(io_, std::move(task), [&](const std::exception_ptr& thrown, T done) {
            failure = thrown;
            result = std::move(done);
        });
        io_.restart();
        io_.run();
        if (failure) std::rethrow_exception(failure);
        return std::move(*result);
    }
    // Runs `pay`, and acts once while payments are being planned, when another task has its turn for the n-th time.
    // `act` may emit `stop`, as the daemon does when it ends. nullopt: it did.
    std::optional<StepReport> pay_and_act(int turn, const std::function<void(asio::cancellation_signal& stop)>& act) {
        asio::cancellation_signal stop;
        std::optional<StepReport> report;
        std::exception_ptr failure;
        bool ended = false;
        const auto done = [&](const std::exception_ptr& thrown, StepReport made) {
            ended = true;
            failure = thrown;
            if (!thrown) report = std::move(made);
        };
        asio::co_spawn(io_, pay(*context_), asio::bind_cancellation_slot(stop.slot(), done));
        const std::function<void()> watch = [&] {
            if (ended) return;
            if (!ledger::unplanned_files(*ledger_).empty() && --turn == 0) return act(stop);
            asio::post(io_, watch);
        };
        asio::post(io_, watch);
        io_.restart();
        io_.run();
        try {
            if (failure) std::rethrow_exception(failure);
        } catch (const boost::system::system_error& error) {
            if (error.code() != asio::error::operation_aborted) throw;
        }
        return report;
    }
    StepReport run_as_is(StepFunction step) { return run_to_end(step(*context_)); }
    Result<ledger::FileRow> release_now(std::string name, std::string reason, ledger::Stamp stamp) {
        return run_to_end(release_file(*context_, std::move(name), std::move(reason), std::move(stamp)));
    }
    // Finance (uid 4) hands in confirmations. Where files are released automatically, uid 8 releases files that wait
    // for another person.
    StepReport run(StepFunction step) {
        if (step == &confirm) {
            context_->actor = "uid 4 (finance)";
            context_->uid = 4;
        }
        auto report = run_as_is(step);
        if (step == &confirm) {
            context_->actor = daemon_actor;
            context_->uid.reset();
        }
        if (step == &pay && config_.pay.release == config::Release::automatic) release_what_waits();
        return report;
    }
    void release_what_waits() {
        for (const auto& file : ledger::payment_files(*ledger_, /*unreleased_only=*/true)) {
            if (file.state != ledger::FileState::staged || ledger::makers_of(*ledger_, file.file_id).empty()) continue;
            // Refused if something else prevents it.
            static_cast<void>(release_now(file.name, "agreed", {clock_.now(), "uid 8 (bo)", 8}));
        }
    }
    void run_well(std::initializer_list<StepFunction> steps) {
        for (const auto step : steps) {
            const auto report = run(step);
            EXPECT_TRUE(report.ok) << to_string(report.step) << ": " << report.summary << ": "
                                   << (report.problems.empty() ? "" : report.problems.back());
        }
    }

    // A person with this uid and this role.
    ledger::PersonId add_person(const std::string& name, std::int64_t uid, ledger::Role role) {
        const ledger::Stamp test{clock_.now(), "test", 1};
        return ledger_->transaction([&] {
            const auto person = ledger::add_person(*ledger_, name, "test", test);
            EXPECT_TRUE(ledger::make_change(
                *ledger_, {person, ledger::ChangeKind::link, {}, ledger::Identity::uid, std::to_string(uid)}, "test",
                test));
            EXPECT_TRUE(ledger::make_change(*ledger_, {person, ledger::ChangeKind::grant, role}, "test", test));
            return person;
        });
    }
    void change_person(ledger::PersonId person, ledger::ChangeKind kind) {
        ledger_->transaction(
            [&] { EXPECT_TRUE(ledger::make_change(*ledger_, {person, kind}, "test", {clock_.now(), "test", 1})); });
    }

    // A file that is released an hour after it was planned may not be released at 23:30: it would settle a day later.
    void open_after_midnight_if_late() {
        constexpr auto late = std::chrono::hours(21);
        const auto zone = context_->settings.plan.zone;
        const auto local = zone.to_local(clock_.now());
        if (local.time_of_day < late) return;
        const BusinessDate tomorrow(std::chrono::sys_days(local.date) + std::chrono::days(1));
        clock_.ahead += zone.to_instant(tomorrow, std::chrono::minutes(1)) - clock_.now();
    }
    [[nodiscard]] BusinessDate today() { return context_->settings.plan.zone.date_of(clock_.now()); }
    // A CSV file of the bank's with one line, handed in and read.
    struct BankLine {
        std::string status = "paid";
        Money amount;
        int days_ago = 0;
    };
    void bank_says(const std::string& reference, const BankLine& line) {
        const auto day = BusinessDate(std::chrono::sys_days(today()) - std::chrono::days(line.days_ago));
        std::ofstream(folder_.path() / "state/inbox" / fmt::format("bank-{}.csv", ++bank_files_))
            << "payment_reference,status,amount,date\n"
            << fmt::format("{},{},{},{}\n", reference, line.status, line.amount.to_string(), format_date(day));
        clock_.ahead += std::chrono::seconds(1);
        run_well({confirm});
    }
    void bank_says(const disbursement::PlannedPayment& payment, const std::string& status) {
        bank_says(*payment.trace_number, {status, payment.amount});
    }

    // Looks for confirmations on each of these days.
    void days_pass(int days = 14) {
        for (int day = 0; day < days; ++day) {
            clock_.ahead += std::chrono::hours(24);
            run_well({confirm});
        }
    }

    void add(std::int64_t id, int status = 3, const std::string& payee = "PAYEE-1") {
        sandbox_.add({.id = id, .cents = 10000 + id, .payee = payee, .workflow = 12, .status = status});
    }
    void fault(const char* json) { sandbox_.arm_fault(e2e::Json::parse(json)); }
    [[nodiscard]] std::string state_of(DrawId id) {
        const auto row = ledger::find_draw(*ledger_, id);
        return row ? row->state : "unknown";
    }
    [[nodiscard]] int asked(DrawId id) {
        const auto counts = sandbox_.approvals_asked();
        return counts.value(std::to_string(id), 0);
    }
    [[nodiscard]] int approved(DrawId id) { return sandbox_.draw(id).at("approvalCount").get<int>(); }
    [[nodiscard]] std::vector<ledger::FileRow> files() {
        return ledger::payment_files(*ledger_, /*unreleased_only=*/false);
    }
    [[nodiscard]] ledger::Stamp eva() { return {clock_.now(), "uid 7 (eva)", 7}; }
    // The person signs this request in the console, with a passkey of their own.
    ledger::Passkey sign(ledger::PersonId person, const std::string& request, const std::string& label) {
        const ledger::Stamp root{clock_.now(), "root", 0};
        const ledger::Stamp in_console{clock_.now(), "console", ledger::console_uid(person)};
        return ledger_->transaction([&] {
            const passkeys::NewPasskey key{"id", {passkeys::Algorithm::eddsa, "key"}, "", false};
            auto added = ledger::add_passkey(
                *ledger_,
                {.person_id = person, .invited = {5009, "Ida"}, .what = key, .site = "localhost", .label = label},
                in_console);
            EXPECT_TRUE(ledger::confirm_passkey(*ledger_, *added, "compared", root));
            const auto confirmed = ledger::find_passkey(*ledger_, added->fingerprint).value();
            ledger::record_signed_act(*ledger_,
                                      {.at = clock_.now(),
                                       .person_id = person,
                                       .passkey_id = confirmed.passkey_id,
                                       .request = request,
                                       .text = "signed",
                                       .assertion = {}},
                                      confirmed, in_console);
            return confirmed;
        });
    }
    [[nodiscard]] std::vector<std::string> exception_details(std::string_view reason) {
        std::vector<std::string> all;
        for (const auto& row : ledger::open_exceptions(*ledger_)) {
            if (row.what.reason_code == reason) all.push_back(row.what.detail);
        }
        return all;
    }
    [[nodiscard]] std::vector<std::string> reasons() {
        std::vector<std::string> all;
        for (const auto& row : ledger::open_exceptions(*ledger_))
            all.push_back(row.what.reason_code);
        return all;
    }
    // Returns how many there were.
    int resolve_all(std::string_view reason_code, const ledger::Stamp& by) {
        int resolved = 0;
        for (const auto& row : ledger::open_exceptions(*ledger_)) {
            if (row.what.reason_code != reason_code) continue;
            ledger_->transaction(
                [&] { EXPECT_TRUE(ledger::close_exception(*ledger_, row.exception_id, "the bank says so", by)); });
            ++resolved;
        }
        return resolved;
    }
    // "draw 7: reason" for each open exception.
    void expect_clean_ledger() {
        for (const auto& result : ledger::verify(*ledger_)) {
            EXPECT_THAT(result.violations, ::testing::IsEmpty()) << result.number;
        }
    }

    test::TemporaryFolder folder_;
    std::shared_ptr<Surroundings> around_;
    const e2e::Portal& sandbox_;
    int bank_files_ = 0;
    ShiftedClock clock_;
    std::optional<spool::Spool> spool_;
    config::Config config_ = test::sample_config(folder_.path() / "state");
    asio::io_context io_;
    std::optional<ledger::Ledger> ledger_;
    std::unique_ptr<service::DrawsClient> service_;
    std::optional<Shared> shared_;
    std::optional<Context> context_;
};

}  // namespace drawbridge::pipeline
