// Checks the metrics with promtool and against the alerting rules, the dashboard and the guide; also the health checks.
#include "drawbridge/admin/metrics.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "admin/office.hpp"
#include "drawbridge/ledger/facts/invariant_checks.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/store/backups.hpp"
#include "ledger/ledger_fixture.hpp"
#include "support/verify_and_record.hpp"

namespace drawbridge::admin {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
using Names = std::set<std::string>;

class SetClock final : public Clock {
  public:
    [[nodiscard]] Instant now() const override { return at; }
    Instant at = test::at("2026-03-04T15:30:00");
};

std::string source(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(std::string(DRAWBRIDGE_SOURCE_DIR) + "/" + path, std::ios::binary).rdbuf();
    return std::move(text).str();
}

Names names_in(const std::string& text) {
    static const std::regex name("drawbridge_[a-z_0-9]+");
    return Names(std::sregex_token_iterator(text.begin(), text.end(), name), std::sregex_token_iterator());
}

// The output of a command, and its exit code.
std::pair<int, std::string> shell(const std::string& command) {
    FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
    std::string out;
    char buffer[4096];
    for (std::size_t size = 0; (size = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;)
        out.append(buffer, size);
    const int status = ::pclose(pipe);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, out};
}

class MetricsTest : public ledger::LedgerFixture {
  protected:
    MetricsTest() {
        live_.daemon = true;
        live_.started_at = clock_.at - std::chrono::hours(1);
        live_.rule_set_sha256 = "abc";
        live_.service.emplace();
        live_.reloaded_at = live_.reloaded_well_at = live_.started_at;
        live_.poll_every = std::chrono::minutes(1);
        office_.program.channels = {"webhook", "email"};
        const ledger::Stamp backed_up{clock_.at - std::chrono::hours(5), "drawbridge", {}};
        ledger->transaction([&] {
            ledger::record_backup(
                *ledger, {backed_up.at, backed_up.actor, "/b.db", std::string(64, 'a'), 1, 1, std::string(64, 'b')},
                backed_up);
        });
        context_.meter = &meter_;
    }

    // A ledger with a bit of everything.
    void fill() {
        for (DrawId id = 1; id <= 3; ++id)
            read(test::sample_draw(id, DrawStatus::approved, "1234.50"));
        pay(/*release=*/false);
        ledger->transaction([&] {
            ledger::raise_exception(*ledger, {"pay", "no_payee", 3, std::nullopt, "", "detail"}, stamp());
            ledger::record_run(*ledger, {Step::poll, now, now, true, "fine"});
            ledger::record_run(*ledger, {Step::pay, now, now, false, "not fine"});
        });
        (void)test::verify_and_record(*ledger, stamp());
        meter_.request("list", "2xx", std::chrono::milliseconds(30));
        meter_.request("list", "timeout", std::chrono::seconds(20));
        meter_.step(Step::poll, /*ok=*/true, std::chrono::seconds(2));
        meter_.report(/*answered_by_standby=*/true);
    }

    Response get(const std::string& target, const std::string& method = "GET") {
        Request request;
        request.method = method;
        request.target = target;
        return handle_monitoring(context_, request);
    }

    SetClock clock_;
    Meter meter_;
    Office office_{*ledger, clock_, folder.path()};
    DaemonStatus& live_ = office_.program.live;
    AdminContext& context_ = office_.context;
};

TEST_F(MetricsTest, show_the_state_of_the_money_and_what_needs_a_person) {
    fill();
    const auto answer = get("/metrics");
    ASSERT_EQ(answer.status, 200);
    EXPECT_EQ(answer.content_type, "text/plain; version=0.0.4; charset=utf-8");
    for (const char* line : {
             "drawbridge_draws{state=\"paying\"} 3\n",
             "drawbridge_draws_amount_cents{state=\"paying\"} 370350\n",
             "drawbridge_oldest_draw_age_seconds{state=\"paying\"} 1800\n",
             "drawbridge_open_exceptions 1\n",
             "drawbridge_open_exceptions_by_reason{reason=\"no_payee\",step=\"pay\"} 1\n",
             "drawbridge_payment_files{state=\"staged\"} 1\n",
             "drawbridge_payment_files{state=\"released\"} 0\n",
             "drawbridge_oldest_unreleased_file_age_seconds 1800\n",
             "drawbridge_paused 0\n",
             "drawbridge_invariant_violations{invariant=\"1\"} 0\n",
             "drawbridge_requests_total{endpoint=\"list\",outcome=\"2xx\"} 1\n",
             "drawbridge_requests_total{endpoint=\"list\",outcome=\"timeout\"} 1\n",
             "drawbridge_request_duration_seconds_bucket{endpoint=\"list\",le=\"0.05\"} 1\n",
             "drawbridge_step_runs_total{outcome=\"ok\",step=\"poll\"} 1\n",
             "drawbridge_report_queries_total{server=\"standby\"} 1\n",
             "drawbridge_alerts_waiting{channel=\"email\"} 0\n",
         }) {
        EXPECT_THAT(answer.body, HasSubstr(line));
    }
    EXPECT_THAT(answer.body, Not(HasSubstr("step_last_success_timestamp_seconds{step=\"pay\"}")));
}

TEST_F(MetricsTest, count_every_step_and_its_failures) {
    for (const Step step : all_steps) {
        const bool ok = step != Step::deliver;
        ledger->transaction([&] {
            ledger::record_run(*ledger, {step, now, now, true, "fine"});
            ledger::record_run(*ledger, {step, now, now + std::chrono::hours(1), ok, "done"});
        });
        meter_.step(step, ok, std::chrono::seconds(1));
    }
    const auto text = get("/metrics").body;
    const auto value = [&text](const std::string& name) {
        const auto at = text.find("\n" + name + " ");
        return at == std::string::npos ? -1.0 : std::stod(text.substr(at + name.size() + 2));
    };
    for (const Step step : all_steps) {
        const bool ok = step != Step::deliver;
        const auto labels = "{step=\"" + std::string(to_string(step)) + "\"}";
        const auto last = value("drawbridge_step_last_run_timestamp_seconds" + labels);
        EXPECT_GT(last, 0) << labels;
        EXPECT_EQ(value("drawbridge_step_last_success_timestamp_seconds" + labels), ok ? last : last - 3600) << labels;
    }
    EXPECT_THAT(text, HasSubstr("drawbridge_step_runs_total{outcome=\"failed\",step=\"deliver\"} 1\n"));
}

TEST_F(MetricsTest, pass_promtool) {
    fill();
    std::ofstream(folder.path() / "metrics") << get("/metrics").body;
    const auto [code, said] = shell("promtool check metrics < " + (folder.path() / "metrics").string());
    EXPECT_EQ(code, 0) << said;
    EXPECT_EQ(said, "");
}

TEST_F(MetricsTest, the_alerting_rules_pass_promtool_and_fire) {
    const std::string root = DRAWBRIDGE_SOURCE_DIR;
    const auto [code, said] = shell("promtool check rules " + root + "/config/prometheus/alerts.yml");
    EXPECT_EQ(code, 0) << said;
    const auto [tested, report] = shell("promtool test rules " + root + "/tests/data/prometheus/alerts.test.yml");
    EXPECT_EQ(tested, 0) << report;
}

TEST_F(MetricsTest, rules_and_dashboard_use_exported_metrics_and_the_guide_lists_all) {
    fill();
    const std::string text = get("/metrics").body;
    const Names exported = names_in(text);
    for (const char* file : {"config/prometheus/alerts.yml", "config/grafana/drawbridge.json"}) {
        const auto named = names_in(source(file));
        EXPECT_GT(named.size(), 10U) << file;
        for (const auto& name : named) {
            if (name.starts_with("drawbridge_ledger_")) continue;  // only of PostgreSQL: takeover_test
            EXPECT_TRUE(exported.contains(name)) << file << " names " << name;
        }
    }
    EXPECT_TRUE(json::accept(source("config/grafana/drawbridge.json")));
    static const std::regex declared("# TYPE (drawbridge_[a-z_]+)");
    const std::string guide = source("docs/monitoring.md");
    int count = 0;
    for (std::sregex_iterator at(text.begin(), text.end(), declared), end; at != end; ++at, ++count)
        EXPECT_THAT(guide, HasSubstr("`" + (*at)[1].str() + "`"));
    EXPECT_GT(count, 20);
    static const std::regex alert("alert: (Drawbridge[A-Za-z]+)");
    const std::string rules = source("config/prometheus/alerts.yml");
    for (std::sregex_iterator at(rules.begin(), rules.end(), alert), end; at != end; ++at)
        EXPECT_THAT(guide, HasSubstr("`" + (*at)[1].str() + "`"));
}

TEST_F(MetricsTest, contain_no_names_and_no_account_numbers) {
    fill();
    EXPECT_THAT(get("/metrics").body, Not(HasSubstr("123456789")));
    EXPECT_THAT(get("/metrics").body, Not(HasSubstr("Alvarez")));
}

TEST_F(MetricsTest, the_monitoring_port_serves_nothing_else) {
    EXPECT_EQ(get("/status").status, 404);
    EXPECT_EQ(get("/draws").status, 404);
    EXPECT_EQ(get("/metrics", "POST").status, 405);
    EXPECT_EQ(get("/pause", "POST").status, 405);
    EXPECT_EQ(get("/healthz", "HEAD").status, 200);
}

TEST_F(MetricsTest, healthy_means_that_the_work_loop_runs) {
    EXPECT_EQ(get("/healthz").status, 200);
    live_.idle = std::chrono::minutes(6);
    const auto failing = get("/healthz");
    EXPECT_EQ(failing.status, 503);
    EXPECT_EQ(json::parse(failing.body)["problems"][0], "the work loop is stuck");
    live_.daemon = false;
    EXPECT_EQ(get("/healthz").status, 503);
}

TEST_F(MetricsTest, ready_means_that_the_pipeline_works) {
    const auto problems = [this] {
        const auto answer = get("/readyz");
        const auto body = json::parse(answer.body);
        EXPECT_EQ(answer.status, body["problems"].empty() ? 200 : 503);
        return body["problems"].dump();
    };
    EXPECT_THAT(problems(), HasSubstr("has not been polled yet"));
    const auto run = [this](Step step, bool ok) {
        ledger->transaction([&] { ledger::record_run(*ledger, {step, clock_.at, clock_.at, ok, "secret words"}); });
    };
    run(Step::poll, true);
    EXPECT_EQ(problems(), "[]");
    live_.reload_problems = {"rules.yaml:1:1: secret words"};
    EXPECT_EQ(problems(), R"(["rules or payees on disk are not those in force"])");
    live_.reload_problems.clear();
    ledger->transaction([&] { ledger::set_paused(*ledger, true, "secret words", stamp()); });
    EXPECT_EQ(problems(), R"(["all movement of money is paused"])");
    ledger->transaction([&] { ledger::set_paused(*ledger, false, "on", stamp()); });
    clock_.at += std::chrono::minutes(6);
    EXPECT_EQ(problems(), R"(["the last poll is too old"])");
    run(Step::poll, false);
    EXPECT_EQ(problems(), R"(["the last run of poll failed"])");
    run(Step::poll, true);
    for (const Step step : all_steps) {
        run(step, false);
        EXPECT_EQ(problems(), "[\"the last run of " + std::string(to_string(step)) + " failed\"]");
        run(step, true);
        EXPECT_EQ(problems(), "[]") << to_string(step);
    }
    live_.idle = std::chrono::minutes(6);
    EXPECT_THAT(problems(), HasSubstr("the work loop is stuck"));
}

}  // namespace
}  // namespace drawbridge::admin
