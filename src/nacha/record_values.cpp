// Converts records to values. A field that is not a number reads as zero; its form was already reported.
#include "drawbridge/nacha/file_reader.hpp"
#include "record_text.hpp"
#include "sec_code.hpp"

namespace drawbridge::nacha {

namespace {

std::string text(std::string_view record, std::size_t position, std::size_t length) {
    return std::string(unpadded(slice(record, position, length)));
}

std::optional<BusinessDate> date(std::string_view record, std::size_t position) {
    const std::string_view written = slice(record, position, 6);
    if (!all_digits(written)) return std::nullopt;
    const BusinessDate value = yymmdd(written);
    return value.ok() ? std::optional(value) : std::nullopt;
}

// Without the space before a nine-character id.
std::string identification(std::string_view record, std::size_t position) {
    std::string_view value = unpadded(slice(record, position, 10));
    if (value.starts_with(' ')) value.remove_prefix(1);
    return std::string(value);
}

}  // namespace

FileHeader file_header_of(const Record& record) {
    const std::string_view r = record.text;
    FileHeader header;
    header.immediate_destination = identification(r, 4);
    header.immediate_origin = identification(r, 14);
    header.file_creation_date = date(r, 24).value_or(BusinessDate{});
    header.file_creation_time = std::chrono::minutes(number(r, 30, 2) * 60 + number(r, 32, 2));
    header.file_id_modifier = r[33];
    header.immediate_destination_name = text(r, 41, 23);
    header.immediate_origin_name = text(r, 64, 23);
    header.reference_code = text(r, 87, 8);
    return header;
}

BatchHeader batch_header_of(const Record& record) {
    const std::string_view r = record.text;
    BatchHeader header;
    header.service_class = static_cast<ServiceClass>(number(r, 2, 3));
    header.company_name = text(r, 5, 16);
    header.company_discretionary_data = text(r, 21, 20);
    header.company_identification = text(r, 41, 10);
    header.standard_entry_class_code = text(r, 51, 3);
    header.company_entry_description = text(r, 54, 10);
    header.company_descriptive_date = text(r, 64, 6);
    header.effective_entry_date = date(r, 70);
    header.settlement_date = text(r, 76, 3);
    header.originator_status_code = r[78];
    header.odfi_identification = text(r, 80, 8);
    header.batch_number = number(r, 88, 7);
    return header;
}

EntryDetail entry_of(const Record& record) {
    const std::string_view r = record.text;
    EntryDetail entry;
    entry.transaction_code = static_cast<int>(number(r, 2, 2));
    entry.receiving_dfi_identification = text(r, 4, 8);
    entry.check_digit = r[11];
    entry.trace_number = text(r, 80, 15);
    switch (record.layout) {
        case BatchLayout::adv:
            entry.dfi_account_number = text(r, 13, 15);
            entry.amount = Money::from_cents(number(r, 28, 12));
            entry.individual_name = text(r, 55, 22);
            entry.discretionary_data = text(r, 77, 2);
            return entry;
        case BatchLayout::iat:
            entry.dfi_account_number = text(r, 40, 35);
            entry.amount = Money::from_cents(number(r, 30, 10));
            return entry;
        case BatchLayout::standard: break;
    }
    entry.dfi_account_number = text(r, 13, 17);
    entry.amount = Money::from_cents(number(r, 30, 10));
    entry.discretionary_data = text(r, 77, 2);
    const SecCode* sec = find_sec_code(record.sec_code);
    const EntryForm form = sec == nullptr ? EntryForm::plain : form_of(*sec, r);
    const bool is_swapped = form == EntryForm::cie;
    entry.individual_identification = is_swapped ? text(r, 55, 22) : text(r, 40, 15);
    if (is_swapped)
        entry.individual_name = text(r, 40, 15);
    else if (form == EntryForm::counted)
        entry.individual_name = text(r, 59, 16);
    else if (form != EntryForm::shr)  // SHR has a card number there
        entry.individual_name = text(r, 55, 22);
    return entry;
}

Addenda addenda_of(const Record& record) {
    const std::string_view r = record.text;
    const std::string_view type = slice(r, 2, 2);
    if (type == "05") {
        return PaymentAddenda{.payment_related_information = text(r, 4, 80),
                              .addenda_sequence_number = number(r, 84, 4),
                              .entry_detail_sequence_number = number(r, 88, 7)};
    }
    if (type == "98") {
        const std::size_t corrected_length = record.layout == BatchLayout::iat ? 35 : 29;
        return ChangeAddenda{.change_code = text(r, 4, 3),
                             .original_entry_trace_number = text(r, 7, 15),
                             .original_receiving_dfi = text(r, 28, 8),
                             .corrected_data = text(r, 36, corrected_length),
                             .trace_number = text(r, 80, 15)};
    }
    if (type == "99") {
        std::string date_of_death = text(r, 22, 6);
        if (is_zeros(date_of_death)) date_of_death.clear();
        return ReturnAddenda{.return_reason_code = text(r, 4, 3),
                             .original_entry_trace_number = text(r, 7, 15),
                             .date_of_death = std::move(date_of_death),
                             .original_receiving_dfi = text(r, 28, 8),
                             .addenda_information = text(r, 36, 44),
                             .trace_number = text(r, 80, 15)};
    }
    return OtherAddenda{std::string(r)};
}

}  // namespace drawbridge::nacha
