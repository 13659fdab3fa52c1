#include "corrected_data.hpp"

#include <algorithm>
#include <array>

#include "drawbridge/domain/bank_numbers.hpp"
#include "record_layout.hpp"

namespace drawbridge::nacha {

namespace {

// C10 to C12 are from older rules; a file may still contain them.
constexpr std::array<std::string_view, 14> change_codes = {"C01", "C02", "C03", "C04", "C05", "C06", "C07",
                                                           "C08", "C09", "C10", "C11", "C12", "C13", "C14"};

// The position of each part in the corrected data, from 1; 0: the code does not correct it.
struct Parts {
    std::string_view code;
    std::size_t routing_number = 0, account_number = 0, transaction_code = 0;
};
constexpr std::array parts_by_code = {
    Parts{"C01", 0, 1, 0}, Parts{"C02", 1, 0, 0},  Parts{"C03", 1, 13, 0},
    Parts{"C05", 0, 0, 1}, Parts{"C06", 0, 1, 21}, Parts{"C07", 1, 10, 27},
};

constexpr std::size_t start = 36;

}  // namespace

bool is_known_change_code(std::string_view code) {
    return std::ranges::find(change_codes, code) != change_codes.end() || is_refused(code);
}

bool corrects_account(std::string_view change_code) {
    if (is_refused(change_code)) return true;  // it repeats the refused data
    const auto* parts = std::ranges::find(parts_by_code, change_code, &Parts::code);
    // It is unknown what an unknown code corrects.
    return parts == parts_by_code.end() ? !is_known_change_code(change_code) : parts->account_number != 0;
}

std::optional<CorrectedDataFault> corrected_data_fault(std::string_view record, BatchLayout batch) {
    const std::string_view code = slice(record, 4, 3);
    const std::size_t length = batch == BatchLayout::iat ? 35 : 29;
    const std::string_view data = slice(record, start, length);
    if (code == "C13" || is_refused(code)) return std::nullopt;  // nothing to correct, or a refused correction
    if (is_blank(data)) return CorrectedDataFault{start, length, "must be filled in"};
    const auto* parts = std::ranges::find(parts_by_code, code, &Parts::code);
    if (parts == parts_by_code.end() || batch == BatchLayout::iat) return std::nullopt;
    if (parts->routing_number != 0 && !RoutingNumber::parse(data.substr(0, 9)))
        return CorrectedDataFault{start, 9, "1-9 must be a routing number with a valid check digit"};
    // Banks differ on the positions of what follows.
    const auto place = [&](std::size_t from, std::size_t size, std::string_view what) {
        return CorrectedDataFault{start + from - 1, size, what, Severity::warning};
    };
    if (parts->account_number != 0 && data[parts->account_number - 1] == ' ')
        return place(parts->account_number, 17, "the account number is not in its position");
    if (parts->transaction_code != 0 && !all_digits(data.substr(parts->transaction_code - 1, 2)))
        return place(parts->transaction_code, 2, "the transaction code is not in its position");
    return std::nullopt;
}

}  // namespace drawbridge::nacha
