#include "describe.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <sstream>
#include <string_view>
#include <vector>

#include "drawbridge/config/keys.hpp"
#include "drawbridge/daemon/journal_catalog.hpp"
#include "drawbridge/domain/exception_catalog.hpp"

namespace drawbridge::cli {
namespace {

// Escapes text for roff, where a leading dot or quote starts a request, a backslash an escape, and a hyphen is soft.
std::string roff(std::string_view text) {
    std::string out;
    bool line_start = true;
    for (const char c : text) {
        if (line_start && (c == '.' || c == '\'')) out += "\\&";
        line_start = c == '\n';
        if (c == '\\') {
            out += "\\e";
        } else if (c == '-') {
            out += "\\-";
        } else {
            out += c;
        }
    }
    return out;
}

bool is_shown(const CLI::Option* option) {
    return !option->get_group().empty();
}

std::string value_name(const CLI::Option& option) {
    if (option.get_items_expected_max() == 0 || option.get_type_size_max() == 0) return {};
    return option.get_type_name().empty() ? "VALUE" : option.get_type_name();
}

// A list of choices may be broken after each comma.
std::string breakable(std::string text) {
    for (auto at = text.find(','); at != std::string::npos; at = text.find(',', at + 1))
        text.insert(at + 1, "\\:");
    return text;
}

void add_options(std::string& page, const CLI::App& app) {
    for (const CLI::Option* option : app.get_options(is_shown)) {
        page += ".TP\n";
        if (option->get_positional()) {
            page += "\\fI" + roff(option->get_name(/*positional=*/true)) + "\\fR\n";
        } else {
            page += "\\fB" + roff(option->get_name(/*positional=*/false, /*all_options=*/true)) + "\\fR";
            if (const auto value = value_name(*option); !value.empty())
                page += " \\fI" + breakable(roff(value)) + "\\fR";
            page += "\n";
        }
        page += roff(option->get_description());
        if (!option->get_default_str().empty()) page += roff(" (default: " + option->get_default_str() + ")");
        if (!option->get_envname().empty()) page += roff(" (environment: " + option->get_envname() + ")");
        page += option->get_required() ? " Required.\n" : "\n";
    }
}

void add_command(std::string& page, const CLI::App& command) {
    const auto below = commands_of(command);
    if (!below.empty()) {
        for (const CLI::App* sub : below)
            add_command(page, *sub);
        return;
    }
    page += ".SS " + roff(invocation(command)) + "\n" + roff(command.get_description()) + "\n";
    add_options(page, command);
    const std::string footer = command.get_footer();
    if (footer.starts_with("Example: ")) page += ".PP\n" + roff(footer.substr(0, footer.find('\n'))) + "\n";
}

std::string options_for_shell(const CLI::App& app) {
    std::string words;
    for (const CLI::Option* option : app.get_options(is_shown)) {
        for (const auto& name : option->get_lnames())
            words += (words.empty() ? "--" : " --") + name;
    }
    return words;
}

// The allowed values of an option, as shell words. Empty: any value.
std::string values_of(const CLI::Option& option) {
    // CLI11 puts the choices into the type name: "TEXT:{text,csv}".
    const std::string type = option.get_type_name();
    const auto begin = type.find('{'), end = type.find('}');
    if (begin == std::string::npos || end == std::string::npos) return {};
    std::string words = type.substr(begin + 1, end - begin - 1);
    std::ranges::replace(words, ',', ' ');
    return words;
}

// Adds those that are missing: an option of several commands has the values of all.
void add_words(std::string& words, const std::string& more) {
    std::istringstream in(more);
    for (std::string word; in >> word;) {
        if ((" " + words + " ").find(" " + word + " ") == std::string::npos) words += (words.empty() ? "" : " ") + word;
    }
}

// Every option that takes a value, with its allowed values.
void collect_values(const CLI::App& app, std::map<std::string, std::string>& values) {
    for (const CLI::Option* option : app.get_options(is_shown)) {
        if (option->get_positional() || option->get_items_expected_max() == 0) continue;
        for (const auto& name : option->get_lnames())
            add_words(values["--" + name], values_of(*option));
    }
    for (const CLI::App* sub : commands_of(app))
        collect_values(*sub, values);
}

// If the previous word is an option with a value, only its values or file names fit.
std::string value_cases(const std::map<std::string, std::string>& values) {
    std::string with_files;
    std::string cases;
    for (const auto& [name, words] : values) {
        if (words.empty()) {
            with_files += (with_files.empty() ? "" : "|") + name;
        } else {
            cases +=
                "    " + name + ") mapfile -t COMPREPLY < <(compgen -W '" + words + "' -- \"$current\"); return ;;\n";
        }
    }
    return cases + "    " + with_files + ") mapfile -t COMPREPLY < <(compgen -f -- \"$current\"); return ;;\n";
}

// The options of which a command takes other values than all commands together, as cases of "COMMAND --option".
void add_own_values(std::string& script, const CLI::App& app, const std::string& path,
                    const std::map<std::string, std::string>& values) {
    for (const CLI::Option* option : app.get_options(is_shown)) {
        const std::string words = values_of(*option);
        for (const auto& name : option->get_lnames()) {
            const auto all = values.find("--" + name);
            if (words.empty() || all == values.end() || all->second == words) continue;
            script += "    '" + path + " --" + name + "') mapfile -t COMPREPLY < <(compgen -W '" + words +
                      "' -- \"$current\"); return ;;\n";
        }
    }
    for (const CLI::App* sub : commands_of(app))
        add_own_values(script, *sub, path + (path.empty() ? "" : " ") + sub->get_name(), values);
}

std::string names_of(const std::map<std::string, std::string>& values) {
    std::string names;
    for (const auto& [name, words] : values)
        names += (names.empty() ? "" : "|") + name;
    return names;
}

void add_exception(std::string& script, const CLI::App& app, std::string_view path) {
    std::string words = options_for_shell(app);
    for (const CLI::App* sub : commands_of(app))
        words += " " + sub->get_name();
    script += "    '" + std::string(path) + "') words='" + words + "' ;;\n";
    for (const CLI::App* sub : commands_of(app))
        add_exception(script, *sub, std::string(path) + (path.empty() ? "" : " ") + sub->get_name());
}

}  // namespace

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App* sub) { return !sub->get_group().empty(); });
}

std::string invocation(const CLI::App& app) {
    std::string text = app.get_name();
    for (const CLI::App* parent = app.get_parent(); parent != nullptr; parent = parent->get_parent())
        text = parent->get_name() + " " + text;
    return text;
}

std::string manual_page(const CLI::App& app, const std::string& version) {
    // Long lists of words cannot be filled to both margins.
    std::string page = ".TH DRAWBRIDGE 1 \"\" \"drawbridge " + version + "\" \"Drawbridge\"\n.ad l\n";
    page += ".SH NAME\ndrawbridge \\- " +
            roff("pays approved draws through the bank and brings the proof of payment back") + "\n";
    page += ".SH SYNOPSIS\n.B drawbridge\n[\\fB\\-\\-config\\fR \\fIFILE\\fR] \\fICOMMAND\\fR [\\fIOPTION\\fR ...]\n";
    page += ".SH DESCRIPTION\n" +
            roff(
                "The daemon (run) watches a Draws Service for draws that wait for approval, approves those that the "
                "office's rules allow, writes ACH and check payment files for everything approved, reads the bank's "
                "confirmations, and reports each disbursement back. The other commands are the operators' tools. They "
                "talk to the running daemon over its socket. If no daemon runs, they use the ledger directly.") +
            "\n";
    page += ".SH OPTIONS\n";
    add_options(page, app);
    page += ".SH COMMANDS\n";
    for (const CLI::App* command : commands_of(app))
        add_command(page, *command);
    page += ".SH EXIT STATUS\n";
    constexpr std::pair<const char*, const char*> codes[] = {
        {"0", "success"},
        {"1", "failed, refused, or not clean"},
        {"2", "wrong command line"},
        {"3", "warnings only, with --strict; of ingest, lines or files that need a person"},
        {"74", "disk full, or the state folder is not writable"},
        {"75", "another process uses the ledger, or claims the same draws or numbers"},
        {"78", "wrong configuration; systemd does not restart the service"}};
    for (const auto& [code, meaning] : codes)
        page += std::string(".TP\n.B ") + code + "\n" + roff(meaning) + "\n";
    page +=
        ".SH FILES\n.TP\n.I /etc/drawbridge/drawbridge.yaml\nthe configuration, "
        "\\fBdrawbridge.yaml\\fR(5)\n.TP\n.I /etc/drawbridge/rules.yaml\nthe rules, "
        "\\fBdrawbridge\\-rules\\fR(5)\n.TP\n.I /var/lib/drawbridge\nthe ledger, the spool, the inbox\n";
    page +=
        ".SH ENVIRONMENT\n.TP\n.B DRAWBRIDGE_CONFIG\nthe configuration, unless \\fB\\-\\-config\\fR names one\n.TP\n"
        ".B DRAWBRIDGE_WRITERS\nthe folder where processes that may move money claim their draws and numbers, instead "
        "of \\fI/run/drawbridge\\-writers\\fR\n.TP\n.B COLUMNS\nthe width of tables, where the output is not a "
        "terminal\n";
    page += ".SH SEE ALSO\n\\fBdrawbridge.yaml\\fR(5), \\fBdrawbridge\\-rules\\fR(5), /usr/share/doc/drawbridge\n";
    return page;
}

std::string bash_completion(const CLI::App& app) {
    std::map<std::string, std::string> values;
    collect_values(app, values);
    std::string script =
        "# Completes drawbridge's commands, options and their values; everything else as a file name.\n"
        "_drawbridge() {\n"
        "  local current=${COMP_WORDS[COMP_CWORD]} path='' words='' word i skip=''\n"
        "  local before=${COMP_WORDS[COMP_CWORD - 1]}\n"
        "  # --option=value comes as three words.\n"
        "  if [[ $current == = ]]; then current='' before=${COMP_WORDS[COMP_CWORD - 1]}\n"
        "  elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi\n"
        "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
        "    word=${COMP_WORDS[i]}\n"
        "    if [[ -n $skip ]]; then skip=''; continue; fi\n"
        "    case $word in\n"
        "      =) skip=1 ;;\n"
        "      ";
    script += names_of(values);
    script +=
        ") [[ ${COMP_WORDS[i + 1]} == = ]] || skip=1 ;;\n"
        "      -*) ;;\n"
        "      *) [[ $path == *' '* ]] || path=${path:+$path }$word ;;\n"
        "    esac\n"
        "  done\n"
        "  case \"$path $before\" in\n";
    add_own_values(script, app, "", values);
    script +=
        "  esac\n"
        "  case $before in\n";
    script += value_cases(values);
    script +=
        "  esac\n"
        "  while :; do\n"
        "    case $path in\n";
    std::string cases;
    add_exception(cases, app, "");
    // Indented by two more spaces than add_exception() writes.
    for (std::size_t at = 0; at < cases.size();) {
        const auto end = cases.find('\n', at);
        script += "  " + cases.substr(at, end - at + 1);
        at = end + 1;
    }
    script +=
        "    esac\n"
        "    # An argument is not a command: complete for the command before it.\n"
        "    [[ -z $words && $path == *' '* ]] || break\n"
        "    path=${path% *}\n"
        "  done\n"
        "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
        "  [[ $current == -* || $path == '' ]] || mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "
        "\"$current\")\n"
        "}\n"
        "complete -o filenames -F _drawbridge drawbridge\n";
    return script;
}

void add_descriptions(CLI::App& app) {
    const auto add = [&app](const char* name, std::function<std::string()> describe) {
        CLI::App& sub = *app.add_subcommand(name)->group("");
        sub.callback([describe = std::move(describe)] {
            std::fputs(describe().c_str(), stdout);
            throw CLI::Success();
        });
    };
    add("manual-page", [&app] { return manual_page(app, DRAWBRIDGE_VERSION); });
    add("bash-completion", [&app] { return bash_completion(app); });
    add("journal-catalog", daemon::journal_catalog);
    add("configuration-sample", config::sample_configuration);
    add("configuration-schema", config::configuration_schema);
    add("configuration-reference", config::configuration_reference);
    add("exception-reference", exception_reference);
}

}  // namespace drawbridge::cli
