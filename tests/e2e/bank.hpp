// The bank and the finance office of a test. They collect payment files from outgoing/, read them with an independent
// reader, and write confirmation files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace drawbridge::e2e {

// One payment instruction in a payment file.
struct Instruction {
    std::string file;
    std::string reference;  // trace number or check number
    std::int64_t cents = 0;
    std::string payee;
    std::string created_on;  // YYYY-MM-DD
    bool check = false;
    bool prenote = false;  // a zero-dollar test of an account
};

// Reads a NACHA file or a check issue file, depending on its name (ACH-… or CHK-…). Skips offset debits. Throws if the
// records or control totals are invalid.
[[nodiscard]] std::vector<Instruction> read_payment_file(const std::filesystem::path& path);

class Bank {
  public:
    explicit Bank(std::filesystem::path folder);

    // Moves every file out of `outgoing` and returns its instructions. Throws if a file of that name was collected
    // before.
    std::vector<Instruction> collect(const std::filesystem::path& outgoing);
    // All instructions collected so far.
    [[nodiscard]] const std::vector<Instruction>& instructions() const { return instructions_; }
    // How often each amount was paid, over all files. The draws of a test have different amounts.
    [[nodiscard]] std::map<std::int64_t, int> times_paid() const;
    [[nodiscard]] std::int64_t total_cents() const;
    // References that occur on more than one instruction.
    [[nodiscard]] std::set<std::string> references_used_twice() const;

  private:
    std::filesystem::path folder_;
    std::vector<Instruction> instructions_;
};

inline constexpr std::string_view confirmation_header = "payment_reference,status,amount,date\n";

// A line of finance's confirmation file.
[[nodiscard]] std::string confirmation_line(const Instruction& instruction, std::string_view status = "paid");
[[nodiscard]] std::string confirmation_csv(const std::vector<Instruction>& instructions,
                                           std::string_view status = "paid");

}  // namespace drawbridge::e2e
