#include "several_programs.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "call_api.hpp"
#include "drawbridge/admin/records.hpp"
#include "drawbridge/text/show.hpp"
#include "show.hpp"
#include "table.hpp"

namespace drawbridge::cli {
namespace {

namespace fs = std::filesystem;

struct Sums {
    std::int64_t open_exceptions = 0, files_waiting = 0;
    Sum seen, finished, in_flight, exceptions;

    void add(const records::Status& status) {
        open_exceptions += status.needs_attention.open_exceptions;
        files_waiting += std::ssize(status.needs_attention.files_waiting_for_release);
        seen += status.reconciliation.seen;
        finished += status.reconciliation.finished;
        in_flight += status.reconciliation.in_flight;
        exceptions += status.reconciliation.exceptions;
    }
};

// RESTORED, PAUSED, NO SPACE, or whether the daemon runs.
std::string state_of(const records::Status& status) {
    if (status.needs_attention.restoration) return "RESTORED";
    if (status.needs_attention.paused) return "PAUSED";
    if (status.no_space) return "NO SPACE";
    return status.daemon.running ? "running" : "no daemon";
}

json view(const Sums& sums) {
    return {{"open_exceptions", sums.open_exceptions},   {"files_waiting_for_release", sums.files_waiting},
            {"seen", api::to_json(sums.seen)},           {"finished", api::to_json(sums.finished)},
            {"in_flight", api::to_json(sums.in_flight)}, {"exceptions", api::to_json(sums.exceptions)}};
}

void add_row(Table& table, const std::string& name, const std::string& state, const Sums& sums) {
    table.add({name, state, text::grouped(sums.open_exceptions), text::grouped(sums.files_waiting),
               text::grouped(sums.seen.count), money(sums.in_flight.amount), money(sums.exceptions.amount)});
}

}  // namespace

std::vector<std::string> names_of_programs(const std::vector<std::string>& configs) {
    std::vector<std::string> names;
    std::set<std::string> different;
    for (const auto& config : configs) {
        names.push_back(fs::path(config).stem().string());
        different.insert(names.back());
    }
    return different.size() == configs.size() ? names : configs;
}

int status_of_programs(const Options& options) {
    Table table({{"PROGRAM", Align::left},
                 {"STATE", Align::left},
                 {"OPEN", Align::right},
                 {"FILES", Align::right},
                 {"DRAWS", Align::right},
                 {"IN FLIGHT", Align::right},
                 {"EXCEPTIONS", Align::right}});
    Sums all;
    json programs = json::array();
    std::set<std::string> ledgers;
    const auto names = names_of_programs(options.configs);
    for (std::size_t at = 0; at < names.size(); ++at) {
        app::Caller caller(options.configs[at]);
        auto answer = call_api(caller, "GET", "/status");
        if (!answer) return answer.error();
        const auto status = api::from_json<records::Status>(*answer);
        if (!ledgers.insert(status.ledger.id).second) {
            print_error("drawbridge: " + options.configs[at] +
                        ": its ledger was counted already: name each program once");
            return app::exit_usage;
        }
        Sums sums;
        sums.add(status);
        all.add(status);
        add_row(table, names[at], state_of(status), sums);
        programs.push_back({{"program", names[at]}, {"status", *std::move(answer)}});
    }
    if (options.json) {
        print_json({{"programs", std::move(programs)}, {"sum", view(all)}});
        return app::exit_ok;
    }
    add_row(table, "Total", "", all);
    table.print();
    return app::exit_ok;
}

}  // namespace drawbridge::cli
