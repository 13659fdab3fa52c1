// The fields of addenda records (type 7), by their type code.
#include "layout_table.hpp"

namespace drawbridge::nacha {

namespace {

using enum FieldForm;

constexpr Field entry_sequence{"entry detail sequence number", 88, 7, digits, Need::value};
constexpr Field addenda_sequence{"addenda sequence number", 84, 4, digits, Need::value};
constexpr Field trace_number{"trace number", 80, 15, digits, Need::value};
constexpr std::string_view id_qualifiers = "01 02 03";

constexpr LayoutTable terminal_table(std::array{
    Field{"reference information one", 4, 7},
    Field{"reference information two", 11, 3},
    Field{"terminal identification code", 14, 6, required_text},
    Field{"transaction serial number", 20, 6, required_text},
    Field{"transaction date", 26, 4, month_and_day},
    Field{"authorization code", 30, 6},
    Field{"terminal location", 36, 27, required_text},
    Field{"terminal city", 63, 15, required_text},
    Field{"terminal state", 78, 2, state},
    trace_number,
});
constexpr LayoutTable payment_table(std::array{Field{"payment related information", 4, 80}, addenda_sequence,
                                               entry_sequence});

constexpr std::string_view iat_transaction_types =
    "ANN ARC BOC BUS DEP LOA MIS MOR MTE PEN POP POS RCK REM RLS SAL SHR TAX TEL WEB";
constexpr LayoutTable table_10(std::array{
    Field{"transaction type code", 4, 3, one_of, Need::form, iat_transaction_types},
    Field{"foreign payment amount", 7, 18, digits_or_blank},
    Field{"foreign trace number", 25, 22},
    Field{"receiver's name", 47, 35, required_text},
    Field{"reserved", 82, 6, blank},
    entry_sequence,
});
constexpr LayoutTable table_11(std::array{Field{"originator name", 4, 35, required_text},
                                          Field{"originator street address", 39, 35, required_text},
                                          Field{"reserved", 74, 14, blank}, entry_sequence});
constexpr LayoutTable table_12(std::array{Field{"originator city and state", 4, 35, required_text},
                                          Field{"originator country and postal code", 39, 35, required_text},
                                          Field{"reserved", 74, 14, blank}, entry_sequence});
constexpr LayoutTable table_13(std::array{
    Field{"originating DFI name", 4, 35, required_text},
    Field{"originating DFI identification number qualifier", 39, 2, one_of, Need::form, id_qualifiers},
    Field{"originating DFI identification", 41, 34, required_text},
    Field{"originating DFI branch country code", 75, 3, required_text},
    Field{"reserved", 78, 10, blank},
    entry_sequence,
});
constexpr LayoutTable table_14(std::array{
    Field{"receiving DFI name", 4, 35, required_text},
    Field{"receiving DFI identification number qualifier", 39, 2, one_of, Need::form, id_qualifiers},
    Field{"receiving DFI identification", 41, 34, required_text},
    Field{"receiving DFI branch country code", 75, 3, required_text},
    Field{"reserved", 78, 10, blank},
    entry_sequence,
});
constexpr LayoutTable table_15(std::array{Field{"receiver identification number", 4, 15},
                                          Field{"receiver street address", 19, 35, required_text},
                                          Field{"reserved", 54, 34, blank}, entry_sequence});
constexpr LayoutTable table_16(std::array{Field{"receiver city and state", 4, 35, required_text},
                                          Field{"receiver country and postal code", 39, 35, required_text},
                                          Field{"reserved", 74, 14, blank}, entry_sequence});
constexpr LayoutTable table_18(std::array{
    Field{"foreign correspondent bank name", 4, 35, required_text},
    Field{"foreign correspondent bank identification number qualifier", 39, 2, one_of, Need::form, id_qualifiers},
    Field{"foreign correspondent bank identification number", 41, 34, required_text},
    Field{"foreign correspondent bank branch country code", 75, 3, required_text},
    Field{"reserved", 78, 6, blank},
    addenda_sequence,
    entry_sequence,
});

constexpr Field change_code{"change code", 4, 3, required_text, Need::value};
constexpr Field return_reason_code{"return reason code", 4, 3, required_text, Need::value};
// Banks leave them blank or zero when they don't know the entry: against the rules, but nothing else is lost.
constexpr Field original_trace{"original entry trace number", 7, 15, digits_or_blank, Need::value};
constexpr Field original_dfi{"original receiving DFI", 28, 8, digits_or_blank, Need::value};

constexpr LayoutTable change_table(std::array{change_code, original_trace, Field{"reserved", 22, 6, blank},
                                              original_dfi, Field{"corrected data", 36, 29},
                                              Field{"reserved", 65, 15, blank}, trace_number});
constexpr LayoutTable iat_change_table(std::array{change_code, original_trace, Field{"reserved", 22, 6, blank},
                                                  original_dfi, Field{"corrected data", 36, 35},
                                                  Field{"reserved", 71, 9, blank}, trace_number});
constexpr LayoutTable refused_change_table(std::array{
    Field{"refused change code", 4, 3, required_text, Need::value}, original_trace, Field{"reserved", 22, 6, blank},
    original_dfi, Field{"corrected data", 36, 29}, Field{"change code", 65, 3, required_text},
    Field{"trace sequence number", 68, 7, digits}, Field{"reserved", 75, 5, blank}, trace_number});
constexpr LayoutTable return_table(std::array{return_reason_code, original_trace, Field{"date of death", 22, 6, date},
                                              original_dfi, Field{"addenda information", 36, 44}, trace_number});
constexpr LayoutTable iat_return_table(std::array{return_reason_code, original_trace,
                                                  Field{"date of death", 22, 6, date}, original_dfi,
                                                  Field{"original forward payment amount", 36, 10, digits_or_blank},
                                                  Field{"addenda information", 46, 34}, trace_number});
constexpr LayoutTable dishonored_table(std::array{
    Field{"dishonored return reason code", 4, 3, required_text, Need::value}, original_trace,
    Field{"reserved", 22, 6, blank}, original_dfi, Field{"reserved", 36, 3, blank},
    Field{"return trace number", 39, 15, digits}, Field{"return settlement date", 54, 3, day_of_year},
    Field{"return reason code", 57, 2, digits}, Field{"addenda information", 59, 21}, trace_number});
constexpr LayoutTable contested_table(std::array{
    Field{"contested return reason code", 4, 3, required_text, Need::value}, original_trace,
    Field{"date original entry returned", 22, 6, date}, original_dfi,
    Field{"original settlement date", 36, 3, day_of_year}, Field{"return trace number", 39, 15, digits},
    Field{"return settlement date", 54, 3, day_of_year}, Field{"return reason code", 57, 2, digits},
    Field{"dishonored return trace number", 59, 15, digits},
    Field{"dishonored return settlement date", 74, 3, day_of_year},
    Field{"dishonored return reason code", 77, 2, digits}, Field{"reserved", 79, 1, blank}, trace_number});

const RecordLayout* change_layout(std::string_view record, BatchLayout batch) {
    static constexpr RecordLayout usual = change_table.view(), iat = iat_change_table.view(),
                                  refused = refused_change_table.view();
    if (is_refused(slice(record, 4, 3))) return &refused;
    return batch == BatchLayout::iat ? &iat : &usual;
}

const RecordLayout* return_layout(std::string_view record, BatchLayout batch) {
    static constexpr RecordLayout usual = return_table.view(), iat = iat_return_table.view(),
                                  dishonored = dishonored_table.view(), contested = contested_table.view();
    const std::string_view code = slice(record, 4, 3);
    if (is_dishonored(code)) return &dishonored;
    if (is_contested(code)) return &contested;
    return batch == BatchLayout::iat ? &iat : &usual;
}

const RecordLayout& iat_layout(char last) {
    static constexpr std::array layouts = {table_10.view(), table_11.view(),      table_12.view(),
                                           table_13.view(), table_14.view(),      table_15.view(),
                                           table_16.view(), payment_table.view(), table_18.view()};
    return layouts[static_cast<std::size_t>(last - '0')];
}

}  // namespace

const RecordLayout* addenda_layout(std::string_view record, BatchLayout batch) {
    static constexpr RecordLayout terminal = terminal_table.view(), payment = payment_table.view();
    switch (addenda_type_of(record)) {
        case AddendaType::payment: return &payment;
        case AddendaType::returned: return return_layout(record, batch);
        case AddendaType::change: return change_layout(record, batch);
        case AddendaType::terminal: return &terminal;
        case AddendaType::iat: return &iat_layout(record[2]);
        case AddendaType::unknown: break;
    }
    return nullptr;
}

}  // namespace drawbridge::nacha
