// Reads the body of a mail as a mail program does.
#pragma once

#include <string>

namespace drawbridge::test {

inline std::string from_quoted_printable(const std::string& mail) {
    std::string text;
    for (std::size_t at = 0; at < mail.size(); ++at) {
        if (mail[at] == '=' && mail.compare(at + 1, 1, "\n") == 0) {
            ++at;  // the line goes on
        } else if (mail[at] == '=' && mail.find_first_not_of("0123456789ABCDEF", at + 1) >= at + 3) {
            text += static_cast<char>(std::stoi(mail.substr(at + 1, 2), nullptr, 16));
            at += 2;
        } else {
            text += mail[at];  // in a header, "=?" begins an encoded word
        }
    }
    return text;
}

}  // namespace drawbridge::test
