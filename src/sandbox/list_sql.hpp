#pragma once
// Owns how a list query becomes SQL: its conditions, its order, and which index leads to its draws.
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

// " WHERE ..." with parameter n for the n-th filter; empty without filters.
[[nodiscard]] std::string where_clause(const ListQuery& query);
// Binds the filters' operands; returns how many.
int bind_filters(SQLite::Statement& statement, const ListQuery& query);

[[nodiscard]] std::string index_name(Field field);
// " INDEXED BY ..."; for the id, the table itself; for nothing, what SQLite finds best.
[[nodiscard]] std::string indexed_by(std::optional<Field> field);

// Can an index on the filter's field lead to the draws that pass it?
[[nodiscard]] bool can_lead(const Filter& filter);
// The fields with such filters, without the id.
[[nodiscard]] std::vector<Field> leading_fields(const ListQuery& query);
// The same query with the filters of one field only.
[[nodiscard]] ListQuery only_filters_of(const ListQuery& query, Field field);

// A text that names the query's filters and their operands but for `id[gt]`: two pages of one sweep share it.
[[nodiscard]] std::string sweep_key(const ListQuery& query);
// The operand of the one `id[gt]` filter, when there is exactly one and it is the only filter on the id.
[[nodiscard]] std::optional<std::int64_t> sweep_position(const ListQuery& query);

}  // namespace draws_sandbox
