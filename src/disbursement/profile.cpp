#include "drawbridge/disbursement/profile.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/nacha/transliterate.hpp"
#include "drawbridge/text/json.hpp"

namespace drawbridge::disbursement {

namespace {

using Json = nlohmann::json;

// Thrown for a JSON value that is not a valid enumerator, routing number or account number.
struct BadProfile : std::runtime_error {
    using std::runtime_error::runtime_error;
};

template <class T>
struct Named {
    std::string_view name;
    T value;
};
constexpr std::array paddings = {Named{"nines", nacha::Padding::nines}, Named{"none", nacha::Padding::none}};
constexpr std::array line_ends = {Named{"lf", nacha::LineEnd::lf}, Named{"crlf", nacha::LineEnd::crlf}};
constexpr std::array amount_formats = {Named{"decimal", checks::AmountFormat::decimal},
                                       Named{"cents", checks::AmountFormat::cents}};
constexpr std::array column_kinds = {
    Named{"code", checks::ColumnKind::code},
    Named{"account_number", checks::ColumnKind::account_number},
    Named{"check_number", checks::ColumnKind::check_number},
    Named{"issue_date", checks::ColumnKind::issue_date},
    Named{"amount", checks::ColumnKind::amount},
    Named{"payee_name", checks::ColumnKind::payee_name},
    Named{"payment_reference", checks::ColumnKind::payment_reference},
    Named{"constant", checks::ColumnKind::constant},
    Named{"file_date", checks::ColumnKind::file_date},
    Named{"count", checks::ColumnKind::count},
    Named{"total", checks::ColumnKind::total},
    Named{"blank", checks::ColumnKind::blank},
};
constexpr std::array file_formats = {Named{"csv", checks::FileFormat::csv}, Named{"fixed", checks::FileFormat::fixed}};

template <class Table, class T>
std::string name_in(const Table& table, T value) {
    for (const auto& row : table) {
        if (row.value == value) return std::string(row.name);
    }
    throw BadProfile("an enumerator without a name");
}

template <class Table>
auto value_in(const Table& table, const Json& name) {
    for (const auto& row : table) {
        if (row.name == name.get<std::string>()) return row.value;
    }
    throw BadProfile("unknown value '" + name.get<std::string>() + "'");
}

template <class T>
T parsed(const Json& text) {
    auto value = T::parse(text.get<std::string>());
    if (!value) throw BadProfile("an invalid bank number");
    return *value;
}

Json columns_to_json(const std::vector<checks::Column>& columns) {
    Json list = Json::array();
    for (const checks::Column& column : columns) {
        list.push_back({{"kind", name_in(column_kinds, column.kind)},
                        {"header", column.header},
                        {"width", column.width},
                        {"constant", column.constant},
                        {"first", column.first},
                        {"pad", std::string(1, column.pad)},
                        {"justify_right", column.justify_right}});
    }
    return list;
}

Json code_to_json(const std::optional<std::string>& code) {
    return code ? Json(*code) : Json(nullptr);
}

Json layout_to_json(const checks::IssueLayout& layout) {
    return {{"name", layout.name},
            {"format", name_in(file_formats, layout.format)},
            {"record_length", layout.record_length},
            {"delimiter", std::string(1, layout.delimiter)},
            {"header_line", layout.header_line},
            {"crlf", layout.crlf},
            {"date_format", layout.date_format},
            {"amount_format", name_in(amount_formats, layout.amount_format)},
            {"issue_code", layout.issue_code},
            {"void_code", code_to_json(layout.void_code)},
            {"stop_code", code_to_json(layout.stop_code)},
            {"columns", columns_to_json(layout.columns)},
            {"header_record", columns_to_json(layout.header_record)},
            {"trailer_record", columns_to_json(layout.trailer_record)}};
}

std::vector<checks::Column> columns_from_json(const Json& list) {
    std::vector<checks::Column> columns;
    for (const Json& column : list) {
        columns.push_back({.kind = value_in(column_kinds, column.at("kind")),
                           .header = column.at("header").get<std::string>(),
                           .width = column.at("width").get<std::size_t>(),
                           .constant = column.at("constant").get<std::string>(),
                           .first = column.at("first").get<std::size_t>(),
                           .pad = column.at("pad").get<std::string>().at(0),
                           .justify_right = column.at("justify_right").get<bool>()});
    }
    return columns;
}

std::optional<std::string> code_from_json(const Json& json) {
    if (json.is_null()) return std::nullopt;
    return json.get<std::string>();
}

checks::IssueLayout layout_from_json(const Json& json) {
    checks::IssueLayout layout;
    layout.name = json.at("name").get<std::string>();
    layout.format = value_in(file_formats, json.at("format"));
    layout.record_length = json.at("record_length").get<std::size_t>();
    layout.delimiter = json.at("delimiter").get<std::string>().at(0);
    layout.header_line = json.at("header_line").get<bool>();
    layout.crlf = json.at("crlf").get<bool>();
    layout.date_format = json.at("date_format").get<std::string>();
    layout.amount_format = value_in(amount_formats, json.at("amount_format"));
    layout.issue_code = json.at("issue_code").get<std::string>();
    layout.void_code = code_from_json(json.at("void_code"));
    layout.stop_code = code_from_json(json.at("stop_code"));
    layout.columns = columns_from_json(json.at("columns"));
    layout.header_record = columns_from_json(json.at("header_record"));
    layout.trailer_record = columns_from_json(json.at("trailer_record"));
    return layout;
}

Json to_json_value(const AchProfile& profile) {
    Json json = {{"rail", "ach"},
                 {"odfi", profile.odfi.to_string()},
                 {"odfi_name", profile.odfi_name},
                 {"origin_id", profile.origin_id},
                 {"origin_name", profile.origin_name},
                 {"company_name", profile.company_name},
                 {"company_id", profile.company_id},
                 {"entry_description", profile.entry_description},
                 {"company_discretionary", profile.company_discretionary},
                 {"line_end", name_in(line_ends, profile.line_end)}};
    // Optional settings are stored only where they are used.
    if (profile.destination) json["destination"] = profile.destination->to_string();
    if (!profile.reference_code.empty()) json["reference_code"] = profile.reference_code;
    if (profile.padding != nacha::Padding::nines) json["padding"] = name_in(paddings, profile.padding);
    if (profile.offset) {
        json["offset"] = {{"routing_number", profile.offset->routing_number.to_string()},
                          {"account_number", profile.offset->account_number.reveal()},
                          {"savings", profile.offset->is_savings}};
    }
    return json;
}

Json to_json_value(const CheckProfile& profile) {
    return {{"rail", "check"}, {"account", profile.account.reveal()}, {"layout", layout_to_json(profile.layout)}};
}

AchProfile ach_from_json(const Json& json) {
    AchProfile profile = {.odfi = parsed<RoutingNumber>(json.at("odfi")),
                          .odfi_name = json.at("odfi_name").get<std::string>(),
                          .origin_id = json.at("origin_id").get<std::string>(),
                          .origin_name = json.at("origin_name").get<std::string>(),
                          .company_name = json.at("company_name").get<std::string>(),
                          .company_id = json.at("company_id").get<std::string>(),
                          .entry_description = json.at("entry_description").get<std::string>(),
                          .company_discretionary = json.at("company_discretionary").get<std::string>(),
                          .line_end = value_in(line_ends, json.at("line_end"))};
    if (json.contains("destination")) profile.destination = parsed<RoutingNumber>(json.at("destination"));
    if (json.contains("reference_code")) profile.reference_code = json.at("reference_code").get<std::string>();
    if (json.contains("padding")) profile.padding = value_in(paddings, json.at("padding"));
    if (json.contains("offset")) {
        const Json& offset = json.at("offset");
        profile.offset =
            OffsetAccount{parsed<RoutingNumber>(offset.at("routing_number")),
                          parsed<AccountNumber>(offset.at("account_number")), offset.at("savings").get<bool>()};
    }
    return profile;
}

bool is_id(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return is_digit(c) || is_upper(c); });
}

// Text must be present if required, have a form that banks accept, and fit: configured text is never truncated
// silently.
Result<void> check_text(std::string_view key, const std::string& text, std::size_t width, bool is_required) {
    const auto refuse = [&](const std::string& why) {
        return fail(ErrorCode::invalid_input, std::string(key) + ": " + why);
    };
    const auto upper = nacha::transliterate(text);
    if (!upper) return refuse(upper.error().message);
    if (is_required && upper->find_first_not_of(' ') == std::string::npos) return refuse("must not be empty");
    if (upper->starts_with(' ')) return refuse("must not begin with a space");
    if (upper->size() > width)
        return refuse("'" + *upper + "' is longer than " + std::to_string(width) + " characters");
    return {};
}

}  // namespace

Result<void> check_profile(const AchProfile& profile) {
    const std::size_t origin_length = profile.origin_id.size();
    if ((origin_length != 9 && origin_length != 10) || !is_id(profile.origin_id)) {
        return fail(ErrorCode::invalid_input,
                    "ach.origin.id: must be nine or ten characters of 0-9 and A-Z, as the bank assigned it");
    }
    if (profile.company_id.empty() || profile.company_id.size() > 10 || !is_id(profile.company_id)) {
        return fail(ErrorCode::invalid_input,
                    "ach.company.id: must be one to ten characters of 0-9 and A-Z, as the bank assigned it");
    }
    struct Rule {
        std::string_view key;
        const std::string& text;
        std::size_t width;
        bool is_required;
    };
    const std::array rules = {
        Rule{"ach.odfi.name", profile.odfi_name, 23, false},
        Rule{"ach.origin.name", profile.origin_name, 23, false},
        Rule{"ach.company.name", profile.company_name, 16, true},
        Rule{"ach.company.entry_description", profile.entry_description, 10, true},
        Rule{"ach.company.discretionary", profile.company_discretionary, 20, false},
        Rule{"ach.reference_code", profile.reference_code, 8, false},
    };
    for (const Rule& rule : rules) {
        if (auto good = check_text(rule.key, rule.text, rule.width, rule.is_required); !good) return good;
    }
    return {};
}

std::string to_json(const FileProfile& profile) {
    return std::visit([](const auto& kind) { return to_json_value(kind).dump(); }, profile);
}

Result<FileProfile> profile_from_json(std::string_view json) {
    const auto parsed_json = text::parse_json(json);
    if (!parsed_json) return fail(ErrorCode::invalid_input, "the stored file profile cannot be read");
    const Json& value = *parsed_json;
    try {
        const auto rail = value.at("rail").get<std::string>();
        if (rail == "ach") return ach_from_json(value);
        if (rail == "check") {
            return CheckProfile{.account = parsed<AccountNumber>(value.at("account")),
                                .layout = layout_from_json(value.at("layout"))};
        }
        return fail(ErrorCode::invalid_input, "the stored file profile has an unknown rail");
    } catch (const Json::exception&) {  // its text may repeat the account number
        return fail(ErrorCode::invalid_input, "the stored file profile cannot be read");
    } catch (const BadProfile& bad) {
        return fail(ErrorCode::invalid_input, std::string("the stored file profile has ") + bad.what());
    } catch (const std::out_of_range&) {  // an empty delimiter
        return fail(ErrorCode::invalid_input, "the stored file profile cannot be read");
    }
}

}  // namespace drawbridge::disbursement
