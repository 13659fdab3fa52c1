// The sub-commands that run without the operators' API: run, check, files sample.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include "commands.hpp"
#include "diagnostics.hpp"
#include "drawbridge/app/programs.hpp"
#include "drawbridge/text/show.hpp"
#include "show.hpp"
#include "table.hpp"

namespace drawbridge::cli {
namespace {

void print_step(const app::StepOutcome& outcome) {
    const std::string name = outcome.step + std::string(9 - std::min<std::size_t>(9, outcome.step.size()), ' ');
    print_line(name + (outcome.ok ? "" : "FAILED: ") + outcome.summary);
    std::fflush(stdout);
    for (const auto& problem : outcome.problems)
        print_error("drawbridge: " + outcome.step + ": " + problem);
}

int run_once_command(const Options& options) {
    const auto outcomes = app::run_once(options.config, [&](const app::StepOutcome& outcome) {
        if (!options.json) print_step(outcome);
    });
    if (!outcomes) {
        print_error("drawbridge: " + outcomes.error().message);
        return outcomes.error().exit_code;
    }
    const bool ok = std::ranges::all_of(*outcomes, &app::StepOutcome::ok);
    if (options.json) {
        json steps = json::array();
        for (const auto& outcome : *outcomes) {
            steps.push_back({{"step", outcome.step},
                             {"ok", outcome.ok},
                             {"skipped", outcome.skipped},
                             {"summary", outcome.summary},
                             {"problems", outcome.problems}});
        }
        const json answer = {{"ok", ok}, {"steps", std::move(steps)}};
        print_json(answer);
    }
    return ok ? app::exit_ok : app::exit_failed;
}

}  // namespace

int run_command(const Options& options) {
    if (options.once) return run_once_command(options);
    return app::run(options.config, options.standby ? app::Standby::yes : app::Standby::no);
}

int check_command(const Options& options) {
    const auto result = app::check(options.config, options.online);
    const bool ok = result.exit_code == app::exit_ok;
    if (options.json) {
        const json answer = {{"ok", ok}, {"diagnostics", view(result.diagnostics)}, {"found", result.lines}};
        print_json(answer);
        return result.exit_code;
    }
    for (const auto& line : result.lines)
        print_line(line);
    print(result.diagnostics);
    const auto warnings = std::ssize(result.diagnostics);  // where all is ok, nothing else
    if (ok) print_line("no mistakes found" + (warnings > 0 ? ", " + text::counted(warnings, "warning") : ""));
    return result.exit_code;
}

int sample_command(const Options& options) {
    const auto sample = app::sample_file(options.config);
    if (!sample) {
        print_error("drawbridge: " + sample.error().message);
        return sample.error().exit_code;
    }
    if (options.output.empty()) {
        print_bytes(sample->bytes);
        return app::exit_ok;
    }
    std::error_code ignored;
    if (!options.overwrite && std::filesystem::exists(std::filesystem::symlink_status(options.output, ignored))) {
        print_error(options.output + ": the file exists: name another, or replace it with --force");
        return app::exit_failed;
    }
    std::ofstream out(options.output, std::ios::binary | std::ios::trunc);
    out << sample->bytes;
    out.close();
    if (!out) {
        print_error(options.output + ": cannot be written: name a file in a folder that this user can write to");
        return app::exit_failed;
    }
    print_line(options.output + ": a test file with the bank profile and made-up payments. `drawbridge nacha " +
               options.output + "` prints it");
    return app::exit_ok;
}

}  // namespace drawbridge::cli
