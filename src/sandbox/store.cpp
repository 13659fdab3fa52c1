#include "store.hpp"

#include <fmt/format.h>

#include <SQLiteCpp/Backup.h>
#include <algorithm>
#include <limits>

#include "list_sql.hpp"

namespace draws_sandbox {
namespace {

constexpr std::size_t max_prepared = 256;
// Up to this many draws, fetching through the filter's index and sorting is cheaper than scanning in sort order.
constexpr std::int64_t max_sorted_draws = 20'000;

std::string schema() {
    std::string out = "CREATE TABLE IF NOT EXISTS draws(id INTEGER PRIMARY KEY";
    for (std::size_t i = 1; i < field_count; ++i) {
        const auto& field = fields[i];
        out += fmt::format(",{} {}{}", field.name, field.kind == Kind::text ? "TEXT" : "INTEGER",
                           field.nullable ? "" : " NOT NULL");
    }
    out += ",CHECK(status BETWEEN 0 AND 5)) STRICT;";
    out += "CREATE TABLE IF NOT EXISTS workflows(id INTEGER PRIMARY KEY, settings TEXT NOT NULL) STRICT;";
    return out;
}

void bind(SQLite::Statement& statement, int index, const Value& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        statement.bind(index, *integer);
    } else if (const auto* text = std::get_if<std::string>(&value)) {
        statement.bindNoCopy(index, *text);
    } else {
        statement.bind(index);
    }
}

Draw read_draw(SQLite::Statement& row) {
    Draw draw;
    for (std::size_t i = 0; i < field_count; ++i) {
        const auto column = row.getColumn(static_cast<int>(i));
        if (column.isNull()) continue;
        auto& value = draw[static_cast<Field>(i)];
        if (fields[i].kind == Kind::text) {
            value = std::string(column.getText(), static_cast<std::size_t>(column.getBytes()));
        } else {
            value = column.getInt64();
        }
    }
    return draw;
}

bool has_id_filter(const ListQuery& query) {
    return std::ranges::any_of(query.filters, [](const Filter& filter) { return filter.field == Field::id; });
}

// Resets the statement on destruction, so that it is ready for its next use and holds no read transaction.
class StatementUse {
  public:
    explicit StatementUse(SQLite::Statement& statement) : statement_(statement) {}
    StatementUse(const StatementUse&) = delete;
    StatementUse& operator=(const StatementUse&) = delete;
    ~StatementUse() { statement_.tryReset(); }
    SQLite::Statement* operator->() { return &statement_; }
    SQLite::Statement& operator*() { return statement_; }

  private:
    SQLite::Statement& statement_;
};

}  // namespace

Store::Store(const std::string& file) : database_(file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE) {
    database_.exec("PRAGMA journal_mode=WAL");
    database_.exec("PRAGMA synchronous=NORMAL");
    database_.exec("PRAGMA cache_size=-65536");
    database_.exec(schema());
}

Store::Transaction::Transaction(Store& store) : store_(store) {
    StatementUse(store_.prepared("BEGIN IMMEDIATE"))->exec();
}

Store::Transaction::~Transaction() {
    if (open_) StatementUse(store_.prepared("ROLLBACK"))->exec();
}

void Store::Transaction::commit() {
    StatementUse(store_.prepared("COMMIT"))->exec();
    open_ = false;
}

SQLite::Statement& Store::prepared(const std::string& sql) {
    if (const auto found = statements_.find(sql); found != statements_.end()) return *found->second;
    if (statements_.size() >= max_prepared) statements_.clear();
    auto statement = std::make_unique<SQLite::Statement>(database_, sql);
    return *statements_.emplace(sql, std::move(statement)).first->second;
}

std::optional<Draw> Store::find(std::int64_t id) {
    static const std::string sql = fmt::format("SELECT {} FROM draws WHERE id=?", draw_columns());
    StatementUse statement(prepared(sql));
    statement->bind(1, id);
    if (!statement->executeStep()) return std::nullopt;
    return read_draw(*statement);
}

std::int64_t Store::insert(const Draw& draw) {
    static const std::string sql = [] {
        std::string marks = "?";
        for (std::size_t i = 1; i < field_count; ++i)
            marks += ",?";
        return fmt::format("INSERT INTO draws({}) VALUES({})", draw_columns(), marks);
    }();
    StatementUse statement(prepared(sql));
    ++changes_;
    for (std::size_t i = 0; i < field_count; ++i) {
        bind(*statement, static_cast<int>(i) + 1, draw[static_cast<Field>(i)]);
    }
    statement->exec();
    return database_.getLastInsertRowid();
}

void Store::update(std::int64_t id, const Changes& changes) {
    ++changes_;
    std::string sql = "UPDATE draws SET ";
    for (std::size_t i = 0; i < changes.size(); ++i) {
        if (i > 0) sql += ',';
        sql += info(changes[i].first).name;
        sql += "=?";
    }
    sql += " WHERE id=?";
    StatementUse statement(prepared(sql));
    int index = 0;
    for (const auto& [field, value] : changes)
        bind(*statement, ++index, value);
    statement->bind(++index, id);
    statement->exec();
}

bool Store::empty() {
    StatementUse statement(prepared("SELECT 1 FROM draws LIMIT 1"));
    return !statement->executeStep();
}

std::int64_t Store::count_through(const ListQuery& query, std::optional<Field> index) {
    StatementUse statement(
        prepared(fmt::format("SELECT count(*) FROM draws{}{}", indexed_by(index), where_clause(query))));
    bind_filters(*statement, query);
    statement->executeStep();
    return statement->getColumn(0).getInt64();
}

std::int64_t Store::count_up_to(const ListQuery& query, Field field, std::int64_t limit) {
    StatementUse statement(prepared(fmt::format("SELECT count(*) FROM (SELECT 1 FROM draws{}{} LIMIT {})",
                                                indexed_by(field), where_clause(query), limit)));
    bind_filters(*statement, query);
    statement->executeStep();
    return statement->getColumn(0).getInt64();
}

std::int64_t Store::count(const ListQuery& query) {
    auto key = sweep_key(query);
    const auto position = sweep_position(query).value_or(std::numeric_limits<std::int64_t>::min());
    const bool one_position = query.filters.empty() || sweep_position(query) || !has_id_filter(query);
    const bool known = one_position && last_count_.changes == changes_ && last_count_.key == key;
    if (known && position == last_count_.position) return last_count_.total;
    std::int64_t total = 0;
    if (known && position > last_count_.position) {
        auto between = query;
        const Filter up_to_here{Field::id, Operator::lte, position};
        between.filters.push_back(up_to_here);
        for (auto& filter : between.filters) {
            if (filter.field == Field::id && filter.op == Operator::gt) filter.operand = last_count_.position;
        }
        total = last_count_.total - count_through(between, equal_field(between).value_or(Field::id));
    } else {
        const auto selective = selective_field(query);
        total = count_through(query, selective ? selective : equal_field(query));
    }
    if (one_position) last_count_ = {changes_, std::move(key), position, total};
    return total;
}

void Store::ensure_index(Field field) {
    if (field == Field::id || !indexed_.insert(field).second) return;
    database_.exec(fmt::format("CREATE INDEX IF NOT EXISTS {} ON draws({})", index_name(field), info(field).name));
}

std::optional<Field> Store::equal_field(const ListQuery& query) {
    const auto equality = std::ranges::find_if(
        query.filters, [](const Filter& filter) { return can_lead(filter) && filter.op == Operator::equal; });
    if (equality == query.filters.end()) return std::nullopt;
    ensure_index(equality->field);
    return equality->field;
}

std::optional<Field> Store::selective_field(const ListQuery& query) {
    std::optional<Field> best;
    auto fewest = max_sorted_draws;
    for (const auto field : leading_fields(query)) {
        ensure_index(field);
        const auto found = count_up_to(only_filters_of(query, field), field, fewest);
        if (found >= fewest) continue;
        fewest = found;
        best = field;
    }
    return best;
}

Field Store::page_index(const ListQuery& query) {
    ensure_index(query.sort_by);
    const auto candidates = leading_fields(query);
    const auto equal = query.sort_by == Field::id ? equal_field(query) : std::nullopt;
    if (equal && candidates.size() == 1) return *equal;
    if (const auto field = selective_field(query)) return *field;
    return equal.value_or(query.sort_by);
}

std::string Store::page_sql(const ListQuery& query) {
    const std::string_view order = query.descending ? "DESC" : "ASC";
    auto sql = fmt::format("SELECT {} FROM draws{}{} ORDER BY {} {}", draw_columns(), indexed_by(page_index(query)),
                           where_clause(query), info(query.sort_by).name, order);
    // The id follows the sort direction, so that one index serves both directions.
    if (query.sort_by != Field::id) sql += fmt::format(",id {}", order);
    return sql + fmt::format(" LIMIT ?{} OFFSET ?{}", query.filters.size() + 1, query.filters.size() + 2);
}

std::vector<Draw> Store::page(const ListQuery& query) {
    const auto pages_before = query.page_number - 1;
    if (pages_before > std::numeric_limits<std::int64_t>::max() / 2 / query.page_size) return {};
    StatementUse statement(prepared(page_sql(query)));
    auto index = bind_filters(*statement, query);
    statement->bind(++index, query.page_size);
    statement->bind(++index, std::max<std::int64_t>(0, pages_before * query.page_size + query.shift));
    std::vector<Draw> draws;
    while (statement->executeStep())
        draws.push_back(read_draw(*statement));
    return draws;
}

std::string Store::page_plan(const ListQuery& query) {
    StatementUse statement(prepared("EXPLAIN QUERY PLAN " + page_sql(query)));
    std::string plan;
    while (statement->executeStep())
        plan += statement->getColumn(3).getString() + "\n";
    return plan;
}

std::vector<std::int64_t> Store::ids_with_status(Status status) {
    StatementUse statement(prepared("SELECT id FROM draws WHERE status=? ORDER BY id"));
    statement->bind(1, static_cast<std::int64_t>(status));
    std::vector<std::int64_t> ids;
    while (statement->executeStep())
        ids.push_back(statement->getColumn(0).getInt64());
    return ids;
}

std::vector<StatusTotal> Store::totals() {
    StatementUse statement(prepared(R"sql(
        SELECT status,count(*),coalesce(sum(coalesce(amountDisbursed,amountApproved,amountRequested)),0)
        FROM draws
        GROUP BY status
        ORDER BY status)sql"));
    std::vector<StatusTotal> totals;
    while (statement->executeStep()) {
        totals.push_back({statement->getColumn(0).getInt64(), statement->getColumn(1).getInt64(),
                          statement->getColumn(2).getInt64()});
    }
    return totals;
}

std::vector<std::pair<std::int64_t, std::string>> Store::workflow_settings() {
    StatementUse statement(prepared("SELECT id,settings FROM workflows ORDER BY id"));
    std::vector<std::pair<std::int64_t, std::string>> settings;
    while (statement->executeStep()) {
        settings.emplace_back(statement->getColumn(0).getInt64(), statement->getColumn(1).getString());
    }
    return settings;
}

void Store::set_workflow_settings(std::int64_t workflow, const std::string& json) {
    StatementUse statement(prepared(R"sql(
        INSERT INTO workflows(id,settings)
        VALUES(?,?)
        ON CONFLICT(id) DO UPDATE SET settings=excluded.settings)sql"));
    statement->bind(1, workflow);
    statement->bind(2, json);
    statement->exec();
}

void Store::build_indexes() {
    for (const auto field : {Field::status, Field::workflow_id, Field::modified_date})
        ensure_index(field);
}

void Store::save_past() {
    past_ = std::make_unique<Store>(":memory:");
    SQLite::Backup(past_->database_, database_).executeStep();
}

}  // namespace draws_sandbox
