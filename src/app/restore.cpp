// `drawbridge restore FILE`.
#include "drawbridge/ledger/store/restore.hpp"

#include <unistd.h>

#include <stdexcept>
#include <system_error>
#include <utility>

#include "drawbridge/admin/identity.hpp"
#include "drawbridge/app/programs.hpp"
#include "drawbridge/daemon/system_clock.hpp"
#include "ownership.hpp"

namespace drawbridge::app {

namespace fs = std::filesystem;

std::expected<ledger::Restored, StartFailure> restore(const fs::path& config_file, const fs::path& backup,
                                                      const std::string& reason) {
    const auto config = config::load_config(config_file);
    if (!config) return std::unexpected(StartFailure{exit_configuration, text::to_string(config.error())});
    if (config->ledger.database) {
        return std::unexpected(StartFailure{
            exit_failed,
            "the ledger is in PostgreSQL (ledger.url): restore the database there, as its administrator does "
            "it; or copy a backup of Drawbridge's into an empty schema with 'drawbridge ledger copy --from "
            "FILE'. Either way the ledger starts paused if it lacks what was sent"});
    }
    std::error_code error;
    fs::create_directories(config->state_dir, error);
    const ledger::Stamp stamp{daemon::SystemClock().now(), admin::describe_user(::getuid()), ::getuid()};
    try {
        auto restored = ledger::restore(config->state_dir, fs::absolute(backup), reason, config->ledger.sealing_key,
                                        stamp, [&] { act_as_owner_of(config->state_dir); });
        if (!restored) return std::unexpected(StartFailure{exit_failed, restored.error().message});
        return *std::move(restored);
    } catch (const std::runtime_error& failure) {
        return std::unexpected(StartFailure{exit_failed, backup.string() + ": not restored: " + failure.what()});
    }
}

}  // namespace drawbridge::app
