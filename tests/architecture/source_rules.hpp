// The walls between the modules and the habits of the code, as rules over source text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace drawbridge::architecture {

struct SourceFile {
    std::string path;  // "src/nacha/encode.cpp", "include/drawbridge/nacha/file.hpp", "tests/nacha/encode_test.cpp"
    std::string text;
};

// Blanks for comments and for what stands between quotes, so that a rule looks at code only. Lines stay.
[[nodiscard]] std::string without_comments_and_literals(std::string_view text);

// "src/nacha/encode.cpp:7: nacha must not include ledger" for each breach of
// - which module may include which, and which library belongs to which modules;
// - no `using namespace` but for literals, no detached coroutine, no catch of everything, no note to do it later;
// - no co_await with a braced temporary, a conditional or a capturing lambda in its expression (g++ 12 destroys them
//   twice);
// - the names of the steps are listed in one place, and JSON is parsed in one place;
// - every header is guarded by #pragma once and opens with what it owns.
[[nodiscard]] std::vector<std::string> breaches(const SourceFile& file);

}  // namespace drawbridge::architecture
