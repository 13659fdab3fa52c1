#include <csignal>
#include <exception>
#include <string>

#include "drawbridge/cli/cli.hpp"
#include "drawbridge/daemon/programs.hpp"
#include "output.hpp"

int main(int argc, char** argv) {
    drawbridge::daemon::close_to_other_eyes();
    std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of the write, like a full disk
    try {
        return drawbridge::cli::main(argc, argv);
    } catch (const std::exception& error) {
        // A failing disk or ledger. What was committed stands; the next start goes on from there.
        drawbridge::cli::print_error(std::string("drawbridge: stopped: ") + error.what());
        return drawbridge::daemon::exit_disk;
    }
}
