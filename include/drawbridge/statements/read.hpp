// A bank's file → Confirmations, whatever its format: the one way in for everything that is dropped into the inbox.
//
// It decides what a line says, never which payment it means or what follows from it: that is reconciliation's. It never
// opens a file, never unpacks one, and never takes the clock's word for the bank's.
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

// Which lines are ours. What is left empty is not compared.
struct Office {
    std::string odfi_identification;             // the first eight digits of our trace numbers
    std::vector<std::string> company_ids;        // NACHA batch header 41-50
    std::optional<AccountNumber> check_account;  // that our checks are drawn on
    std::vector<AccountNumber> accounts;         // the accounts that we pay from
};

// Files whose name fits `match` (a shell pattern: * and ?, letter case aside) are read as `format`; the first rule that
// fits holds. `profile` names a CSV profile or a paid-check layout; empty for the formats that need none.
struct FileRule {
    std::string match;
    Format format = Format::csv;
    std::string profile;
};

struct ReadOptions {
    Office office;
    std::vector<FileRule> rules;
    std::vector<CsvProfile> csv_profiles;                // by their names
    std::vector<checks::PaidLayout> paid_check_layouts;  // by their names
    std::string profile;                                 // the caller's choice, before every rule; empty: none
    // What stands before a check's number in the text of a BAI2 transaction; letter case aside, none of them empty.
    std::vector<std::string> check_number_labels = {"Check Serial Number", "CHKN:"};
    // The day on which the file came, for a NACHA file that has no file header and so no year.
    std::optional<BusinessDate> received_on;
};

// What a caller may choose: the profiles and layouts by their names, then the formats that need none.
[[nodiscard]] std::vector<std::string> profile_names(const ReadOptions& options);

// What the bank says that it received: a payment file by its name, and how much stands in it. Prenotes count as
// payments.
struct Acknowledgment {
    std::string file_name{};
    std::int64_t payments = 0;
    Money total{};
    int line = 0;  // of the bank's file; 0: a person says it
    friend bool operator==(const Acknowledgment&, const Acknowledgment&) = default;
};

// What the file says about itself.
struct StatementFacts {
    Format format = Format::csv;
    std::string profile;                          // the profile or layout that was used; empty: none
    std::string recognised_by;                    // "its content", "its name (*.csv)", "the profile that was asked for"
    std::string bank_file_id;                     // the bank's own name for it; empty: none
    std::optional<BusinessDate> date;             // of the file
    std::int64_t lines = 0;                       // confirmations handed to the sink
    Money paid, returned;                         // what the lines of these kinds add up to, in US dollars
    bool speaks_of_our_account = false;           // where the office names its accounts
    std::vector<std::string> foreign_accounts;    // masked; the first few that are none of ours
    std::vector<std::string> remarks;             // what a person should know of the file; it is applied all the same
    std::vector<Acknowledgment> acknowledgments;  // in the order of the file, which then has no confirmations
};

// Gets each confirmation in the order of the file. A file that turns out bad was handed over in part: whoever records
// must undo it when read_statement() fails.
using ConfirmationSink = std::function<void(Confirmation)>;

// `bytes` are the whole file and may be a mapped one; `file_name` is its name without folders. The format is that of
// options.profile, else what the content shows, else what the first fitting rule says. Where content and rule
// contradict each other, the file is refused, and so is one that speaks only of accounts of others. All problems at
// once, as far as one does not hide the next.
[[nodiscard]] std::expected<StatementFacts, text::Diagnostics> read_statement(std::string_view bytes,
                                                                              std::string_view file_name,
                                                                              const ReadOptions& options,
                                                                              const ConfirmationSink& sink);

// The same in slices, for whoever has other things to do meanwhile.
class StatementReading {
  public:
    // What they are given outlives the reading.
    StatementReading(std::string_view bytes, std::string_view file_name, const ReadOptions& options,
                     ConfirmationSink sink);
    StatementReading(const StatementReading&) = delete;
    StatementReading& operator=(const StatementReading&) = delete;
    ~StatementReading();
    // Reads on, some hundred or thousand lines; false: there is no more.
    bool advance();
    // Once advance() said false.
    [[nodiscard]] std::expected<StatementFacts, text::Diagnostics> finish() &&;

  private:
    class Reader;
    std::unique_ptr<Reader> reader_;
};

// The format that the content shows; nothing for fixed columns and for CSV, which could be anything, but for an
// acknowledgment in its plain form.
[[nodiscard]] std::optional<Format> recognise(std::string_view bytes);

}  // namespace drawbridge::statements
