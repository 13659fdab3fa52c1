#pragma once
// Owns the translation of a list query into SQL: its conditions, its order, and the index to use.
// Must never touch the database.

#include <SQLiteCpp/SQLiteCpp.h>

#include <optional>
#include <string>
#include <vector>

#include "draw.hpp"
#include "query.hpp"

namespace draws_sandbox {

// The columns of a draw, in the order of Field.
[[nodiscard]] const std::string& draw_columns();

// " WHERE ..." with one parameter per filter; empty without filters.
[[nodiscard]] std::string where_clause(const ListQuery& query);
// Binds the filters' operands and returns their number.
int bind_filters(SQLite::Statement& statement, const ListQuery& query);

[[nodiscard]] std::string index_name(Field field);
// " INDEXED BY ..."; for the id, the table itself; without a field, SQLite's choice.
[[nodiscard]] std::string indexed_by(std::optional<Field> field);

// Whether an index on the filter's field can find the matching draws.
[[nodiscard]] bool can_lead(const Filter& filter);
// The fields with such filters, except the id.
[[nodiscard]] std::vector<Field> leading_fields(const ListQuery& query);
// The same query with only this field's filters.
[[nodiscard]] ListQuery only_filters_of(const ListQuery& query, Field field);

// A key for the query's filters and operands except `id[gt]`: the pages of one sweep share it.
[[nodiscard]] std::string sweep_key(const ListQuery& query);
// The operand of `id[gt]` if it is the only filter on the id and occurs once.
[[nodiscard]] std::optional<std::int64_t> sweep_position(const ListQuery& query);

}  // namespace draws_sandbox
