#include "store.hpp"

#include <fmt/format.h>

#include <limits>

namespace draws_sandbox {
namespace {

constexpr std::size_t max_prepared = 256;

std::string column_list() {
    std::string out;
    for (const auto& field : fields) {
        if (!out.empty()) out += ',';
        out += field.name;
    }
    return out;
}

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

void bind(SQLite::Statement& statement, int index, const Operand& operand) {
    std::visit([&](const auto& value) { statement.bind(index, value); }, operand);
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

// By bytes, so that case counts and no character is a wildcard.
std::string text_condition(std::string_view name, Operator op, std::size_t index) {
    const auto column = fmt::format("CAST({} AS BLOB)", name);
    const auto operand = fmt::format("CAST(?{} AS BLOB)", index);
    if (op == Operator::contains) return fmt::format("instr({},{})>0", column, operand);
    if (op == Operator::starts_with) return fmt::format("substr({},1,length({}))={}", column, operand, operand);
    return fmt::format("substr({},length({})-length({})+1)={}", column, column, operand, operand);
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

std::string where(const ListQuery& query) {
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
    for (const auto& filter : query.filters)
        bind(statement, ++index, filter.operand);
    return index;
}

// Whatever the caller does, the statement is ready for its next use and holds no lock.
class Use {
  public:
    explicit Use(SQLite::Statement& statement) : statement_(statement) {}
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    ~Use() { statement_.tryReset(); }
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
    Use(store_.prepared("BEGIN IMMEDIATE"))->exec();
}

Store::Transaction::~Transaction() {
    if (open_) Use(store_.prepared("ROLLBACK"))->exec();
}

void Store::Transaction::commit() {
    Use(store_.prepared("COMMIT"))->exec();
    open_ = false;
}

SQLite::Statement& Store::prepared(const std::string& sql) {
    if (const auto found = statements_.find(sql); found != statements_.end()) return *found->second;
    if (statements_.size() >= max_prepared) statements_.clear();
    auto statement = std::make_unique<SQLite::Statement>(database_, sql);
    return *statements_.emplace(sql, std::move(statement)).first->second;
}

std::optional<Draw> Store::find(std::int64_t id) {
    static const std::string sql = fmt::format("SELECT {} FROM draws WHERE id=?", column_list());
    Use statement(prepared(sql));
    statement->bind(1, id);
    if (!statement->executeStep()) return std::nullopt;
    return read_draw(*statement);
}

std::int64_t Store::insert(const Draw& draw) {
    static const std::string sql = [] {
        std::string marks = "?";
        for (std::size_t i = 1; i < field_count; ++i)
            marks += ",?";
        return fmt::format("INSERT INTO draws({}) VALUES({})", column_list(), marks);
    }();
    Use statement(prepared(sql));
    for (std::size_t i = 0; i < field_count; ++i) {
        bind(*statement, static_cast<int>(i) + 1, draw[static_cast<Field>(i)]);
    }
    statement->exec();
    return database_.getLastInsertRowid();
}

void Store::update(std::int64_t id, const Changes& changes) {
    std::string sql = "UPDATE draws SET ";
    for (std::size_t i = 0; i < changes.size(); ++i) {
        if (i > 0) sql += ',';
        sql += info(changes[i].first).name;
        sql += "=?";
    }
    sql += " WHERE id=?";
    Use statement(prepared(sql));
    int index = 0;
    for (const auto& [field, value] : changes)
        bind(*statement, ++index, value);
    statement->bind(++index, id);
    statement->exec();
}

bool Store::empty() {
    Use statement(prepared("SELECT 1 FROM draws LIMIT 1"));
    return !statement->executeStep();
}

std::int64_t Store::count(const ListQuery& query) {
    Use statement(prepared("SELECT count(*) FROM draws" + where(query)));
    bind_filters(*statement, query);
    statement->executeStep();
    return statement->getColumn(0).getInt64();
}

std::vector<Draw> Store::page(const ListQuery& query) {
    const auto pages_before = query.page_number - 1;
    if (pages_before > std::numeric_limits<std::int64_t>::max() / query.page_size) return {};
    const std::string_view order = query.descending ? "DESC" : "ASC";
    std::string sql = fmt::format("SELECT {} FROM draws{} ORDER BY {} {}", column_list(), where(query),
                                  info(query.sort_by).name, order);
    // The tie-break follows the sort order, so that one index serves both directions.
    if (query.sort_by != Field::id) sql += fmt::format(",id {}", order);
    sql += " LIMIT ? OFFSET ?";
    Use statement(prepared(sql));
    auto index = bind_filters(*statement, query);
    statement->bind(++index, query.page_size);
    statement->bind(++index, pages_before * query.page_size);
    std::vector<Draw> draws;
    while (statement->executeStep())
        draws.push_back(read_draw(*statement));
    return draws;
}

std::vector<std::int64_t> Store::ids_with_status(Status status) {
    Use statement(prepared("SELECT id FROM draws WHERE status=? ORDER BY id"));
    statement->bind(1, static_cast<std::int64_t>(status));
    std::vector<std::int64_t> ids;
    while (statement->executeStep())
        ids.push_back(statement->getColumn(0).getInt64());
    return ids;
}

std::vector<StatusTotal> Store::totals() {
    Use statement(
        prepared("SELECT status,count(*),coalesce(sum(coalesce(amountDisbursed,amountApproved,amountRequested)),0)"
                 " FROM draws GROUP BY status ORDER BY status"));
    std::vector<StatusTotal> totals;
    while (statement->executeStep()) {
        totals.push_back({statement->getColumn(0).getInt64(), statement->getColumn(1).getInt64(),
                          statement->getColumn(2).getInt64()});
    }
    return totals;
}

std::vector<std::pair<std::int64_t, std::string>> Store::workflow_settings() {
    Use statement(prepared("SELECT id,settings FROM workflows ORDER BY id"));
    std::vector<std::pair<std::int64_t, std::string>> settings;
    while (statement->executeStep()) {
        settings.emplace_back(statement->getColumn(0).getInt64(), statement->getColumn(1).getString());
    }
    return settings;
}

void Store::set_workflow_settings(std::int64_t workflow, const std::string& json) {
    Use statement(
        prepared("INSERT INTO workflows(id,settings) VALUES(?,?)"
                 " ON CONFLICT(id) DO UPDATE SET settings=excluded.settings"));
    statement->bind(1, workflow);
    statement->bind(2, json);
    statement->exec();
}

void Store::build_indexes() {
    // Each holds the rowid behind its column, which is the tie-break and serves id[gt]=… as well.
    for (const auto field :
         {Field::case_id, Field::case_name, Field::status, Field::requested_date, Field::amount_requested,
          Field::approved_date, Field::amount_approved, Field::disbursed_date, Field::amount_disbursed,
          Field::modified_date, Field::field_a, Field::config_draw_approver_group_id, Field::workflow_id}) {
        database_.exec(fmt::format("CREATE INDEX IF NOT EXISTS draws_by_{0} ON draws({0})", info(field).name));
    }
}

}  // namespace draws_sandbox
