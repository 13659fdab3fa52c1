// Checks one entry with its addenda: the rules between their fields.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "drawbridge/nacha/problem.hpp"
#include "drawbridge/nacha/records.hpp"
#include "record_check.hpp"
#include "sec_code.hpp"
#include "trace_set.hpp"

namespace drawbridge::nacha {

// What the entry rules need to know about the batch.
struct BatchContext {
    const SecCode* sec = nullptr;  // nullptr: an unknown code; its entries are read as plain ones
    BatchLayout layout = BatchLayout::standard;
    int service_class = 0;
    std::string_view odfi_identification;
    std::string_view company_entry_description;
};

class EntryCheck {
  public:
    void begin_batch(const BatchContext& context);
    void begin(std::size_t line, std::string_view record, Form form);
    void add_addenda(ProblemList& problems, std::size_t line, std::string_view record, Form form);
    // Call when all addenda have been added.
    void end(ProblemList& problems, TraceSet& file_traces);

    [[nodiscard]] bool is_open() const { return line_ != 0; }
    // Whether it is a return or a notification of change; known after end().
    [[nodiscard]] bool is_answer() const { return is_return_ || is_change_; }
    [[nodiscard]] std::string_view record() const { return {record_.data(), record_.size()}; }
    // The record must be readable.
    [[nodiscard]] int transaction_code() const { return transaction_code_; }
    [[nodiscard]] std::int64_t receiving_dfi_identification() const { return identification_; }
    [[nodiscard]] std::int64_t amount_cents() const { return amount_cents_; }

  private:
    void read_numbers(std::string_view record);
    [[nodiscard]] std::string_view code() const { return context_.sec == nullptr ? "" : context_.sec->code; }
    [[nodiscard]] bool has_trace_of(std::string_view addenda) const {
        return std::memcmp(addenda.data() + 79, record_.data() + 79, 15) == 0;
    }
    // False when the addenda indicator is wrong.
    bool check_addenda_presence(ProblemList& problems) const;
    void check_addenda_count(ProblemList& problems) const;
    void check_transaction_code(ProblemList& problems) const;
    void check_code_for_sec(ProblemList& problems) const;
    void check_amount(ProblemList& problems) const;
    [[nodiscard]] bool is_for_bank_of_batch(std::string_view identification) const {
        return odfi_identification_ < 0 || identification == context_.odfi_identification;
    }
    void check_receiving_bank(ProblemList& problems) const;
    void check_name(ProblemList& problems) const;
    void check_trace(ProblemList& problems, TraceSet& file_traces);
    [[nodiscard]] bool has_type_of_batch(std::string_view record) const;
    void check_addenda_type(ProblemList& problems, std::size_t line, std::string_view text, AddendaType type) const;
    void check_payment_addenda(ProblemList& problems, std::size_t line, std::string_view record);
    void check_iat_addenda(ProblemList& problems, std::size_t line, std::string_view record);
    void check_terminal_addenda(ProblemList& problems, std::size_t line, std::string_view record) const;
    void check_original_entry(ProblemList& problems, std::size_t line, std::string_view record,
                              bool names_bank_of_batch) const;
    void check_change_addenda(ProblemList& problems, std::size_t line, std::string_view record);
    void check_return_addenda(ProblemList& problems, std::size_t line, std::string_view record);
    void check_sequence(ProblemList& problems, std::size_t line, std::string_view record, std::int64_t expected) const;
    void check_entry_sequence(ProblemList& problems, std::size_t line, std::string_view record) const;

    BatchContext context_;
    std::int64_t odfi_identification_ = 0;  // of the batch; negative when it is not a number
    bool allows_both_sides_ = false;        // for example, reversals of debits are credits
    std::array<char, record_length> record_{};
    std::size_t line_ = 0;  // 0: no entry yet in this batch
    Form form_;
    // The numbers are read on arrival: loading them from the copy just stored would be slow.
    int transaction_code_ = 0;
    std::int64_t identification_ = 0, amount_cents_ = 0, trace_number_ = 0;
    bool has_right_check_digit_ = true;
    bool counts_addenda_ = false;  // the record contains an addenda count
    bool is_return_ = false, is_change_ = false;
    std::int64_t addenda_ = 0, payments_ = 0, remittances_ = 0, correspondents_ = 0;
    unsigned iat_types_ = 0;  // bit n: an addenda record of type 1n was seen
    char last_iat_type_ = '0';
    std::int64_t last_trace_number_ = -1;  // previous one in the batch
};

}  // namespace drawbridge::nacha
