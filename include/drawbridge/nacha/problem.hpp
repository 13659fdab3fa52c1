// What is wrong in a NACHA file, and where. A message never contains an account number.
#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <vector>

namespace drawbridge::nacha {

enum class Severity {
    warning,     // banks differ on it, or it deserves a second look: the file stays valid
    error,       // against the rules: a bank may refuse the file
    unreadable,  // an error that makes a value or a total unknown: parse() refuses the file
};

struct Problem {
    std::size_t line = 0;      // from 1; 0: the file as a whole
    std::size_t position = 0;  // of the field's first character, from 1; 0: the line as a whole
    std::size_t length = 0;    // of the field; 0: the line as a whole
    std::string field;         // "trace number"; empty: none in particular
    std::string message;       // begins with the field's name
    Severity severity = Severity::error;
    friend auto operator<=>(const Problem&, const Problem&) = default;
};

// Collects problems. After 1,000 of a severity it only counts them: a broken file of a gigabyte must not produce a
// report of a gigabyte.
class ProblemList {
  public:
    void add(Problem problem);
    [[nodiscard]] std::size_t errors() const { return errors_; }  // including the unreadable ones
    [[nodiscard]] std::size_t warnings() const { return warnings_; }
    [[nodiscard]] std::size_t left_out() const { return errors_ + warnings_ - kept_.size(); }
    [[nodiscard]] bool is_readable() const { return !unreadable_; }
    // Ordered by line and position.
    [[nodiscard]] std::vector<Problem> take() &&;

  private:
    std::vector<Problem> kept_;
    std::size_t errors_ = 0;
    std::size_t warnings_ = 0;
    bool unreadable_ = false;
};

}  // namespace drawbridge::nacha
