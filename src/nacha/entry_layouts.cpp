// The fields of entry detail records (type 6), which depend on the standard entry class code.
#include "layout_table.hpp"

namespace drawbridge::nacha {

namespace {

using enum FieldForm;

constexpr std::string_view advice_codes = "81 82 83 84 85 86 87 88";

constexpr Field transaction_code{"transaction code", 2, 2, transaction, Need::value};
constexpr Field receiving_dfi{"receiving DFI identification", 4, 8, digits, Need::value};
constexpr Field check_digit{"check digit", 12, 1, digits};
constexpr Field account_number{"DFI account number", 13, 17, account};
constexpr Field amount{"amount", 30, 10, digits, Need::value};
constexpr Field discretionary_data{"discretionary data", 77, 2, text};
constexpr Field addenda_indicator{"addenda record indicator", 79, 1, zero_or_one, Need::value};
constexpr Field trace_number{"trace number", 80, 15, digits, Need::value};

template <class... Fields>
consteval auto with_common_fields(Fields... middle) {
    return std::array{transaction_code, receiving_dfi, check_digit,       account_number,
                      amount,           middle...,     addenda_indicator, trace_number};
}

constexpr LayoutTable plain_table(with_common_fields(Field{"individual identification", 40, 15},
                                                     Field{"individual name", 55, 22}, discretionary_data));
constexpr LayoutTable counted_table(with_common_fields(Field{"identification number", 40, 15},
                                                       Field{"number of addenda", 55, 4, digits, Need::value},
                                                       Field{"receiving company name", 59, 16},
                                                       Field{"reserved", 75, 2, blank}, discretionary_data));
constexpr LayoutTable check_table(with_common_fields(Field{"check serial number", 40, 15, required_text},
                                                     Field{"individual name", 55, 22}, discretionary_data));
constexpr LayoutTable pop_table(with_common_fields(Field{"check serial number", 40, 9, required_text},
                                                   Field{"terminal city", 49, 4, required_text},
                                                   Field{"terminal state", 53, 2, state},
                                                   Field{"individual name", 55, 22}, discretionary_data));
constexpr LayoutTable shr_table(with_common_fields(Field{"card expiration date", 40, 4, month_and_year},
                                                   Field{"document reference number", 44, 11},
                                                   Field{"individual card account number", 55, 22},
                                                   discretionary_data));
constexpr LayoutTable trc_table(with_common_fields(Field{"check serial number", 40, 15, required_text},
                                                   Field{"process control field", 55, 6},
                                                   Field{"item research number", 61, 16},
                                                   Field{"item type indicator", 77, 2}));
constexpr LayoutTable cie_table(with_common_fields(Field{"individual name", 40, 15},
                                                   Field{"individual identification", 55, 22}, discretionary_data));

constexpr LayoutTable iat_table(std::array{
    transaction_code,
    Field{"receiving DFI identification", 4, 8, digits, Need::value},
    check_digit,
    Field{"number of addenda", 13, 4, digits, Need::value},
    Field{"reserved", 17, 13, blank},
    amount,
    Field{"foreign receiver's account number", 40, 35, account},
    Field{"reserved", 75, 2, blank},
    Field{"OFAC screening indicator", 77, 1, one_of_or_blank, Need::form, "0 1"},
    Field{"secondary OFAC screening indicator", 78, 1, one_of_or_blank, Need::form, "0 1"},
    addenda_indicator,
    trace_number,
});

constexpr LayoutTable adv_table(std::array{
    Field{"transaction code", 2, 2, one_of, Need::value, advice_codes},
    receiving_dfi,
    check_digit,
    Field{"DFI account number", 13, 15, account},
    Field{"amount", 28, 12, digits, Need::value},
    Field{"advice routing number", 40, 9, routing},
    Field{"file identification", 49, 5, text},
    Field{"ACH operator data", 54, 1, text},
    Field{"individual name", 55, 22, text},
    discretionary_data,
    addenda_indicator,
    Field{"routing number of the ACH operator", 80, 8, digits},
    Field{"Julian day of the advice", 88, 3, julian_day},
    Field{"sequence number", 91, 4, digits},
});

}  // namespace

const RecordLayout& entry_layout(EntryForm form) {
    static constexpr RecordLayout plain = plain_table.view(), counted = counted_table.view(),
                                  check = check_table.view(), pop = pop_table.view(), shr = shr_table.view(),
                                  trc = trc_table.view(), cie = cie_table.view(), iat = iat_table.view(),
                                  adv = adv_table.view();
    switch (form) {
        case EntryForm::plain: return plain;
        case EntryForm::counted: return counted;
        case EntryForm::check: return check;
        case EntryForm::pop: return pop;
        case EntryForm::shr: return shr;
        case EntryForm::trc: return trc;
        case EntryForm::cie: return cie;
        case EntryForm::iat: return iat;
        case EntryForm::adv: return adv;
    }
    return plain;
}

}  // namespace drawbridge::nacha
