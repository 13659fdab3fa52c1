// The digits of an entry's transaction code: 2x checking, 3x savings, 4x general ledger, 5x loan.
#pragma once

namespace drawbridge::nacha {

constexpr bool is_prenote(int code) {
    return code == 53 || ((code % 10 == 3 || code % 10 == 8) && code < 50);
}
constexpr bool is_zero_dollar(int code) {
    return code == 54 || ((code % 10 == 4 || code % 10 == 9) && code < 50);
}
// A return or a notification of change.
constexpr bool is_return_or_change(int code) {
    return (code % 10 == 1 || code % 10 == 6) && code < 60;
}

}  // namespace drawbridge::nacha
