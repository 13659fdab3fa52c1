#include "store/postgresql/bulk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "drawbridge/domain/assert.hpp"
#include "store/postgresql/dialect.hpp"

namespace drawbridge::ledger::postgresql {
namespace {

constexpr int max_rows = 1000;

// How many placeholders are in the text.
std::size_t placeholders_in(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count(text, '$'));
}

// The name after INSERT INTO, UPDATE or DELETE FROM.
std::string table_of(std::string_view sql, bool is_update) {
    const auto blank = [](char c) { return c == ' ' || c == '\n'; };
    const auto skip_word = [&] { sql.remove_prefix(std::min(sql.find_first_of(" \n"), sql.size())); };
    const auto skip_blanks = [&] {
        while (!sql.empty() && blank(sql.front()))
            sql.remove_prefix(1);
    };
    skip_blanks();
    for (int words = is_update ? 1 : 2; words > 0; --words) {
        skip_word();
        skip_blanks();
    }
    return std::string(sql.substr(0, sql.find_first_of(" (\n")));
}

std::string key_of(const BulkStatement& statement, const std::vector<BoundValue>& values) {
    std::string key;
    for (std::size_t at = statement.first_key(); at < values.size(); ++at)
        append_value(key, values[at]);
    return key;
}

// `other` came first, if both are of one table.
bool must_follow(const Bulk::Group& group, const Bulk::Group& other) {
    const auto &table = group.statement->table(), &other_table = other.statement->table();
    if (other_table == table) return true;
    return other.statement->is_insert() && std::ranges::any_of(references_of_schema(), [&](const Reference& reference) {
               return reference.table == table && reference.referred == other_table;
           });
}

}  // namespace

std::string with_columns(std::string_view text) {
    std::string columns;
    for (const char c : text)
        columns += c == '$' ? std::string("v.p") : std::string(1, c);
    return columns;
}

std::string arrays_of(const std::vector<ValueKind>& kinds) {
    std::string arrays;
    for (std::size_t at = 0; at < kinds.size(); ++at) {
        DRAWBRIDGE_ASSERT(kinds[at] != ValueKind::unknown, "a value in an array has a kind");
        arrays += fmt::format("{}${}::{}[]", at == 0 ? "" : ", ", at + 1,
                              kinds[at] == ValueKind::integer ? "bigint" : "text");
    }
    return "unnest(" + arrays + ")";
}

std::string columns_of(const std::vector<ValueKind>& kinds) {
    std::string columns = "v(";
    for (std::size_t at = 0; at < kinds.size(); ++at)
        columns += fmt::format("{}p{}", at == 0 ? "" : ", ", at + 1);
    return columns;
}

void append_value(std::string& array, const BoundValue& value) {
    array += array.empty() ? '{' : ',';
    if (value.content == nullptr) {
        array += "NULL";
        return;
    }
    if (value.kind == ValueKind::integer) {
        array += value.content;
        return;
    }
    array += '"';
    for (const char* at = value.content; *at != '\0'; ++at) {
        if (*at == '"' || *at == '\\') array += '\\';
        array += *at;
    }
    array += '"';
}

BulkStatement::BulkStatement(std::string_view sql, const std::vector<BoundValue>& first_row) {
    for (const auto& value : first_row)
        kinds_.push_back(value.kind);
    const auto rows = arrays_of(kinds_) + " AS " + columns_of(kinds_) + ")";
    const auto word = [&](std::string_view what) {
        const auto at = sql.find(what);
        DRAWBRIDGE_ASSERT(at != std::string_view::npos, "what is run in bulk is INSERT … VALUES, UPDATE or DELETE");
        return at;
    };
    first_key_ = kinds_.size();
    const auto start = sql.find_first_not_of(" \n");
    is_insert_ = sql.substr(start).starts_with("INSERT");
    const bool is_update = sql.substr(start).starts_with("UPDATE");
    table_ = table_of(sql, is_update);
    if (is_insert_) {
        constexpr std::string_view values = "VALUES (";
        const auto from = word(values);
        const auto end = sql.rfind(')', sql.find("ON CONFLICT"));
        sql_ = std::string(sql.substr(0, from)) + "SELECT " +
               with_columns(sql.substr(from + values.size(), end - from - values.size())) + " FROM " + rows +
               std::string(sql.substr(end + 1));
        return;
    }
    const auto where = word("WHERE");
    first_key_ = placeholders_in(sql.substr(0, where));
    sql_ = with_columns(sql.substr(0, where)) + (is_update ? "FROM " : "USING ") + rows + " " +
           with_columns(sql.substr(where));
}

void Bulk::add(BulkStatement& statement, const std::vector<BoundValue>& values, bool changes_one_row) {
    auto group = std::ranges::find(groups_, &statement, &Group::statement);
    if (group == groups_.end()) {
        groups_.push_back({.statement = &statement, .arrays = std::vector<std::string>(values.size()), .keys = {}});
        group = groups_.end() - 1;
    }
    for (std::size_t at = 0; at < values.size(); ++at) {
        DRAWBRIDGE_ASSERT(values[at].kind == statement.kinds()[at], "the values of a bulk are of one kind");
        append_value(group->arrays[at], values[at]);
    }
    if (statement.first_key() < values.size()) group->keys.insert(key_of(statement, values));
    ++group->rows;
    group->changes_each_row = changes_one_row;
}

bool Bulk::is_full() const {
    return std::ranges::any_of(groups_, [](const Group& group) { return group.rows >= max_rows; });
}

bool Bulk::collides(const BulkStatement& statement, const std::vector<BoundValue>& values) const {
    if (statement.first_key() == values.size()) return false;
    const auto group = std::ranges::find(groups_, &statement, &Group::statement);
    return group != groups_.end() && group->keys.contains(key_of(statement, values));
}

std::vector<Bulk::Group> Bulk::take() {
    std::vector<Group> ordered;
    auto waiting = std::exchange(groups_, {});
    while (!waiting.empty()) {
        // The first that needs none of the others before it.
        auto next = waiting.begin();
        const auto needs_another = [&](const Group& group) {
            return std::ranges::any_of(waiting, [&](const Group& other) {
                const bool is_before = &other < &group || other.statement->table() != group.statement->table();
                return &other != &group && is_before && must_follow(group, other);
            });
        };
        while (next != waiting.end() && needs_another(*next))
            ++next;
        DRAWBRIDGE_ASSERT(next != waiting.end(), "references form no circle");
        for (auto& array : next->arrays)
            array += '}';
        ordered.push_back(std::move(*next));
        waiting.erase(next);
    }
    return ordered;
}

}  // namespace drawbridge::ledger::postgresql
