// Shows a NACHA file to a person, record by record as FileReader delivers them. Account and card numbers are masked,
// also inside addenda; corrected data that contains one is omitted.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "drawbridge/nacha/file_reader.hpp"

namespace drawbridge::nacha {

struct ShownEntry {
    int transaction_code = 0;
    std::string kind;            // "checking credit"
    std::string routing_number;  // nine digits
    std::string account;         // masked
    Money amount;
    std::string identification, name;
    std::string trace_number;
};

struct ShownAddenda {
    std::string type;  // "05"
    std::string code;  // for types 98 and 99
    std::string original_trace_number;
    std::string text;  // payment related information, corrected data, names and addresses …
};

// Decides what may be shown of each record. It remembers the current entry, because the entry's account number is
// masked in its addenda too.
class Masking {
  public:
    [[nodiscard]] ShownEntry entry(const Record& record);
    [[nodiscard]] ShownAddenda addenda(const Record& record) const;

  private:
    std::string account_;
    bool hides_digits_ = false;  // its addenda contain other account numbers and social security numbers
};

// Describes a file as text. Shows at most `entries_shown` entries of each batch with their addenda, then how many more
// there are.
class Describer {
  public:
    using Out = std::function<void(std::string_view)>;  // a line without its line end

    Describer(Out out, std::int64_t entries_shown) : out_(std::move(out)), entries_shown_(entries_shown) {}
    void add(const Record& record);
    void finish(const ReadSummary& summary);

  private:
    void add_addenda(const Record& record);
    void print_omitted();

    Out out_;
    std::int64_t entries_shown_;
    std::int64_t entries_ = 0;  // of the current batch
    Masking masking_;
};

// "checking credit", "savings prenote credit", "checking debit return or notification of change" …; "transaction code
// 99" for an unknown code.
[[nodiscard]] std::string describe_transaction_code(int transaction_code);

}  // namespace drawbridge::nacha
