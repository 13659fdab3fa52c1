// Any bytes as a NACHA file, held against every rule: what is handed over, counted and told agrees with itself.
#include <algorithm>

#include "drawbridge/nacha/describe.hpp"
#include "drawbridge/nacha/encode.hpp"
#include "drawbridge/nacha/parse.hpp"
#include "fuzz/fuzz.hpp"

namespace {

namespace nacha = drawbridge::nacha;
namespace fuzz = drawbridge::fuzz;

nacha::ReadSummary read(std::string_view bytes, std::size_t piece, bool with_description) {
    std::size_t told = 0;
    nacha::Describer describer([&](std::string_view line) { told += line.size(); }, 5);
    std::size_t line = 0;
    nacha::FileReader reader({.file_records_required = false}, [&](const nacha::Record& record) {
        fuzz::expect(record.text.size() == nacha::record_length, "a record has 94 characters");
        for (const char c : record.text)
            fuzz::expect(c >= 0x20 && c <= 0x7E, "a record that is shown is printable");
        fuzz::expect(record.line > line, "records come in the order of the file");
        line = record.line;
        if (with_description) describer.add(record);
    });
    for (std::size_t at = 0; at < bytes.size(); at += piece)
        reader.feed(bytes.substr(at, piece));
    auto summary = reader.finish();
    if (with_description) describer.finish(summary);
    return summary;
}

// The encoder knows the layouts that we originate.
bool is_ours(const nacha::Batch& batch) {
    const std::string& sec = batch.header.standard_entry_class_code;
    return nacha::layout_of(batch.header) == nacha::BatchLayout::standard &&
           (sec == "PPD" || sec == "CCD" || sec == "CTX" || sec == "COR");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = fuzz::as_text(data, size);
    const auto whole = read(bytes, bytes.size() + 1, /*with_description=*/true);
    const auto pieces = read(bytes, size == 0 ? 1 : 1 + data[size - 1] % 200U, /*with_description=*/false);
    fuzz::expect(whole.problems == pieces.problems, "pieces of any size read alike");
    fuzz::expect(whole.entries == pieces.entries && whole.total_credit == pieces.total_credit, "and add up alike");
    fuzz::expect(whole.problems.size() + whole.left_out == whole.errors + whole.warnings, "every problem is counted");
    const auto file = nacha::parse(bytes, {.file_records_required = false});
    fuzz::expect(file.has_value() == whole.is_readable, "a readable file is parsed, another one is not");
    if (!file) {
        fuzz::expect(!file.error().empty() && !whole.is_valid(), "a refusal says why");
        return 0;
    }
    const auto control = nacha::control_of(*file);
    fuzz::expect(control.entry_addenda_count == whole.entries + whole.addenda, "what was parsed is what was counted");
    fuzz::expect(control.total_credit == whole.total_credit && control.total_debit == whole.total_debit,
                 "and adds up to the same");
    if (!std::ranges::all_of(file->batches, is_ours)) return 0;
    if (const auto written = nacha::encode(*file)) {
        const auto again = nacha::parse(*written, {.file_records_required = false});
        fuzz::expect(again.has_value() && again->batches.size() == file->batches.size(),
                     "what is encoded is read again");
    }
    return 0;
}
