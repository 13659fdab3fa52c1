// Protects secrets: no core dumps, no memory access by other processes, a private file for the sealing key.
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "application.hpp"
#include "drawbridge/admin/identity.hpp"
#include "drawbridge/daemon/programs.hpp"
#include "drawbridge/ledger/store/sealing.hpp"

namespace drawbridge::daemon {

// A failure here (an older kernel, a sandbox) leaves the system's defaults in effect. The process continues.
void harden_process() {
    const rlimit none{0, 0};
    static_cast<void>(::setrlimit(RLIMIT_CORE, &none));
#ifndef __SANITIZE_ADDRESS__  // its leak checker attaches to the process
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
        return std::unexpected(
            StartFailure{exit_failed, key_file.string() + ": the ledger is already sealed with this key, nothing was "
                                                          "changed: make another key with `drawbridge keygen FILE`"});
    }
    const ledger::Stamp stamp{(*app)->clock.now(), admin::describe_user(::getuid()), ::getuid()};
    return ledger::change_sealing_key((*app)->ledger, *key, reason, stamp);
}

}  // namespace drawbridge::daemon
