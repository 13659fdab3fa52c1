// The command line: parse, call, print. It knows how things look and nothing of how they are done.
#pragma once

namespace drawbridge::cli {

// The whole program; returns its exit code. A failing ledger or disk passes through as an exception.
[[nodiscard]] int main(int argc, const char* const* argv);

}  // namespace drawbridge::cli
