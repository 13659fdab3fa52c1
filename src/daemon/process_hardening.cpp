// What keeps secrets in: core dumps, other processes' eyes, the sealing key's file.
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "application.hpp"
#include "drawbridge/admin/identity.hpp"
#include "drawbridge/daemon/programs.hpp"
#include "drawbridge/ledger/sealing.hpp"

namespace drawbridge::daemon {

// What fails here (an older kernel, a sandbox) leaves the system's own rules in force: no reason not to work.
void close_to_other_eyes() {
    const rlimit none{0, 0};
    static_cast<void>(::setrlimit(RLIMIT_CORE, &none));
#ifndef __SANITIZE_ADDRESS__  // whose leak check looks into the process from outside
    static_cast<void>(::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0));
#endif
}

Result<void> make_sealing_key(const std::filesystem::path& file) {
    return ledger::write_sealing_key(file, ledger::make_sealing_key());
}

std::expected<std::int64_t, StartFailure> change_sealing_key(const std::filesystem::path& config_file,
                                                             const std::filesystem::path& key_file,
                                                             const std::string& reason) {
    const auto key = ledger::read_sealing_key(key_file);
    if (!key) return std::unexpected(StartFailure{exit_failed, key.error().message});
    auto app = Application::build(config_file, Purpose::request);
    if (!app) return std::unexpected(app.error());
    if (ledger::is_sealed_with((*app)->ledger, *key)) {
        return std::unexpected(StartFailure{
            exit_failed, key_file.string() +
                             ": the ledger is sealed with this very key already, nothing was changed: make another "
                             "with `drawbridge keygen FILE`"});
    }
    const ledger::Stamp stamp{(*app)->clock.now(), admin::describe_user(::getuid()), ::getuid()};
    return ledger::change_sealing_key((*app)->ledger, *key, reason, stamp);
}

}  // namespace drawbridge::daemon
