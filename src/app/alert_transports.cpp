#include "alert_transports.hpp"

#include <utility>

namespace drawbridge::app {

namespace {

Result<std::unique_ptr<service::Webhook>> make(const boost::asio::any_io_executor& executor,
                                               const config::Webhook& webhook, std::string section) {
    service::WebhookOptions options;
    options.url = webhook.url;
    options.signing_key = webhook.signing_key;
    options.ca_file = webhook.ca_file;
    options.proxy = webhook.proxy;
    options.user_agent = "drawbridge/" DRAWBRIDGE_VERSION;
    options.section = std::move(section);
    return service::make_webhook(executor, std::move(options));
}

}  // namespace

Result<alerts::Transports> alert_transports(const boost::asio::any_io_executor& executor,
                                            const config::Config& config) {
    alerts::Transports transports;
    if (const auto& webhook = config.alerts.webhook) {
        auto made = make(executor, *webhook, "alerts.webhook");
        if (!made) return std::unexpected(std::move(made.error()));
        transports.webhook = std::move(*made);
    }
    if (const auto& email = config.alerts.email) {
        transports.mail = alerts::MailOptions{.sendmail = email->sendmail, .from = email->from, .to = email->to};
    }
    return transports;
}

Result<std::unique_ptr<service::Webhook>> heartbeat_target(const boost::asio::any_io_executor& executor,
                                                           const config::Config& config) {
    if (!config.alerts.heartbeat) return std::unique_ptr<service::Webhook>();
    return make(executor, config.alerts.heartbeat->to, "alerts.heartbeat");
}

alerts::Settings alert_settings(const config::Config& config, BankingCalendar calendar) {
    alerts::Settings settings{.zone = config.pay.timezone, .calendar = std::move(calendar)};
    settings.daily_digest = config.alerts.daily_digest;
    settings.nothing_confirmed_by = config.alerts.nothing_confirmed_by;
    settings.release_automatically = config.pay.release == config::Release::automatic;
    if (config.ach) settings.office = config.ach->origin_name;
    return settings;
}

}  // namespace drawbridge::app
