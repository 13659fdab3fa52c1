// Reads each section of drawbridge.yaml into its typed value.
#pragma once

#include <filesystem>
#include <optional>

#include "drawbridge/config/config.hpp"
#include "secret_files.hpp"
#include "section.hpp"

namespace drawbridge::config {

[[nodiscard]] Service read_service(const Section& root, const Origin& origin);
// nullopt: the time zone is unknown; the error is reported.
[[nodiscard]] std::optional<Pay> read_pay(const Section& root);
// nullopt: the section is absent, or its errors are reported.
[[nodiscard]] std::optional<Ach> read_ach(const Section& root, const Origin& folder);
[[nodiscard]] std::optional<Checks> read_checks(const Section& root, const Origin& origin);
[[nodiscard]] Delivery read_delivery(const Section& root, const Origin& origin);
[[nodiscard]] Confirmations read_confirmations(const Section& root, const Origin& origin);
// Without the section: no alerts are sent.
[[nodiscard]] Alerts read_alerts(const Section& root, const Origin& origin);
[[nodiscard]] std::optional<Listen> read_metrics(const Section& root);

// Refuses automatic release unless a witness is configured or declined: nothing else would reveal a rollback.
[[nodiscard]] Ledger read_ledger(const Section& root, const Origin& origin, Release release);

// Refuses deletion within 7 years, and deletion of files that are never sealed.
[[nodiscard]] Archive read_archive(const Section& root);

// The console's socket is next to `admin_socket` unless the configuration names another path. `alerts` mail the codes
// for a release.
[[nodiscard]] Console read_console(const Section& root, const Origin& origin, const std::filesystem::path& admin_socket,
                                   const Alerts& alerts);

// A block with `from` and `to`.
[[nodiscard]] disbursement::NumberRange read_range(const Section& section, std::string_view key);

// `payees_key`: the draw field that names the payee; no text may overwrite it.
[[nodiscard]] Report read_report(const Section& root, std::string_view payees_key);

// For the service or a webhook: "http://proxy.example.gov:3128".
[[nodiscard]] std::optional<std::string> read_proxy(const Section& section);
[[nodiscard]] std::optional<std::filesystem::path> read_ca_file(const Section& section, const Origin& origin);

// A time of day in pay.timezone. nullopt: absent, or its error is reported.
[[nodiscard]] std::optional<std::chrono::minutes> read_time(const Section& section, std::string_view key);

// "15:30"
[[nodiscard]] std::optional<std::chrono::minutes> parse_time_of_day(std::string_view text);
// Times of day, ascending: ["10:00", "15:30"].
[[nodiscard]] std::vector<std::chrono::minutes> read_times(const Section& section, std::string_view key,
                                                           std::vector<std::chrono::minutes> fallback);

// The secret in the file that `key` names. The value itself, under `forbidden_key`, is an error.
[[nodiscard]] std::optional<Secret> read_secret_of(const Section& section, const Origin& origin, std::string_view key,
                                                   std::string_view forbidden_key);

}  // namespace drawbridge::config
