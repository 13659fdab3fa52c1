#include "suggestions.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "describe.hpp"
#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::cli {
namespace {

// The long options of the command and its parents, with dashes.
std::vector<std::string> options_of(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* at = &app; at != nullptr; at = at->get_parent()) {
        for (const CLI::Option* option : at->get_options([](const CLI::Option*) { return true; })) {
            for (const auto& name : option->get_lnames())
                names.push_back("--" + name);
        }
    }
    return names;
}

const CLI::Option* find_option(const CLI::App& app, const std::string& name) {
    for (const CLI::App* at = &app; at != nullptr; at = at->get_parent()) {
        if (const CLI::Option* option = at->get_option_no_throw(name)) return option;
    }
    return nullptr;
}

bool takes_arguments(const CLI::App& app) {
    return !app.get_options([](const CLI::Option* option) { return option->get_positional(); }).empty();
}

std::string unknown(std::string_view what, std::string_view word, const std::vector<std::string>& candidates,
                    const CLI::App& app) {
    const auto suggestion = text::closest_match(word, {candidates.begin(), candidates.end()});
    return "unknown " + std::string(what) + " '" + std::string(word) +
           "': " + (suggestion.empty() ? "" : "did you mean '" + std::string(suggestion) + "'? ") + "`" +
           invocation(app) + " --help` lists " + (what == "command" ? "the commands" : "the options");
}

std::string unknown_command(const CLI::App& app, const std::string& word) {
    std::vector<std::string> names;
    for (const CLI::App* sub : commands_of(app))
        names.push_back(sub->get_name());
    return unknown("command", word, names, app);
}

}  // namespace

std::string suggestion_for(const CLI::App& app, const std::vector<std::string>& words) {
    const CLI::App* at = &app;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word == "--") return {};
        if (word.starts_with("--")) {
            const std::string name = word.substr(0, word.find('='));
            const CLI::Option* option = find_option(*at, name);
            if (option == nullptr) return unknown("option", name, options_of(*at), *at);
            if (option->get_items_expected_max() > 0 && name == word) ++i;  // its value
        } else if (word.starts_with('-') && word.size() > 1) {
            if (find_option(*at, word.substr(0, 2)) == nullptr) return unknown("option", word, options_of(*at), *at);
        } else if (const auto below = at->get_subcommands([](const CLI::App*) { return true; }); !below.empty()) {
            const auto next = std::ranges::find(below, word, [](const CLI::App* sub) { return sub->get_name(); });
            if (next == below.end()) return unknown_command(*at, word);
            at = *next;
        } else if (!takes_arguments(*at)) {
            return "'" + invocation(*at) + "' takes no argument '" + word + "': see `" + invocation(*at) + " --help`";
        }
    }
    return {};
}

std::string message_of(const CLI::App& app, const CLI::ParseError& error) {
    std::string message = error.what();
    // A validator says what it accepts.
    if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr) return message;
    if (message.size() > 1 && !is_upper(message[1])) message[0] = to_lower(message[0]);
    const CLI::App* at = &app;
    while (!at->get_subcommands().empty())
        at = at->get_subcommands().back();
    const bool wants_command = at->get_require_subcommand_min() > 0;
    return message + ": `" + invocation(*at) + " --help` lists the " + (wants_command ? "commands" : "options");
}

}  // namespace drawbridge::cli
