// Short texts of strangers in fields, files and headers; the first byte chooses the reader. What was read is written
// and read again.
#include <algorithm>

#include "drawbridge/disbursement/templates.hpp"
#include "drawbridge/disbursement/write_back.hpp"
#include "drawbridge/domain/money.hpp"
#include "drawbridge/domain/time.hpp"
#include "drawbridge/domain/web_address.hpp"
#include "drawbridge/nacha/transliterate.hpp"
#include "drawbridge/reconciliation/match.hpp"
#include "drawbridge/text/mask.hpp"
#include "drawbridge/text/sanitize.hpp"
#include "drawbridge/text/utf8.hpp"
#include "drawbridge/text/yaml.hpp"
#include "fuzz/fuzz.hpp"

namespace {

namespace disbursement = drawbridge::disbursement;
namespace fuzz = drawbridge::fuzz;
namespace text = drawbridge::text;

void read_money(std::string_view bytes) {
    const auto amount = drawbridge::Money::parse(bytes);
    if (!amount) return;
    const auto again = drawbridge::Money::parse(amount->to_string());
    fuzz::expect(again && *again == *amount, "an amount is the same again");
}

void read_times(std::string_view bytes) {
    if (const auto instant = drawbridge::parse_instant(bytes)) {
        const auto again = drawbridge::parse_instant(drawbridge::format_instant(*instant));
        fuzz::expect(again && *again == *instant, "an instant is the same again");
    }
    if (const auto date = drawbridge::parse_date(bytes))
        fuzz::expect(drawbridge::format_date(*date) == bytes, "a date has one form");
    static_cast<void>(text::parse_duration_ms(bytes));
}

void sanitize(std::string_view bytes) {
    const auto is_clean = [](std::string_view shown) {
        return std::ranges::none_of(shown, [](char c) { return (c >= 0 && c < 0x20) || c == 0x7F; });
    };
    fuzz::expect(is_clean(text::for_terminal(bytes)), "a terminal gets no control characters");
    fuzz::expect(is_clean(text::for_log(bytes)), "a log record is one line");
    fuzz::expect(is_clean(text::for_csv(bytes)), "a cell is one line");
    fuzz::expect(text::for_html(bytes).find_first_of("<>\"'") == std::string::npos, "a text has no tag");
    static_cast<void>(text::for_mail(bytes));
    const std::string masked = text::mask_quoted_numbers(bytes);
    fuzz::expect(text::mask_quoted_numbers(masked) == masked, "what is masked stays masked");
    const std::string outgoing = text::mask_numbers(bytes);
    fuzz::expect(text::mask_numbers(outgoing) == outgoing, "what is masked stays masked");
    fuzz::expect(text::utf8_prefix(bytes, 40).size() <= 40, "a prefix is short");
}

void transliterate(std::string_view bytes) {
    const auto plain = drawbridge::nacha::transliterate(bytes);
    if (!plain) return fuzz::expect(!plain.error().message.empty(), "a refusal must have a reason");
    fuzz::expect(std::ranges::all_of(*plain, [](char c) { return c >= 0x20 && c <= 0x7E; }), "a bank gets plain text");
    const auto again = drawbridge::nacha::transliterate(*plain);
    fuzz::expect(again && *again == *plain, "plain text stays");
}

void read_templates(std::string_view bytes) {
    static_cast<void>(disbursement::RemittanceTemplate::parse(bytes));
    if (const auto name = disbursement::FileNameTemplate::parse(bytes)) {
        const disbursement::FileNameParts parts{
            .date = drawbridge::BusinessDate(std::chrono::year(2026), std::chrono::November, std::chrono::day(23)),
            .time_of_day = std::chrono::minutes(545),
            .sequence = 12,
            .origin = "1123456789",
            .destination = "091000019"};
        const std::string made = name->expand(parts);
        fuzz::expect(made.find('/') == std::string::npos, "a file name has no folder");
        fuzz::expect(name->may_have_produced(made, {}), "a template knows its names");
    }
    static_cast<void>(disbursement::WriteBackTemplate::parse(bytes, disbursement::WriteBackEvent::confirmation));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view bytes = fuzz::as_text(data + 1, size - 1);
    switch (data[0] % 6) {
        case 0: read_money(bytes); break;
        case 1: read_times(bytes); break;
        case 2: sanitize(bytes); break;
        case 3: transliterate(bytes); break;
        case 4: read_templates(bytes); break;
        default:
            static_cast<void>(drawbridge::parse_web_address(bytes));
            static_cast<void>(drawbridge::parse_base_address(bytes));
            static_cast<void>(drawbridge::parse_proxy_address(bytes));
            static_cast<void>(drawbridge::reconciliation::read_reference(bytes));
    }
    return 0;
}
