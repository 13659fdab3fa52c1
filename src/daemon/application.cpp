#include "application.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace drawbridge::daemon {
namespace {

namespace fs = std::filesystem;

std::unexpected<StartFailure> broken_configuration(std::string message) {
    return std::unexpected(StartFailure{exit_configuration, std::move(message)});
}

pipeline::Settings settings(const config::Config& config, disbursement::PlanSettings plan,
                            statements::ReadOptions confirmations) {
    return {.page_size = config.service.page_size,
            .workflows = config.service.workflows,
            .requests_in_flight = config.service.max_connections,
            .payee_key = find_draw_field(config.payees.key),
            .plan = std::move(plan),
            .remittance = config.ach ? config.ach->remittance : disbursement::RemittanceTemplate(),
            .first_check_number = config.checks ? config.checks->first_number : 1,
            .checks_stale_after = config.checks ? config.checks->stale_after : std::chrono::days(180),
            .release_automatically = config.pay.release == config::Release::automatic,
            .confirmations = std::move(confirmations),
            .settle = config.confirmations.settle,
            .max_confirmation_bytes = config.confirmations.max_file_bytes};
}

std::expected<void, StartFailure> prepare_state_dir(const fs::path& state_dir, Purpose purpose) {
    std::error_code error;
    if (purpose == Purpose::request) {
        if (fs::exists(state_dir / "ledger.db", error)) return {};
        return std::unexpected(StartFailure{exit_failed, state_dir.string() +
                                                             ": there is no ledger here yet, and no daemon answers: "
                                                             "start it with `drawbridge run`"});
    }
    fs::create_directories(state_dir, error);
    if (!error) return {};
    return std::unexpected(StartFailure{exit_failed, state_dir.string() + ": cannot create the state folder: " +
                                                         error.message() + ": create it for this user"});
}

}  // namespace

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

std::expected<std::unique_ptr<Application>, StartFailure> Application::build(const fs::path& config_file,
                                                                             Purpose purpose) {
    auto config = config::load_config(config_file);
    if (!config) return broken_configuration(text::to_string(config.error()));
    auto inputs = load_inputs(*config);
    if (!inputs && purpose == Purpose::work) return broken_configuration(text::to_string(inputs.error()));
    if (auto prepared = prepare_state_dir(config->state_dir, purpose); !prepared) {
        return std::unexpected(prepared.error());
    }
    auto ledger = ledger::Ledger::open(config->state_dir, SystemClock().now());
    if (!ledger) return std::unexpected(StartFailure{exit_failed, ledger.error().message});
    auto app = std::make_unique<Application>(std::move(*config), std::move(*ledger));
    auto client = service::make_client(app->io.get_executor(), client_options(app->config.service));
    if (!client) return broken_configuration(app->config.file.string() + ": " + client.error().message);
    app->service = std::move(*client);
    app->warnings = app->config.warnings;
    disbursement::PlanSettings plan{
        .ach = std::nullopt, .check = std::nullopt, .zone = app->config.pay.timezone, .calendar = BankingCalendar()};
    rules::RuleSet rules;
    disbursement::PayeeDirectory payees;
    statements::ReadOptions confirmations;
    if (inputs) {
        plan = std::move(inputs->plan);
        rules = std::move(inputs->rules);
        payees = std::move(inputs->payees);
        confirmations = std::move(inputs->confirmations);
        std::ranges::move(inputs->warnings, std::back_inserter(app->warnings));
    } else {
        app->input_problems = std::move(inputs.error());
    }
    app->context.emplace(pipeline::Context{app->ledger, *app->service, app->spool, app->clock,
                                           settings(app->config, std::move(plan), std::move(confirmations)),
                                           std::move(rules), std::move(payees)});
    return app;
}

}  // namespace drawbridge::daemon
