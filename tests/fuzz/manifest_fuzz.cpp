// A day's manifest, which a restored ledger believes about what went to the bank.
#include "drawbridge/reconciliation/manifest.hpp"
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    namespace fuzz = drawbridge::fuzz;
    namespace reconciliation = drawbridge::reconciliation;
    const std::string_view bytes = fuzz::as_text(data, size);
    reconciliation::ManifestContents whole, without;
    reconciliation::read_manifest("2026-03-04.jsonl", bytes, reconciliation::WithPayments::yes, whole);
    reconciliation::read_manifest("2026-03-04.jsonl", bytes, reconciliation::WithPayments::no, without);
    fuzz::expect(without.entries.size() >= whole.entries.size(), "payments can only add faults");
    for (const auto& entry : whole.entries) {
        const std::string text = reconciliation::to_line(entry.line);
        const auto again = reconciliation::parse_line(text);
        fuzz::expect(again && *again == entry.line, "a line that was read can be written and read again");
    }
    return 0;
}
