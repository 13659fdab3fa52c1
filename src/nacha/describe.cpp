#include "drawbridge/nacha/describe.hpp"

#include <algorithm>
#include <array>

#include "drawbridge/text/show.hpp"
#include "record_text.hpp"

namespace drawbridge::nacha {

namespace {

std::string time_text(std::chrono::minutes time) {
    const auto two = [](std::int64_t value) { return std::string(value < 10 ? "0" : "") + std::to_string(value); };
    return two(time.count() / 60) + ":" + two(time.count() % 60);
}

std::string date_text(const std::optional<BusinessDate>& date) {
    return date && date->ok() ? format_date(*date) : "none";
}

std::string class_text(ServiceClass service_class) {
    switch (service_class) {
        case ServiceClass::mixed: return "mixed";
        case ServiceClass::credits: return "credits";
        case ServiceClass::debits: return "debits";
        case ServiceClass::advices: return "advices";
    }
    return "service class " + std::to_string(static_cast<int>(service_class));
}

std::string header_text(const FileHeader& header) {
    return "File " + std::string(1, header.file_id_modifier) + " of " + date_text(header.file_creation_date) + " " +
           time_text(header.file_creation_time) + ", from " + header.immediate_origin_name + " (" +
           header.immediate_origin + ") to " + header.immediate_destination_name + " (" + header.immediate_destination +
           ")";
}

std::string header_text(const BatchHeader& header, BatchLayout layout) {
    // In an international batch, positions 5-40 contain foreign exchange data.
    const std::string company = layout == BatchLayout::iat ? "originator" : header.company_name;
    return "Batch " + std::to_string(header.batch_number) + ": " + header.standard_entry_class_code + " " +
           class_text(header.service_class) + " of " + company + " (" +
           std::string(trimmed(header.company_identification)) + "), " + header.company_entry_description +
           ", effective " + date_text(header.effective_entry_date);
}

std::string entry_text(const ShownEntry& entry) {
    std::string text = "  " + entry.trace_number + "  " + entry.amount.to_display() + "  " + entry.kind + "  " +
                       entry.routing_number + "  " + entry.account;
    for (const std::string& part : {entry.identification, entry.name})
        text += part.empty() ? "" : "  " + part;
    return text;
}

std::string addenda_text(const ShownAddenda& addenda) {
    std::string text = "      " + addenda.type + "  ";
    if (addenda.type == "98") {
        text += "notification of change " + addenda.code + " for entry " + addenda.original_trace_number;
    } else if (addenda.type == "99") {
        text += "return " + addenda.code + " of entry " + addenda.original_trace_number;
    } else {
        return text + addenda.text;
    }
    return text + (addenda.text.empty() ? "" : ": " + addenda.text);
}

std::string totals_text(std::int64_t count, Money debits, Money credits, std::int64_t hash) {
    return text::counted(count, "record") + " of entries and addenda, debits " + debits.to_display() + ", credits " +
           credits.to_display() + ", entry hash " + std::to_string(hash);
}

// From the control record.
std::string totals_text(const Record& control) {
    const bool is_adv = control.layout == BatchLayout::adv;
    const auto cents = [&](std::size_t at, std::size_t length) {
        return Money::from_cents(number(
            slice(control.text, at + length - std::min<std::size_t>(length, 18), std::min<std::size_t>(length, 18))));
    };
    const auto count = number(control.text, 5, 6);
    const auto hash = number(control.text, 11, 10);
    return is_adv ? totals_text(count, cents(21, 20), cents(41, 20), hash)
                  : totals_text(count, cents(21, 12), cents(33, 12), hash);
}

}  // namespace

void Describer::add(const Record& record) {
    switch (record.kind) {
        case RecordKind::file_header: return out_(header_text(file_header_of(record)));
        case RecordKind::batch_header: entries_ = 0; return out_(header_text(batch_header_of(record), record.layout));
        case RecordKind::entry:
            if (++entries_ <= entries_shown_) out_(entry_text(masking_.entry(record)));
            return;
        case RecordKind::addenda: return add_addenda(record);
        case RecordKind::batch_control: print_omitted(); return out_("  " + totals_text(record));
        case RecordKind::file_control: return;
    }
}

void Describer::add_addenda(const Record& record) {
    if (entries_ <= entries_shown_) out_(addenda_text(masking_.addenda(record)));
}

void Describer::print_omitted() {
    if (entries_ > entries_shown_) out_("  … " + text::counted(entries_ - entries_shown_, "more entry"));
}

void Describer::finish(const ReadSummary& summary) {
    out_("Total: " + text::counted(summary.batches, "batch") + ", " +
         totals_text(summary.entries + summary.addenda, summary.total_debit, summary.total_credit, summary.entry_hash));
}

std::string describe_transaction_code(int transaction_code) {
    if (transaction_code >= 81 && transaction_code <= 88)
        return transaction_code % 2 == 1 ? "credit advice" : "debit advice";
    constexpr std::array accounts = {"checking", "savings", "general ledger", "loan"};
    const int account = transaction_code / 10 - 2;
    const int kind = transaction_code % 10;
    constexpr std::array kinds = {
        "",      "credit return or notification of change", "credit", "prenote credit", "zero-dollar credit",
        "debit", "debit return or notification of change",  "debit",  "prenote debit",  "zero-dollar debit"};
    const bool exists = account >= 0 && account <= 3 && kind != 0 && (account == 3 ? kind <= 6 : kind != 5);
    if (!exists) return "transaction code " + std::to_string(transaction_code);
    return std::string(accounts[static_cast<std::size_t>(account)]) + " " + kinds[static_cast<std::size_t>(kind)];
}

}  // namespace drawbridge::nacha
