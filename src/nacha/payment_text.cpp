#include "payment_text.hpp"

#include <vector>

#include "drawbridge/domain/assigned_routing.hpp"
#include "record_text.hpp"

namespace drawbridge::nacha {

namespace {

// The elements of a text that ends with a backslash; empty when it does not.
std::vector<std::string_view> elements_of(std::string_view text) {
    text = unpadded(text);
    if (!text.ends_with('\\')) return {};
    text.remove_suffix(1);
    std::vector<std::string_view> elements;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find('*', at), text.size());
        elements.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return elements;
}

bool is_mmddyy(std::string_view text) {
    if (text.size() != 6 || !all_digits(text)) return false;
    return BusinessDate(std::chrono::year(2000 + static_cast<int>(number(text.substr(4)))),
                        std::chrono::month(static_cast<unsigned>(number(text.substr(0, 2)))),
                        std::chrono::day(static_cast<unsigned>(number(text.substr(2, 2)))))
        .ok();
}

// "2400.00"
bool is_amount(std::string_view text) {
    const std::size_t point = text.find('.');
    return point != std::string_view::npos && point > 0 && text.size() == point + 3 &&
           all_digits(text.substr(0, point)) && all_digits(text.substr(point + 1));
}

std::optional<std::string> death_notice_fault(std::string_view text) {
    const auto elements = elements_of(text);
    const bool is_formed = elements.size() == 6 && elements[0] == "DATE OF DEATH" &&
                           (elements[2] == "CUSTOMER SSN" || elements[2] == "CUSTOMERSSN") && elements[4] == "AMOUNT";
    if (!is_formed) return "should be DATE OF DEATH*MMDDYY*CUSTOMER SSN*#########*AMOUNT*$$$$.cc\\";
    if (!is_mmddyy(elements[1])) return "the date of death is not a valid date (MMDDYY)";
    if (elements[3].size() != 9 || !all_digits(elements[3])) return "the social security number is not nine digits";
    if (!is_amount(elements[5])) return "the amount is not written as dollars and cents (2400.00)";
    return std::nullopt;
}

std::optional<std::string> enrollment_fault(std::string_view text) {
    const auto elements = elements_of(text);
    if (elements.size() != 8)
        return "should be transaction code*routing number*check digit*account*id*surname*first name*code\\";
    const std::string_view code = elements[0];
    if (code != "22" && code != "27" && code != "32" && code != "37")
        return "the transaction code is not one of 22 27 32 37";
    const bool is_routing = elements[1].size() == 8 && elements[2].size() == 1 &&
                            parse_assigned_routing(std::string(elements[1]) + std::string(elements[2]));
    if (!is_routing) return "the routing number and its check digit are not valid";
    if (elements[3].empty() || elements[3].size() > 17) return "the account number is missing or too long";
    if (elements[4].size() != 9 || !all_digits(elements[4])) return "the taxpayer id is not nine digits";
    if (elements[5].empty()) return "the surname, or the company's name, is missing";
    if (elements[7].size() != 1 || !std::string_view("01AB").contains(elements[7].front()))
        return "the enrollee code is not one of 0 1 A B";
    return std::nullopt;
}

}  // namespace

std::optional<std::string> payment_text_fault(std::string_view sec_code, std::string_view text) {
    if (sec_code == "DNE") return death_notice_fault(text);
    if (sec_code == "ENR") return enrollment_fault(text);
    return std::nullopt;
}

}  // namespace drawbridge::nacha
