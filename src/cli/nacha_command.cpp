// The sub-command that reads any NACHA file. It needs neither configuration nor ledger.
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "ask.hpp"
#include "commands.hpp"
#include "drawbridge/daemon/programs.hpp"
#include "drawbridge/nacha/describe.hpp"
#include "drawbridge/nacha/validate.hpp"
#include "show.hpp"
#include "table.hpp"

namespace drawbridge::cli {
namespace {

std::optional<std::string> read_file(const std::string& name) {
    std::ifstream in(name, std::ios::binary);
    if (!in) return std::nullopt;
    std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (in.bad()) return std::nullopt;
    return bytes;
}

json view(const nacha::Validation& validation) {
    json problems = json::array();
    for (const auto& problem : validation.problems) {
        problems.push_back({{"line", problem.line}, {"position", problem.position}, {"message", problem.message}});
    }
    std::int64_t entries = 0;
    for (const auto& batch : validation.file.batches)
        entries += static_cast<std::int64_t>(batch.entries.size());
    return {{"valid", validation.problems.empty()},
            {"batches", validation.file.batches.size()},
            {"entries", entries},
            {"problems", std::move(problems)}};
}

}  // namespace

int nacha_command(const Options& options) {
    const auto bytes = read_file(options.name);
    if (!bytes) {
        print_error(options.name + ": cannot be read: " + std::strerror(errno) +
                    ": name a file that this user may read");
        return daemon::exit_failed;
    }
    const auto validation = nacha::validate(*bytes);
    if (options.json) {
        print_line(view(validation).dump(2, ' ', false, json::error_handler_t::replace));
    } else {
        print_line(nacha::describe(validation.file));
        for (const auto& problem : validation.problems) {
            print_error(options.name + ":" + std::to_string(problem.line) + ":" + std::to_string(problem.position) +
                        ": " + printable(problem.message));
        }
        if (validation.problems.empty()) print_line(options.name + ": valid");
    }
    return validation.problems.empty() ? daemon::exit_ok : daemon::exit_failed;
}

}  // namespace drawbridge::cli
