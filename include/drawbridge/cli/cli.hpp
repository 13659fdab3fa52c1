// The command line: parses arguments, calls the operators' API, prints the answer. It contains no business logic.
#pragma once

namespace drawbridge::cli {

// The whole program. Returns the exit code. Failures of the ledger or the disk leave as exceptions.
[[nodiscard]] int main(int argc, const char* const* argv);

}  // namespace drawbridge::cli
