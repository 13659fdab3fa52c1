// What is wrong in a text that a person wrote, where, and what to do.
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

// One line each, in the order of their places.
[[nodiscard]] std::string to_string(const Diagnostics& diagnostics);

// Collects what is wrong in one file. Past the thousandth it only counts: a broken file of a gigabyte must not become a
// report of one.
class DiagnosticReport {
  public:
    explicit DiagnosticReport(std::string_view file) : file_(file) {}

    void add(int line, int column, std::string message, std::string hint = {});
    [[nodiscard]] bool empty() const { return kept_.empty(); }
    // In the order of their places; the last one says how many more there are.
    [[nodiscard]] Diagnostics take() &&;

  private:
    std::string file_;
    Diagnostics kept_;
    std::size_t left_out_ = 0;
};

// The candidate that `word` was probably meant to be (small edit distance, letter case aside), or empty.
[[nodiscard]] std::string_view closest(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace drawbridge::text
