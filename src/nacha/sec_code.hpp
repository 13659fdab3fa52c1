// The rules for each standard entry class code. The encoder must not use it.
#pragma once

#include <cstdint>
#include <string_view>

#include "record_text.hpp"

namespace drawbridge::nacha {

enum class Side { any, credits, debits };

// Variants of the entry's fields 40-78.
enum class EntryForm {
    plain,    // identification, name
    counted,  // CTX, ATX, ENR, TRX: number of addenda and a shorter name
    check,    // ARC, BOC, RCK: check serial number
    pop,      // check serial number, terminal city and state
    shr,      // card expiration date, document reference, card account number
    trc,      // TRC, XCK: check serial number, process control, item research number
    cie,      // name and identification swapped
    iat,
    adv,
};

struct SecCode {
    std::string_view code;
    Side side = Side::any;  // of live entries and prenotes
    EntryForm form = EntryForm::plain;
    int min_addenda = 0, max_addenda = 1;  // of an entry that is not a return or notification of change
    std::string_view addenda_type = "05";
    bool is_name_required = false;
    std::string_view transaction_codes = {};  // of live entries, separated by spaces; empty: any
    bool is_of_government = false;            // only federal agencies originate it: originator status code 2
    bool is_always_zero = false;              // entries carry no money
    bool may_be_zero_dollar = false;          // transaction codes 24, 29 …
    std::int64_t max_cents = 0;               // maximum per entry; 0: the field's own limit
    std::string_view entry_description = {};  // required text in 54-63; empty: any
    bool needs_no_effective_date = false;
};

// nullptr for an unknown code.
[[nodiscard]] const SecCode* find_sec_code(std::string_view code);

// The form of an entry with that code. Not every originator of ENR entries fills in the addenda count; an entry without
// digits there is read as a plain one.
[[nodiscard]] inline EntryForm form_of(const SecCode& sec, std::string_view entry) {
    return sec.code == "ENR" && !all_digits(slice(entry, 55, 4)) ? EntryForm::plain : sec.form;
}

}  // namespace drawbridge::nacha
