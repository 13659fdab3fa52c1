// Rows of statements that are run as one: a statement that is run for many rows in turn costs the server as much for
// each as one for all. The values become arrays, one for each placeholder, and the statement reads its rows from them.
// Private to this module.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/postgresql/pipeline.hpp"

namespace drawbridge::ledger::postgresql {

enum class ValueKind { unknown, integer, text };

struct BoundValue {
    std::string copy;               // what the statement keeps
    const char* content = nullptr;  // zero-terminated; nullptr: NULL
    ValueKind kind = ValueKind::unknown;
};

// The text of a statement with its placeholders as columns of rows "v": $2 is v.p2.
[[nodiscard]] std::string with_columns(std::string_view text);
// "unnest($1::bigint[], $2::text[])", and "v(p1, p2)" without its end.
[[nodiscard]] std::string arrays_of(const std::vector<ValueKind>& kinds);
[[nodiscard]] std::string columns_of(const std::vector<ValueKind>& kinds);
// One more element; the array's end is missing.
void append_value(std::string& array, const BoundValue& value);

// INSERT … VALUES (…) [ON CONFLICT DO NOTHING], or UPDATE and DELETE … WHERE of which each row of values names other
// rows of the table.
class BulkStatement {
  public:
    BulkStatement(std::string_view sql, const std::vector<BoundValue>& first_row);

    [[nodiscard]] const std::string& sql() const { return sql_; }
    [[nodiscard]] const std::string& table() const { return table_; }
    [[nodiscard]] bool is_insert() const { return is_insert_; }
    // The placeholder after which values say which rows are changed; none in an INSERT.
    [[nodiscard]] std::size_t first_key() const { return first_key_; }
    [[nodiscard]] const std::vector<ValueKind>& kinds() const { return kinds_; }

    std::string name;                  // empty: not prepared yet
    std::int64_t failures_before = 0;  // when it was prepared

  private:
    std::string sql_, table_;
    bool is_insert_ = false;
    std::size_t first_key_ = 0;
    std::vector<ValueKind> kinds_;
};

// Rows that wait. Statements are run in the order in which the first row of each came, but rows that others refer to
// are inserted before them.
class Bulk {
  public:
    // Statements that wait together must not depend on each other, except by a reference.
    void add(BulkStatement& statement, const std::vector<BoundValue>& values, bool changes_one_row);
    [[nodiscard]] bool is_full() const;
    // A row that changes what a waiting one changes.
    [[nodiscard]] bool collides(const BulkStatement& statement, const std::vector<BoundValue>& values) const;

    struct Group {
        BulkStatement* statement;
        std::vector<std::string> arrays;
        std::set<std::string> keys;
        int rows = 0;
        bool changes_each_row = false;
    };
    [[nodiscard]] std::vector<Group> take();

  private:
    std::vector<Group> groups_;
};

}  // namespace drawbridge::ledger::postgresql
