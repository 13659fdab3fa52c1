#include "xml_nodes.hpp"

#include <algorithm>

#include "drawbridge/domain/ascii.hpp"
#include "line_sink.hpp"
#include "xml_elements.hpp"

namespace drawbridge::statements {

pugi::xml_node child(const pugi::xml_node& of, std::string_view name) {
    for (const pugi::xml_node& node : of.children()) {
        if (local_name(node.name()) == name) return node;
    }
    return {};
}

pugi::xml_node at_path(pugi::xml_node node, std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names)
        node = child(node, name);
    return node;
}

std::string own_text(const pugi::xml_node& node) {
    std::string text;
    for (const pugi::xml_node& part : node.children()) {
        if (part.type() == pugi::node_pcdata || part.type() == pugi::node_cdata) text += part.value();
    }
    return std::string(trim(text));
}

std::string text_at(const pugi::xml_node& node, std::initializer_list<std::string_view> names) {
    return own_text(at_path(node, names));
}

std::string code_at(const pugi::xml_node& node, std::string_view name) {
    const pugi::xml_node found = child(node, name);
    const pugi::xml_node code = child(found, "Cd");
    return own_text(code ? code : found);
}

std::optional<BusinessDate> day_of(std::string_view text, const Zone& zone) {
    if (text.size() > 10 && !std::string_view("T Z+-").contains(text[10])) return std::nullopt;
    const auto date = parse_date(text.substr(0, 10));
    if (!date) return std::nullopt;
    const bool has_offset = text.size() > 11 && text.find_first_of("Z+-", 11) != std::string_view::npos;
    const auto instant = has_offset ? parse_instant(text) : Result<Instant>(Instant());
    const bool is_day = !has_offset || !instant || *instant == Instant(std::chrono::sys_days(*date));
    return zone && !is_day ? zone->date_of(*instant) : *date;
}

std::optional<BusinessDate> day_at(const pugi::xml_node& node, std::string_view name, const Zone& zone) {
    const pugi::xml_node found = child(node, name);
    for (const std::string_view form : {"Dt", "DtTm"}) {
        if (const auto day = day_of(text_at(found, {form}), zone)) return day;
    }
    return day_of(own_text(found), zone);
}

std::string remittance_text(const pugi::xml_node& one, std::string_view separator) {
    constexpr std::size_t longest = 4096;
    std::string whole;
    const auto add = [&](const pugi::xml_node& node) {
        const std::string text = own_text(node);
        if (!text.empty() && whole.size() + text.size() < longest)
            whole.append(whole.empty() ? "" : separator).append(text);
    };
    for (const pugi::xml_node& part : child(one, "RmtInf").children()) {
        if (local_name(part.name()) == "Ustrd") add(part);
        if (local_name(part.name()) == "Strd") add(at_path(part, {"CdtrRefInf", "Ref"}));
    }
    add(child(one, "AddtlTxInf"));
    return whole;
}

void read_currency(const pugi::xml_node& amount, Confirmation& c) {
    for (const pugi::xml_attribute& attribute : amount.attributes()) {
        if (local_name(attribute.name()) == "Ccy") c.currency = uppercase(attribute.value());
    }
}

std::string plain_decimal(std::string_view text) {
    if (text.find_first_of("eE") != std::string_view::npos) return {};
    if (text.starts_with('+')) text.remove_prefix(1);
    if (text.ends_with('.')) text.remove_suffix(1);
    const std::string_view whole = text.substr(0, text.find('.'));
    const std::string_view fraction = text.substr(whole.size());
    const auto digit = std::min(whole.find_first_not_of('0'), whole.size());
    std::string plain(whole.substr(digit));
    if (plain.empty() && !text.empty()) plain = "0";
    return plain + std::string(fraction);
}

bool read_amount(const pugi::xml_node& amount, Confirmation& c, text::DiagnosticReport& report) {
    if (!amount) c.amount_source = AmountSource::none;
    if (!amount) return true;
    read_currency(amount, c);
    const std::string text = own_text(amount);
    if (const auto money = Money::parse(plain_decimal(text))) {
        c.amount = *money;
        return true;
    }
    if (c.currency != "USD") return true;  // dinars have three decimals; the currency alone prevents a match
    report.add(static_cast<int>(c.line), 0,
               "the amount '" + std::string(text.substr(0, 40)) + "' is not an amount in dollars and cents",
               "ask the bank for the file again");
    return false;
}

void append_no_amount(Confirmation& c, const std::string& more) {
    c.note += (c.note.empty() ? "" : "; ") + ("it states no amount" + more);
}

}  // namespace drawbridge::statements
