#include "architecture/source_rules.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <regex>
#include <set>
#include <span>
#include <utility>

namespace drawbridge::architecture {
namespace {

using Modules = std::set<std::string, std::less<>>;

const Modules core = {"domain",       "text",           "rules", "nacha",    "checks", "statements",
                      "disbursement", "reconciliation", "api",   "passkeys", "pages"};
const Modules effects = {"config", "ledger", "service", "spool", "delivery"};

Modules united(std::initializer_list<Modules> sets) {
    Modules all;
    for (const Modules& set : sets)
        all.insert(set.begin(), set.end());
    return all;
}

// What every module with effects may include.
const Modules ground = united({core, {"files"}});

// What each module may include, apart from itself.
const std::map<std::string, Modules, std::less<>> may_include = {
    {"domain", {}},
    {"text", {"domain"}},
    {"rules", {"domain", "text"}},
    {"nacha", {"domain", "text"}},
    {"checks", {"domain", "text"}},
    {"statements", {"domain", "text", "nacha", "checks"}},
    {"disbursement", {"domain", "text", "nacha", "checks"}},
    {"reconciliation", {"domain", "text", "nacha"}},
    {"api", {"domain", "text", "reconciliation"}},
    {"passkeys", {"domain", "text"}},
    {"pages", {"domain", "text", "reconciliation"}},
    {"files", {"domain"}},
    {"config", ground},
    {"ledger", ground},
    {"service", ground},
    {"spool", ground},
    {"delivery", ground},
    {"pipeline", united({ground, effects})},
    {"alerts", united({ground, {"ledger", "service"}})},
    {"admin", united({ground, effects, {"pipeline"}})},
    {"daemon", united({ground, effects, {"pipeline", "alerts", "admin"}})},
    {"app", united({ground, effects, {"pipeline", "alerts", "admin", "daemon"}})},
    {"cli", united({ground, effects, {"pipeline", "alerts", "admin", "daemon", "app"}})},
    // Whoever parses what browsers send has no part of the daemon.
    {"console", {"domain", "text", "reconciliation", "api", "pages"}},
    {"sandbox", {}},
};

// The modules that may use a library, by the prefix of its header names.
struct LibraryRule {
    std::string_view begins;
    Modules modules;
    std::string_view says;
};
const Modules asio_modules = {"service", "alerts", "admin", "daemon", "app", "pipeline", "cli", "console", "sandbox"};
const Modules sql_modules = {"ledger", "sandbox"};
const Modules shell =
    united({effects, {"files", "pipeline", "alerts", "admin", "daemon", "app", "cli", "console", "sandbox"}});
const LibraryRule library_rules[] = {
    {"boost/asio", asio_modules, "Asio is for service, alerts, admin, daemon, app, pipeline, cli and console"},
    {"boost/beast", asio_modules, "Beast is for service, alerts, admin, daemon, app, pipeline, cli and console"},
    {"SQLiteCpp", sql_modules, "SQL is for the ledger"},
    {"sqlite3", sql_modules, "SQL is for the ledger"},
    {"libpq", {"ledger"}, "SQL is for the ledger"},
    {"libssh/", {"delivery"}, "SFTP is for delivery"},
    {"gpgme", {"delivery"}, "OpenPGP is for delivery"},
    {"fido", {"passkeys"}, "WebAuthn is for passkeys"},
    {"spdlog", shell, "the core does not log"},
    {"fstream", shell, "the core does not touch the disk"},
    {"filesystem", shell, "the core does not touch the disk"},
    {"iostream", shell, "the core does not print"},
    {"thread", shell, "the core has no threads"},
    {"unistd.h", shell, "the core makes no system calls"},
    {"fcntl.h", shell, "the core makes no system calls"},
    {"sys/", shell, "the core makes no system calls"},
    {"systemd/", shell, "the core makes no system calls"},
};

struct Place {
    std::string_view top;  // "src", "include" or "tests"
    std::string module;    // empty: a file that is in no module
};

Place place_of(std::string_view path) {
    Place place;
    for (const std::string_view top : {"include/drawbridge/", "src/", "tests/"}) {
        if (!path.starts_with(top)) continue;
        place.top = top.substr(0, top.find('/'));
        const std::string_view rest = path.substr(top.size());
        const std::size_t slash = rest.find('/');
        if (slash != std::string_view::npos) place.module = std::string(rest.substr(0, slash));
    }
    return place;
}

bool is_word_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The end of the literal whose opening quote is at `at`: one past its closing quote.
std::size_t end_of_literal(std::string_view text, std::size_t at) {
    const char quote = text[at];
    for (++at; at < text.size() && text[at] != quote && text[at] != '\n'; ++at) {
        if (text[at] == '\\') ++at;
    }
    return std::min(at + 1, text.size());
}

std::size_t end_of_raw_literal(std::string_view text, std::size_t quote) {
    const std::size_t open = text.find('(', quote);
    if (open == std::string_view::npos) return text.size();
    const std::string close = ")" + std::string(text.substr(quote + 1, open - quote - 1)) + "\"";
    const std::size_t end = text.find(close, open);
    return end == std::string_view::npos ? text.size() : end + close.size();
}

class Checker {
  public:
    explicit Checker(const SourceFile& file)
        : file_(file), place_(place_of(file.path)), code_(without_comments_and_literals(file.text)) {}

    std::vector<std::string> check() {
        check_module();
        check_includes();
        check_words();
        check_co_await();
        check_header();
        check_step_names();
        check_commands();
        return std::move(found_);
    }

  private:
    void add(std::size_t offset, const std::string& what) {
        const auto lines =
            std::count(file_.text.begin(), file_.text.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
        found_.push_back(file_.path + ":" + std::to_string(lines + 1) + ": " + what);
    }

    [[nodiscard]] bool is_header() const { return file_.path.ends_with(".hpp"); }

    void check_module() {
        if (place_.top != "tests" && !place_.module.empty() && !may_include.contains(place_.module))
            add(0, "'" + place_.module + "' is not a module of the design");
    }

    void check_includes() {
        static const std::regex include(R"re((^|\n)[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"])re");
        for (std::sregex_iterator at(file_.text.begin(), file_.text.end(), include), end; at != end; ++at) {
            const auto offset = static_cast<std::size_t>(at->position(2));
            // Not an include in a comment or raw string, where the code has spaces.
            if (code_.find('#', static_cast<std::size_t>(at->position())) > offset) continue;
            check_include(offset, (*at)[2].str());
        }
    }

    void check_include(std::size_t offset, const std::string& header) {
        check_module_include(offset, header);
        if (header.find("../") != std::string::npos) add(offset, "no relative include across modules");
        // A test of a core module may use the disk, to read golden files.
        const bool is_test = place_.top == "tests";
        for (const LibraryRule& rule : library_rules) {
            if (!header.starts_with(rule.begins) || is_test || place_.module.empty()) continue;
            if (!rule.modules.contains(place_.module)) add(offset, std::string(rule.says));
        }
        if (is_header() && header.starts_with("boost/beast")) add(offset, "Beast is never included in a header");
    }

    void check_module_include(std::size_t offset, const std::string& header) {
        constexpr std::string_view ours = "drawbridge/";
        if (!header.starts_with(ours)) return;
        const std::string included = header.substr(ours.size(), header.find('/', ours.size()) - ours.size());
        if (place_.module == "sandbox") return add(offset, "the sandbox shares no code with drawbridge");
        const auto allowed = may_include.find(place_.module);
        if (allowed == may_include.end() || included == place_.module || allowed->second.contains(included)) return;
        // A shell test may combine real collaborators. A core test is as pure as its module.
        if (place_.top == "tests" && !core.contains(place_.module)) return;
        add(offset, place_.module + " must not include " + included);
    }

    // A whole word, and what follows it: searching for the word first is a hundred times faster than std::regex.
    struct Form {
        std::string_view word;
        std::regex follows;
        std::string_view says;
    };

    void check_words() {
        static const std::regex anything(""), now(R"(\s*::\s*now\b)"), parse(R"(\s*::\s*parse\s*\()");
        static const Form everywhere[] = {
            {"using", std::regex(R"(\s+namespace\s+(?![\w:]*literals\s*;))"),
             "no `using namespace` except for literals"},
            {"detached", anything, "no detached coroutine: a failed task must end the daemon"},
            {"catch", std::regex(R"(\s*\(\s*\.\.\.\s*\))"), "no `catch (...)`"},
        };
        static const Form threads[] = {{"detach", std::regex(R"(\s*\()"), "no detached thread"}};
        static const Form clocks[] = {{"system_clock", now, "the core reads no clock"},
                                      {"steady_clock", now, "the core reads no clock"},
                                      {"high_resolution_clock", now, "the core reads no clock"}};
        static const Form parsers[] = {{"json", parse, "JSON is parsed by text::parse_json, which bounds its depth"},
                                       {"Json", parse, "JSON is parsed by text::parse_json, which bounds its depth"}};
        static const Form later[] = {{"TO"
                                      "DO",
                                      anything, "no open tasks in the code"},
                                     {"FIX"
                                      "ME",
                                      anything, "no open tasks in the code"},
                                     {"XX"
                                      "X",
                                      anything, "no open tasks in the code"}};
        check_forms(code_, everywhere);
        // A worker may leave a thread that the kernel does not let end.
        if (file_.path != "src/pipeline/worker.cpp") check_forms(code_, threads);
        const bool is_test = place_.top == "tests";
        if (!is_test && core.contains(place_.module)) check_forms(code_, clocks);
        if (!is_test && place_.module != "sandbox" && file_.path != "src/text/json.cpp") check_forms(code_, parsers);
        check_forms(file_.text, later);
    }

    // A file that contains most step names has its own list.
    void check_step_names() {
        constexpr std::size_t a_list = 5;
        if (place_.top == "tests" || place_.module == "sandbox" || file_.path == "src/domain/steps.cpp") return;
        std::size_t spelled = 0;
        std::size_t last = 0;
        for (const std::string_view step : {"poll", "decide", "approve", "pay", "deliver", "confirm", "report"}) {
            const auto at = file_.text.find("\"" + std::string(step) + "\"");
            if (at == std::string::npos) continue;
            ++spelled;
            last = std::max(last, at);
        }
        if (spelled >= a_list) add(last, "the steps are listed in domain/steps.hpp only");
    }

    // A command in quotes runs as it is printed. The tables of keys and of exceptions also use it as a word.
    void check_commands() {
        static const std::regex between_literals(R"("\n\s*")");
        constexpr std::string_view begins = "drawbridge ";
        constexpr std::string_view acts[] = {
            "accept",      "acknowledge",   "alerts test",    "approve",    "archive show",  "deliver",
            "pause",       "people add",    "people confirm", "people end", "people invite", "people link",
            "people lock", "people reject", "people role",    "reissue",    "reject",        "release",
            "rekey",       "resolve",       "restore",        "resume",     "stop",          "void",
        };
        if (place_.top != "src" || place_.module == "config" || file_.path.starts_with("src/domain/exceptions_"))
            return;
        const std::string& text = file_.text;
        for (auto at = text.find(begins); at != std::string::npos; at = text.find(begins, at + 1)) {
            const char quote = at > 0 ? text[at - 1] : ' ';
            const auto line = at > 0 ? text.rfind('\n', at) + 1 : 0;
            if ((quote != '\'' && quote != '`') || text.find("//", line) < at) continue;
            const auto begin = at + begins.size();
            const auto command =
                std::regex_replace(text.substr(begin, text.find(quote, begin) - begin), between_literals, "");
            const bool is_act = std::ranges::any_of(
                acts, [&](std::string_view act) { return std::string_view(command).starts_with(act); });
            if (is_act && !std::string_view(command).contains("--reason"))
                add(at, "a command that is printed runs as it is: add --reason …");
        }
    }

    void check_forms(const std::string& in, std::span<const Form> forms) {
        for (const auto& form : forms) {
            for (std::size_t at = in.find(form.word); at != std::string::npos; at = in.find(form.word, at + 1)) {
                const std::size_t end = at + form.word.size();
                const bool is_part =
                    (at > 0 && is_word_character(in[at - 1])) || (end < in.size() && is_word_character(in[end]));
                const auto rest = in.begin() + static_cast<std::ptrdiff_t>(end);
                if (!is_part && std::regex_search(rest, in.end(), form.follows, std::regex_constants::match_continuous))
                    add(at, std::string(form.says));
            }
        }
    }

    void check_co_await() {
        constexpr std::string_view keyword = "co_await";
        for (std::size_t at = code_.find(keyword); at != std::string::npos; at = code_.find(keyword, at + 1)) {
            const std::size_t end = at + keyword.size();
            if ((at == 0 || !is_word_character(code_[at - 1])) && !is_word_character(code_[end])) check_awaited(end);
        }
    }

    // Scans the awaited expression to its end: a semicolon, or the bracket that encloses it.
    void check_awaited(std::size_t at) {
        int depth = 0;
        for (char before = ' '; at < code_.size(); ++at) {
            const char c = code_[at];
            if (c == ';' || (depth == 0 && (c == ')' || c == ']' || c == '}' || c == ','))) return;
            if (c == '(' || c == '[') ++depth;
            if (c == ')' || c == ']') --depth;
            if (c == '[' && !is_word_character(before) && before != ')' && before != ']') {
                const std::size_t close = code_.find(']', at);
                const std::string captured = code_.substr(at + 1, close - at - 1);
                if (captured.find_first_not_of(" \n") != std::string::npos) {
                    return add(at, "no capturing lambda inside a co_await expression: name it, then move it in");
                }
                at = skip_lambda(close);
                --depth;
                before = '}';
                continue;
            }
            if (c == '?')
                return add(at, "no conditional inside a co_await expression: name its value, then move it in");
            if (c == '{') return add(at, "no braced temporary inside a co_await expression: name it, then move it in");
            if (c != ' ' && c != '\n') before = c;
        }
    }

    // From the ] of a lambda to the } of its body.
    [[nodiscard]] std::size_t skip_lambda(std::size_t at) const {
        int depth = 0;
        for (at = code_.find('{', at); at < code_.size(); ++at) {
            if (code_[at] == '{') ++depth;
            if (code_[at] == '}' && --depth == 0) return at;
        }
        return code_.size();
    }

    void check_header() {
        if (!is_header()) return;
        const std::size_t guard = code_.find("#pragma once");
        if (guard == std::string::npos) return add(0, "a header must have #pragma once");
        const std::size_t comment = file_.text.find("//");
        const std::size_t first_include = code_.find("#include");
        const std::size_t first_code = code_.find_first_not_of(" \n", guard + std::string_view("#pragma once").size());
        if (comment == std::string::npos || comment > std::min(first_include, first_code))
            add(0, "a header must begin with a comment on what it owns");
    }

    const SourceFile& file_;
    Place place_;
    std::string code_;
    std::vector<std::string> found_;
};

}  // namespace

std::string without_comments_and_literals(std::string_view text) {
    std::string code(text);
    const auto blank = [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            if (code[i] != '\n') code[i] = ' ';
        }
    };
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at + 1;
        if (text.substr(at).starts_with("//")) {
            end = std::min(text.find('\n', at), text.size());
            blank(at, end);
        } else if (text.substr(at).starts_with("/*")) {
            const std::size_t close = text.find("*/", at + 2);
            end = close == std::string_view::npos ? text.size() : close + 2;
            blank(at, end);
        } else if (text[at] == '"') {
            const bool raw = at > 0 && text[at - 1] == 'R';
            end = raw ? end_of_raw_literal(text, at) : end_of_literal(text, at);
            blank(at + 1, end - 1);
        } else if (text[at] == '\'' && (at == 0 || !is_word_character(text[at - 1]))) {  // 1'000 is a number
            end = end_of_literal(text, at);
            blank(at + 1, end - 1);
        }
        at = end;
    }
    return code;
}

std::vector<std::string> violations(const SourceFile& file) {
    return Checker(file).check();
}

}  // namespace drawbridge::architecture
