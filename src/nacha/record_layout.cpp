#include "record_layout.hpp"

#include <algorithm>
#include <array>

#include "drawbridge/domain/bank_numbers.hpp"

namespace drawbridge::nacha {

namespace {

constexpr std::array file_header_fields = {
    Field{"priority code", 2, 2, FieldForm::constant, Need::form, "01"},
    Field{"immediate destination", 4, 10, FieldForm::destination},
    Field{"immediate origin", 14, 10, FieldForm::origin},
    Field{"file creation date", 24, 6, FieldForm::date, Need::value},
    Field{"file creation time", 30, 4, FieldForm::time, Need::value},
    Field{"file id modifier", 34, 1, FieldForm::file_id},
    Field{"record size", 35, 3, FieldForm::constant, Need::value, "094"},
    Field{"blocking factor", 38, 2, FieldForm::constant, Need::form, "10"},
    Field{"format code", 40, 1, FieldForm::constant, Need::form, "1"},
    Field{"immediate destination name", 41, 23, FieldForm::text},
    Field{"immediate origin name", 64, 23, FieldForm::text},
    Field{"reference code", 87, 8, FieldForm::text},
};

constexpr std::array batch_header_fields = {
    Field{"service class", 2, 3, FieldForm::one_of, Need::value, "200 220 225"},
    Field{"company name", 5, 16, FieldForm::required_text},
    Field{"company discretionary data", 21, 20, FieldForm::text},
    Field{"company identification", 41, 10, FieldForm::identification},
    Field{"standard entry class code", 51, 3, FieldForm::one_of, Need::form,
          "ACK ARC ATX BOC CCD CIE COR CTX DNE ENR MTE POP POS PPD RCK SHR TEL TRC TRX WEB XCK"},
    Field{"company entry description", 54, 10, FieldForm::required_text},
    Field{"company descriptive date", 64, 6, FieldForm::text},
    Field{"effective entry date", 70, 6, FieldForm::date, Need::value},
    Field{"settlement date", 76, 3, FieldForm::settlement_date},
    Field{"originator status code", 79, 1, FieldForm::one_of, Need::form, "0 1 2"},
    Field{"ODFI identification", 80, 8, FieldForm::digits},
    Field{"batch number", 88, 7, FieldForm::digits, Need::value},
};

constexpr std::string_view transaction_codes =
    "21 22 23 24 26 27 28 29 31 32 33 34 36 37 38 39 41 42 43 44 46 47 48 49 51 52 53 54 55 56";

constexpr std::array entry_fields = {
    Field{"transaction code", 2, 2, FieldForm::one_of, Need::value, transaction_codes},
    Field{"receiving DFI identification", 4, 8, FieldForm::digits, Need::value},
    Field{"check digit", 12, 1, FieldForm::digits},
    Field{"DFI account number", 13, 17, FieldForm::account},
    Field{"amount", 30, 10, FieldForm::digits, Need::value},
    Field{"individual identification", 40, 15, FieldForm::text},
    Field{"individual name", 55, 22, FieldForm::text},
    Field{"discretionary data", 77, 2, FieldForm::text},
    Field{"addenda record indicator", 79, 1, FieldForm::one_of, Need::value, "0 1"},
    Field{"trace number", 80, 15, FieldForm::digits, Need::value},
};

constexpr std::array ctx_entry_fields = {
    Field{"transaction code", 2, 2, FieldForm::one_of, Need::value, transaction_codes},
    Field{"receiving DFI identification", 4, 8, FieldForm::digits, Need::value},
    Field{"check digit", 12, 1, FieldForm::digits},
    Field{"DFI account number", 13, 17, FieldForm::account},
    Field{"amount", 30, 10, FieldForm::digits, Need::value},
    Field{"identification number", 40, 15, FieldForm::text},
    Field{"number of addenda", 55, 4, FieldForm::digits, Need::value},
    Field{"receiving company name", 59, 16, FieldForm::text},
    Field{"reserved", 75, 2, FieldForm::blank},
    Field{"discretionary data", 77, 2, FieldForm::text},
    Field{"addenda record indicator", 79, 1, FieldForm::one_of, Need::value, "0 1"},
    Field{"trace number", 80, 15, FieldForm::digits, Need::value},
};

constexpr std::array payment_addenda_fields = {
    Field{"payment related information", 4, 80, FieldForm::text},
    Field{"addenda sequence number", 84, 4, FieldForm::digits, Need::value},
    Field{"entry detail sequence number", 88, 7, FieldForm::digits, Need::value},
};

constexpr std::array change_addenda_fields = {
    Field{"change code", 4, 3, FieldForm::required_text, Need::value},
    Field{"original entry trace number", 7, 15, FieldForm::digits, Need::value},
    Field{"reserved", 22, 6, FieldForm::blank},
    Field{"original receiving DFI", 28, 8, FieldForm::digits, Need::value},
    Field{"corrected data", 36, 29, FieldForm::text},
    Field{"trace number", 80, 15, FieldForm::digits, Need::value},
};

constexpr std::array return_addenda_fields = {
    Field{"return reason code", 4, 3, FieldForm::required_text, Need::value},
    Field{"original entry trace number", 7, 15, FieldForm::digits, Need::value},
    Field{"date of death", 22, 6, FieldForm::date},
    Field{"original receiving DFI", 28, 8, FieldForm::digits, Need::value},
    Field{"addenda information", 36, 44, FieldForm::text},
    Field{"trace number", 80, 15, FieldForm::digits, Need::value},
};

constexpr std::array batch_control_fields = {
    Field{"service class", 2, 3, FieldForm::one_of, Need::form, "200 220 225"},
    Field{"entry and addenda count", 5, 6, FieldForm::digits, Need::value},
    Field{"entry hash", 11, 10, FieldForm::digits, Need::value},
    Field{"total debit", 21, 12, FieldForm::digits, Need::value},
    Field{"total credit", 33, 12, FieldForm::digits, Need::value},
    Field{"company identification", 45, 10, FieldForm::identification},
    Field{"message authentication code", 55, 19, FieldForm::text},
    Field{"reserved", 74, 6, FieldForm::blank},
    Field{"ODFI identification", 80, 8, FieldForm::digits},
    Field{"batch number", 88, 7, FieldForm::digits, Need::value},
};

constexpr std::array file_control_fields = {
    Field{"batch count", 2, 6, FieldForm::digits, Need::value},
    Field{"block count", 8, 6, FieldForm::digits},
    Field{"entry and addenda count", 14, 8, FieldForm::digits, Need::value},
    Field{"entry hash", 22, 10, FieldForm::digits, Need::value},
    Field{"total debit", 32, 12, FieldForm::digits, Need::value},
    Field{"total credit", 44, 12, FieldForm::digits, Need::value},
    Field{"reserved", 56, 39, FieldForm::blank},
};

bool all_digits(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}
bool is_blank(std::string_view text) {
    return text.find_first_not_of(' ') == std::string_view::npos;
}
bool is_zeros(std::string_view text) {
    return text.find_first_not_of('0') == std::string_view::npos;
}
int two_digits(std::string_view text, std::size_t at) {
    return (text[at] - '0') * 10 + (text[at + 1] - '0');
}
bool is_listed(std::string_view value, std::string_view list) {
    if (value.find(' ') != std::string_view::npos) return false;
    for (std::size_t at = 0; at < list.size(); at += value.size() + 1) {
        if (list.substr(at, value.size()) == value) return true;
    }
    return false;
}

bool is_date(std::string_view text) {
    if (is_blank(text) || is_zeros(text)) return true;
    if (!all_digits(text)) return false;
    return BusinessDate(std::chrono::year(2000 + two_digits(text, 0)),
                        std::chrono::month(static_cast<unsigned>(two_digits(text, 2))),
                        std::chrono::day(static_cast<unsigned>(two_digits(text, 4))))
        .ok();
}
bool is_time(std::string_view text) {
    return is_blank(text) || (all_digits(text) && two_digits(text, 0) < 24 && two_digits(text, 2) < 60);
}
bool is_settlement_date(std::string_view text) {
    return is_blank(text) || (all_digits(text) && text <= "366");
}
bool is_left_justified(std::string_view text) {
    return !text.starts_with(' ');
}
bool is_account(std::string_view text) {
    const std::string_view value = text.substr(0, text.find_last_not_of(' ') + 1);
    return !value.empty() && std::ranges::all_of(value, [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-';
    });
}
bool is_origin(std::string_view text) {
    const std::string_view id = text.substr(text.starts_with(' ') ? 1 : 0);
    return std::ranges::all_of(id, [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'); });
}
bool is_identification(std::string_view text) {
    return !is_blank(text) && !text.starts_with("  ");
}

// An entry that lost or gained a character may show its account number in a neighbouring field.
bool is_confidential(std::string_view record, const Field& field) {
    return record.front() == '6' && field.position >= 4 && field.position < 40;
}

}  // namespace

std::span<const Field> fields_of(std::string_view record, std::string_view sec_code) {
    switch (record.front()) {
        case '1': return file_header_fields;
        case '5': return batch_header_fields;
        case '6':
            if (sec_code == "CTX") return ctx_entry_fields;
            return entry_fields;
        case '7': {
            const std::string_view type = slice(record, 2, 2);
            if (type == "05") return payment_addenda_fields;
            if (type == "98") return change_addenda_fields;
            if (type == "99") return return_addenda_fields;
            return {};
        }
        case '8': return batch_control_fields;
        case '9': return file_control_fields;
        default: return {};
    }
}

std::string fault_in(std::string_view record, const Field& field) {
    const std::string_view value = slice(record, field);
    const auto complain = [&](std::string_view what) {
        const std::string shown = is_confidential(record, field) ? "the value" : "'" + std::string(value) + "'";
        return shown + " " + std::string(what);
    };
    switch (field.form) {
        case FieldForm::text: return {};
        case FieldForm::constant:
            return value == field.allowed ? "" : complain("must be ") + "'" + std::string(field.allowed) + "'";
        case FieldForm::one_of:
            return is_listed(value, field.allowed) ? "" : complain("is none of ") + std::string(field.allowed);
        case FieldForm::digits: return all_digits(value) ? "" : complain("must be digits");
        case FieldForm::required_text:
            if (is_blank(value)) return "must not be blank";
            return is_left_justified(value) ? "" : complain("must be left-justified");
        case FieldForm::account:
            return is_account(value) ? "" : "must be left-justified and of 0-9, A-Z and hyphen only";
        case FieldForm::blank: return is_blank(value) ? "" : complain("must be blank");
        case FieldForm::date: return is_date(value) ? "" : complain("is no day that exists (YYMMDD)");
        case FieldForm::time: return is_time(value) ? "" : complain("is no time of day (HHMM)");
        case FieldForm::settlement_date:
            return is_settlement_date(value) ? "" : complain("is no day of the year (001-366)");
        case FieldForm::file_id: return is_origin(value) && !is_blank(value) ? "" : complain("must be A-Z or 0-9");
        case FieldForm::destination:
            return value.front() == ' ' && RoutingNumber::parse(value.substr(1))
                       ? ""
                       : complain("must be a blank and a routing number with a right check digit");
        case FieldForm::origin:
            return is_origin(value) ? "" : complain("must be a blank and nine, or ten, of 0-9 and A-Z");
        case FieldForm::identification: return is_identification(value) ? "" : complain("must be filled in");
    }
    return {};
}

}  // namespace drawbridge::nacha
