// What a newcomer is asked, what is a sensible answer, and the configuration that follows from the answers. It touches
// no file and no terminal. Private to this module.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace drawbridge::cli {

using Answers = std::map<std::string, std::string, std::less<>>;

struct Question {
    std::string_view key;       // in an answers file
    std::string_view text;      // as it is asked
    std::string_view fallback;  // taken for an empty answer; empty: there must be one
    bool is_secret = false;     // not shown while it is typed
    // What is wrong with an answer, for people; empty: it is good.
    std::string (*fault)(const std::string& answer);
    // Whether it is asked at all, after the answers before it.
    bool (*is_asked)(const Answers& answers);
};
[[nodiscard]] const std::vector<Question>& init_questions();

struct NewFile {
    std::string name;  // relative to the folder
    std::string text;
    bool is_secret = false;  // mode 0600, otherwise 0640
};
// A whole configuration that `check` accepts.
[[nodiscard]] std::vector<NewFile> init_files(const Answers& answers);

}  // namespace drawbridge::cli
