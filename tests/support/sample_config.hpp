// A configuration for tests that read none from a file.
#pragma once

#include <filesystem>

#include "drawbridge/config/config.hpp"

namespace drawbridge::test {

// Of an office that pays by both rails.
inline config::Config sample_config(const std::filesystem::path& state_dir) {
    config::Config config{
        .state_dir = state_dir, .pay = {.timezone = TimeZone::find("America/New_York").value()}, .warnings = {}};
    config.ach.emplace(config::Ach{.odfi_routing_number = RoutingNumber::parse("091000019").value()});
    config.checks.emplace(config::Checks{.account_number = AccountNumber::parse("555000111").value(), .layout = {}});
    return config;
}

}  // namespace drawbridge::test
