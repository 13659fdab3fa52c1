// Prints the answers of the operators' API as text. Private to this module.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace drawbridge::cli {

using nlohmann::json;

void show_status(const json& status);
void show_draws(const json& answer);
[[nodiscard]] std::vector<std::string> draws_csv_header();
[[nodiscard]] std::vector<std::string> draws_csv_cells(const json& draw);
void show_draw(const json& answer);
void show_exceptions(const json& exceptions, const std::string& when_empty);
void show_files(const json& files);
void show_file(const json& answer);
void show_checks_register(const json& checks);
[[nodiscard]] std::vector<std::string> checks_csv_header();
[[nodiscard]] std::vector<std::string> checks_csv_cells(const json& check);
void show_runs(const json& runs);
void show_pay_runs(const json& runs);
void show_explanation(const json& answer);
void show_verify(const json& answer);

// The delivery of one file with its steps. Prints nothing for null.
void show_delivery(const json& delivery);

// "needs person", "delivered"; "-" for null.
[[nodiscard]] std::string delivery_state(const json& file);
// "$1,234.50"; "-" for null.
[[nodiscard]] std::string money(const json& amount);
// For a file whose release is ordered but not done: "release ordered by uid 7 (eva), waits for the service since …";
// otherwise empty.
[[nodiscard]] std::string release_that_waits(const json& file);
// "2026-11-20 23:00:03Z"; "-" for null.
[[nodiscard]] std::string moment(const json& instant);
// The value as text; "-" for null.
[[nodiscard]] std::string plain(const json& value);
// The first digits of a hash, enough to name it.
[[nodiscard]] std::string short_hash(const json& sha256);
// "1 draw", "1,250 draws"
[[nodiscard]] std::string counted(const json& count, std::string_view what);
// The time between two instants: "2h 5m".
[[nodiscard]] std::string age(const json& since, const json& now);

}  // namespace drawbridge::cli
