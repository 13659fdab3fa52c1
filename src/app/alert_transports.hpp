// From the configuration to the ways by which alerts go out.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>

#include "drawbridge/alerts/alerts.hpp"
#include "drawbridge/config/config.hpp"

namespace drawbridge::app {

// Errors: an invalid URL, proxy or CA file. Nothing is sent.
[[nodiscard]] Result<alerts::Transports> alert_transports(const boost::asio::any_io_executor& executor,
                                                          const config::Config& config);
// The target of the heartbeat. Null: not configured. Errors: as above.
[[nodiscard]] Result<std::unique_ptr<service::Webhook>> heartbeat_target(const boost::asio::any_io_executor& executor,
                                                                         const config::Config& config);
[[nodiscard]] alerts::Settings alert_settings(const config::Config& config, BankingCalendar calendar);

}  // namespace drawbridge::app
