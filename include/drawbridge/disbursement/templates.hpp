// Text with {placeholders} in the bank profile: remittance text for the payee, and file names.
//
// A template is validated when the configuration is read, so expanding it never fails.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/disbursement/number_ranges.hpp"
#include "drawbridge/domain/draw.hpp"
#include "drawbridge/domain/error.hpp"

namespace drawbridge::disbursement {

// "DRAW {id} CASE {caseId}": any field of a draw, by the service's own name. A null expands to nothing.
class RemittanceTemplate {
  public:
    RemittanceTemplate() = default;  // expands to nothing
    // The error names the unknown placeholder and suggests the closest known one.
    [[nodiscard]] static Result<RemittanceTemplate> parse(std::string_view text);
    [[nodiscard]] std::string expand(const Draw& draw) const;

  private:
    struct Piece {
        std::string text;
        const DrawField* field = nullptr;  // if set, its value replaces the text
    };
    std::vector<Piece> pieces_;
};

struct FileNameParts {
    BusinessDate date;
    std::chrono::minutes time_of_day;
    char file_id_modifier = 'A';
    std::int64_t sequence = 1;
    std::string origin, destination;
};

// "ACH-{date}-{modifier}.ach", with {date} {time} {modifier} {sequence} {origin} {destination}. Names must be unique
// forever: {date} with {modifier}, or {sequence}, is required.
class FileNameTemplate {
  public:
    FileNameTemplate();  // ACH-{date}-{modifier}.ach
    [[nodiscard]] static Result<FileNameTemplate> parse(std::string_view text);
    [[nodiscard]] std::string expand(const FileNameParts& parts) const;
    [[nodiscard]] bool uses_sequence() const;
    // Whether an instance with these numbers may have given this name at some time.
    [[nodiscard]] bool may_have_produced(std::string_view name, const NumberRanges& numbers) const;

  private:
    std::string text_;
};

}  // namespace drawbridge::disbursement
