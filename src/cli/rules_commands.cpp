// The sub-commands about rule files.
#include "commands.hpp"
#include "diagnostics.hpp"
#include "drawbridge/daemon/programs.hpp"
#include "show.hpp"
#include "table.hpp"

namespace drawbridge::cli {

int rules_check_command(const Options& options) {
    const auto diagnostics = daemon::check_rules(options.rules_file);
    const bool broken = has_errors(diagnostics);
    const bool doubtful = options.strict && !diagnostics.empty();
    if (options.json) {
        const json answer = {{"ok", !broken && !doubtful}, {"diagnostics", view(diagnostics)}};
        print_line(answer.dump(2, ' ', false, json::error_handler_t::replace));
    } else {
        print(diagnostics);
        if (!broken && !doubtful) print_line(options.rules_file + ": good");
    }
    if (broken) return daemon::exit_configuration;
    return doubtful ? daemon::exit_warnings : daemon::exit_ok;
}

}  // namespace drawbridge::cli
