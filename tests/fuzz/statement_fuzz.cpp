// Fuzzes bank files whose format is recognized by content; STATEMENT_FORMAT limits the target to one reader.
#include "drawbridge/statements/read.hpp"
#include "fuzz/fuzz.hpp"

namespace {

namespace statements = drawbridge::statements;
namespace fuzz = drawbridge::fuzz;
using drawbridge::AccountNumber;
using drawbridge::BusinessDate;
using drawbridge::Confirmation;

statements::ReadOptions options() {
    statements::ReadOptions made;
    made.office.odfi_identification = "09100001";
    made.office.accounts = {*AccountNumber::parse("12345")};
    made.received_on = BusinessDate(std::chrono::year(2026), std::chrono::December, std::chrono::day(31));
    return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const statements::ReadOptions given = options();
    const std::string_view bytes = fuzz::as_text(data, size);
#ifdef STATEMENT_FORMAT
    if (statements::recognize(bytes) != statements::parse_format(STATEMENT_FORMAT)) return -1;
#endif
    std::int64_t lines = 0;
    std::int64_t last_line = 0;
    const auto read = statements::read_statement(bytes, "f", given, [&](const Confirmation& c) {
        ++lines;
        fuzz::expect(c.amount.cents() >= 0, "an amount must not be negative");
        fuzz::expect(c.date.ok(), "a date must be valid");
        fuzz::expect(c.line >= last_line && c.line > 0, "lines must be in file order");
        last_line = c.line;
        fuzz::expect(c.references.empty() || c.references.front().text == c.payment_reference,
                     "the first reference must be the strongest");
    });
    if (read) {
        fuzz::expect(read->lines == lines, "every line must be counted");
        for (const auto& said : read->acknowledgments)
            fuzz::expect(!said.file_name.empty() && said.payments >= 0 && said.line > 0,
                         "an acknowledgment must name its files");
    } else {
        fuzz::expect(!read.error().empty(), "a refusal must have a reason");
    }
    return 0;
}
