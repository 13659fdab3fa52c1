#include "drawbridge/text/csv_chunks.hpp"

#include <algorithm>
#include <utility>

namespace drawbridge::text {
namespace {

constexpr std::size_t piece_size = std::size_t{32} * 1024;

}  // namespace

CsvChunks::CsvChunks(std::string_view bytes, std::string_view file_name, CsvOptions options, DiagnosticReport& report,
                     CsvDecoding decoding)
    : bytes_(bytes), file_name_(file_name), options_(options), report_(report), decoding_(std::move(decoding)) {
    if (bytes_.starts_with("\xEF\xBB\xBF")) bytes_.remove_prefix(3);
    if (!bytes_.contains('\n')) line_end_ = '\r';
}

std::optional<std::vector<CsvRow>> CsvChunks::skip_line() {
    const std::size_t end = bytes_.find(line_end_);
    if (end == std::string_view::npos) return std::nullopt;
    std::vector<CsvRow> rows;
    if (auto read = read_csv(bytes_.substr(0, end + 1), file_name_, options_)) rows = *std::move(read);
    bytes_.remove_prefix(end + 1);
    for (CsvRow& row : rows)
        row.line = first_line_;
    ++first_line_;
    return rows;
}

std::vector<CsvRow> CsvChunks::next() {
    const std::string_view chunk = bytes_.substr(0, chunk_length());
    bytes_.remove_prefix(chunk.size());
    std::vector<CsvRow> rows;
    if (!decoding_.decode) {
        read(chunk, rows);
    } else if (const auto decoded = decoding_.decode(chunk)) {
        read(*decoded, rows);
    } else {
        broken_ = true;
        const auto before = std::ranges::count(chunk.substr(0, decoded.error()), line_end_);
        report_.add(first_line_ + static_cast<int>(before), 0, decoding_.undecodable, decoding_.hint);
    }
    first_line_ += static_cast<int>(std::ranges::count(chunk, line_end_));
    return rows;
}

// Up to a line end outside quotes.
std::size_t CsvChunks::chunk_length() const {
    bool open = false;
    for (std::size_t at = 0; at < bytes_.size(); ++at) {
        if (bytes_[at] == options_.quote) open = !open;
        if (bytes_[at] == line_end_ && !open && at >= piece_size) return at + 1;
    }
    return bytes_.size();
}

void CsvChunks::read(std::string_view chunk, std::vector<CsvRow>& rows) {
    auto read = read_csv(chunk, file_name_, options_);
    if (!read) {
        broken_ = true;
        for (Diagnostic& one : read.error())
            report_.add(one.line > 0 ? one.line + first_line_ - 1 : 0, one.column, std::move(one.message),
                        std::move(one.hint));
        return;
    }
    rows = std::move(*read);
    for (CsvRow& row : rows)
        row.line += first_line_ - 1;
}

}  // namespace drawbridge::text
