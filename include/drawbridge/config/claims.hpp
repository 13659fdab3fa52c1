// What an instance claims for itself: the draws that it pays and the numbers that it uses. Two instances with the same
// claims would pay a draw twice, or give two payments the same number.
//
// Reading claims reports no errors; load_config() does.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/disbursement/plan.hpp"

namespace drawbridge::text {
class YamlNode;
}

namespace drawbridge::config {

struct Claims {
    struct Ach {
        std::string odfi_identification{};  // eight digits
        std::string origin_id{}, destination{};
        std::string file_name{};  // the template
        std::string file_id_modifiers{};
        disbursement::NumberRange trace_numbers{};
    };
    struct Checks {
        std::string account_sha256{};
        disbursement::NumberRange numbers{};
    };
    std::filesystem::path file{};           // the configuration file
    std::filesystem::path state_dir{};      // of its ledger
    std::string service{};                  // the base URL, normalized
    std::vector<std::int64_t> workflows{};  // empty: all
    disbursement::NumberRange file_numbers{};
    disbursement::NumberRange payment_ids{1, disbursement::last_payment_id};
    std::optional<Ach> ach{};
    std::optional<Checks> checks{};  // also absent if its account number cannot be read
};

// Of a configuration that load_config() accepts, with the absolute path `file`.
[[nodiscard]] Claims claims_of(const text::YamlNode& root, const std::filesystem::path& file);
// nullopt: the configuration cannot be read.
[[nodiscard]] std::optional<Claims> claims_in(const std::filesystem::path& config_file);

// The same text for every way to write the URL of one service.
[[nodiscard]] std::string normalized_url(const std::string& url);
// Of a normalized URL. A service on this machine is for a trial; one with TLS may be a tunnel to the real one.
[[nodiscard]] bool is_on_this_machine(const std::string& url);

// Why the two instances must not both run, and what to change. Empty: no conflict. Two configurations of one ledger do
// not conflict, and neither do two trials that each use their own service on this machine.
[[nodiscard]] std::string conflict(const Claims& ours, const Claims& theirs);

// Other configurations in the same layout: /etc/drawbridge/*.yaml and /etc/drawbridge/NAME/drawbridge.yaml, or the same
// pattern around `config_file`. World-writable folders are skipped.
[[nodiscard]] std::vector<std::filesystem::path> sibling_configurations(const std::filesystem::path& config_file);

}  // namespace drawbridge::config
