#include "query.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "wire.hpp"

namespace draws_sandbox {
namespace {

std::optional<unsigned> hex_digit(char c) {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
    if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
    return std::nullopt;
}

std::optional<std::string> decode(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '+') {
            out += ' ';
        } else if (text[i] != '%') {
            out += text[i];
        } else {
            if (i + 2 >= text.size()) return std::nullopt;
            const auto high = hex_digit(text[i + 1]);
            const auto low = hex_digit(text[i + 2]);
            if (!high || !low) return std::nullopt;
            out += static_cast<char>(*high * 16 + *low);
            i += 2;
        }
    }
    return out;
}

std::unexpected<Problem> refused(std::string code, std::string detail) {
    return std::unexpected(Problem{400, std::move(code), std::move(detail)});
}

struct Name {
    std::string_view field;
    Operator op;
};

std::optional<Name> split_name(std::string_view name) {
    static constexpr std::array<std::pair<std::string_view, Operator>, 7> operators{
        {{"gt", Operator::gt},
         {"gte", Operator::gte},
         {"lt", Operator::lt},
         {"lte", Operator::lte},
         {"contains", Operator::contains},
         {"startsWith", Operator::starts_with},
         {"endsWith", Operator::ends_with}}};
    const auto bracket = name.find('[');
    if (bracket == std::string_view::npos) return Name{name, Operator::equal};
    if (!name.ends_with(']')) return std::nullopt;
    const auto word = name.substr(bracket + 1, name.size() - bracket - 2);
    const auto* const found = std::ranges::find(operators, word, [](const auto& entry) { return entry.first; });
    if (found == operators.end()) return std::nullopt;
    return Name{name.substr(0, bracket), found->second};
}

bool suits(Operator op, Kind kind) {
    switch (op) {
        case Operator::equal: return true;
        case Operator::gt:
        case Operator::gte:
        case Operator::lt:
        case Operator::lte: return kind != Kind::text;
        case Operator::contains:
        case Operator::starts_with:
        case Operator::ends_with: return kind == Kind::text;
    }
    return false;
}

std::optional<Operand> amount_operand(std::string_view text) {
    if (const auto cents = parse_cents(text)) return Operand{*cents};
    double value = 0;
    const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || failure != std::errc{} || stop != text.data() + text.size() || value != value)
        return std::nullopt;
    return Operand{value * 100};
}

std::optional<Operand> operand_for(Kind kind, const std::string& text) {
    switch (kind) {
        case Kind::integer:
            if (const auto value = parse_integer(text)) return Operand{*value};
            return std::nullopt;
        case Kind::amount: return amount_operand(text);
        case Kind::instant:
            if (const auto value = parse_instant(text)) return Operand{std::int64_t{value->time_since_epoch().count()}};
            return std::nullopt;
        case Kind::text: return Operand{text};
    }
    return std::nullopt;
}

std::string_view kind_name(Kind kind) {
    switch (kind) {
        case Kind::integer: return "an integer";
        case Kind::amount: return "a number";
        case Kind::instant: return "a UTC date-time";
        case Kind::text: return "text";
    }
    return "a value";
}

bool names_a_filter(const std::string& name) {
    const auto parts = split_name(name);
    const auto field = parts ? find_field(parts->field) : std::nullopt;
    return field && is_published(*field);
}

std::expected<Filter, Problem> read_filter(const std::string& name, const std::string& text) {
    if (!names_a_filter(name)) {
        return refused("unknown_parameter", fmt::format("'{}' is not a parameter of this list", name));
    }
    const auto parts = split_name(name);
    const auto field = find_field(parts->field);
    const auto kind = info(*field).kind;
    if (!suits(parts->op, kind)) {
        return refused("bad_filter", fmt::format("'{}' does not apply to {}", name, kind_name(kind)));
    }
    auto operand = operand_for(kind, text);
    if (!operand) return refused("bad_filter", fmt::format("'{}' needs {}, not '{}'", name, kind_name(kind), text));
    return Filter{*field, parts->op, std::move(*operand)};
}

std::expected<std::int64_t, Problem> positive(const std::string& name, const std::string& text) {
    const auto value = parse_integer(text);
    if (!value || *value < 1) {
        return refused("bad_page", fmt::format("'{}' needs an integer of at least 1, not '{}'", name, text));
    }
    return *value;
}

std::expected<void, Problem> read_page_size(const std::string& text, const Options& options, ListQuery& query) {
    const auto size = positive("pageSize", text);
    if (!size) return std::unexpected(size.error());
    if (*size > options.page_size_max && options.refuse_page_size_over_max) {
        return refused("bad_page", fmt::format("'pageSize' is at most {}, not {}", options.page_size_max, *size));
    }
    query.page_size = std::min(*size, options.page_size_max);
    return {};
}

std::expected<void, Problem> read_sort_field(const std::string& text, ListQuery& query) {
    const auto field = find_field(text);
    if (!field || !is_published(*field)) {
        return refused("bad_sort", fmt::format("'sortBy' needs the name of a field of the draw, not '{}'", text));
    }
    query.sort_by = *field;
    return {};
}

std::expected<void, Problem> read_sort_order(const std::string& text, ListQuery& query) {
    if (text != "asc" && text != "desc") {
        return refused("bad_sort", fmt::format("'sortOrder' needs asc or desc, not '{}'", text));
    }
    query.descending = text == "desc";
    return {};
}

std::expected<void, Problem> read_parameter(const std::string& name, const std::string& text, const Options& options,
                                            ListQuery& query) {
    if (name == "sortBy") return read_sort_field(text, query);
    if (name == "sortOrder") return read_sort_order(text, query);
    if (name == "pageSize") return read_page_size(text, options, query);
    if (name == "pageNumber") {
        const auto number = positive(name, text);
        if (!number) return std::unexpected(number.error());
        query.page_number = *number;
        return {};
    }
    if (options.ignore_unknown_parameters && !names_a_filter(name)) return {};
    auto filter = read_filter(name, text);
    if (!filter) return std::unexpected(std::move(filter.error()));
    query.filters.push_back(std::move(*filter));
    return {};
}

}  // namespace

std::optional<Parameters> parse_parameters(std::string_view query) {
    Parameters parameters;
    while (!query.empty()) {
        const auto end = query.find('&');
        const auto part = query.substr(0, end);
        query.remove_prefix(end == std::string_view::npos ? query.size() : end + 1);
        if (part.empty()) continue;
        const auto equals = part.find('=');
        auto name = decode(part.substr(0, equals));
        auto value = decode(equals == std::string_view::npos ? std::string_view{} : part.substr(equals + 1));
        if (!name || !value) return std::nullopt;
        parameters.emplace_back(std::move(*name), std::move(*value));
    }
    return parameters;
}

std::expected<ListQuery, Problem> parse_list_query(std::string_view query, const Options& options) {
    const auto parameters = parse_parameters(query);
    if (!parameters) return refused("bad_query", "the query string has an invalid percent escape");
    ListQuery result;
    result.page_size = options.page_size_default;
    for (const auto& [name, text] : *parameters) {
        const auto read = read_parameter(name, text, options, result);
        if (!read) return std::unexpected(read.error());
    }
    return result;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
    std::int64_t value = 0;
    const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || failure != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace draws_sandbox
