// What is wrong in a text that a person wrote, where, and what to do about it.
#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace drawbridge::text {

enum class Severity { error, warning };

struct Diagnostic {
    std::string file;
    int line = 0;    // from 1; 0: the file as a whole
    int column = 0;  // from 1; 0: the line as a whole
    std::string message;
    std::string hint;  // what to do; may be empty
    Severity severity = Severity::error;

    // "rules.yaml:4:7: unknown key 'aprove': did you mean 'approve'?"
    [[nodiscard]] std::string to_string() const;
    friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

using Diagnostics = std::vector<Diagnostic>;

// One line each, ordered by file, line and column.
[[nodiscard]] std::string to_string(const Diagnostics& diagnostics);

// Collects the problems of one file. After 1,000 it only counts them: a broken file of a gigabyte must not produce a
// report of a gigabyte.
class DiagnosticReport {
  public:
    explicit DiagnosticReport(std::string_view file) : file_(file) {}

    void add(int line, int column, std::string message, std::string hint = {});
    [[nodiscard]] bool empty() const { return kept_.empty(); }
    // Ordered by line and column; the last one says how many more there are.
    [[nodiscard]] Diagnostics take() &&;

  private:
    std::string file_;
    Diagnostics kept_;
    std::size_t left_out_ = 0;
};

// The candidate that `word` probably means (small edit distance, ignoring case), or empty.
[[nodiscard]] std::string_view closest_match(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace drawbridge::text
