#include "drawbridge/nacha/records.hpp"

#include <charconv>

namespace drawbridge::nacha {

namespace {

// Zero for an identification that is not a number: encode() and parse() report it as its own error.
std::int64_t identification_value(const std::string& digits) {
    std::int64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
}

std::size_t blocks_for(std::size_t records) {
    return (records + blocking_factor - 1) / blocking_factor;
}

}  // namespace

BatchLayout layout_of(const BatchHeader& header) {
    if (header.standard_entry_class_code == "ADV") return BatchLayout::adv;
    const bool is_iat = header.standard_entry_class_code == "IAT" ||
                        (header.standard_entry_class_code == "COR" && header.company_name == "IATCOR");
    return is_iat ? BatchLayout::iat : BatchLayout::standard;
}

std::int64_t entry_hash(const std::vector<EntryDetail>& entries) {
    std::int64_t sum = 0;
    for (const EntryDetail& entry : entries) {
        sum = (sum + identification_value(entry.receiving_dfi_identification)) % entry_hash_modulus;
    }
    return sum;
}

BatchControl control_of(const Batch& batch) {
    BatchControl control;
    control.entry_hash = entry_hash(batch.entries);
    for (const EntryDetail& entry : batch.entries) {
        control.entry_addenda_count += 1 + static_cast<std::int64_t>(entry.addenda.size());
        (direction_of(entry.transaction_code) == Direction::credit ? control.total_credit : control.total_debit) +=
            entry.amount;
    }
    return control;
}

FileControl control_of(const File& file) {
    FileControl control;
    std::size_t records = 2;  // file header and file control
    for (const Batch& batch : file.batches) {
        const BatchControl part = control_of(batch);
        ++control.batch_count;
        control.entry_addenda_count += part.entry_addenda_count;
        control.entry_hash = (control.entry_hash + part.entry_hash) % entry_hash_modulus;
        control.total_debit += part.total_debit;
        control.total_credit += part.total_credit;
        records += 2 + static_cast<std::size_t>(part.entry_addenda_count);
    }
    control.block_count = static_cast<std::int64_t>(blocks_for(records));
    return control;
}

}  // namespace drawbridge::nacha
