#include "record_writer.hpp"

#include <utility>

namespace drawbridge::nacha {

RecordWriter::RecordWriter(Encoder::Sink sink, LineEnd line_end)
    : sink_(std::move(sink)),
      line_end_(line_end == LineEnd::crlf ? "\r\n" : "\n"),
      line_end_size_(line_end == LineEnd::crlf ? 2 : 1),
      buffer_(buffer_size, ' ') {}

void RecordWriter::pad_block() {
    while (records_ % blocking_factor != 0) {
        begin_record('9');
        std::memset(record_, '9', record_length);
        end_record();
    }
}

void RecordWriter::flush() {
    if (used_ != 0) sink_(std::string_view(buffer_).substr(0, used_));
    used_ = 0;
}

void RecordWriter::date(std::size_t position, BusinessDate value, std::string_view field) {
    if (!is_date_of_files(value)) return refuse(field, "is not a date from 2000 to 2099");
    number<2>(position, static_cast<int>(value.year()) % 100, field);
    number<2>(position + 2, static_cast<unsigned>(value.month()), field);
    number<2>(position + 4, static_cast<unsigned>(value.day()), field);
}

void RecordWriter::time_of_day(std::size_t position, std::chrono::minutes value, std::string_view field) {
    if (value < std::chrono::minutes{0} || value >= std::chrono::hours{24})
        return refuse(field, "is not a time of day");
    number<2>(position, value.count() / 60, field);
    number<2>(position + 2, value.count() % 60, field);
}

void RecordWriter::refuse(std::string_view field, std::string_view why) {
    if (error_) return;
    std::string message(about_);
    message.append(which_).append(": ").append(field).append(" ").append(why);
    error_ = Error{ErrorCode::invalid_input, std::move(message)};
}

void RecordWriter::refuse_length(std::string_view field, std::size_t width) {
    refuse(field, "is longer than " + std::to_string(width) + " characters");
}

void RecordWriter::refuse_digits(std::string_view field, std::size_t width) {
    refuse(field, "must be " + std::to_string(width) + " digits");
}

void RecordWriter::refuse_number(std::string_view field, std::size_t width) {
    refuse(field, "does not fit into " + std::to_string(width) + " digits");
}

}  // namespace drawbridge::nacha
