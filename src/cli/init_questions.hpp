// The questions of `drawbridge init`, the checks of the answers, and the configuration made from them. It uses neither
// files nor the terminal. Private to this module.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace drawbridge::cli {

using Answers = std::map<std::string, std::string, std::less<>>;

struct Question {
    std::string_view key;    // in an answers file
    std::string_view text;   // the prompt
    std::string fallback;    // the default for an empty answer; empty: an answer is required
    bool is_secret = false;  // typed without echo
    // Validates an answer. Returns the error message; empty: valid.
    std::string (*fault)(const std::string& answer);
    // Whether the question applies, given the answers before it.
    bool (*is_asked)(const Answers& answers);
};
// `instance`: the NAME of the unit drawbridge@NAME; empty: the unit is drawbridge. The folders differ by default.
[[nodiscard]] std::vector<Question> init_questions(std::string_view instance);

struct NewFile {
    std::string name;  // relative to the folder
    std::string text;
    bool is_secret = false;  // mode 0600, otherwise 0644
};
// A complete configuration that passes `check`.
[[nodiscard]] std::vector<NewFile> init_files(const Answers& answers);

// The text of config/layouts/issue-csv.yaml, which the package installs too.
[[nodiscard]] std::string_view issue_layout();

}  // namespace drawbridge::cli
