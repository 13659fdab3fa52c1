// Reads the bytes of any NACHA file, in chunks of any size, into records one after the other, and reports everything
// that is wrong. Its memory does not grow with the file: it keeps one entry, one batch's sums, and the problems.
//
// It checks every rule of the record layout on every record: the form of each field, and consistency between records.
// It validates the file, not the payments: it does not check whether an effective entry date is a banking day or
// whether an account exists. It shares no table with the encoder, so that each checks the other.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/money.hpp"
#include "drawbridge/nacha/problem.hpp"
#include "drawbridge/nacha/records.hpp"

namespace drawbridge::nacha {

enum class RecordKind { file_header, batch_header, entry, addenda, batch_control, file_control };

// A record as it is in the file. Its views are valid only during the sink call.
struct Record {
    RecordKind kind = RecordKind::file_header;
    std::size_t line = 0;       // from 1
    std::string_view text;      // 94 printable bytes
    std::string_view sec_code;  // of its batch; empty outside a batch
    BatchLayout layout = BatchLayout::standard;
};

struct ReadOptions {
    // A return file may lack its file header or file control. When they are required, a file without them is
    // unreadable.
    bool file_records_required = true;
    // Banks deliver several complete files in one, each with its own file header, file control and padding. Each is
    // checked separately. Otherwise a second file is unreadable.
    bool may_be_stacked = false;
    // Names and remarks in a bank's file may have characters beyond ASCII, as UTF-8 or one byte each. They are read as
    // question marks and reported as tolerated. Otherwise, and in any other field, they are unreadable.
    bool text_may_be_foreign = false;
};

// The sums over all files, if there are several.
struct ReadSummary {
    std::size_t records = 0;  // lines that are not padding
    std::size_t last_line = 0;
    std::int64_t batches = 0, entries = 0, addenda = 0;
    std::int64_t entry_hash = 0;
    Money total_debit, total_credit;
    bool has_file_header = false, has_file_control = false;  // of the last file; those before it have both
    std::size_t errors = 0, warnings = 0;
    std::vector<Problem> problems;  // by line and position
    // Deviations from the rules that were accepted because no information is lost: spaces at line ends, blank lines,
    // unusual line ends. Each kind is listed once. They also appear in `problems` as warnings.
    std::vector<Problem> tolerated;
    std::size_t left_out = 0;  // problems that were counted but not listed
    bool is_readable = true;   // every value and every total was readable
    [[nodiscard]] bool is_valid() const { return errors == 0; }
};

class FileReader {
  public:
    // Receives each readable record in file order, without padding.
    using Sink = std::function<void(const Record&)>;

    explicit FileReader(ReadOptions options, Sink sink = {});
    ~FileReader();
    FileReader(const FileReader&) = delete;
    FileReader& operator=(const FileReader&) = delete;

    // Lines end with LF, CRLF, CR or CRCRLF, or there are no line ends at all.
    void feed(std::string_view bytes);
    [[nodiscard]] ReadSummary finish();

  private:
    class State;
    std::unique_ptr<State> state_;
};

// The values of one record, which must be of that kind. A field that is not a number reads as zero.
[[nodiscard]] FileHeader file_header_of(const Record& record);
[[nodiscard]] BatchHeader batch_header_of(const Record& record);
[[nodiscard]] EntryDetail entry_of(const Record& record);  // without its addenda
[[nodiscard]] Addenda addenda_of(const Record& record);

}  // namespace drawbridge::nacha
