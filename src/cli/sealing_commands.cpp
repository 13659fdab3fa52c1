// The sub-commands about the key that seals the ledger.
#include "commands.hpp"
#include "drawbridge/daemon/programs.hpp"
#include "show.hpp"
#include "table.hpp"

namespace drawbridge::cli {

int keygen_command(const Options& options) {
    const auto made = daemon::make_sealing_key(options.name);
    if (!made) {
        print_error("drawbridge: " + made.error().message);
        return daemon::exit_failed;
    }
    print_line(options.name +
               ": a new sealing key; keep a copy of it apart from the ledger and its backups: without it "
               "the ledger does not open");
    return daemon::exit_ok;
}

int rekey_command(const Options& options) {
    const auto sealed = daemon::change_sealing_key(options.config, options.name, options.reason);
    if (!sealed) {
        print_error("drawbridge: " + sealed.error().message);
        return sealed.error().exit_code;
    }
    if (options.json) {
        const json answer = {{"sealed", *sealed}, {"key_file", options.name}};
        print_json(answer);
        return daemon::exit_ok;
    }
    print_line(
        counted(*sealed, "value") + " sealed anew: from now on the ledger opens with " + options.name +
        " alone. Before the next start put it where the old key is: the file that ledger.sealing_key_file names, "
        "the systemd credential sealing_key, or sealing.key in the state folder. Keep the old key as long as "
        "backups that it seals");
    return daemon::exit_ok;
}

}  // namespace drawbridge::cli
