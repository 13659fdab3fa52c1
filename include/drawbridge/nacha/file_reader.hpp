// The bytes of any NACHA file, in pieces of any size → its records, one after the other, and everything that is wrong.
// What it keeps does not grow with the file: one entry, one batch's sums, and the problems.
//
// Every rule of the record layout is held against every record: forms field by field, and what the records say about
// each other. It judges the file, not the payments: whether an effective entry date is a banking day, or an account
// exists, is nobody's business here. It shares no table with the encoder, so that each checks the other.
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

// A record as it stands in the file. Views last as long as the call that hands it over.
struct Record {
    RecordKind kind = RecordKind::file_header;
    std::size_t line = 0;       // from 1
    std::string_view text;      // 94 printable bytes
    std::string_view sec_code;  // of its batch; empty outside of one
    BatchLayout layout = BatchLayout::standard;
};

struct ReadOptions {
    // A return file may lack its file header or its file control. Where they are required, their absence makes the file
    // unreadable.
    bool file_records_required = true;
};

struct ReadSummary {
    std::size_t records = 0;  // lines that are not padding
    std::int64_t batches = 0, entries = 0, addenda = 0;
    std::int64_t entry_hash = 0;
    Money total_debit, total_credit;
    bool has_file_header = false, has_file_control = false;
    std::size_t errors = 0, warnings = 0;
    std::vector<Problem> problems;  // by line and position
    // What is not written as the rules ask, and was read all the same because nothing is lost by it: blanks at the ends
    // of lines, blank lines, odd line ends. Each kind once. They are among the problems, as warnings.
    std::vector<Problem> mended;
    std::size_t left_out = 0;  // problems that were only counted
    bool is_readable = true;   // every value and every total is known
    [[nodiscard]] bool is_valid() const { return errors == 0; }
};

class FileReader {
  public:
    // Gets each record that can be read, in the order of the file; padding is not handed over.
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

// Values of one record, which must be of that kind. A field that is no number reads as zero.
[[nodiscard]] FileHeader file_header_of(const Record& record);
[[nodiscard]] BatchHeader batch_header_of(const Record& record);
[[nodiscard]] EntryDetail entry_of(const Record& record);  // without its addenda
[[nodiscard]] Addenda addenda_of(const Record& record);

}  // namespace drawbridge::nacha
