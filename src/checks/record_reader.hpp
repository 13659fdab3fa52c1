// Splits the lines of a bank's file by its form and reads their values. It shares only the form with the encoder.
// Private to this module.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/checks/file_form.hpp"
#include "drawbridge/domain/bank_numbers.hpp"
#include "drawbridge/domain/money.hpp"
#include "drawbridge/domain/time.hpp"
#include "drawbridge/text/csv.hpp"
#include "drawbridge/text/diagnostic.hpp"

namespace drawbridge::checks {

enum class LineKind { header, check, trailer };
enum class LineLength {
    exact,  // as Drawbridge writes it
    // Trailing spaces may be missing or extra, blank lines too; records may follow without line ends; the case of names
    // in a header of CSV does not count.
    as_needed,
};

struct RecordLine {
    LineKind kind = LineKind::check;
    int line = 0;
    const std::vector<Column>* columns = nullptr;
    std::vector<text::CsvField> fields;  // one per column; in fixed columns, without spaces at either end
};

// Reads bytes into lines, some at a time, so that memory does not grow with the file. Every reference must outlive the
// reader.
class RecordReader {
  public:
    // A line without the required fields goes to the report; every other one goes here, in file order.
    using Visit = std::function<void(RecordLine)>;

    RecordReader() = default;
    RecordReader(const RecordReader&) = delete;
    RecordReader& operator=(const RecordReader&) = delete;
    virtual ~RecordReader() = default;
    // Reads the next lines; false: that was the end.
    virtual bool advance() = 0;
};

[[nodiscard]] std::unique_ptr<RecordReader> make_record_reader(const FileForm& form, LineLength length,
                                                               std::string_view bytes, std::string_view file_name,
                                                               text::DiagnosticReport& report,
                                                               RecordReader::Visit visit);

// Digits only, at most eighteen.
[[nodiscard]] std::optional<std::int64_t> read_number(std::string_view text);
[[nodiscard]] std::optional<Money> read_amount(const FileForm& form, std::string_view text);
// Ignores leading zeros if the column is padded with them.
[[nodiscard]] bool is_account(const Column& column, std::string_view text, const AccountNumber& account);

// Counts lines and amounts of checks and compares them with the header and trailer.
class ControlReader {
  public:
    ControlReader(const FileForm& form, std::optional<BusinessDate> file_date) : form_(form), file_date_(file_date) {}
    void add(Money amount);
    // What is wrong with a header or trailer field; empty: nothing. finish() compares the totals.
    [[nodiscard]] std::string read(const Column& column, int line, const text::CsvField& field);
    void finish(text::DiagnosticReport& report) const;
    [[nodiscard]] std::int64_t count() const { return count_; }
    [[nodiscard]] Money total() const { return total_; }

  private:
    struct Claim {
        int line = 0, column = 0;
        ColumnKind kind = ColumnKind::count;
        std::int64_t value = 0;  // a count, or cents
    };
    const FileForm& form_;
    std::optional<BusinessDate> file_date_;
    std::int64_t count_ = 0;
    Money total_;
    std::vector<Claim> claims_;
};

}  // namespace drawbridge::checks
