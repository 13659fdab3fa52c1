#include "drawbridge/disbursement/sample_file.hpp"

#include "drawbridge/domain/assert.hpp"

namespace drawbridge::disbursement {

namespace {

constexpr std::string_view fictional_payees =
    "key,name,rail,routing_number,account_number,account_type,sec_code,address1,address2,city,state,zip\n"
    "1,TEST PERSON CHECKING,ach,011000015,TEST0001,checking,PPD,,,,,\n"
    "2,TEST PERSON SAVINGS,ach,021000021,TEST0002,savings,PPD,,,,,\n"
    "3,TEST BUSINESS,ach,091000019,TEST0003,checking,CCD,,,,,\n"
    "4,TEST TRADE COMPANY,ach,121000248,TEST0004,checking,CTX,,,,,\n";

std::vector<Payable> fictional_payables(bool to_prenote) {
    std::vector<Payable> payables;
    for (DrawId id = 1; id <= 4; ++id) {
        Payable payable{.draw_id = id,
                        .reading_id = id,
                        .amount = Money::from_cents(1),
                        .agreed_amount = Money::from_cents(1),
                        .payee_key = std::to_string(id),
                        .remittance = id == 1 ? "" : "TEST REMITTANCE, NOT A PAYMENT"};
        if (id == 4) {
            for (int line = 2; line <= 6; ++line)
                payable.remittance += "*TEST LINE " + std::to_string(line) + " OF A LONG REMITTANCE ADVICE";
        }
        if (to_prenote) payable.prenote.state = PrenoteStatus::State::needed;
        payables.push_back(std::move(payable));
    }
    return payables;
}

// The file of the payments, with the prenotes of a second plan after its batches.
PlannedFile fictional_file(const PlanSettings& settings, Instant now) {
    const auto payees = PayeeDirectory::read(fictional_payees, "sample");
    DRAWBRIDGE_ASSERT(payees.has_value(), "the fictional payees must be valid");
    NumberBlock numbers{.next_payment_id = 9'999'999'901,
                        .next_trace_sequence = 9'999'901,
                        .next_check_number = 1,
                        .next_batch_number = 9'999'901,
                        .used_file_id_modifiers = "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345678",
                        .next_file_sequence = 1};
    Plan payments = plan(fictional_payables(/*to_prenote=*/false), *payees, settings, numbers, now);
    DRAWBRIDGE_ASSERT(payments.files.size() == 1, "four cents must fit one file under any limits");
    numbers = payments.numbers_after;
    numbers.used_file_id_modifiers.pop_back();
    const Plan prenotes = plan(fictional_payables(/*to_prenote=*/true), *payees, settings, numbers, now);
    PlannedFile file = std::move(payments.files.front());
    if (file.offsets.empty()) file.prenotes = prenotes.files.at(0).prenotes;
    file.name = "TEST-" + file.name;
    return file;
}

}  // namespace

Result<SampleFile> sample_file(const PlanSettings& settings, Instant now) {
    if (!settings.ach) return fail(ErrorCode::invalid_input, "ACH is not configured: add 'ach' to drawbridge.yaml");
    PlanSettings profile = settings;
    profile.check.reset();
    profile.guards = {};
    profile.numbers = {};
    profile.max_file_entries = nacha::max_batch_entry_addenda_count;
    profile.max_file_total = nacha::max_control_amount;
    PlannedFile file = fictional_file(profile, now);
    const ControlTotals totals = control_totals(file, profile.ach->offset);
    file.total = totals.total;
    file.entry_hash = totals.entry_hash;
    auto bytes = render(file, *profile.ach);
    if (!bytes) return std::unexpected(bytes.error());
    if (auto good = verify_rendered(*bytes, file, *profile.ach); !good) return std::unexpected(good.error());
    return SampleFile{file.name, std::move(*bytes)};
}

}  // namespace drawbridge::disbursement
