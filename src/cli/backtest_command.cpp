// rules backtest: requests the history in slices, adds them up and prints the result.
#include "backtest_command.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <ranges>

#include "commands.hpp"
#include "diagnostics.hpp"
#include "drawbridge/api/list_csv.hpp"
#include "drawbridge/app/programs.hpp"
#include "drawbridge/domain/money.hpp"
#include "drawbridge/domain/time.hpp"
#include "show.hpp"
#include "table.hpp"

namespace drawbridge::cli {
namespace {

using nlohmann::json;

// "90d", "12h"
std::optional<std::chrono::hours> parse_span(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    constexpr std::int64_t max_value = 100'000;
    if (error != std::errc() || value < 1 || value > max_value) return std::nullopt;
    if (unit == "d") return std::chrono::days(value);
    if (unit == "h") return std::chrono::hours(value);
    return std::nullopt;
}

bool add_file(json& body, const char* text_key, const char* file_key, const std::string& file) {
    auto text = app::read_rules_text(file);
    if (!text) {
        print(text.error());
        return false;
    }
    body[text_key] = std::move(*text);
    body[file_key] = file;
    return true;
}

std::string decision_text(const records::Decided& decided) {
    return plain(decided.outcome) + (decided.rule ? " by '" + plain(decided.rule) + "'" : " by no rule");
}

}  // namespace

void show_replay(const records::Backtest& result) {
    std::map<std::pair<std::string, std::string>, Sum> sums;
    for (const auto& change : result.changes)
        sums[{decision_text(change.base), decision_text(change.candidate)}].add(change.amount);
    print_line(counted(result.draws, "draw") + " (" + money(result.amount) + ") since " + moment(result.since) + ": " +
               counted(static_cast<std::int64_t>(result.changes.size()), "decision") + " would change");
    if (!sums.empty()) {
        Table table({{"decided"}, {"would be decided"}, {"draws", Align::right}, {"amount", Align::right}});
        for (const auto& [sides, sum] : sums)
            table.add({sides.first, sides.second, std::to_string(sum.count), sum.amount.to_display()});
        table.print();
        Table draws(
            {{"draw", Align::right}, {"decided at"}, {"amount", Align::right}, {"decided"}, {"would be decided"}});
        constexpr std::size_t max_shown = 50;
        for (const auto& change : result.changes | std::views::take(max_shown)) {
            draws.add({plain(change.draw_id), moment(change.decided_at), change.amount ? money(change.amount) : "none",
                       decision_text(change.base), decision_text(change.candidate)});
        }
        print_line("");
        draws.print();
        if (result.changes.size() > max_shown) print_error("only the first 50 are shown: use --csv or --json for all");
    }
    print_line("Limits are not replayed. Other draws count as they are in the ledger today.");
}

namespace {

void show_csv(const records::Backtest& result) {
    print_csv_row(
        {"draw_id", "decided_at", "amount", "base_outcome", "base_rule", "candidate_outcome", "candidate_rule"});
    const auto cell = [](const auto& value) { return api::csv_cell(api::to_json(value)); };
    for (const auto& change : result.changes) {
        print_csv_row({cell(change.draw_id), cell(change.decided_at), cell(change.amount), cell(change.base.outcome),
                       cell(change.base.rule), cell(change.candidate.outcome), cell(change.candidate.rule)});
    }
}

}  // namespace

std::optional<std::string> instant_before_now(std::string_view text) {
    const auto span = parse_span(text);
    if (!span) return std::nullopt;
    const auto now = std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
    return format_instant(now - *span);
}

std::expected<records::Backtest, int> replay(const Options& options, json body) {
    std::optional<records::Backtest> whole;
    for (std::optional<std::int64_t> next = 0; next;) {
        body["after"] = *next;
        const auto answer = call_api(options, "POST", "/rules/backtest", body);
        if (!answer) return std::unexpected(answer.error());
        auto slice = api::from_json<records::Backtest>(*answer);
        next = slice.next_after.value_or(std::nullopt);
        if (!whole) {
            whole = std::move(slice);
        } else if (slice.base != whole->base) {
            print_error("drawbridge: the rules in force changed during the replay: run it again");
            return std::unexpected(app::exit_failed);
        } else {
            whole->draws += slice.draws;
            whole->amount += slice.amount;
            std::ranges::move(slice.changes, std::back_inserter(whole->changes));
        }
        if (next && ::isatty(STDERR_FILENO) == 1) print_error(std::to_string(whole->draws) + " draws so far");
    }
    whole->next_after.reset();
    api::read_json(body["since"], whole->since.emplace());
    return std::move(*whole);
}

int rules_backtest_command(const Options& options) {
    const auto since = instant_before_now(options.since);
    if (!since) {
        print_error("drawbridge: --since '" + options.since + "' is not a duration: write it like 90d or 12h");
        return app::exit_usage;
    }
    json body = {{"since", *since}};
    if (!add_file(body, "rules", "file", options.candidate)) return app::exit_configuration;
    if (!options.rules_file.empty() && !add_file(body, "base", "base_file", options.rules_file)) {
        return app::exit_configuration;
    }
    const auto result = replay(options, std::move(body));
    if (!result) return result.error();
    if (options.json) {
        print_json(api::to_json(*result));
    } else if (options.csv) {
        show_csv(*result);
    } else {
        show_replay(*result);
    }
    return app::exit_ok;
}

}  // namespace drawbridge::cli
