// The rules for module boundaries and code conventions, checked on source text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace drawbridge::architecture {

struct SourceFile {
    std::string path;  // "src/nacha/encode.cpp", "include/drawbridge/nacha/file.hpp", "tests/nacha/encode_test.cpp"
    std::string text;
};

// Replaces comments and the content of literals by spaces, so that rules see only code. Keeps the lines.
[[nodiscard]] std::string without_comments_and_literals(std::string_view text);

// "src/nacha/encode.cpp:7: nacha must not include ledger" for each violation of these rules:
// - module includes, and which modules may use which library;
// - no `using namespace` except for literals, no detached coroutine or thread, no `catch (...)`, no open tasks in
//   comments;
// - no co_await with a braced temporary, a conditional or a capturing lambda in its expression (g++ 12 destroys them
//   twice);
// - one list of the step names, and one JSON parser;
// - every header has #pragma once and begins with a comment on what it owns.
[[nodiscard]] std::vector<std::string> violations(const SourceFile& file);

}  // namespace drawbridge::architecture
