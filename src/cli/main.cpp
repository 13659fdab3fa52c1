#include <cstdio>
#include <exception>

#include "drawbridge/cli/cli.hpp"
#include "drawbridge/daemon/programs.hpp"

int main(int argc, char** argv) {
    drawbridge::daemon::close_to_other_eyes();
    try {
        return drawbridge::cli::main(argc, argv);
    } catch (const std::exception& error) {
        // A failing disk or ledger. What was committed stands; the next start goes on from there.
        std::fprintf(stderr, "drawbridge: stopped: %s\n", error.what());
        return drawbridge::daemon::exit_failed;
    }
}
