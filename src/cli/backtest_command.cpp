// rules backtest: requests the history in slices, adds them up and prints the result.
#include "backtest_command.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.hpp"
#include "diagnostics.hpp"
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
    constexpr std::int64_t most = 100'000;
    if (error != std::errc() || value < 1 || value > most) return std::nullopt;
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

std::string decision_text(const json& side) {
    return plain(side["outcome"]) + (side["rule"].is_null() ? " by no rule" : " by '" + plain(side["rule"]) + "'");
}

struct Sum {
    std::int64_t draws = 0;
    Money amount;
    void add(const json& amount_text) {
        ++draws;
        if (amount_text.is_string()) amount += Money::parse(amount_text.get<std::string>()).value_or(Money());
    }
};

}  // namespace

void show_replay(const json& result) {
    std::map<std::pair<std::string, std::string>, Sum> sums;
    for (const auto& change : result["changes"])
        sums[{decision_text(change["base"]), decision_text(change["candidate"])}].add(change["amount"]);
    print_line(counted(result["draws"], "draw") + " (" + money(result["amount"]) + ") since " +
               moment(result["since"]) + ": " +
               counted(static_cast<std::int64_t>(result["changes"].size()), "decision") + " would change");
    if (!sums.empty()) {
        Table table({{"decided"}, {"would be decided"}, {"draws", Align::right}, {"amount", Align::right}});
        for (const auto& [sides, sum] : sums)
            table.add({sides.first, sides.second, std::to_string(sum.draws), sum.amount.to_display()});
        table.print();
        Table draws(
            {{"draw", Align::right}, {"decided at"}, {"amount", Align::right}, {"decided"}, {"would be decided"}});
        constexpr std::size_t max_shown = 50;
        for (std::size_t i = 0; i < std::min(max_shown, result["changes"].size()); ++i) {
            const auto& change = result["changes"][i];
            draws.add({plain(change["draw_id"]), moment(change["decided_at"]),
                       change["amount"].is_null() ? "none" : money(change["amount"]), decision_text(change["base"]),
                       decision_text(change["candidate"])});
        }
        print_line("");
        draws.print();
        if (result["changes"].size() > max_shown)
            print_error("only the first 50 are shown: use --csv or --json for all");
    }
    print_line("Limits are not replayed. Other draws count as they are in the ledger today.");
}

namespace {

void show_csv(const json& result) {
    print_csv_row(
        {"draw_id", "decided_at", "amount", "base_outcome", "base_rule", "candidate_outcome", "candidate_rule"});
    for (const auto& change : result["changes"]) {
        print_csv_row({csv_cell(change["draw_id"]), csv_cell(change["decided_at"]), csv_cell(change["amount"]),
                       csv_cell(change["base"]["outcome"]), csv_cell(change["base"]["rule"]),
                       csv_cell(change["candidate"]["outcome"]), csv_cell(change["candidate"]["rule"])});
    }
}

}  // namespace

std::optional<std::string> instant_before_now(std::string_view text) {
    const auto span = parse_span(text);
    if (!span) return std::nullopt;
    const auto now = std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
    return format_instant(now - *span);
}

Answer replay(const Options& options, json body) {
    json result;
    std::int64_t draws = 0;
    Money amount;
    for (json next = 0; !next.is_null();) {
        body["after"] = next;
        auto answer = call_api(options, "POST", "/rules/backtest", body);
        if (!answer) return answer;
        if (!result.is_null() && (*answer)["base"] != result["base"]) {
            print_error("drawbridge: the rules in force changed during the replay: run it again");
            return std::unexpected(app::exit_failed);
        }
        draws += (*answer)["draws"].get<std::int64_t>();
        amount += Money::parse((*answer)["amount"].get<std::string>()).value_or(Money());
        next = (*answer)["next_after"];
        if (result.is_null()) {
            result = std::move(*answer);
        } else {
            for (auto& change : (*answer)["changes"])
                result["changes"].push_back(std::move(change));
        }
        if (!next.is_null() && ::isatty(STDERR_FILENO) == 1) print_error(std::to_string(draws) + " draws so far");
    }
    result["draws"] = draws;
    result["amount"] = amount.to_string();
    result["since"] = body["since"];
    result.erase("next_after");
    return result;
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
        print_json(*result);
    } else if (options.csv) {
        show_csv(*result);
    } else {
        show_replay(*result);
    }
    return app::exit_ok;
}

}  // namespace drawbridge::cli
