#include "drawbridge/nacha/describe.hpp"

#include <algorithm>
#include <array>

#include "drawbridge/domain/bank_numbers.hpp"

namespace drawbridge::nacha {

namespace {

std::string masked(const std::string& account) {
    const auto number = AccountNumber::parse(account);
    return number ? number->masked() : "****";
}

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
    }
    return "service class " + std::to_string(static_cast<int>(service_class));
}

// C01, C03, C06 and C07 correct the account number.
std::string corrected_text(const ChangeAddenda& change) {
    constexpr std::array with_account = {"C01", "C03", "C06", "C07"};
    const bool holds_account = std::ranges::find(with_account, change.change_code) != with_account.end();
    return holds_account ? "(an account number, not shown)" : change.corrected_data;
}

std::string addenda_text(const Addenda& addenda) {
    if (const auto* payment = std::get_if<PaymentAddenda>(&addenda)) {
        return "05  " + payment->payment_related_information;
    }
    if (const auto* change = std::get_if<ChangeAddenda>(&addenda)) {
        return "98  notification of change " + change->change_code + " for entry " +
               change->original_entry_trace_number + ": " + corrected_text(*change);
    }
    if (const auto* returned = std::get_if<ReturnAddenda>(&addenda)) {
        std::string text =
            "99  return " + returned->return_reason_code + " of entry " + returned->original_entry_trace_number;
        if (!returned->date_of_death.empty()) text += ", date " + returned->date_of_death;
        if (!returned->addenda_information.empty()) text += ": " + returned->addenda_information;
        return text;
    }
    return std::get<OtherAddenda>(addenda).record.substr(1, 2) + "  (not read)";
}

std::string entry_text(const EntryDetail& entry) {
    std::string text = "  " + entry.trace_number + "  " + entry.amount.to_display() + "  " +
                       describe_transaction_code(entry.transaction_code) + "  " + entry.receiving_dfi_identification +
                       entry.check_digit + "  " + masked(entry.dfi_account_number) + "  " +
                       entry.individual_identification + "  " + entry.individual_name + "\n";
    for (const Addenda& addenda : entry.addenda)
        text += "      " + addenda_text(addenda) + "\n";
    return text;
}

std::string totals_text(std::int64_t count, Money debits, Money credits, std::int64_t hash) {
    return std::to_string(count) + " entries and addenda, debits " + debits.to_display() + ", credits " +
           credits.to_display() + ", entry hash " + std::to_string(hash) + "\n";
}

std::string batch_text(const Batch& batch) {
    const BatchHeader& header = batch.header;
    std::string text = "Batch " + std::to_string(header.batch_number) + ": " + header.standard_entry_class_code + " " +
                       class_text(header.service_class) + " of " + header.company_name + " (" +
                       header.company_identification + "), " + header.company_entry_description + ", effective " +
                       date_text(header.effective_entry_date) + "\n";
    for (const EntryDetail& entry : batch.entries)
        text += entry_text(entry);
    const BatchControl control = control_of(batch);
    return text + "  " +
           totals_text(control.entry_addenda_count, control.total_debit, control.total_credit, control.entry_hash);
}

}  // namespace

std::string describe_transaction_code(int transaction_code) {
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

std::string describe(const File& file) {
    const FileHeader& header = file.header;
    std::string text = "File " + std::string(1, header.file_id_modifier) + " of " +
                       date_text(header.file_creation_date) + " " + time_text(header.file_creation_time) + ", from " +
                       header.immediate_origin_name + " (" + header.immediate_origin + ") to " +
                       header.immediate_destination_name + " (" + header.immediate_destination + ")\n";
    for (const Batch& batch : file.batches)
        text += batch_text(batch);
    const FileControl control = control_of(file);
    return text + "Total: " + std::to_string(control.batch_count) + " batches, " +
           totals_text(control.entry_addenda_count, control.total_debit, control.total_credit, control.entry_hash);
}

}  // namespace drawbridge::nacha
