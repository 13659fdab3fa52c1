// A NACHA file for a person's eyes, record by record as FileReader hands them over. Account and card numbers are
// masked, also where they stand in addenda; corrected data that holds one is left out.
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
    std::string code;  // of types 98 and 99
    std::string original_trace_number;
    std::string text;  // payment related information, corrected data, names and places …
};

// What may be shown of each record. It remembers the entry at hand, for its account number is hidden in its addenda
// too.
class Masking {
  public:
    [[nodiscard]] ShownEntry entry(const Record& record);
    [[nodiscard]] ShownAddenda addenda(const Record& record) const;

  private:
    std::string account_;
    bool hides_digits_ = false;  // its addenda hold accounts of others, and social security numbers
};

// As text. Of each batch, at most `entries_shown` entries with their addenda, then how many more there are.
class Describer {
  public:
    using Out = std::function<void(std::string_view)>;  // a line without its end

    Describer(Out out, std::int64_t entries_shown) : out_(std::move(out)), entries_shown_(entries_shown) {}
    void add(const Record& record);
    void finish(const ReadSummary& summary);

  private:
    void add_addenda(const Record& record);
    void tell_left_out();

    Out out_;
    std::int64_t entries_shown_;
    std::int64_t entries_ = 0;  // of the batch at hand
    Masking masking_;
};

// "checking credit", "savings prenote credit", "checking debit return or notification of change" …; "transaction code
// 99" for one that does not exist.
[[nodiscard]] std::string describe_transaction_code(int transaction_code);

}  // namespace drawbridge::nacha
