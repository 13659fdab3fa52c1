// Reads a bank's file of any format into Confirmations: the single entry point for everything dropped into the inbox.
//
// It decides what a line says. Reconciliation decides which payment the line means and what follows from it. It never
// opens or unpacks a file, and never uses the current time for the bank's date.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/checks/paid_file.hpp"
#include "drawbridge/domain/bank_numbers.hpp"
#include "drawbridge/domain/confirmation.hpp"
#include "drawbridge/statements/csv_profile.hpp"
#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::statements {

enum class Format { csv, nacha, bai2, camt053, camt054, pain002, paid_checks, acknowledgment };

// "csv", "nacha", "bai2", "camt053", "camt054", "pain002", "paid_checks", "acknowledgment"
[[nodiscard]] std::string_view to_string(Format format);
[[nodiscard]] std::optional<Format> parse_format(std::string_view text);

// Identifies which lines are ours. Empty members are not compared.
struct Office {
    std::string odfi_identification;            // the first eight digits of our trace numbers
    std::vector<std::string> company_ids;       // NACHA batch header 41-50
    std::vector<AccountNumber> check_accounts;  // that our checks are, or were, drawn on
    std::vector<AccountNumber> accounts;        // the accounts that we pay from
};

// Files whose name matches `match` (a shell pattern with * and ?, ignoring case) are read as `format`; the first
// matching rule applies. `profile` names a CSV profile or a paid-check layout; empty for formats that need none.
struct FileRule {
    std::string match;
    Format format = Format::csv;
    std::string profile;
};

struct ReadOptions {
    Office office;
    std::vector<FileRule> rules;
    std::vector<CsvProfile> csv_profiles;                // found by name
    std::vector<checks::PaidLayout> paid_check_layouts;  // found by name
    std::string profile;                                 // the caller's choice, which overrides every rule; empty: none
    // Labels that precede a check number in the text of a BAI2 or camt transaction; case is ignored, and none is empty.
    std::vector<std::string> check_number_labels = {"Check Serial Number", "CHKN:"};
    // The day the file arrived, for a NACHA file without a file header and therefore without a year.
    std::optional<BusinessDate> received_on;
    std::optional<TimeZone> zone = {};  // of the office, for times with an offset in ISO 20022
};

// The names that a caller may choose from: profiles and layouts by name, then the formats that need none.
[[nodiscard]] std::vector<std::string> profile_names(const ReadOptions& options);

// What the bank reports as received: a payment file by name, with its number of payments and total. Prenotes count as
// payments.
struct Acknowledgment {
    std::string file_name{};
    std::int64_t payments = 0;
    Money total{};
    int line = 0;  // in the bank's file; 0: a person entered it
    friend bool operator==(const Acknowledgment&, const Acknowledgment&) = default;
};

// What the file says about itself.
struct StatementFacts {
    Format format = Format::csv;
    std::string profile;                          // the profile or layout used; empty: none
    std::string recognized_by;                    // "its content", "its name (*.csv)", "the requested profile"
    std::string bank_file_id;                     // the bank's own id for the file; empty: none
    std::optional<BusinessDate> date;             // of the file
    std::int64_t lines = 0;                       // confirmations passed to the sink
    Money paid, returned;                         // totals of lines of these kinds, in US dollars
    bool mentions_our_account = false;            // only if it is known which accounts are ours
    std::vector<std::string> foreign_accounts;    // masked; the first few that are not ours
    std::vector<std::string> remarks;             // notes for a person; the file is applied anyway
    std::vector<Acknowledgment> acknowledgments;  // in file order; such a file has no confirmations
};

// Receives each confirmation in file order. A file that turns out to be bad was already passed on in part: the caller
// must undo what it recorded when read_statement() fails.
using ConfirmationSink = std::function<void(Confirmation)>;

// `bytes` is the whole file and may be memory-mapped; `file_name` is its name without folders. The format comes from
// options.profile, else from the content, else from the first matching rule. A file whose content contradicts its rule
// is refused, and so is one that only mentions other people's accounts. Reports all problems at once, unless one hides
// the next. Only for tests and benchmarks: the product uses StatementReader.
[[nodiscard]] std::expected<StatementFacts, text::Diagnostics> read_statement(std::string_view bytes,
                                                                              std::string_view file_name,
                                                                              const ReadOptions& options,
                                                                              const ConfirmationSink& sink);

// Reads in slices, for a caller with other work to do in between.
class StatementReader {
  public:
    // Every reference must outlive the reader.
    StatementReader(std::string_view bytes, std::string_view file_name, const ReadOptions& options,
                    ConfirmationSink sink);
    StatementReader(const StatementReader&) = delete;
    StatementReader& operator=(const StatementReader&) = delete;
    ~StatementReader();
    // Reads some hundred or thousand more lines; false: there are no more.
    bool advance();
    // Call after advance() returned false.
    [[nodiscard]] std::expected<StatementFacts, text::Diagnostics> finish() &&;

  private:
    class Reader;
    std::unique_ptr<Reader> reader_;
};

// The format recognized from the content. nullopt for fixed columns and CSV, which could be anything, except a plain
// acknowledgment.
[[nodiscard]] std::optional<Format> recognize(std::string_view bytes);

}  // namespace drawbridge::statements
