#include "build.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include "alert_transports.hpp"
#include "delivery_targets.hpp"
#include "drawbridge/config/input_files.hpp"
#include "drawbridge/daemon/change_control.hpp"
#include "drawbridge/ledger/facts/write_back.hpp"
#include "drawbridge/ledger/store/disk_space.hpp"
#include "drawbridge/ledger/store/lease.hpp"
#include "drawbridge/ledger/store/standby.hpp"
#include "drawbridge/pipeline/take_over.hpp"
#include "ledger_uniqueness.hpp"
#include "lost_ledger.hpp"
#include "ownership.hpp"

namespace drawbridge::app {
namespace {

namespace fs = std::filesystem;
using text::Diagnostics;

std::unexpected<StartFailure> broken_configuration(std::string message) {
    return std::unexpected(StartFailure{exit_configuration, std::move(message)});
}

pipeline::Settings settings(const config::Config& config, disbursement::PlanSettings plan,
                            statements::ReadOptions confirmations) {
    return {.payee_key = find_draw_field(config.payees.key),
            .plan = std::move(plan),
            .confirmations = std::move(confirmations),
            .ach_delivery = delivery_target(config.delivery.ach),
            .check_delivery = delivery_target(config.delivery.checks)};
}

// From now on, each event with a configured text records an intent to write it back.
void enable_write_back(daemon::Application& app) {
    std::set<disbursement::WriteBackEvent> events;
    for (const auto& [event, texts] : app.config.report.write_back)
        events.insert(event);
    const ledger::Stamp stamp{app.clock.now(), std::string(pipeline::daemon_actor)};
    app.ledger.transaction([&] { ledger::enable_write_back(app.ledger, events, stamp); });
}

// Replaces files under change control by the bytes in force. A working process proposes the changed bytes, or reports
// their errors.
std::expected<void, Diagnostics> control_changes(daemon::Application& app,
                                                 std::expected<config::Inputs, Diagnostics>& inputs, Purpose purpose) {
    if (!inputs) return {};
    const bool are_refused = !app.input_problems.empty();
    const ledger::Stamp stamp{app.clock.now(), std::string(pipeline::daemon_actor)};
    if (purpose == Purpose::work && !are_refused) {
        daemon::note_settings(app.ledger, app.config, stamp);
        daemon::compare_with_ledger(app.ledger, app.config, *inputs, stamp);
    }
    auto taken = daemon::take_in_force(app.ledger, app.config, inputs->rules, inputs->payees);
    if (!are_refused) return taken;
    if (!taken) return std::unexpected(app.input_problems);
    daemon::note_settings(app.ledger, app.config, stamp);
    daemon::raise_refused(app.ledger, app.input_problems, stamp);
    return {};
}

int exit_code(ErrorCode of_ledger) {
    // The sealing key is part of the configuration, and so is the choice of a database that suits: a restart does not
    // fix them.
    if (of_ledger == ErrorCode::unauthorized || of_ledger == ErrorCode::invalid_input) return exit_configuration;
    if (of_ledger == ErrorCode::in_use) return exit_locked;
    return of_ledger == ErrorCode::unavailable ? exit_disk : exit_failed;
}

std::unexpected<StartFailure> ledger_failure(const config::Config& config, const Error& error) {
    const bool is_server_away = config.ledger.database && error.code == ErrorCode::unavailable;
    return std::unexpected(StartFailure{exit_code(error.code), error.message, is_server_away});
}

// A command must not take over the ledger of another machine, whose daemon may only be restarting.
std::expected<void, StartFailure> check_is_ours(const config::Config& config) {
    const auto address = address_of_ledger(config);
    const auto writer = ledger::writer_on_another_host(config.state_dir, *address, config.ledger.sealing_key);
    if (!writer) return ledger_failure(config, writer.error());
    if (!*writer) return {};
    return std::unexpected(
        StartFailure{exit_failed, "no daemon answers here, and another machine writes this ledger (" + **writer +
                                      "): run the command there, or take over with `drawbridge run`"});
}

std::expected<void, StartFailure> prepare_state_dir(const config::Config& config, Purpose purpose) {
    const auto& state_dir = config.state_dir;
    std::error_code error;
    if (purpose == Purpose::read) return {};
    if (purpose == Purpose::request) {
        if (config.ledger.database) return check_is_ours(config);
        if (ledger::has_ledger(state_dir)) return {};
        return std::unexpected(StartFailure{
            exit_failed,
            state_dir.string() + ": no ledger here yet, and no daemon answers: start it with `drawbridge run`"});
    }
    fs::create_directories(state_dir, error);
    if (!error) return {};
    return std::unexpected(StartFailure{exit_disk, state_dir.string() + ": cannot create the state folder: " +
                                                       error.message() + ": create it for this user"});
}

Result<ledger::Ledger> open_ledger(const config::Config& config, Purpose purpose) {
    if (purpose == Purpose::read)
        return ledger::open_on_read_server(config.state_dir, *read_server_of(config), config.ledger.sealing_key);
    try {
        const auto now = daemon::SystemClock().now();
        if (const auto address = address_of_ledger(config))
            return ledger::Ledger::open(config.state_dir, *address, now, config.ledger.sealing_key);
        return ledger::Ledger::open(config.state_dir, now, config.ledger.sealing_key);
    } catch (const std::exception& failure) {
        auto full = ledger::no_space(config.state_dir, failure);
        if (!full) throw;
        return fail(ErrorCode::unavailable, std::move(*full) + "; the next run continues");
    }
}

// The process before it may still act, on another host, until its lease ends.
void outwait_predecessor(const ledger::Ledger& ledger) {
    const auto wait = ledger::time_until_acting(ledger);
    if (wait.count() == 0) return;
    std::fprintf(stderr,
                 "drawbridge: the ledger's last writer, %s, did not end cleanly: waiting %lld s until it can do "
                 "nothing\n",
                 ledger::predecessor(ledger).c_str(),
                 static_cast<long long>(std::chrono::ceil<std::chrono::seconds>(wait).count()));
    std::this_thread::sleep_for(wait);
}

std::expected<void, StartFailure> check_no_other_office(const config::Config& config) {
    if (const auto single = check_no_second_ledger(config.state_dir, config.file); !single)
        return broken_configuration(config.file.string() + ": " + single.error().message);
    if (const auto alone = check_siblings(config.claims); !alone) return broken_configuration(alone.error().message);
    return {};
}

// As the files say now. nullopt: they cannot be read, or are for another service.
std::optional<service::Credentials> credentials_for(const std::string& base_url, const fs::path& config_file) {
    auto config = config::load_config(config_file);
    if (!config || config->service.base_url != base_url) return std::nullopt;
    return service::Credentials{std::move(config->service.client_id), std::move(config->service.client_secret)};
}

std::expected<void, StartFailure> make_service_client(daemon::Application& app) {
    auto options = client_options(app.config.service);
    options.observe = [meter = &app.meter](const service::RequestMetrics& seen) {
        meter->request(seen.endpoint, seen.outcome, seen.took);
    };
    options.read_credentials = [file = app.config.file, base_url = app.config.service.base_url] {
        return credentials_for(base_url, file);
    };
    options.wall_clock = [clock = &app.clock] { return clock->now(); };
    auto client = service::make_client(app.io.get_executor(), std::move(options));
    if (!client) return broken_configuration(app.config.file.string() + ": " + client.error().message);
    app.service = std::move(*client);
    return {};
}

// Without valid inputs, the program reads the ledger only, and says what is wrong with them.
config::Inputs inputs_in_force(daemon::Application& app, std::expected<config::Inputs, text::Diagnostics> inputs) {
    if (inputs) {
        std::ranges::move(inputs->warnings, std::back_inserter(app.warnings));
        return std::move(*inputs);
    }
    app.input_problems = std::move(inputs.error());
    return {.rules = {},
            .payees = {},
            .plan = {.ach = std::nullopt,
                     .check = std::nullopt,
                     .zone = app.config.pay.timezone,
                     .calendar = BankingCalendar()},
            .confirmations = {},
            .warnings = {},
            .payees_text = {}};
}

}  // namespace

std::optional<ledger::PostgresqlAddress> address_of_ledger(const config::Config& config) {
    const auto& database = config.ledger.database;
    if (!database) return std::nullopt;
    return ledger::PostgresqlAddress{database->url,
                                     database->password ? std::string(database->password->reveal()) : std::string(),
                                     database->schema};
}

std::optional<ledger::ReadServer> read_server_of(const config::Config& config) {
    auto primary = address_of_ledger(config);
    if (!primary || config.ledger.database->read_url.empty()) return std::nullopt;
    auto standby = *primary;
    standby.url = config.ledger.database->read_url;
    standby.is_only_read = true;
    return ledger::ReadServer{std::move(standby), *std::move(primary), config.ledger.database->read_max_lag};
}

service::ClientOptions client_options(const config::Service& service) {
    service::ClientOptions options;
    options.base_url = service.base_url;
    options.client_id = service.client_id;
    options.client_secret = service.client_secret;
    options.ca_file = service.ca_file;
    options.proxy = service.proxy;
    options.request_deadline = service.request_deadline;
    options.connect_deadline = std::min(service.connect_deadline, service.request_deadline);
    options.max_connections = service.max_connections;
    options.max_requests_per_second = service.max_requests_per_second;
    options.max_body_bytes = static_cast<std::size_t>(service.max_body_bytes);
    options.attempts = service.retries + 1;
    options.user_agent = "drawbridge/" DRAWBRIDGE_VERSION;
    return options;
}

bool wait_for_other_process(const fs::path& config_file) {
    constexpr std::chrono::seconds max_lock_wait{5};
    const auto state_dir = config::find_input_files(config_file).state_dir.value_or(config::default_state_dir);
    return ledger::wait_for_lock(state_dir, max_lock_wait);
}

std::expected<Built, StartFailure> build(const fs::path& config_file, Purpose purpose) {
    auto config = config::load_config(config_file);
    if (!config) return broken_configuration(text::to_string(config.error()));
    auto input_stamps = config::stamps_of_inputs(*config);
    auto inputs = config::load_inputs(*config);
    Diagnostics refused;  // errors of files under change control: the ledger may have older bytes in force
    if (!inputs && purpose == Purpose::work) {
        refused = std::exchange(inputs, config::load_uncontrolled_inputs(*config)).error();
        if (!inputs) return broken_configuration(text::to_string(refused));
    }
    if (purpose == Purpose::work) {
        if (const auto alone = check_no_other_office(*config); !alone) return std::unexpected(alone.error());
    }
    act_as_owner_of(config->state_dir);
    if (auto prepared = prepare_state_dir(*config, purpose); !prepared) {
        return std::unexpected(prepared.error());
    }
    auto ledger = open_ledger(*config, purpose);
    if (!ledger) return ledger_failure(*config, ledger.error());
    outwait_predecessor(*ledger);
    Built built{.writer = {},
                .application = std::make_unique<daemon::Application>(std::move(*config), std::move(*ledger))};
    auto* const app = built.application.get();
    app->input_stamps = std::move(input_stamps);
    app->read_server = read_server_of(app->config);
    if (purpose == Purpose::work) {
        if (auto locked = built.lock_as_writer(); !locked) return std::unexpected(std::move(locked.error()));
        begin_after_lost_ledger(app->ledger, app->config, app->clock.now());
    }
    if (const auto made = make_service_client(*app); !made) return std::unexpected(made.error());
    auto ways = alert_transports(app->io.get_executor(), app->config);
    if (!ways) return broken_configuration(app->config.file.string() + ": " + ways.error().message);
    auto heartbeat = heartbeat_target(app->io.get_executor(), app->config);
    if (!heartbeat) return broken_configuration(app->config.file.string() + ": " + heartbeat.error().message);
    app->heartbeat = std::move(*heartbeat);
    app->warnings = app->config.warnings;
    std::ranges::copy(refused, std::back_inserter(app->warnings));
    app->input_problems = std::move(refused);
    if (auto controlled = control_changes(*app, inputs, purpose); !controlled) {
        if (purpose == Purpose::work) return broken_configuration(text::to_string(controlled.error()));
        inputs = std::unexpected(std::move(controlled.error()));
    }
    auto in_force = inputs_in_force(*app, std::move(inputs));
    app->alerts = std::make_unique<alerts::Alerts>(app->io.get_executor(), app->ledger, app->clock,
                                                   alert_settings(app->config, in_force.plan.calendar),
                                                   std::move(*ways), [app](bool is_problem, const std::string& text) {
                                                       if (app->alerts_log) app->alerts_log(is_problem, text);
                                                   });
    if (purpose == Purpose::work) {
        note_configuration(app->config.state_dir, app->config.file);
        enable_write_back(*app);
    }
    app->shared.emplace(
        pipeline::Shared{app->ledger, *app->service, app->spool, app->clock, app->config,
                         settings(app->config, std::move(in_force.plan), std::move(in_force.confirmations)),
                         std::move(in_force.rules), std::move(in_force.payees)});
    app->shared->transfer_worker = &app->transfer_worker;
    app->shared->disk = &app->disk;
    app->context.emplace(*app->shared);
    if (purpose != Purpose::read) pipeline::take_over(*app->context);
    ledger::begin_acting(app->ledger);
    return built;
}

std::expected<void, StartFailure> Built::lock_as_writer() {
    if (writer) return {};
    const auto& config = application->config;
    auto taken = WriterLock::take(config.claims, application->ledger.ledger_id());
    if (!taken) return std::unexpected(StartFailure{exit_locked, taken.error().message});
    if (const auto same = take_service(application->ledger, config.service, application->clock.now()); !same)
        return broken_configuration(config.file.string() + ": " + same.error().message);
    writer = *std::move(taken);
    return {};
}

}  // namespace drawbridge::app
