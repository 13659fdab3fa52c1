// Says what is wrong with a command line: names the unknown command or option and suggests the closest known one.
// Private to this module.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace drawbridge::cli {

// "unknown command 'stauts': did you mean 'status'?" Empty: every word is known, and something else is wrong.
[[nodiscard]] std::string suggestion_for(const CLI::App& app, const std::vector<std::string>& words);
// What the parser says, in the form of every other error: "ID: 'x' is not an id: write a whole number like 1017".
[[nodiscard]] std::string message_of(const CLI::App& app, const CLI::ParseError& error);

}  // namespace drawbridge::cli
