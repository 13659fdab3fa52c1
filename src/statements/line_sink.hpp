// What every reader of this module hands its lines and its complaints to.
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

    // Counts the line and hands it on. payment_reference becomes the first reference.
    void add(Confirmation line);
    // Whether it is one of our accounts (true when the office names none); which others there are is kept.
    [[nodiscard]] bool is_ours(std::string_view account);
    // The line is on an account that is none of ours: it has no effect, and says why.
    void set_aside(Confirmation& line, std::string_view account) const;

    const ReadOptions& options;
    text::DiagnosticReport& report;
    StatementFacts& facts;

  private:
    const ConfirmationSink& sink_;
};

[[nodiscard]] std::string_view trim(std::string_view text);  // blanks, tabs and line ends at either end
// "P0000000123"
[[nodiscard]] bool is_payment_id(std::string_view text);
// Fifteen digits, those of our ODFI first when it is known.
[[nodiscard]] bool is_trace_number(std::string_view text, const Office& office);
// "****1234"
[[nodiscard]] std::string masked_account(std::string_view account);
// The payment ids and trace numbers that stand as words of their own in `text`.
void find_references(std::string_view text, const Office& office, std::vector<Reference>& into);
// The numbers that stand behind one of the labels in `text`, letter case aside: "Check Serial Number: 0001" and
// "CHKN: 24108". As check numbers, each once.
void find_labelled_numbers(std::string_view text, const std::vector<std::string>& labels, std::vector<Reference>& into);
// Six digits YYMMDD, of 2000 to 2099; nullopt when it is no day.
[[nodiscard]] std::optional<BusinessDate> parse_yymmdd(std::string_view text);
// `text` with every run of more than four digits masked but for its last four: a note never holds an account number.
[[nodiscard]] std::string masked_note(std::string_view text);

// A file on its way through a reader.
class SlicedReader {
  public:
    SlicedReader() = default;
    SlicedReader(const SlicedReader&) = delete;
    SlicedReader& operator=(const SlicedReader&) = delete;
    virtual ~SlicedReader() = default;
    // Reads some hundred or thousand lines more; false: that was the end, and all that can be said only there is said.
    virtual bool advance() = 0;
};

// What they are given outlives the reader.
[[nodiscard]] std::unique_ptr<SlicedReader> read_nacha(std::string_view bytes, LineSink& sink);
[[nodiscard]] std::unique_ptr<SlicedReader> read_bai2(std::string_view bytes, LineSink& sink);
[[nodiscard]] std::unique_ptr<SlicedReader> read_paid_checks(std::string_view bytes, std::string_view file_name,
                                                             const checks::PaidLayout& layout, LineSink& sink);
// camt.053, camt.054, pain.002: facts.format says which.
[[nodiscard]] std::unique_ptr<SlicedReader> read_xml(std::string_view bytes, LineSink& sink);
[[nodiscard]] std::unique_ptr<SlicedReader> read_plain_csv(std::string_view bytes, std::string_view file_name,
                                                           LineSink& sink);
[[nodiscard]] std::unique_ptr<SlicedReader> read_profiled_csv(std::string_view bytes, std::string_view file_name,
                                                              const CsvProfile& profile, LineSink& sink);

}  // namespace drawbridge::statements
