// The bank and the finance office of a test: they take payment files out of outgoing/, read them with a reader of their
// own, and write confirmation files about what they read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace drawbridge::e2e {

// One payment instruction, as it stands in a payment file.
struct Instruction {
    std::string file;
    std::string reference;  // trace number or check number
    std::int64_t cents = 0;
    std::string payee;
    std::string created_on;  // YYYY-MM-DD
    bool check = false;
    bool prenote = false;  // a trial of an account, without money
};

// Reads a NACHA file or a check issue file by its name (ACH-… or CHK-…). Debits that balance a file are no
// instructions. Throws when its records or control totals are not as the format wants them.
[[nodiscard]] std::vector<Instruction> read_payment_file(const std::filesystem::path& path);

class Bank {
  public:
    explicit Bank(std::filesystem::path folder);

    // Takes away every file in `outgoing` and gives what is new in them. Throws when a file of that name was taken
    // before.
    std::vector<Instruction> collect(const std::filesystem::path& outgoing);
    // Everything that was ever taken.
    [[nodiscard]] const std::vector<Instruction>& instructions() const { return instructions_; }
    // How often each amount was paid, over all files: the draws of a test differ in their amounts.
    [[nodiscard]] std::map<std::int64_t, int> times_paid() const;
    [[nodiscard]] std::int64_t total_cents() const;
    // References that stand on more than one instruction.
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
