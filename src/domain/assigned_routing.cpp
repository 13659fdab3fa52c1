#include "drawbridge/domain/assigned_routing.hpp"

namespace drawbridge {

bool is_assigned_routing(int first_two) {
    const auto is_within = [&](int first, int last) { return first_two >= first && first_two <= last; };
    return is_within(0, 12) || is_within(21, 32) || is_within(61, 72) || first_two == 80;
}

bool is_assigned_routing(const RoutingNumber& number) {
    const std::string& digits = number.to_string();
    return is_assigned_routing((digits[0] - '0') * 10 + (digits[1] - '0'));
}

Result<RoutingNumber> parse_assigned_routing(std::string_view text) {
    auto number = RoutingNumber::parse(text);
    if (!number || is_assigned_routing(*number)) return number;
    return fail(ErrorCode::invalid_input, "routing number " + number->to_string() +
                                              " is not assigned to a bank: no routing number begins with " +
                                              number->to_string().substr(0, 2));
}

}  // namespace drawbridge
