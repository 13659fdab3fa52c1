#include "store/postgresql/session.hpp"

#include <fmt/format.h>

#include <charconv>

#include "drawbridge/domain/assert.hpp"
#include "store/postgresql/dialect.hpp"
#include "store/postgresql/stored_text.hpp"

namespace drawbridge::ledger::postgresql {
namespace {

constexpr int oldest_server = 150000;
constexpr Oid integer_type = 20;  // bigint
constexpr Oid text_type = 25;
constexpr const char* lost_connection = "08006";

std::string without_line_end(std::string text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
        text.pop_back();
    return text;
}

Oid type_of(ValueKind kind) {
    switch (kind) {
        case ValueKind::unknown: return 0;
        case ValueKind::integer: return integer_type;
        case ValueKind::text: return text_type;
    }
    return 0;
}

void keep_warning(void* into, const PGresult* notice) {
    const char* severity = PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
    if (severity == nullptr || std::string_view(severity) != "WARNING") return;
    *static_cast<std::string*>(into) = without_line_end(PQresultErrorMessage(notice));
}

int changed_rows_of(PGresult* result) {
    const std::string_view count = PQcmdTuples(result);
    int rows = 0;
    std::from_chars(count.data(), count.data() + count.size(), rows);
    return rows;
}

std::string quoted_name(const std::string& name) {
    return '"' + name + '"';
}

// What the URL says overrides the values before it. Verified TLS is the default; PostgreSQL uses none on its own
// machine's socket. A primary that is cut off is noticed within seconds, and a standby is never written.
PGconn* connect(const PostgresqlAddress& address) {
    const char* const names[] = {"sslmode",
                                 "connect_timeout",
                                 "keepalives_idle",
                                 "keepalives_interval",
                                 "keepalives_count",
                                 "tcp_user_timeout",
                                 "target_session_attrs",
                                 "dbname",
                                 "application_name",
                                 "client_encoding",
                                 "password",
                                 nullptr};
    const char* const values[] = {"verify-full",
                                  "10",
                                  "5",
                                  "2",
                                  "3",
                                  "10000",
                                  "read-write",
                                  address.url.c_str(),
                                  "drawbridge",
                                  "UTF8",
                                  address.password.empty() ? nullptr : address.password.c_str(),
                                  nullptr};
    constexpr int url_in_dbname = 1;
    return PQconnectdbParams(names, values, url_in_dbname);
}

}  // namespace

Session::Session(const PostgresqlAddress& address) : connection_(connect(address)) {
    if (PQstatus(connection_) != CONNECTION_OK) {
        const std::string why = without_line_end(PQerrorMessage(connection_));
        PQfinish(connection_);
        throw Failure("08001", "ledger.url: PostgreSQL cannot be reached: " + why);
    }
    PQsetNoticeReceiver(connection_, keep_warning, &warning_);
    require_suitable_database();
    // What the server, the database or the role may have set otherwise. The server holds the writer's lock until it
    // notices that this machine is gone, so it looks often too.
    exec(
        "SET tcp_keepalives_idle = 3; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3; "
        "SET tcp_user_timeout = 9000; "
        "SET client_min_messages = warning; SET synchronous_commit = on; SET statement_timeout = 0; SET lock_timeout = "
        "0; "
        "SET idle_in_transaction_session_timeout = 0; SET default_transaction_isolation = 'read committed'; "
        "SET default_transaction_read_only = off; SET standard_conforming_strings = on; SET search_path = " +
        quoted_name(address.schema));
}

std::unexpected<Error> unusable_server(const Failure& failure) {
    if (!failure.is_of("08001") && !failure.is_of("0A000")) throw;
    return fail(ErrorCode::unavailable, failure.what());
}

Session::~Session() {
    PQfinish(connection_);
}

void Session::require_suitable_database() {
    if (PQserverVersion(connection_) < oldest_server) {
        throw Failure("0A000", fmt::format("ledger.url: the server is PostgreSQL {}, the ledger needs 15 or newer",
                                           PQserverVersion(connection_) / 10000));
    }
    const auto locale = value_of(
        "SELECT pg_encoding_to_char(encoding) || ' ' || datcollate || ' ' || datctype FROM "
        "pg_database WHERE datname = current_database()");
    if (locale == "UTF8 C C") return;
    throw Failure("0A000", fmt::format("ledger.url: the database {} has encoding and order {}, and the ledger compares "
                                       "texts byte by byte: create it with 'createdb --template=template0 "
                                       "--encoding=UTF8 --locale=C {}'",
                                       PQdb(connection_), locale, PQdb(connection_)));
}

ResultPointer Session::checked(PGresult* given) {
    ResultPointer result(given);
    const auto status = PQresultStatus(result.get());
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY) return result;
    if (PQstatus(connection_) != CONNECTION_OK) {
        throw Failure(lost_connection,
                      "the connection to PostgreSQL is lost: " + without_line_end(PQerrorMessage(connection_)));
    }
    const char* state = PQresultErrorField(result.get(), PG_DIAG_SQLSTATE);
    throw Failure(state == nullptr ? "XX000" : state, without_line_end(PQresultErrorMessage(result.get())));
}

void Session::exec(const std::string& script) {
    static_cast<void>(checked(PQexec(connection_, script.c_str())));
}

void Session::commit(bool waits_for_disk) {
    warning_.clear();
    const auto sent = boot_time();
    const auto result = checked(PQexec(connection_, "COMMIT"));
    if (std::string_view(PQcmdStatus(result.get())) != "COMMIT")
        throw Failure("40000", "PostgreSQL rolled a transaction back that was to be committed");
    // "canceling wait for synchronous replication": the commit is on no other machine.
    if (!warning_.empty()) throw Failure(lost_connection, "a commit is not safe: " + warning_);
    if (waits_for_disk) lease_->acknowledged(sent);
}

void Session::roll_back() noexcept {
    PQclear(PQexec(connection_, "ROLLBACK"));
}

std::string Session::value_of(const std::string& sql) {
    const auto result = checked(PQexec(connection_, sql.c_str()));
    if (PQntuples(result.get()) == 0) return {};
    return PQgetvalue(result.get(), 0, 0);
}

void Session::for_each_row(const std::string& sql, const std::function<void(const PGresult*)>& act) {
    if (PQsendQuery(connection_, sql.c_str()) == 0 || PQsetSingleRowMode(connection_) == 0)
        throw Failure(lost_connection, without_line_end(PQerrorMessage(connection_)));
    ResultPointer failed;
    while (ResultPointer row{PQgetResult(connection_)}) {
        const auto status = PQresultStatus(row.get());
        if (status == PGRES_SINGLE_TUPLE) {
            act(row.get());
        } else if (status != PGRES_TUPLES_OK) {
            failed = std::move(row);
        }
    }
    if (failed) static_cast<void>(checked(failed.release()));
}

void Session::copy_in(const std::string& sql, const std::function<std::optional<std::string>()>& next) {
    const ResultPointer begun(PQexec(connection_, sql.c_str()));
    if (PQresultStatus(begun.get()) != PGRES_COPY_IN)
        throw Failure("XX000", without_line_end(PQresultErrorMessage(begun.get())));
    bool is_sent = true;
    for (auto line = next(); line && is_sent; line = next())
        is_sent = PQputCopyData(connection_, line->data(), static_cast<int>(line->size())) == 1;
    if (!is_sent || PQputCopyEnd(connection_, nullptr) != 1)
        throw Failure(lost_connection, without_line_end(PQerrorMessage(connection_)));
    auto ended = checked(PQgetResult(connection_));
    while (ResultPointer more{PQgetResult(connection_)}) {
    }
}

void Session::prepare(const std::string& name, const std::string& sql, const std::vector<BoundValue>& values) {
    std::vector<Oid> types;
    types.reserve(values.size());
    for (const auto& value : values)
        types.push_back(type_of(value.kind));
    static_cast<void>(
        checked(PQprepare(connection_, name.c_str(), sql.c_str(), static_cast<int>(types.size()), types.data())));
}

ResultPointer Session::run(const std::string& name, const std::vector<BoundValue>& values) {
    std::vector<const char*> contents;
    contents.reserve(values.size());
    for (const auto& value : values)
        contents.push_back(value.content);
    constexpr int as_text = 0;
    auto result = checked(PQexecPrepared(connection_, name.c_str(), static_cast<int>(contents.size()), contents.data(),
                                         nullptr, nullptr, as_text));
    if (PQresultStatus(result.get()) == PGRES_COMMAND_OK) changed_rows_ += changed_rows_of(result.get());
    return result;
}

Prepared::Prepared(Session& session, std::string_view sql) : session_(session) {
    auto translation = translated(sql);
    sql_ = std::move(translation.text);
    values_.resize(static_cast<std::size_t>(translation.placeholders));
}

void Prepared::bind(int number, std::int64_t value) {
    auto& bound = values_.at(static_cast<std::size_t>(number) - 1);
    bound.copy = std::to_string(value);
    bound.content = bound.copy.c_str();
    bound.kind = ValueKind::integer;
}

void Prepared::bind(int number, std::string_view value) {
    auto& bound = values_.at(static_cast<std::size_t>(number) - 1);
    bound.copy = text_to_store(value).value_or(std::string(value));
    bound.content = bound.copy.c_str();
    bound.kind = ValueKind::text;
}

void Prepared::bind_borrowed(int number, const std::string& value) {
    auto& bound = values_.at(static_cast<std::size_t>(number) - 1);
    auto stored = text_to_store(value);
    if (stored) bound.copy = *std::move(stored);
    bound.content = stored ? bound.copy.c_str() : value.c_str();
    bound.kind = ValueKind::text;
}

void Prepared::bind_null(int number, ValueKind kind) {
    auto& bound = values_.at(static_cast<std::size_t>(number) - 1);
    bound.content = nullptr;
    bound.kind = kind;
}

void Prepared::execute() {
    const auto is_known = [this](std::size_t at) {
        return values_[at].kind == ValueKind::unknown || values_[at].kind == prepared_kinds_[at];
    };
    bool fits = !name_.empty();
    for (std::size_t at = 0; fits && at < values_.size(); ++at)
        fits = is_known(at);
    if (!fits) {
        const auto name = session_.new_statement_name();
        session_.prepare(name, sql_, values_);
        name_ = name;
        prepared_kinds_.clear();
        for (const auto& value : values_)
            prepared_kinds_.push_back(value.kind);
    }
    result_ = session_.run(name_, values_);
}

bool Prepared::next() {
    if (!result_) execute();
    return ++row_ < PQntuples(result_.get());
}

int Prepared::run() {
    execute();
    return changed_rows_of(result_.get());
}

void Prepared::reset() {
    result_.reset();
    row_ = -1;
    for (auto& value : values_) {
        value.content = nullptr;
        value.kind = ValueKind::unknown;
    }
}

std::string Prepared::text(int column) const {
    return text_from_store(
        {PQgetvalue(result_.get(), row_, column), static_cast<std::size_t>(PQgetlength(result_.get(), row_, column))});
}

std::int64_t Prepared::integer(int column) const {
    const std::string_view text = PQgetvalue(result_.get(), row_, column);
    if (text == "t") return 1;
    std::int64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

}  // namespace drawbridge::ledger::postgresql
