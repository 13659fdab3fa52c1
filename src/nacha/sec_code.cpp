#include "sec_code.hpp"

#include <algorithm>
#include <array>

namespace drawbridge::nacha {

namespace {

using enum Side;
using enum EntryForm;

constexpr std::array sec_codes = {
    SecCode{.code = "ACK", .side = credits, .is_always_zero = true, .may_be_zero_dollar = true},
    SecCode{.code = "ADV", .form = adv, .max_addenda = 0, .addenda_type = "", .needs_no_effective_date = true},
    SecCode{.code = "ARC", .side = debits, .form = check, .max_addenda = 0, .max_cents = 25'000'00},
    SecCode{.code = "ATX",
            .side = credits,
            .form = counted,
            .max_addenda = 9999,
            .is_always_zero = true,
            .may_be_zero_dollar = true},
    SecCode{.code = "BOC", .side = debits, .form = check, .max_addenda = 0, .max_cents = 25'000'00},
    SecCode{.code = "CCD", .is_name_required = true, .may_be_zero_dollar = true},
    SecCode{.code = "CIE", .side = credits, .form = cie, .is_name_required = true},
    SecCode{
        .code = "COR", .min_addenda = 1, .addenda_type = "98", .is_always_zero = true, .needs_no_effective_date = true},
    SecCode{.code = "CTX", .form = counted, .max_addenda = 9999, .is_name_required = true, .may_be_zero_dollar = true},
    SecCode{.code = "DNE",
            .side = credits,
            .min_addenda = 1,
            .transaction_codes = "23 33",
            .is_of_government = true,
            .is_always_zero = true},
    SecCode{.code = "ENR",
            .form = counted,
            .min_addenda = 1,
            .max_addenda = 9999,
            .transaction_codes = "22 27 32 37",
            .is_always_zero = true,
            .entry_description = "AUTOENROLL",
            .needs_no_effective_date = true},
    SecCode{.code = "IAT",
            .form = iat,
            .min_addenda = 7,
            .max_addenda = 14,
            .addenda_type = "10",
            .may_be_zero_dollar = true},
    SecCode{.code = "MTE", .min_addenda = 1, .addenda_type = "02"},
    SecCode{.code = "POP", .side = debits, .form = pop, .max_addenda = 0, .max_cents = 25'000'00},
    SecCode{.code = "POS", .min_addenda = 1, .addenda_type = "02"},
    SecCode{.code = "PPD", .is_name_required = true},
    SecCode{.code = "RCK",
            .side = debits,
            .form = check,
            .max_addenda = 0,
            .max_cents = 2'500'00,
            .entry_description = "REDEPCHECK"},
    SecCode{.code = "SHR", .side = debits, .form = shr, .min_addenda = 1, .addenda_type = "02"},
    SecCode{.code = "TEL", .side = debits, .max_addenda = 0, .is_name_required = true},
    SecCode{.code = "TRC", .side = debits, .form = trc, .max_addenda = 0},
    SecCode{.code = "TRX", .side = debits, .form = counted, .max_addenda = 9999},
    SecCode{.code = "WEB", .is_name_required = true},
    SecCode{.code = "XCK", .side = debits, .form = trc, .max_addenda = 0, .max_cents = 2'500'00},
};

}  // namespace

const SecCode* find_sec_code(std::string_view code) {
    const auto* found = std::ranges::find(sec_codes, code, &SecCode::code);
    return found == sec_codes.end() ? nullptr : &*found;
}

}  // namespace drawbridge::nacha
