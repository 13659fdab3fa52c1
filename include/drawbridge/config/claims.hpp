// What an instance claims for itself: the draws that it pays, and the numbers that it uses. Two instances that claim
// the same would pay a draw twice, or give two payments one number.
//
// It is read without a word about what is wrong in the file: that is load_config's to say.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/disbursement/plan.hpp"

namespace drawbridge::config {

struct Claims {
    struct Ach {
        std::string odfi_identification{};  // eight digits
        std::string origin_id{}, destination{};
        std::string file_name{};  // the pattern
        std::string file_id_modifiers{};
        disbursement::NumberRange trace_numbers{};
    };
    struct Checks {
        std::string account_sha256{};
        disbursement::NumberRange numbers{};
    };
    std::filesystem::path file{};           // the configuration
    std::filesystem::path state_dir{};      // of its ledger
    std::string service{};                  // the base URL in one form
    std::vector<std::int64_t> workflows{};  // empty: all
    disbursement::NumberRange file_numbers{};
    std::optional<Ach> ach{};
    std::optional<Checks> checks{};  // absent, too, where its account number cannot be read
};

// nullopt: no configuration that can be read.
[[nodiscard]] std::optional<Claims> claims_in(const std::filesystem::path& config_file);

// Why the two must not both work, and what to change; empty: they may. Two of one ledger do not exclude each other, nor
// do two trials, each at a service of its own on this machine.
[[nodiscard]] std::string conflict(const Claims& ours, const Claims& theirs);

// Other configurations in the same layout: /etc/drawbridge/*.yaml and /etc/drawbridge/NAME/drawbridge.yaml, or what
// lies beside `config_file` likewise. Folders that anybody may write are not looked into.
[[nodiscard]] std::vector<std::filesystem::path> sibling_configurations(const std::filesystem::path& config_file);

}  // namespace drawbridge::config
