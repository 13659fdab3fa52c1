// `drawbridge rekey`.
#include "drawbridge/ledger/store/sealing.hpp"

#include <unistd.h>

#include "build.hpp"
#include "drawbridge/admin/identity.hpp"

namespace drawbridge::app {

std::expected<std::int64_t, StartFailure> change_sealing_key(const std::filesystem::path& config_file,
                                                             const std::filesystem::path& key_file,
                                                             const std::string& reason) {
    const auto key = ledger::read_sealing_key(key_file);
    if (!key) return std::unexpected(StartFailure{exit_failed, key.error().message});
    wait_for_other_process(config_file);
    const auto built = build(config_file, Purpose::request);
    if (!built) return std::unexpected(built.error());
    auto& app = *built->application;
    if (ledger::is_sealed_with(app.ledger, *key)) {
        return std::unexpected(
            StartFailure{exit_failed, key_file.string() + ": the ledger is already sealed with this key, nothing was "
                                                          "changed: make another key with `drawbridge keygen FILE`"});
    }
    const ledger::Stamp stamp{app.clock.now(), admin::describe_user(::getuid()), ::getuid()};
    return ledger::change_sealing_key(app.ledger, *key, reason, stamp);
}

}  // namespace drawbridge::app
