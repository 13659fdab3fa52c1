// `drawbridge init FOLDER`: asks a few questions and writes a configuration that passes `check`.
#include <grp.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "commands.hpp"
#include "diagnostics.hpp"
#include "drawbridge/app/programs.hpp"
#include "drawbridge/config/read_file.hpp"
#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/files/durable_file.hpp"
#include "drawbridge/text/yaml.hpp"
#include "init_questions.hpp"
#include "table.hpp"

namespace drawbridge::cli {
namespace {

namespace fs = std::filesystem;

// Turns off the terminal's echo while a person types a secret.
class EchoOff {
  public:
    explicit EchoOff(bool wanted) : active_(wanted && ::isatty(STDIN_FILENO) == 1) {
        if (!active_ || ::tcgetattr(STDIN_FILENO, &before_) != 0) return;
        termios quiet = before_;
        quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet);
    }
    EchoOff(const EchoOff&) = delete;
    EchoOff& operator=(const EchoOff&) = delete;
    ~EchoOff() {
        if (!active_) return;
        ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_);
        std::fputc('\n', stdout);
    }

  private:
    bool active_;
    termios before_{};
};

constexpr std::string_view blanks = " \t\r";

// nullopt: end of input.
std::optional<std::string> ask_one(const Question& question) {
    std::string prompt = std::string(question.text);
    if (!question.fallback.empty()) prompt += " [" + question.fallback + "]";
    for (;;) {
        std::fputs((prompt + ": ").c_str(), stdout);
        std::fflush(stdout);
        std::string answer;
        {
            const EchoOff echo_off(question.is_secret);
            if (!std::getline(std::cin, answer)) return std::nullopt;
        }
        answer = std::string(trimmed(answer, blanks));
        if (answer.empty()) answer = question.fallback;
        const auto fault = answer.empty() ? std::string("an answer is required") : question.fault(answer);
        if (fault.empty()) return answer;
        print_line("  " + fault + ". Try again:");
    }
}

std::optional<Answers> ask_all(const std::vector<Question>& questions) {
    Answers answers;
    for (const auto& question : questions) {
        if (!question.is_asked(answers)) continue;
        auto answer = ask_one(question);
        if (!answer) {
            print_error("\ndrawbridge: the input ended at '" + std::string(question.text) + "': nothing was written");
            return std::nullopt;
        }
        answers.emplace(question.key, *std::move(answer));
    }
    return answers;
}

struct GivenAnswer {
    std::optional<std::string> text;  // nullopt: the value is not text; the error is already reported
    int line = 0, column = 0;
};
using Given = std::map<std::string, GivenAnswer, std::less<>>;

// The "key: value" lines of an answers file. Errors of the file itself go to `problems`.
Given read_answers_file(const std::string& path, const std::vector<Question>& questions, text::Diagnostics& problems) {
    Given given;
    const auto content = config::read_file(path);
    if (!content) {
        problems.push_back({path, 0, 0, content.error().message, "name a file that this user can read"});
        return given;
    }
    const auto root = text::parse_yaml(*content, path);
    if (!root) {
        problems.insert(problems.end(), root.error().begin(), root.error().end());
        return given;
    }
    text::YamlReader reader(path, problems);
    std::vector<std::string_view> keys;
    for (const auto& question : questions)
        keys.push_back(question.key);
    if (!reader.check_map(*root, keys, "the answers")) return given;
    for (const auto& entry : root->entries()) {
        if (std::ranges::find(keys, entry.key) == keys.end()) continue;
        if (entry.value.kind() == text::YamlNode::Kind::null) {
            given.emplace(entry.key, GivenAnswer{"", entry.line, entry.column});
        } else if (auto value = reader.text(entry.value, entry.key)) {
            given.emplace(entry.key,
                          GivenAnswer{std::string(trimmed(*value, blanks)), entry.value.line(), entry.value.column()});
        } else {
            given.emplace(entry.key, GivenAnswer{std::nullopt, entry.value.line(), entry.value.column()});
        }
    }
    return given;
}

// Reports every wrong answer at once, with its line and column.
std::optional<Answers> take_answers(const std::string& path, const std::vector<Question>& questions) {
    text::Diagnostics problems;
    const auto given = read_answers_file(path, questions, problems);
    Answers answers;
    bool rail_unknown = false;
    // A file that cannot be read gets no further errors.
    for (const auto& question : questions) {
        if (given.empty() && !problems.empty()) break;
        const auto found = given.find(question.key);
        if (!question.is_asked(answers)) {
            if (found != given.end() && found->second.text && !found->second.text->empty() && !rail_unknown) {
                problems.push_back({path, found->second.line, found->second.column,
                                    std::string(question.key) + " is not used: pay_by is " + answers.at("pay_by"),
                                    "answer pay_by: both, or remove this line"});
            }
            continue;
        }
        // With an unknown rail, nobody knows which of the bank's questions apply.
        if (rail_unknown && found == given.end()) continue;
        const GivenAnswer said = found == given.end() ? GivenAnswer{question.fallback} : found->second;
        if (said.text) {
            const std::string text = said.text->empty() ? question.fallback : *said.text;
            const std::string fault = text.empty() ? "" : question.fault(text);
            if (text.empty() || !fault.empty()) {
                problems.push_back({path, said.line, said.column,
                                    std::string(question.key) + (text.empty() ? " is missing" : ": " + fault),
                                    text.empty() ? std::string(question.text) : ""});
            }
        }
        const std::string answer = said.text && !said.text->empty() ? *said.text : question.fallback;
        if (question.key == "pay_by") rail_unknown = !said.text || !question.fault(answer).empty();
        answers.emplace(question.key, answer);
    }
    if (problems.empty()) return answers;
    print(problems);
    print_error("drawbridge: nothing was written");
    return std::nullopt;
}

// The files that init would write and that already exist.
std::vector<std::string> existing_files(const fs::path& folder) {
    std::vector<std::string> names;
    for (const char* name : {"drawbridge.yaml", "rules.yaml", "payees.csv", "layouts/issue-csv.yaml",
                             "credentials/client_id", "credentials/client_secret", "credentials/check_account"}) {
        std::error_code error;
        if (fs::exists(fs::symlink_status(folder / name, error))) names.emplace_back(name);
    }
    return names;
}

void write_new(const fs::path& path, const NewFile& file) {
    const bool is_new_folder = fs::create_directories(path.parent_path());
    if (is_new_folder && path.parent_path().filename() == "credentials")
        fs::permissions(path.parent_path(), fs::perms::owner_all);
    constexpr mode_t owner_only = 0600, all_may_read = 0644;
    files::create_durably(path, file.text, file.is_secret ? owner_only : all_may_read);
}

// Lets the service read the payees, which other users may not. systemd passes it the credentials. False: this is not
// root, or the package is not installed.
bool give_to_service(const fs::path& payees) {
    group entry{};
    group* found = nullptr;
    std::array<char, 16384> buffer{};
    if (::geteuid() != 0 || ::getgrnam_r("drawbridge", &entry, buffer.data(), buffer.size(), &found) != 0 ||
        found == nullptr) {
        return false;
    }
    constexpr mode_t group_may_read = 0640;
    if (::chown(payees.c_str(), 0, found->gr_gid) != 0 || ::chmod(payees.c_str(), group_may_read) != 0)
        throw std::system_error(errno, std::generic_category(), payees.string());
    return true;
}

// The NAME of the unit drawbridge@NAME, which reads /etc/drawbridge/NAME. Empty: no such unit reads this folder.
std::string instance_of(const fs::path& folder) {
    return folder.parent_path() == "/etc/drawbridge" ? folder.filename().string() : std::string();
}

// `instance`: as instance_of() says.
void show_next_steps(const fs::path& folder, const std::string& instance, bool service_can_read,
                     const Answers& answers) {
    const std::string config = " --config " + (folder / "drawbridge.yaml").string();
    const std::string payees = (folder / "payees.csv").string();
    std::vector<std::string> steps = {
        "List the payees in " + payees + ", one per line.",
        "Write rules in " + (folder / "rules.yaml").string() + "; until then every draw is held.",
    };
    if (!instance.empty() && !service_can_read)
        steps.push_back("chgrp drawbridge " + payees + " && chmod 640 " + payees +
                        "   (so that the service can read it)");
    if (!instance.empty()) steps.push_back("drawbridge keygen " + (folder / "credentials/sealing_key").string());
    steps.push_back("drawbridge check --online" + config);
    if (answers.at("pay_by") != "check") {
        steps.push_back("drawbridge files sample --output for-the-bank.ach" + config +
                        "   (send it to the bank for certification)");
    }
    if (instance.empty()) {
        steps.emplace_back(
            "Copy the files to /etc/drawbridge, as docs/set-up.md shows, then: systemctl enable --now drawbridge");
    } else {
        steps.push_back("systemctl enable --now drawbridge@" + instance);
    }
    if (answers.at("witness") != "none") {
        steps.push_back("drawbridge witness init" + (instance.empty() ? "" : config) + "   (once)");
    }
    print_line("");
    print_line("Next:");
    for (std::size_t i = 0; i < steps.size(); ++i)
        print_line("  " + std::to_string(i + 1) + ". " + steps[i]);
}

}  // namespace

int init_command(const Options& options) {
    fs::path folder = fs::absolute(options.name).lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();  // "office/"
    const std::string instance = instance_of(folder);
    const auto questions = init_questions(instance);
    if (const auto names = existing_files(folder); !names.empty()) {
        std::string list;
        for (const auto& name : names)
            list += (list.empty() ? "" : ", ") + name;
        print_error("drawbridge: " + folder.string() + " already contains " + list +
                    ": existing files are not overwritten: name an empty folder");
        return app::exit_failed;
    }
    const auto answers = options.answers.empty() ? ask_all(questions) : take_answers(options.answers, questions);
    if (!answers) return options.answers.empty() ? app::exit_failed : app::exit_configuration;
    bool service_can_read = false;
    ::umask(S_IWGRP | S_IWOTH);  // the service enters the folders, also those of a root with a strict umask
    try {
        for (const auto& file : init_files(*answers)) {
            write_new(folder / file.name, file);
            print_line("wrote " + (folder / file.name).string());
        }
        service_can_read = give_to_service(folder / "payees.csv");
    } catch (const std::system_error& error) {
        print_error("drawbridge: " + std::string(error.what()) + ": files written so far remain");
        return files::is_disk_failure(error.code().value()) ? app::exit_disk : app::exit_failed;
    }
    const auto checked = app::check(folder / "drawbridge.yaml", /*online=*/false);
    print(checked.diagnostics);
    show_next_steps(folder, instance, service_can_read, *answers);
    return checked.exit_code;
}

}  // namespace drawbridge::cli
