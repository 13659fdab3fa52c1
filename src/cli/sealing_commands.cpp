// The sub-commands for the key that seals the ledger: keygen and rekey.
#include "commands.hpp"
#include "drawbridge/app/programs.hpp"
#include "drawbridge/ledger/store/sealing.hpp"
#include "report_file.hpp"
#include "show.hpp"
#include "table.hpp"

namespace drawbridge::cli {

int keygen_command(const Options& options) {
    const auto made = ledger::write_sealing_key(options.name, ledger::make_sealing_key());
    if (!made) return report_write_failure(made.error());
    print_line(options.name +
               ": a new sealing key. Keep a copy of it apart from the ledger and its backups: without it, the ledger "
               "cannot be opened");
    return app::exit_ok;
}

int rekey_command(const Options& options) {
    const auto sealed = app::change_sealing_key(options.config, options.name, options.reason);
    if (!sealed) {
        print_error("drawbridge: " + sealed.error().message);
        return sealed.error().exit_code;
    }
    if (options.json) {
        const json answer = {{"sealed", *sealed}, {"key_file", options.name}};
        print_json(answer);
        return app::exit_ok;
    }
    print_line(counted(*sealed, "value") + " sealed again. From now on the ledger opens only with " + options.name +
               ". Before the next start, replace the old key with it: the file in ledger.sealing_key_file, the systemd "
               "credential sealing_key, or sealing.key in the state folder. Keep the old key as long as you keep "
               "backups sealed with it");
    return app::exit_ok;
}

}  // namespace drawbridge::cli
