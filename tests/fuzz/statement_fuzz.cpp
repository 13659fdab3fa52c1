// Any bank's file, as its content shows it; STATEMENT_FORMAT narrows it to one reader.
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
        fuzz::expect(c.amount.cents() >= 0, "an amount is never negative");
        fuzz::expect(c.date.ok(), "a date exists");
        fuzz::expect(c.line >= last_line && c.line > 0, "lines come in the order of the file");
        last_line = c.line;
        fuzz::expect(c.references.empty() || c.references.front().text == c.payment_reference,
                     "the first reference is the strongest");
    });
    if (read) {
        fuzz::expect(read->lines == lines, "every line is counted");
        for (const auto& said : read->acknowledgments)
            fuzz::expect(!said.file_name.empty() && said.payments >= 0 && said.line > 0,
                         "an acknowledgment says of what");
    } else {
        fuzz::expect(!read.error().empty(), "a refusal says why");
    }
    return 0;
}
