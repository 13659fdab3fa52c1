// Reads the records of one batch, one after the other: checks their consistency and sums them up. It keeps only the
// header, the current entry and sums.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "drawbridge/nacha/problem.hpp"
#include "drawbridge/nacha/records.hpp"
#include "entry_rules.hpp"
#include "record_check.hpp"
#include "sec_code.hpp"
#include "trace_set.hpp"

namespace drawbridge::nacha {

// Cents and counts that never overflow: a sum that would overflow is marked incomplete.
struct Sums {
    std::int64_t entries = 0, addenda = 0;
    std::int64_t entry_hash = 0;  // not truncated: identifications have eight digits, so it fits
    std::int64_t debit_cents = 0, credit_cents = 0;
    bool is_complete = true;  // every value was readable and the sums fit
    [[nodiscard]] std::int64_t entry_addenda_count() const { return entries + addenda; }
    // The hash as control records store it.
    [[nodiscard]] std::int64_t last_ten_of_hash() const { return entry_hash % entry_hash_modulus; }
    void add(const Sums& other);
    void add_cents(Direction direction, std::int64_t cents);
};

// Compares a control record's sum with the computed one. Cents are shown as dollars.
void compare_sum(ProblemList& problems, std::size_t line, std::string_view control, const Field& field,
                 std::int64_t computed, Severity severity = Severity::unreadable);

class BatchReader {
  public:
    BatchReader(ProblemList& problems, TraceSet& file_traces) : problems_(problems), file_traces_(file_traces) {}

    // Each record has 94 characters. If it is not whole, characters were lost and only its type is read.
    void begin(std::size_t line, std::string_view header, bool is_whole);
    void add_entry(std::size_t line, std::string_view record, bool is_whole);
    // False: no entry precedes it.
    bool add_addenda(std::size_t line, std::string_view record, bool is_whole);
    void end(std::size_t line, std::string_view control, bool is_whole);
    // A record could not be read: the batch control is not compared.
    void mark_incomplete() { sums_.is_complete = false; }
    // The control record is missing.
    void abandon(std::size_t line, const std::string& missing);

    [[nodiscard]] std::size_t header_line() const { return header_line_; }
    [[nodiscard]] std::string_view sec_code() const { return slice(header(), 51, 3); }
    [[nodiscard]] BatchLayout layout() const { return layout_; }
    // False: the position of the header's fields is unknown.
    [[nodiscard]] bool has_fields() const { return header_form_.is_printable(); }
    [[nodiscard]] std::int64_t batch_number() const { return number(header(), 88, 7); }
    [[nodiscard]] const Sums& sums() const { return sums_; }
    // Whether every entry is a return or a notification of change.
    [[nodiscard]] bool has_only_answers() const { return sums_.entries > 0 && answers_ == sums_.entries; }

  private:
    [[nodiscard]] Form form_of_record(std::size_t line, std::string_view record, const RecordLayout* layout,
                                      bool is_whole) {
        return is_whole ? check_form(problems_, line, record, layout) : Form(Form::damaged);
    }
    [[nodiscard]] std::string_view header() const { return {header_.data(), header_.size()}; }
    void close();
    void end_entry();
    void check_header();

    ProblemList& problems_;
    TraceSet& file_traces_;
    std::array<char, record_length> header_{};
    std::size_t header_line_ = 0;
    Form header_form_;
    BatchLayout layout_ = BatchLayout::standard;
    const SecCode* sec_ = nullptr;
    Sums sums_;
    std::int64_t answers_ = 0;
    EntryCheck entry_;
};

}  // namespace drawbridge::nacha
