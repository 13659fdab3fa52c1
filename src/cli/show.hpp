// Prints the answers of the operators' API as text. Private to this module.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "drawbridge/admin/records.hpp"

namespace drawbridge::cli {

using nlohmann::json;
namespace records = admin::records;

template <class T>
[[nodiscard]] std::vector<T> records_in(const json& list) {
    return api::from_json<std::vector<T>>(list);
}

void show_status(const json& status);
void show_draws(const json& answer);
void show_draw(const json& answer);
void show_exceptions(const std::vector<records::Exception>& exceptions, const std::string& when_empty);
void show_files(const std::vector<records::File>& files);
void show_file(const json& answer);
void show_checks_register(const std::vector<records::Check>& checks);
void show_runs(const std::vector<records::Run>& runs);
void show_pay_runs(const std::vector<records::PayRun>& runs);
void show_explanation(const json& answer);
void show_verify(const json& answer);

// The delivery of one file with its steps, and the evidence that the bank has it.
void show_delivery(const records::File& file);

// "needs person", "delivered"; "-" for a file without one.
[[nodiscard]] std::string delivery_state(const records::File& file);
// "$1,234.50"; "-" for null.
[[nodiscard]] std::string money(const json& amount);
// "3 payments, $1,234.50"; of a file that voids or stops checks "2 check orders, $15,088.88".
[[nodiscard]] std::string items_of(const records::File& file);
// Each once: "uid 7 (eva), Ben (uid 8)".
[[nodiscard]] std::string maker_names(const std::vector<records::Maker>& makers);
// For a file whose release is ordered but not done: "release ordered by uid 7 (eva), waits for the service since …";
// otherwise empty.
[[nodiscard]] std::string release_that_waits(const records::File& file);
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

// The same of a member of a record.
template <class T>
concept Member = !std::is_same_v<T, json>;
template <Member T>
[[nodiscard]] std::string plain(const T& value) {
    return plain(api::to_json(value));
}
// "Anna, Bert"; "-": empty.
template <class T>
[[nodiscard]] std::string joined(const std::vector<T>& list) {
    std::string text;
    for (const auto& one : list)
        text += (text.empty() ? "" : ", ") + plain(one);
    return text.empty() ? "-" : text;
}
template <Member T>
[[nodiscard]] std::string money(const T& amount) {
    return money(api::to_json(amount));
}
template <Member T>
[[nodiscard]] std::string moment(const T& instant) {
    return moment(api::to_json(instant));
}
template <Member T>
[[nodiscard]] std::string short_hash(const T& sha256) {
    return short_hash(api::to_json(sha256));
}
template <Member T>
[[nodiscard]] std::string age(const T& since, Instant now) {
    return age(api::to_json(since), api::to_json(now));
}

}  // namespace drawbridge::cli
