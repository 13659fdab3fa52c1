// Reads the body of a mail as a mail program does.
#pragma once

#include <string>

namespace drawbridge::test {

inline std::string from_quoted_printable(const std::string& mail) {
    std::string text;
    for (std::size_t at = 0; at < mail.size(); ++at) {
        if (mail[at] != '=' || at + 1 == mail.size()) {
            text += mail[at];
        } else if (mail[at + 1] == '\n') {
            ++at;  // the line goes on
        } else {
            text += static_cast<char>(std::stoi(mail.substr(at + 1, 2), nullptr, 16));
            at += 2;
        }
    }
    return text;
}

}  // namespace drawbridge::test
