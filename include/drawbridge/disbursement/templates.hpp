// Texts with {placeholders} that the bank profile holds: what a payment says to its payee, and how files are named.
//
// A template is checked when the configuration is read; expanding it then never fails.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/draw.hpp"
#include "drawbridge/domain/error.hpp"

namespace drawbridge::disbursement {

// "DRAW {id} CASE {caseId}": any field of a draw, by the service's own name. A null is nothing.
class RemittanceTemplate {
  public:
    RemittanceTemplate() = default;  // says nothing
    // The error says which placeholder is unknown, and what was probably meant.
    [[nodiscard]] static Result<RemittanceTemplate> parse(std::string_view text);
    [[nodiscard]] std::string expand(const Draw& draw) const;

  private:
    struct Piece {
        std::string text;
        const DrawField* field = nullptr;  // takes the place of the text
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

// "ACH-{date}-{modifier}.ach", with {date} {time} {modifier} {sequence} {origin} {destination}. Names must differ for
// ever: {date} with {modifier}, or {sequence}, must be there.
class FileNameTemplate {
  public:
    FileNameTemplate();  // ACH-{date}-{modifier}.ach
    [[nodiscard]] static Result<FileNameTemplate> parse(std::string_view text);
    [[nodiscard]] std::string expand(const FileNameParts& parts) const;
    [[nodiscard]] bool uses_sequence() const;
    // A name that this template can have made, at some time.
    [[nodiscard]] bool could_have_made(std::string_view name) const;

  private:
    std::string text_;
};

}  // namespace drawbridge::disbursement
