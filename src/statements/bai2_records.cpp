#include "bai2_records.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "drawbridge/domain/ascii.hpp"
#include "line_sink.hpp"

namespace drawbridge::statements {
namespace {

constexpr std::array<std::string_view, 8> record_codes = {"01", "02", "03", "16", "49", "88", "98", "99"};

// Whether the text begins with a record code and a comma.
bool begins_record(std::string_view text) {
    if (text.size() < 3 || text[2] != ',') return false;
    return std::ranges::find(record_codes, text.substr(0, 2)) != record_codes.end();
}

// "88/", or "88" with blanks before its comma: some banks write such continuations. How long the code is, with its
// comma. An "88" without a slash may be the rest of a wrapped record.
std::size_t loose_continuation(std::string_view text, bool ended) {
    if (!text.starts_with("88")) return 0;
    const std::size_t end = text.find_first_not_of(" \t", 2);
    if (end == std::string_view::npos) return ended ? text.size() : 0;
    return end > 2 && text[end] == ',' ? end + 1 : 0;
}

// What follows so many commas of a record; nullopt: it has fewer.
std::optional<std::string_view> after_commas(std::string_view text, int commas) {
    for (; commas > 0; --commas) {
        const std::size_t comma = text.find_first_of(",/\r\n");
        if (comma == std::string_view::npos || text[comma] != ',') return std::nullopt;
        text.remove_prefix(comma + 1);
    }
    return text;
}

// Whether the field after so many commas has so many digits.
bool has_digits_after(std::string_view record, int commas, std::size_t digits) {
    const auto rest = after_commas(record, commas);
    if (!rest) return false;
    const std::string_view text = *rest;
    return text.size() > digits && all_digits(text.substr(0, digits)) && (text[digits] == ',' || text[digits] == '/');
}

// Within a line, text may look like a record: "REF 12/ 16,500 PAID", "12/ 49,000 USD". Headers of files and groups have
// a date, an account has at least a number and a currency, a transaction has a type code of three digits, a trailer has
// a total, perhaps blank, and a number of records. A continuation may have any text, but rarely a rest of thousands.
bool begins_record_within_line(std::string_view text) {
    if (!begins_record(text)) return false;
    constexpr std::size_t date = 6, status = 1, type_code = 3;
    if (text.starts_with("01")) return has_digits_after(text, 3, date);
    if (text.starts_with("02")) return has_digits_after(text, 3, status) && has_digits_after(text, 4, date);
    if (text.starts_with("03")) return after_commas(text, 2).has_value();
    if (text.starts_with("16")) return has_digits_after(text, 1, type_code) && text[6] == ',';
    if (text.starts_with("88")) return text.size() <= 6 || !all_digits(text.substr(3, 3)) || text[6] != ' ';
    const bool is_trailer = text.starts_with("49") || text.starts_with("98") || text.starts_with("99");
    const std::size_t end = text.find_first_not_of("+-0123456789", 3);
    return !is_trailer || (end != std::string_view::npos && text[end] == ',');
}

bool is_funds_type(std::string_view text) {
    return text.size() == 1 && std::string_view("Z012SVD").contains(text);
}

// Whether all lines are padded to `length`, without line ends: each begins with a record code. The last line may have a
// line end.
bool is_of_fixed_lines(std::string_view bytes, std::size_t length) {
    bytes = bytes.substr(0, bytes.find_last_not_of("\r\n") + 1);
    if (length == 0 || bytes.size() <= length || bytes.size() % length != 0) return false;
    for (std::size_t at = 0; at < bytes.size(); at += length) {
        const std::string_view line = bytes.substr(at, length);
        const bool is_whole = line.find_first_of("\r\n") == std::string_view::npos;
        if (!is_whole || !(begins_record(line) || trim(line).empty())) return false;
    }
    return true;
}

// The physical record length that the 01 states in field 7; 0: none.
std::size_t stated_length(std::string_view bytes) {
    constexpr std::size_t max_digits = 5;
    const auto field = after_commas(bytes, 6);
    if (!field) return 0;
    const std::string_view text = trim(field->substr(0, field->find_first_of(",/\r\n")));
    if (!is_number(text) || text.size() > max_digits) return 0;
    std::size_t length = 0;
    std::from_chars(text.data(), text.data() + text.size(), length);
    return length;
}

// The length of each line of a file without line ends; 0: its lines are not padded to one length. Some banks pad to 80
// characters whatever the 01 states.
std::size_t fixed_line_length(std::string_view bytes) {
    constexpr std::size_t usual = 80;
    for (const std::size_t length : {stated_length(bytes), usual}) {
        if (is_of_fixed_lines(bytes, length)) return length;
    }
    return 0;
}

// What some systems leave between two files that were copied into one.
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF", end_of_file = "\x1A";

std::size_t mark_size(std::string_view text) {
    for (const std::string_view mark : {byte_order_mark, end_of_file}) {
        if (text.starts_with(mark)) return mark.size();
    }
    return 0;
}

std::string_view trim_right(std::string_view text) {
    const std::size_t last = text.find_last_not_of(" \t\r\n");
    return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

bool has_header_fields(const Bai2Record& header) {
    constexpr int max_after_date = 5;
    Bai2Fields fields(header);
    (void)fields.take();  // sender
    (void)fields.take();  // receiver
    if (!parse_yymmdd(fields.take())) return false;
    for (int count = 0; count < max_after_date && !fields.at_end(); ++count)
        (void)fields.take();
    return fields.at_end() || fields.skip_empty_rest();
}

bool has_trailer_fields(const Bai2Record& trailer) {
    Bai2Fields fields(trailer);
    std::string_view total = fields.take();
    if (total.starts_with('-') || total.starts_with('+')) total.remove_prefix(1);
    bool has_only_numbers = all_digits(total), has_count = false;
    while (!fields.at_end()) {
        const std::string_view count = fields.take();
        has_only_numbers = has_only_numbers && all_digits(count);
        has_count = has_count || !count.empty();
    }
    return has_only_numbers && has_count;
}

}  // namespace

bool is_without_accounts(std::string_view bytes) {
    text::DiagnosticReport ignored("");  // the reader reports what is wrong
    Bai2Records records(bytes, ignored);
    const auto header = records.next();
    if (!header || header->code != "01" || !has_header_fields(*header)) return false;
    auto record = records.next();
    while (record && record->code == "02") {
        record = records.next();
        if (!record || record->code != "98" || !has_trailer_fields(*record)) return false;
        record = records.next();
    }
    return record && record->code == "99" && has_trailer_fields(*record);
}

Bai2Records::Bai2Records(std::string_view bytes, text::DiagnosticReport& report)
    : rest_(bytes),
      line_length_(fixed_line_length(bytes)),
      is_one_line_(bytes.find_first_of("\r\n") >= bytes.find_last_not_of("\r\n")),
      report_(report) {}

std::optional<Bai2Record> Bai2Records::next() {
    while (auto part = next_part()) {
        if (!part->code.empty() && part->code != "88") {
            std::optional<Bai2Record> done =
                std::exchange(open_, Bai2Record{part->code, part->line, part->column, {}, 1});
            push(*part);
            if (done) return done;
            continue;
        }
        if (!open_) {
            report_.add(part->line, part->column, "text before the first record", "a BAI2 file must begin with 01,");
            continue;
        }
        if (part->code.empty() && open_ended_) {
            report_.add(part->line, part->column, "a line without a record code", "a record continues in a record 88");
            continue;
        }
        if (part->code.empty()) {
            append_wrapped(*part);
            continue;
        }
        ++open_->physical;
        push(*part);
    }
    return std::exchange(open_, std::nullopt);
}

void Bai2Records::push(const Part& part) {
    open_->pieces.emplace_back(part.text);
    open_blanks_ = part.blanks;
    open_ended_ = part.ended;
}

// The bank broke the record anywhere, perhaps within a number: no byte is lost, and none is added.
void Bai2Records::append_wrapped(const Part& part) {
    open_->pieces.back().append(open_blanks_).append(part.text);
    open_blanks_ = part.blanks;
    open_ended_ = part.ended;
}

std::string_view Bai2Records::take_line() {
    const std::size_t end = std::min(line_length_ > 0 ? line_length_ : rest_.find_first_of("\r\n"), rest_.size());
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end);
    if (line_length_ == 0) rest_.remove_prefix(rest_.starts_with("\r\n") ? 2 : std::min<std::size_t>(1, rest_.size()));
    return line;
}

// Between two files: a byte order mark or a Ctrl-Z right after a 99.
void Bai2Records::skip_marks() {
    if (!open_ || open_->code != "99") return;
    std::size_t at = part_at_;
    while (at < line_text_.size()) {
        const std::string_view rest = line_text_.substr(at);
        const std::size_t blank = rest.front() == ' ' || rest.front() == '\t' ? 1 : 0;
        const std::size_t size = std::max(blank, mark_size(rest));
        if (size == 0) break;
        at += size;
        if (blank == 0) part_at_ = at;
    }
}

std::optional<Bai2Records::Part> Bai2Records::next_part() {
    while (true) {
        skip_marks();
        if (part_at_ < line_text_.size() && !trim(line_text_.substr(part_at_)).empty()) break;
        if (rest_.empty()) return std::nullopt;
        line_text_ = take_line();
        part_at_ = 0;
        ++line_;
    }
    std::size_t from = part_at_;
    while (line_text_[from] == ' ' || line_text_[from] == '\t')
        ++from;
    const std::size_t end = part_end(from);
    const std::string_view whole = line_text_.substr(from, end - from);
    Part part;
    part.text = trim_right(whole);
    part.blanks = whole.substr(part.text.size());
    part.line = line_;
    part.column = static_cast<int>(std::min<std::size_t>(from + 1, 1'000'000'000));
    part.ended = part.text.ends_with('/');
    if (part.ended) part.text.remove_suffix(1);
    if (begins_record(part.text)) {
        part.code = part.text.substr(0, 2);
        part.text.remove_prefix(3);
    } else if (const std::size_t code = loose_continuation(part.text, part.ended);
               code > 0 && part_at_ == 0 && open_ended_) {
        part.code = "88";
        part.text.remove_prefix(code);
    } else if (part_at_ == 0) {
        part.text = line_text_.substr(0, from + part.text.size());  // its first blanks may belong to a text
    }
    part_at_ = end;
    return part;
}

// Where the record that begins at `from` ends on its line: just after its slash if another record follows. The fields
// of a 99 are numbers, so it ends before a mark that follows them: looking for one never goes beyond its slash.
std::size_t Bai2Records::part_end(std::size_t from) const {
    if (line_text_.substr(from).starts_with("99,")) {
        std::size_t at = line_text_.find_first_not_of("0123456789+-, \t", from);
        if (at < line_text_.size() && line_text_[at] == '/') at = line_text_.find_first_not_of(" \t", at + 1);
        if (at < line_text_.size() && mark_size(line_text_.substr(at)) > 0) return at;
    }
    for (std::size_t slash = line_text_.find('/', from); slash != std::string_view::npos;
         slash = line_text_.find('/', slash + 1)) {
        std::size_t after = slash + 1;
        while (after < line_text_.size() && (line_text_[after] == ' ' || line_text_[after] == '\t'))
            ++after;
        if ((after > slash + 1 || is_one_line_) && begins_record_within_line(line_text_.substr(after)))
            return slash + 1;
    }
    return line_text_.size();
}

bool Bai2Fields::at_end() const {
    return piece_ >= pieces_.size() || (piece_ + 1 == pieces_.size() && at_ > pieces_[piece_].size());
}

std::string_view Bai2Fields::take() {
    while (piece_ < pieces_.size() && at_ > pieces_[piece_].size()) {
        ++piece_;
        at_ = 0;
    }
    if (piece_ >= pieces_.size()) return {};
    const std::string_view text = pieces_[piece_];
    const std::size_t end = std::min(text.find(',', at_), text.size());
    const std::string_view field = text.substr(at_, end - at_);
    at_ = end + 1;
    return trim(field);
}

bool Bai2Fields::skip_empty_rest() {
    if (piece_ >= pieces_.size() || at_ > pieces_[piece_].size()) return false;
    if (pieces_[piece_].find_first_not_of(", \t", at_) != std::string_view::npos) return false;
    at_ = pieces_[piece_].size() + 1;
    return true;
}

bool Bai2Fields::begins_summary(bool before_item_count) const {
    if (piece_ + 1 >= pieces_.size() || at_ <= pieces_[piece_].size()) return false;
    Bai2Fields ahead = *this;
    const auto first = ahead.take();
    if (first.size() != 3 || !all_digits(first)) return false;
    if (!before_item_count) return true;
    const auto second = ahead.take();
    return !second.empty() && !is_funds_type(second);
}

std::string Bai2Fields::take_text(std::string_view between) {
    std::string whole;
    for (; piece_ < pieces_.size(); ++piece_, at_ = 0) {
        const std::string_view text = pieces_[piece_];
        if (at_ > text.size()) continue;
        if (!whole.empty()) whole += between;
        whole += trim(text.substr(at_));
    }
    return whole;
}

}  // namespace drawbridge::statements
