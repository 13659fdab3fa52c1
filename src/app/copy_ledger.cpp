// `drawbridge ledger copy`.
#include "drawbridge/ledger/store/copy.hpp"

#include <stdexcept>

#include "build.hpp"
#include "drawbridge/daemon/system_clock.hpp"
#include "ownership.hpp"

namespace drawbridge::app {
namespace {

namespace fs = std::filesystem;

std::string described(const ledger::CopyFacts& facts) {
    return "ledger " + facts.ledger_id.substr(0, 12) + ", " + std::to_string(facts.audit_seq) +
           " entries in its audit trail, every invariant holds";
}

}  // namespace

std::expected<std::string, StartFailure> copy_ledger(const fs::path& config_file, const fs::path& file,
                                                     CopyDirection direction) {
    const auto config = config::load_config(config_file);
    if (!config) return std::unexpected(StartFailure{exit_configuration, text::to_string(config.error())});
    const auto address = address_of_ledger(*config);
    if (!address) {
        return std::unexpected(StartFailure{
            exit_configuration, config_file.string() +
                                    ": ledger.url is not set, so the ledger is a file: set it to the "
                                    "database that you copy to or from; 'drawbridge backup' copies a file"});
    }
    const auto now = daemon::SystemClock().now();
    const auto& key = config->ledger.sealing_key;
    act_as_owner_of(config->state_dir);
    const auto copied = [&]() -> Result<ledger::CopyFacts> {
        if (direction == CopyDirection::from_file)
            return ledger::copy_from_file(fs::absolute(file), config->state_dir, *address, now, key);
        auto opened = ledger::Ledger::open(config->state_dir, *address, now, key);
        if (!opened) return std::unexpected(opened.error());
        return ledger::copy_to_file(*opened, fs::absolute(file), now, key);
    };
    try {
        const auto facts = copied();
        if (!facts) return std::unexpected(StartFailure{exit_failed, facts.error().message});
        return described(*facts);
    } catch (const std::runtime_error& failure) {
        return std::unexpected(StartFailure{exit_failed, file.string() + ": not copied: " + failure.what()});
    }
}

}  // namespace drawbridge::app
