// Random NACHA files for tests.
#pragma once

#include <random>

#include "drawbridge/domain/bank_numbers.hpp"
#include "nacha/sample_files.hpp"

namespace drawbridge::nacha::testing {

// Files as an office may originate them, following every rule.
class RandomPayments {
  public:
    explicit RandomPayments(unsigned seed) : random_(seed) {}

    File next() {
        File file = credits();
        file.batches.clear();
        trace_ = number(0, 5'000'000);
        const auto batches = number(1, 4);
        for (std::int64_t i = 1; i <= batches; ++i)
            file.batches.push_back(batch(i));
        return file;
    }

  private:
    std::int64_t number(std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
    }
    std::string next_trace() {
        trace_ += number(1, 9);
        const std::string digits = std::to_string(trace_);
        return "09100001" + std::string(7 - digits.size(), '0') + digits;
    }
    std::string words(std::int64_t most) {
        std::string out(static_cast<std::size_t>(number(1, most)), 'A');
        for (char& c : out)
            c = static_cast<char>(number(0x21, 0x7E));
        if (out.find_first_not_of('0') == std::string::npos) out.front() = 'A';  // a name must not be all zeros
        return out;
    }

    Batch batch(std::int64_t batch_number) {
        constexpr const char* sec_codes[] = {"PPD", "CCD", "CTX"};
        Batch batch{batch_header(sec_codes[number(0, 2)], batch_number), {}};
        const std::string& sec = batch.header.standard_entry_class_code;
        const auto entries = number(1, 12);
        Money credits;
        for (std::int64_t i = 0; i < entries; ++i) {
            batch.entries.push_back(entry(sec));
            credits += batch.entries.back().amount;
        }
        if (number(0, 2) == 0 && !credits.is_zero() && credits <= max_entry_amount) {
            batch.header.service_class = ServiceClass::mixed;
            batch.entries.push_back(
                testing::entry(27, "091000019", "9988776655", credits.cents(), "OFFSET", "CITY HOUSING", next_trace()));
        }
        return batch;
    }

    EntryDetail entry(const std::string& sec) {
        constexpr int codes[] = {22, 32, 42, 52};
        std::string identification = std::to_string(number(21'000'000, 32'999'999));
        identification += RoutingNumber::check_digit(identification);
        const bool is_prenote = number(0, 4) == 0;
        EntryDetail made = testing::entry(codes[number(0, 3)] + (is_prenote ? 1 : 0), identification,
                                          std::to_string(number(1, 99'999'999)), is_prenote ? 0 : number(1, 9'999'999),
                                          "P0000000001", words(sec == "CTX" ? 16 : 22), next_trace());
        const auto addenda = sec == "CTX" ? number(0, 6) : number(0, 1);
        for (std::int64_t i = 1; i <= addenda; ++i)
            made.addenda.emplace_back(PaymentAddenda{words(80), i, std::stoll(made.trace_number.substr(8))});
        return made;
    }

    std::mt19937 random_;
    std::int64_t trace_ = 0;
};

// Any values that the records can carry, whatever the rules say of them.
class RandomFiles {
  public:
    explicit RandomFiles(unsigned seed) : random_(seed) {}

    File next() {
        File file = credits();
        file.header.immediate_origin = text(9, 10, upper);
        file.header.file_id_modifier = one_of(upper);
        file.header.file_creation_time = std::chrono::minutes(number(0, 24 * 60 - 1));
        file.header.immediate_destination_name = text(0, 23, printable);
        file.header.reference_code = text(0, 8, printable);
        file.batches.clear();
        const auto batches = number(0, 4);
        for (std::int64_t i = 0; i < batches; ++i)
            file.batches.push_back(batch());
        return file;
    }

  private:
    static constexpr std::string_view digits = "0123456789";
    static constexpr std::string_view upper = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static constexpr std::string_view printable =
        " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";

    std::int64_t number(std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
    }
    char one_of(std::string_view from) {
        return from[static_cast<std::size_t>(number(0, static_cast<std::int64_t>(from.size()) - 1))];
    }
    // Trailing spaces are padding to a reader, so names have none.
    std::string text(std::int64_t least, std::int64_t most, std::string_view from) {
        std::string out(static_cast<std::size_t>(number(least, most)), ' ');
        for (char& c : out)
            c = one_of(from);
        if (!out.empty() && out.back() == ' ') out.back() = '.';
        return out;
    }

    Batch batch() {
        constexpr const char* sec_codes[] = {"PPD", "CCD", "CTX", "WEB", "COR"};
        Batch batch{batch_header(sec_codes[number(0, 4)], number(0, 9'999'999)), {}};
        constexpr ServiceClass classes[] = {ServiceClass::credits, ServiceClass::debits, ServiceClass::mixed};
        batch.header.service_class = classes[number(0, 2)];
        batch.header.company_name = text(1, 16, printable);
        batch.header.company_discretionary_data = text(0, 20, printable);
        batch.header.company_descriptive_date = text(0, 6, printable);
        if (number(0, 3) == 0) batch.header.effective_entry_date = std::nullopt;
        const auto entries = number(0, 30);
        for (std::int64_t i = 0; i < entries; ++i)
            batch.entries.push_back(entry(batch.header.standard_entry_class_code == "CTX"));
        return batch;
    }

    EntryDetail entry(bool is_ctx) {
        constexpr int codes[] = {21, 22, 23, 26, 27, 31, 32, 33, 36, 37};
        EntryDetail entry;
        entry.transaction_code = codes[number(0, 9)];
        entry.receiving_dfi_identification = text(8, 8, digits);
        entry.check_digit = one_of(digits);
        entry.dfi_account_number = text(1, 17, upper);
        entry.amount = Money::from_cents(number(0, 3) == 0 ? number(0, 9'999'999'999) : number(0, 500'000));
        entry.individual_identification = text(0, 15, printable);
        entry.individual_name = text(0, is_ctx ? 16 : 22, printable);
        entry.discretionary_data = text(0, 2, upper);
        entry.trace_number = text(15, 15, digits);
        const auto addenda_count = number(0, 3) == 0 ? number(1, 3) : 0;
        for (std::int64_t i = 0; i < addenda_count; ++i)
            entry.addenda.push_back(addenda(i));
        return entry;
    }

    Addenda addenda(std::int64_t kind) {
        if (kind == 0) return PaymentAddenda{text(0, 80, printable), number(1, 9'999), number(0, 9'999'999)};
        if (kind == 1) {
            return ChangeAddenda{"C" + text(2, 2, digits), text(15, 15, digits), text(8, 8, digits),
                                 text(1, 29, printable), text(15, 15, digits)};
        }
        return ReturnAddenda{"R" + text(2, 2, digits), text(15, 15, digits),   "260131",
                             text(8, 8, digits),       text(0, 44, printable), text(15, 15, digits)};
    }

    std::mt19937 random_;
};

}  // namespace drawbridge::nacha::testing
