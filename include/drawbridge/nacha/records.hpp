// The records of a NACHA file as values, with the fields' own names; positions count from 1 in the 94-byte record.
//
// Control records are not stored: control_of() computes them, encode() writes them, and parse() compares them with what
// it read. Text is stored without padding.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "drawbridge/domain/money.hpp"
#include "drawbridge/domain/time.hpp"

namespace drawbridge::nacha {

inline constexpr std::size_t record_length = 94;
inline constexpr std::size_t blocking_factor = 10;
inline constexpr Money max_entry_amount = Money::from_cents(99'999'999'99);
inline constexpr Money max_control_amount = Money::from_cents(9'999'999'999'99);
inline constexpr std::int64_t max_batch_entry_addenda_count = 999'999;
inline constexpr std::int64_t entry_hash_modulus = 10'000'000'000;  // control records hold the last ten digits

// Batch header and control 2-4.
enum class ServiceClass { mixed = 200, credits = 220, debits = 225, advices = 280 };

// The record layout of a batch: international (IAT) and automated accounting advice (ADV) entries have their own
// records.
enum class BatchLayout { standard, iat, adv };

// Record type 1.
struct FileHeader {
    std::string immediate_destination;          // 4-13: nine digits, written after a space
    std::string immediate_origin;               // 14-23: nine characters after a space, or ten
    BusinessDate file_creation_date;            // 24-29 YYMMDD
    std::chrono::minutes file_creation_time{};  // 30-33 HHMM, since midnight; a file read may leave it blank (then 0)
    char file_id_modifier = 'A';                // 34: A-Z, 0-9
    std::string immediate_destination_name;     // 41-63
    std::string immediate_origin_name;          // 64-86
    std::string reference_code;                 // 87-94
    friend bool operator==(const FileHeader&, const FileHeader&) = default;
};

// Record type 5. In an IAT batch the company fields contain foreign exchange data, kept unchanged.
struct BatchHeader {
    ServiceClass service_class = ServiceClass::credits;  // 2-4
    std::string company_name;                            // 5-20
    std::string company_discretionary_data;              // 21-40
    std::string company_identification;                  // 41-50
    std::string standard_entry_class_code;               // 51-53
    std::string company_entry_description;               // 54-63
    std::string company_descriptive_date;                // 64-69: free text
    std::optional<BusinessDate> effective_entry_date;    // 70-75 YYMMDD; a return or NOC may leave it blank or zero
    std::string settlement_date;                         // 76-78: day of the year, filled in by the ACH operator
    char originator_status_code = '1';                   // 79
    std::string odfi_identification;                     // 80-87: first eight digits
    std::int64_t batch_number = 0;                       // 88-94
    friend bool operator==(const BatchHeader&, const BatchHeader&) = default;
};

// Record type 7, addenda type 05: payment related information.
struct PaymentAddenda {
    std::string payment_related_information;        // 4-83
    std::int64_t addenda_sequence_number = 1;       // 84-87
    std::int64_t entry_detail_sequence_number = 0;  // 88-94: last seven of the entry's trace number
    friend bool operator==(const PaymentAddenda&, const PaymentAddenda&) = default;
};

// Addenda type 98: notification of change.
struct ChangeAddenda {
    std::string change_code;                  // 4-6: C01 …
    std::string original_entry_trace_number;  // 7-21
    std::string original_receiving_dfi;       // 28-35
    std::string corrected_data;               // 36-64
    std::string trace_number;                 // 80-94
    friend bool operator==(const ChangeAddenda&, const ChangeAddenda&) = default;
};

// Addenda type 99: return.
struct ReturnAddenda {
    std::string return_reason_code;           // 4-6: R01 …
    std::string original_entry_trace_number;  // 7-21
    std::string date_of_death;                // 22-27: YYMMDD or empty
    std::string original_receiving_dfi;       // 28-35
    std::string addenda_information;          // 36-79
    std::string trace_number;                 // 80-94
    friend bool operator==(const ReturnAddenda&, const ReturnAddenda&) = default;
};

// Any other addenda type (02, 10-18 …), kept unchanged.
struct OtherAddenda {
    std::string record;  // all 94 bytes
    friend bool operator==(const OtherAddenda&, const OtherAddenda&) = default;
};

using Addenda = std::variant<PaymentAddenda, ChangeAddenda, ReturnAddenda, OtherAddenda>;

// Record type 6. The account number is plain text here because a file being read may contain any; it must never appear
// in a message. ADV entries have another layout: only account, amount, name and addenda indicator are read. IAT entries
// have the receiver in their addenda: everything except identification and name is read.
struct EntryDetail {
    int transaction_code = 22;                 // 2-3
    std::string receiving_dfi_identification;  // 4-11: first eight digits of the routing number
    char check_digit = '0';                    // 12
    std::string dfi_account_number;            // 13-29
    Money amount;                              // 30-39, cents
    std::string individual_identification;     // 40-54
    std::string individual_name;               // 55-76; CTX: 59-74, after the addenda count in 55-58
    std::string discretionary_data;            // 77-78; CTX: 75-78 contain spaces and this
    std::string trace_number;                  // 80-94: fifteen digits
    std::vector<Addenda> addenda;              // 79 indicates whether there are any
    friend bool operator==(const EntryDetail&, const EntryDetail&) = default;
};

struct Batch {
    BatchHeader header;
    std::vector<EntryDetail> entries;
    friend bool operator==(const Batch&, const Batch&) = default;
};

struct File {
    FileHeader header;
    std::vector<Batch> batches;
    friend bool operator==(const File&, const File&) = default;
};

// Record type 8. It repeats company, ODFI and batch number from the header.
struct BatchControl {
    std::int64_t entry_addenda_count = 0;  // 5-10
    std::int64_t entry_hash = 0;           // 11-20
    Money total_debit;                     // 21-32
    Money total_credit;                    // 33-44
    friend bool operator==(const BatchControl&, const BatchControl&) = default;
};

// Record type 9.
struct FileControl {
    std::int64_t batch_count = 0;          // 2-7
    std::int64_t block_count = 0;          // 8-13
    std::int64_t entry_addenda_count = 0;  // 14-21
    std::int64_t entry_hash = 0;           // 22-31
    Money total_debit;                     // 32-43
    Money total_credit;                    // 44-55
    friend bool operator==(const FileControl&, const FileControl&) = default;
};

// The effect of a transaction code on the receiver's account. A return or notification of change (21, 26, 31, 36 …) has
// the direction of the entry that it answers. Accounting advices (81-88) alternate.
enum class Direction { credit, debit };
[[nodiscard]] constexpr Direction direction_of(int transaction_code) {
    if (transaction_code / 10 == 8) return transaction_code % 2 == 1 ? Direction::credit : Direction::debit;
    return transaction_code % 10 <= 4 ? Direction::credit : Direction::debit;
}

// An IAT batch of notifications of change has SEC code COR and company name IATCOR.
[[nodiscard]] BatchLayout layout_of(const BatchHeader& header);

// Sum of the receiving DFI identifications, truncated to the last ten digits.
[[nodiscard]] std::int64_t entry_hash(const std::vector<EntryDetail>& entries);
[[nodiscard]] BatchControl control_of(const Batch& batch);
[[nodiscard]] FileControl control_of(const File& file);

}  // namespace drawbridge::nacha
