// The lines of a bank's file, taken apart by its form and read by value. It shares the form with the encoder and
// nothing else. Private to this module.
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
    exact,      // as we write it
    as_needed,  // blanks at the end may lack, or be too many
};

struct RecordLine {
    LineKind kind = LineKind::check;
    int line = 0;
    const std::vector<Column>* columns = nullptr;
    std::vector<text::CsvField> fields;  // one for each column; of fixed columns without the blanks at both ends
};

// Bytes → lines, some at a time, so that memory does not grow with the file. What it is given outlives it.
class RecordReader {
  public:
    // A line that has not the fields it needs goes to the report, every other one here, in the order of the file.
    using Visit = std::function<void(RecordLine)>;

    RecordReader() = default;
    RecordReader(const RecordReader&) = delete;
    RecordReader& operator=(const RecordReader&) = delete;
    virtual ~RecordReader() = default;
    // Reads on; false: that was the end.
    virtual bool advance() = 0;
};

[[nodiscard]] std::unique_ptr<RecordReader> make_record_reader(const FileForm& form, LineLength length,
                                                               std::string_view bytes, std::string_view file_name,
                                                               text::DiagnosticReport& report,
                                                               RecordReader::Visit visit);

// Digits alone, at most eighteen.
[[nodiscard]] std::optional<std::int64_t> read_number(std::string_view text);
[[nodiscard]] std::optional<Money> read_amount(const FileForm& form, std::string_view text);
// Zeros in front aside where the column is filled up with them.
[[nodiscard]] bool is_account(const Column& column, std::string_view text, const AccountNumber& account);

// Counts the lines and amounts of checks, and holds what header and trailer say against them.
class ControlReader {
  public:
    ControlReader(const FileForm& form, std::optional<BusinessDate> file_date) : form_(form), file_date_(file_date) {}
    void add(Money amount);
    // What a field of the header, or of the trailer, says wrongly; empty: nothing. Totals are compared in finish().
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
