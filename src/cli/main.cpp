#include <csignal>
#include <exception>
#include <string>

#include "drawbridge/app/programs.hpp"
#include "drawbridge/cli/cli.hpp"
#include "output.hpp"

int main(int argc, char** argv) {
    drawbridge::app::harden_process();
    std::signal(SIGXFSZ, SIG_IGN);  // a file size limit fails the write instead of killing the process
    try {
        const int code = drawbridge::cli::main(argc, argv);
        if (code != drawbridge::app::exit_ok || drawbridge::cli::flush_output()) return code;
        drawbridge::cli::print_error(
            "drawbridge: standard output: a part could not be written: check that it is open and that its disk is "
            "not full; if this was an act, it was carried out: check 'drawbridge audit' before you repeat it");
        return drawbridge::app::exit_failed;
    } catch (const std::exception& error) {
        // The disk or the ledger failed. Committed work is safe; the next start resumes from there.
        drawbridge::cli::print_error(std::string("drawbridge: stopped: ") + error.what());
        return drawbridge::app::exit_disk;
    }
}
