// Receives the lines and errors of every reader in this module.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "drawbridge/statements/read.hpp"

namespace drawbridge::statements {

class LineSink {
  public:
    LineSink(const ReadOptions& given, const ConfirmationSink& sink, text::DiagnosticReport& problems,
             StatementFacts& known)
        : options(given), report(problems), facts(known), sink_(sink) {}

    // Counts the line and passes it on. payment_reference becomes the first reference, and of the bank's reason only
    // its code stays in reason_code (reason_code.hpp); the rest becomes a note. `account`: where the bank booked it, if
    // the file says so; a check of ours is never on another account than checks are drawn on.
    void add(Confirmation line, std::string_view account = {});
    // Whether it is one of our accounts (always true when the office lists none). Remembers the others.
    [[nodiscard]] bool is_ours(std::string_view account);
    // Remembers that the file mentions an account.
    void note_account(std::string_view account, bool is_ours);
    // Marks a line on another account: it has no effect, and its note says why.
    void mark_unrelated(Confirmation& line, std::string_view account) const;

    const ReadOptions& options;
    text::DiagnosticReport& report;
    StatementFacts& facts;

  private:
    void match_no_check(Confirmation& line, std::string_view account) const;

    const ConfirmationSink& sink_;
};

// What a person does about a credit that names a payment and is not marked as a return.
inline constexpr std::string_view ask_whether_returned =
    "money came in, and the line names a payment: ask the bank whether it is a return";

[[nodiscard]] std::string_view trim(std::string_view text);  // no blanks, line ends and no-break spaces at either end
// Whether this is the number, perhaps padded with zeros.
[[nodiscard]] bool is_count(std::string_view text, std::int64_t count);
// "P0000000123"
[[nodiscard]] bool is_payment_id(std::string_view text);
// Fifteen digits, beginning with our ODFI identification if it is known.
[[nodiscard]] bool is_trace_number(std::string_view text, const Office& office);
// "****1234"
[[nodiscard]] std::string masked_account(std::string_view account);
// The payment ids and trace numbers that are separate words in `text`.
void find_references(std::string_view text, const Office& office, std::vector<Reference>& into);
// The numbers that follow one of the labels in `text`, ignoring case: "Check Serial Number: 0001" and "CHKN: 24108".
// Adds each as a check number, once.
void find_labeled_numbers(std::string_view text, const std::vector<std::string>& labels, std::vector<Reference>& into);
// "10001" of "'10001", "#10001", "CHK10001" and "Check No. 10001"; any other text is left as it is.
[[nodiscard]] std::string_view without_check_label(std::string_view text);
// Adds the number, perhaps labeled, as one that may be a check's. For a debit that is about nothing else of ours.
void add_possible_check(std::string_view text, Confirmation& into);
// Likewise the numbers that follow one of the labels.
void add_labeled_checks(std::string_view text, const std::vector<std::string>& labels, Confirmation& into);
// Likewise our trace numbers that have lost their leading zero.
void add_possible_traces(std::string_view text, const Office& office, Confirmation& into);
// Adds the bank's own reference to a line that says that a payment was paid. Zeros are none.
void add_bank_reference(std::string_view text, Confirmation& into);
// Six digits YYMMDD, from 2000 to 2099; nullopt when it is not a valid date.
[[nodiscard]] std::optional<BusinessDate> parse_yymmdd(std::string_view text);
// `text` with every run of more than four digits masked except its last four: a note never contains an account number.
[[nodiscard]] std::string masked_note(std::string_view text);

// Reads a file in slices.
class SlicedReader {
  public:
    SlicedReader() = default;
    SlicedReader(const SlicedReader&) = delete;
    SlicedReader& operator=(const SlicedReader&) = delete;
    virtual ~SlicedReader() = default;
    // Reads some hundred or thousand more lines. False: that was the end, and all final errors are reported.
    virtual bool advance() = 0;
};

// Every reference must outlive the reader.
[[nodiscard]] std::unique_ptr<SlicedReader> read_nacha(std::string_view bytes, LineSink& sink);
[[nodiscard]] std::unique_ptr<SlicedReader> read_bai2(std::string_view bytes, LineSink& sink);
[[nodiscard]] std::unique_ptr<SlicedReader> read_paid_checks(std::string_view bytes, std::string_view file_name,
                                                             const checks::PaidLayout& layout, LineSink& sink);
// The format of an ISO 20022 message, by its element below Document; nullopt: no reader accepts it.
[[nodiscard]] std::optional<Format> format_of_message(std::string_view element);
// camt.053, camt.054, pain.002, by facts.format.
[[nodiscard]] std::unique_ptr<SlicedReader> read_xml(std::string_view bytes, LineSink& sink);
[[nodiscard]] std::unique_ptr<SlicedReader> read_profiled_csv(std::string_view bytes, std::string_view file_name,
                                                              const CsvProfile& profile, LineSink& sink);

}  // namespace drawbridge::statements
