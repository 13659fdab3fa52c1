#include "list_sql.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <variant>

namespace draws_sandbox {
namespace {

// Compares bytes, so that case counts and no character is a wildcard.
std::string text_condition(std::string_view name, Operator op, std::size_t index) {
    const auto column = fmt::format("CAST({} AS BLOB)", name);
    const auto operand = fmt::format("CAST(?{} AS BLOB)", index);
    if (op == Operator::contains) return fmt::format("instr({},{})>0", column, operand);
    if (op == Operator::ends_with) {
        return fmt::format("substr({0},length({0})-length({1})+1)={1}", column, operand);
    }
    // A range can use an index; U+10FFFF sorts after everything that may follow the prefix.
    return fmt::format("{0}>=?{1} AND {0}<=?{1}||char(1114111) AND substr({2},1,length({3}))={3}", name, index, column,
                       operand);
}

std::string condition(const Filter& filter, std::size_t index) {
    const auto name = info(filter.field).name;
    switch (filter.op) {
        case Operator::equal: return fmt::format("{}=?{}", name, index);
        case Operator::gt: return fmt::format("{}>?{}", name, index);
        case Operator::gte: return fmt::format("{}>=?{}", name, index);
        case Operator::lt: return fmt::format("{}<?{}", name, index);
        case Operator::lte: return fmt::format("{}<=?{}", name, index);
        case Operator::contains:
        case Operator::starts_with:
        case Operator::ends_with: return text_condition(name, filter.op, index);
    }
    return "0";
}

bool is_position(const Filter& filter) {
    return filter.field == Field::id && filter.op == Operator::gt;
}

}  // namespace

const std::string& draw_columns() {
    static const std::string columns = [] {
        std::string out;
        for (const auto& field : fields) {
            if (!out.empty()) out += ',';
            out += field.name;
        }
        return out;
    }();
    return columns;
}

std::string where_clause(const ListQuery& query) {
    std::string out;
    std::size_t index = 0;
    for (const auto& filter : query.filters) {
        out += out.empty() ? " WHERE " : " AND ";
        out += condition(filter, ++index);
    }
    return out;
}

int bind_filters(SQLite::Statement& statement, const ListQuery& query) {
    int index = 0;
    for (const auto& filter : query.filters) {
        ++index;
        std::visit([&](const auto& operand) { statement.bind(index, operand); }, filter.operand);
    }
    return index;
}

std::string index_name(Field field) {
    return fmt::format("draws_by_{}", info(field).name);
}

std::string indexed_by(std::optional<Field> field) {
    if (!field) return "";
    return *field == Field::id ? " NOT INDEXED" : " INDEXED BY " + index_name(*field);
}

bool can_lead(const Filter& filter) {
    return filter.field != Field::id && filter.op != Operator::contains && filter.op != Operator::ends_with;
}

std::vector<Field> leading_fields(const ListQuery& query) {
    std::vector<Field> out;
    for (const auto& filter : query.filters) {
        if (can_lead(filter) && std::ranges::find(out, filter.field) == out.end()) out.push_back(filter.field);
    }
    return out;
}

ListQuery only_filters_of(const ListQuery& query, Field field) {
    auto out = query;
    std::erase_if(out.filters, [field](const Filter& filter) { return filter.field != field || !can_lead(filter); });
    return out;
}

std::string sweep_key(const ListQuery& query) {
    std::string out;
    for (const auto& filter : query.filters) {
        if (is_position(filter)) continue;
        fmt::format_to(std::back_inserter(out), "{} {} ", info(filter.field).name, static_cast<int>(filter.op));
        std::visit([&out](const auto& operand) { fmt::format_to(std::back_inserter(out), "{}", operand); },
                   filter.operand);
        out += '\n';
    }
    return out;
}

std::optional<std::int64_t> sweep_position(const ListQuery& query) {
    const auto on_id = [](const Filter& filter) { return filter.field == Field::id; };
    if (std::ranges::count_if(query.filters, on_id) != 1) return std::nullopt;
    const auto found = std::ranges::find_if(query.filters, on_id);
    const auto* const position = std::get_if<std::int64_t>(&found->operand);
    if (!is_position(*found) || position == nullptr) return std::nullopt;
    return *position;
}

}  // namespace draws_sandbox
