// Answers as the daemon gives them, of an invented office: for the tests of pages and for looking at them.
#pragma once

#include <string>

#include "drawbridge/pages/context.hpp"

namespace drawbridge::pages::samples {

// Monday, November 23, 2026, 13:19 in New York; Ben, who releases and operates.
[[nodiscard]] PageContext context(const std::string& path);
[[nodiscard]] Json me(const std::string& name, const std::string& how, std::initializer_list<const char*> roles);

// Text of strangers: the description of draws, names of payees, the bank's notes. Empty: harmless ones.
struct Words {
    std::string stranger;
    [[nodiscard]] std::string or_else(const std::string& harmless) const {
        return stranger.empty() ? harmless : stranger;
    }
};

[[nodiscard]] Json status(int files, int exceptions, const Words& words = {});
// Of a ledger in PostgreSQL: one machine stands by, another is missing.
[[nodiscard]] Json hosts(const Words& words = {});
[[nodiscard]] Json files(int count, const Words& words = {});
[[nodiscard]] Json file(const std::string& state, int payments, const Words& words = {});
[[nodiscard]] Json exceptions(int count, const Words& words = {});
[[nodiscard]] Json closed(int count, const Words& words = {});
[[nodiscard]] Json exception(const Words& words = {});
[[nodiscard]] Json draws(int count, const Words& words = {});
[[nodiscard]] Json draw(const Words& words = {});
[[nodiscard]] Json explanation(const Words& words = {});
[[nodiscard]] Json confirmations(int count, const Words& words = {});
[[nodiscard]] Json preview(int lines, const Words& words = {});
[[nodiscard]] Json refused_preview(const Words& words = {});
[[nodiscard]] Json checks(int count, const Words& words = {});
[[nodiscard]] Json calendar_day(const Words& words = {});
[[nodiscard]] Json sessions(const Words& words = {});
[[nodiscard]] Json calendar(const Words& words = {});
[[nodiscard]] Json forecast(const Words& words = {});
[[nodiscard]] Json rules(const Words& words = {});
[[nodiscard]] Json changes(const Words& words = {});
[[nodiscard]] Json change(const Words& words = {});
[[nodiscard]] Json rules_check(const Words& words = {});
[[nodiscard]] Json backtest(int changes, const Words& words = {});
[[nodiscard]] Json audit(int count, const Words& words = {});
[[nodiscard]] Json verification(bool clean, const Words& words = {});
[[nodiscard]] Json signed_act(const Words& words = {});
[[nodiscard]] Json people(int count, const Words& words = {});
[[nodiscard]] Json passkeys(const Words& words = {});
[[nodiscard]] Json found(int count, const Words& words = {});
[[nodiscard]] Json challenge(const Words& words = {});

}  // namespace drawbridge::pages::samples
