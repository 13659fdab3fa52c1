#include "record_layout.hpp"

#include "layout_table.hpp"

namespace drawbridge::nacha {

namespace {

using enum FieldForm;

constexpr LayoutTable file_header_table(std::array{
    Field{"priority code", 2, 2, constant, Need::form, "01"},
    Field{"immediate destination", 4, 10, text},  // valid values depend on the batches: destination_fault()
    Field{"immediate origin", 14, 10, origin},
    Field{"file creation date", 24, 6, date, Need::value},
    Field{"file creation time", 30, 4, time},
    Field{"file id modifier", 34, 1, file_id},
    Field{"record size", 35, 3, constant, Need::value, "094"},
    Field{"blocking factor", 38, 2, constant, Need::form, "10"},
    Field{"format code", 40, 1, constant, Need::form, "1"},
    Field{"immediate destination name", 41, 23, text},
    Field{"immediate origin name", 64, 23, text},
    Field{"reference code", 87, 8, text},
});

constexpr std::string_view every_sec_code =
    "ACK ADV ARC ATX BOC CCD CIE COR CTX DNE ENR IAT MTE POP POS PPD RCK SHR TEL TRC TRX WEB XCK";

constexpr LayoutTable batch_header_table(std::array{
    Field{"service class", 2, 3, one_of, Need::value, "200 220 225"},
    Field{"company name", 5, 16, name},
    Field{"company discretionary data", 21, 20, text},
    Field{"company identification", 41, 10, identification},
    Field{"standard entry class code", 51, 3, one_of, Need::form, every_sec_code},
    Field{"company entry description", 54, 10, name},
    Field{"company descriptive date", 64, 6, text},
    Field{"effective entry date", 70, 6, date, Need::value},
    Field{"settlement date", 76, 3, day_of_year},
    Field{"originator status code", 79, 1, one_of, Need::form, "1 2"},
    Field{"ODFI identification", 80, 8, digits},
    Field{"batch number", 88, 7, digits, Need::value},
});

constexpr LayoutTable advice_batch_header_table(std::array{
    Field{"service class", 2, 3, one_of, Need::value, "280 200 220 225"},
    Field{"company name", 5, 16, name},
    Field{"company discretionary data", 21, 20, text},
    Field{"company identification", 41, 10, identification},
    Field{"standard entry class code", 51, 3, constant, Need::form, "ADV"},
    Field{"company entry description", 54, 10, name},
    Field{"company descriptive date", 64, 6, text},
    Field{"effective entry date", 70, 6, date, Need::value},
    Field{"settlement date", 76, 3, day_of_year},
    Field{"originator status code", 79, 1, constant, Need::form, "0"},
    Field{"ODFI identification", 80, 8, digits},
    Field{"batch number", 88, 7, digits, Need::value},
});

constexpr LayoutTable iat_batch_header_table(std::array{
    Field{"service class", 2, 3, one_of, Need::value, "200 220 225"},
    Field{"IAT indicator", 5, 16, one_of_or_blank, Need::form, "IATCOR"},
    Field{"foreign exchange indicator", 21, 2, one_of_or_blank, Need::form, "FV VF FF"},
    Field{"foreign exchange reference indicator", 23, 1, one_of_or_blank, Need::form, "1 2 3"},
    Field{"foreign exchange reference", 24, 15, text},
    Field{"ISO destination country code", 39, 2, country},
    Field{"originator identification", 41, 10, identification},
    Field{"standard entry class code", 51, 3, one_of, Need::form, "IAT COR"},
    Field{"company entry description", 54, 10, name},
    Field{"ISO originating currency code", 64, 3, currency},
    Field{"ISO destination currency code", 67, 3, currency},
    Field{"effective entry date", 70, 6, date, Need::value},
    Field{"settlement date", 76, 3, day_of_year},
    Field{"originator status code", 79, 1, one_of, Need::form, "1 2"},
    Field{"ODFI identification", 80, 8, digits},
    Field{"batch number", 88, 7, digits, Need::value},
});

constexpr LayoutTable batch_control_table(std::array{
    Field{"service class", 2, 3, one_of, Need::form, "200 220 225"},
    Field{"entry and addenda count", 5, 6, digits, Need::value},
    Field{"entry hash", 11, 10, digits, Need::value},
    Field{"total debit", 21, 12, digits, Need::value},
    Field{"total credit", 33, 12, digits, Need::value},
    Field{"company identification", 45, 10, identification},
    Field{"message authentication code", 55, 19, text},
    Field{"reserved", 74, 6, blank},
    Field{"ODFI identification", 80, 8, digits},
    Field{"batch number", 88, 7, digits, Need::value},
});

constexpr LayoutTable advice_batch_control_table(std::array{
    Field{"service class", 2, 3, one_of, Need::form, "280 200 220 225"},
    Field{"entry and addenda count", 5, 6, digits, Need::value},
    Field{"entry hash", 11, 10, digits, Need::value},
    Field{"total debit", 21, 20, digits, Need::value},
    Field{"total credit", 41, 20, digits, Need::value},
    Field{"ACH operator data", 61, 19, text},
    Field{"ODFI identification", 80, 8, digits},
    Field{"batch number", 88, 7, digits, Need::value},
});

constexpr LayoutTable file_control_table(std::array{
    Field{"batch count", 2, 6, digits, Need::value},
    Field{"block count", 8, 6, digits},
    Field{"entry and addenda count", 14, 8, digits, Need::value},
    Field{"entry hash", 22, 10, digits, Need::value},
    Field{"total debit", 32, 12, digits, Need::value},
    Field{"total credit", 44, 12, digits, Need::value},
    Field{"reserved", 56, 39, blank},
});

constexpr LayoutTable advice_file_control_table(std::array{
    Field{"batch count", 2, 6, digits, Need::value},
    Field{"block count", 8, 6, digits},
    Field{"entry and addenda count", 14, 8, digits, Need::value},
    Field{"entry hash", 22, 10, digits, Need::value},
    Field{"total debit", 32, 20, digits, Need::value},
    Field{"total credit", 52, 20, digits, Need::value},
    Field{"reserved", 72, 23, blank},
});

}  // namespace

const RecordLayout& file_header_layout() {
    static constexpr RecordLayout layout = file_header_table.view();
    return layout;
}

const RecordLayout& batch_header_layout(BatchLayout batch) {
    static constexpr RecordLayout standard = batch_header_table.view();
    static constexpr RecordLayout iat = iat_batch_header_table.view();
    static constexpr RecordLayout adv = advice_batch_header_table.view();
    switch (batch) {
        case BatchLayout::standard: return standard;
        case BatchLayout::iat: return iat;
        case BatchLayout::adv: return adv;
    }
    return standard;
}

const RecordLayout& batch_control_layout(BatchLayout batch) {
    static constexpr RecordLayout standard = batch_control_table.view();
    static constexpr RecordLayout adv = advice_batch_control_table.view();
    return batch == BatchLayout::adv ? adv : standard;
}

const RecordLayout& file_control_layout(BatchLayout file) {
    static constexpr RecordLayout standard = file_control_table.view();
    static constexpr RecordLayout adv = advice_file_control_table.view();
    return file == BatchLayout::adv ? adv : standard;
}

bool is_dishonored(std::string_view return_reason_code) {
    return return_reason_code >= "R61" && return_reason_code <= "R70";
}
bool is_contested(std::string_view return_reason_code) {
    return return_reason_code >= "R71" && return_reason_code <= "R77";
}
bool is_refused(std::string_view change_code) {
    return change_code >= "C61" && change_code <= "C69";
}

}  // namespace drawbridge::nacha
