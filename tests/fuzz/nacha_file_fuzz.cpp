// Reads any bytes as a NACHA file with every rule: records, counts and problems must be consistent.
#include <algorithm>

#include "drawbridge/nacha/describe.hpp"
#include "drawbridge/nacha/encode.hpp"
#include "drawbridge/nacha/parse.hpp"
#include "fuzz/fuzz.hpp"

namespace {

namespace nacha = drawbridge::nacha;
namespace fuzz = drawbridge::fuzz;

nacha::ReadSummary read(std::string_view bytes, std::size_t piece, bool with_description, bool may_be_stacked) {
    std::size_t described = 0;
    nacha::Describer describer([&](std::string_view line) { described += line.size(); }, 5);
    std::size_t line = 0;
    const nacha::ReadOptions options{.file_records_required = false, .may_be_stacked = may_be_stacked};
    nacha::FileReader reader(options, [&](const nacha::Record& record) {
        fuzz::expect(record.text.size() == nacha::record_length, "a record must have 94 characters");
        for (const char c : record.text)
            fuzz::expect(c >= 0x20 && c <= 0x7E, "a record must be printable");
        fuzz::expect(record.line > line, "records must be in file order");
        line = record.line;
        if (with_description) describer.add(record);
    });
    for (std::size_t at = 0; at < bytes.size(); at += piece)
        reader.feed(bytes.substr(at, piece));
    auto summary = reader.finish();
    if (with_description) describer.finish(summary);
    return summary;
}

// Whether it is a layout that we originate, which the encoder supports.
bool is_ours(const nacha::Batch& batch) {
    const std::string& sec = batch.header.standard_entry_class_code;
    return nacha::layout_of(batch.header) == nacha::BatchLayout::standard &&
           (sec == "PPD" || sec == "CCD" || sec == "CTX" || sec == "COR");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = fuzz::as_text(data, size);
    const auto read_once = [&](bool may_be_stacked) {
        auto whole = read(bytes, bytes.size() + 1, /*with_description=*/true, may_be_stacked);
        const std::size_t piece = size == 0 ? 1 : 1 + data[size - 1] % 200U;
        const auto pieces = read(bytes, piece, /*with_description=*/false, may_be_stacked);
        fuzz::expect(whole.problems == pieces.problems, "chunks of any size must give the same problems");
        fuzz::expect(whole.entries == pieces.entries && whole.total_credit == pieces.total_credit,
                     "and the same totals");
        fuzz::expect(whole.problems.size() + whole.left_out == whole.errors + whole.warnings,
                     "every problem must be counted");
        return whole;
    };
    const auto stacked = read_once(/*may_be_stacked=*/true);
    const auto whole = read_once(/*may_be_stacked=*/false);
    fuzz::expect(!whole.is_readable || stacked.problems == whole.problems, "a single file must read the same");
    const auto file = nacha::parse(bytes, {.file_records_required = false});
    fuzz::expect(file.has_value() == whole.is_readable, "exactly the readable files must parse");
    if (!file) {
        fuzz::expect(!file.error().empty() && !whole.is_valid(), "a refusal must have a reason");
        return 0;
    }
    const auto control = nacha::control_of(*file);
    fuzz::expect(control.entry_addenda_count == whole.entries + whole.addenda,
                 "the parsed file must have the counted records");
    fuzz::expect(control.total_credit == whole.total_credit && control.total_debit == whole.total_debit,
                 "and the same totals");
    if (!std::ranges::all_of(file->batches, is_ours)) return 0;
    if (const auto written = nacha::encode(*file)) {
        const auto again = nacha::parse(*written, {.file_records_required = false});
        fuzz::expect(again.has_value() && again->batches.size() == file->batches.size(),
                     "encoded files must be readable");
    }
    return 0;
}
