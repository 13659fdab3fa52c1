#include "store/postgresql/session.hpp"

#include <fmt/format.h>

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <ranges>
#include <utility>

#include "drawbridge/domain/assert.hpp"
#include "store/postgresql/dialect.hpp"
#include "store/postgresql/stored_text.hpp"

namespace drawbridge::ledger::postgresql {
namespace {

constexpr int oldest_server = 150000;
constexpr Oid integer_type = 20;  // bigint
constexpr Oid text_type = 25;

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
    *static_cast<std::string*>(into) = in_one_line(PQresultErrorMessage(notice));
}

std::string quoted_name(const std::string& name) {
    return '"' + name + '"';
}

// What the URL says overrides the values before it. Verified TLS is the default; PostgreSQL uses none on its own
// machine's socket. A primary that is cut off is noticed within seconds, and a standby is never written.
PGconn* connect(const PostgresqlAddress& address) {
    // Of several hosts one may be lost: it answers nothing at all, and the others are asked after it.
    const bool has_others = address.is_only_read || address.url.find(',') != std::string::npos;
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
                                  has_others ? "3" : "10",
                                  "5",
                                  "2",
                                  "3",
                                  "10000",
                                  address.is_only_read ? "prefer-standby" : "read-write",
                                  address.url.c_str(),
                                  "drawbridge",
                                  "UTF8",
                                  address.password.empty() ? nullptr : address.password.c_str(),
                                  nullptr};
    constexpr int url_in_dbname = 1;
    return PQconnectdbParams(names, values, url_in_dbname);
}

}  // namespace

std::string in_one_line(std::string_view message) {
    std::string line;
    for (const auto part : std::views::split(message, '\n')) {
        std::string_view text(part);
        const bool continues = text.starts_with('\t');
        text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
        if (text.empty() || text == "^") continue;
        const bool is_sentence = std::isupper(static_cast<unsigned char>(text.front())) != 0;
        if (!line.empty()) line += !continues ? "; " : is_sentence ? ". " : " ";
        line += text;
    }
    return line;
}

Session::Session(const PostgresqlAddress& address) : connection_(connect(address)), pipeline_(connection_) {
    const std::string key = address.is_only_read ? "ledger.read_url" : "ledger.url";
    if (PQstatus(connection_) != CONNECTION_OK) {
        throw Failure("08001", key + ": PostgreSQL cannot be reached: " + in_one_line(PQerrorMessage(connection_)));
    }
    PQsetNoticeReceiver(connection_, keep_warning, &warning_);
    require_server_itself(key);
    require_suitable_database(key);
    // What the server, the database or the role may have set otherwise. With row_security off, a policy that would hide
    // rows is an error. The server holds the writer's lock until it notices that this machine is gone, so it looks
    // often too. commit() waits for standbys. The server's own commit does not, by which it drops the temporary tables
    // of a connection that has ended: it would wait even for the end of a primary that is cut off from them, and would
    // so prevent it.
    exec(
        "SET tcp_keepalives_idle = 3; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3; "
        "SET tcp_user_timeout = 9000; "
        "SET client_min_messages = warning; SET synchronous_commit = local; SET statement_timeout = 0; SET "
        "lock_timeout = "
        "0; "
        "SET idle_in_transaction_session_timeout = 0; SET default_transaction_isolation = 'read committed'; "
        "SET default_transaction_deferrable = off; SET standard_conforming_strings = on; SET array_nulls = on; "
        "SET transform_null_equals = off; SET row_security = off; SET idle_session_timeout = 0; SET jit = off; SET "
        "search_path = " +
        quoted_name(address.schema));
    constexpr int first_with_transaction_timeout = 170'000;
    if (PQserverVersion(connection_) >= first_with_transaction_timeout) exec("SET transaction_timeout = 0");
    // Reports go through whole tables, whose statistics a standby has too.
    if (address.is_only_read) {
        exec("SET default_transaction_read_only = on");
        return;
    }
    // Every statement is written for an index and a test looks at its plan, so plans need not depend on how much the
    // server knows of the tables at the moment. In the first minutes of a ledger it knows nothing. An index is read in
    // its order, so that a LIMIT ends early: a bitmap is not, and finds all that a few rows were asked of.
    exec(
        "SET default_transaction_read_only = off; SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; "
        "SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_bitmapscan = off");
}

std::unexpected<Error> unusable_server(const Failure& failure) {
    if (failure.is_of("08001")) return fail(ErrorCode::unavailable, failure.what());
    if (failure.is_of("0A000")) return fail(ErrorCode::invalid_input, failure.what());
    if (!failure.is_of(insufficient_privilege) && !failure.is_of(unusable_schema)) throw;
    return fail(ErrorCode::invalid_input,
                "ledger.url: PostgreSQL refuses what a ledger needs: " + std::string(failure.what()));
}

bool is_lost_connection(const Failure& failure) {
    return failure.is_of("08") || failure.is_of("57P");
}

std::function<void()> Session::interrupter() const {
    std::shared_ptr<PGcancel> cancel(PQgetCancel(connection_), PQfreeCancel);
    return [cancel = std::move(cancel), socket = PQsocket(connection_)] {
        std::array<char, 256> why{};
        static_cast<void>(PQcancel(cancel.get(), why.data(), static_cast<int>(why.size())));
        ::shutdown(socket, SHUT_RDWR);
    };
}

bool Session::is_lost() const {
    pollfd socket{.fd = PQsocket(connection_), .events = POLLRDHUP, .revents = 0};
    constexpr short ended = POLLRDHUP | POLLHUP | POLLERR | POLLNVAL;
    return socket.fd < 0 || (::poll(&socket, 1, 0) > 0 && (socket.revents & ended) != 0);
}

std::string Session::server() const {
    // Empty: the default of libpq.
    const std::string port = PQport(connection_);
    return std::string(PQhost(connection_)) + " port " + (port.empty() ? "5432" : port);
}

// A pooler gives one session of the server to several clients, and several sessions to one client: locks, settings and
// temporary tables would not be of this process alone. It invents the key with which a client cancels, of which the
// process id is a part, because no session of the server is the client's.
void Session::require_server_itself(const std::string& key) {
    if (value_of("SELECT pg_backend_pid()") == std::to_string(PQbackendPID(connection_))) return;
    throw Failure("0A000",
                  fmt::format("{}: {} is a connection pooler: connect to the PostgreSQL server itself", key, server()));
}

void Session::require_suitable_database(const std::string& key) {
    if (PQserverVersion(connection_) < oldest_server) {
        throw Failure("0A000", fmt::format("{}: the server is PostgreSQL {}, the ledger needs 15 or newer", key,
                                           PQserverVersion(connection_) / 10000));
    }
    const auto locale = value_of(
        "SELECT pg_encoding_to_char(encoding) || ' ' || datcollate || ' ' || datctype FROM "
        "pg_database WHERE datname = current_database()");
    if (locale != "UTF8 C C") {
        throw Failure("0A000", fmt::format("{}: the database {} has encoding and order {}, and the ledger compares "
                                           "texts byte by byte: create it with 'createdb --template=template0 "
                                           "--encoding=UTF8 --locale=C {}'",
                                           key, PQdb(connection_), locale, PQdb(connection_)));
    }
    // Only a superuser sets these, for the server, the database or the role. The daemon's role cannot set them back.
    const auto unsafe = value_of(
        "SELECT s.name || ' is ' || s.setting || ', the ledger needs ' || n.setting || ': ALTER ROLE ' || "
        "quote_ident(session_user) || ' SET ' || s.name || ' = ' || n.setting "
        "FROM (VALUES ('session_replication_role', 'origin'), ('zero_damaged_pages', 'off'), "
        "('ignore_checksum_failure', 'off')) n (name, setting) JOIN pg_settings s ON s.name = n.name WHERE s.setting "
        "<> n.setting");
    if (!unsafe.empty()) throw Failure("0A000", key + ": " + unsafe);
}

// Kinds as PostgreSQL calls them, for one statement.
static std::vector<Oid> types_of(const std::vector<ValueKind>& kinds) {
    std::vector<Oid> types;
    types.reserve(kinds.size());
    for (const auto kind : kinds)
        types.push_back(type_of(kind));
    return types;
}

// Over arrays: their types are in its text.
template <class OverArrays>
void Session::prepare_if_needed(OverArrays& statement) {
    if (!statement.name.empty() && statement.failures_before == pipeline_.failures()) return;
    statement.name = new_statement_name();
    statement.failures_before = pipeline_.failures();
    pipeline_.prepare(statement.name, statement.sql(), {});
}

void Session::send_bulk() {
    for (auto& group : bulk_.take()) {
        prepare_if_needed(*group.statement);
        std::vector<const char*> contents;
        for (const auto& array : group.arrays)
            contents.push_back(array.c_str());
        pipeline_.send_prepared(group.statement->name, contents);
        if (group.changes_each_row) pipeline_.expect_changed_rows(group.rows);
    }
}

bool Session::fetch_ahead() {
    if (!ahead_.has_asked()) return false;
    send_bulk();
    for (const auto& group : ahead_.end_groups()) {
        prepare_if_needed(*group.statement);
        std::vector<const char*> contents;
        for (const auto& array : group.arrays)
            contents.push_back(array.c_str());
        pipeline_.send_prepared(group.statement->name, contents);
        pipeline_.keep_answer();
    }
    pipeline_.answer();
    ahead_.add(pipeline_.take_kept());
    return true;
}

void Session::exec(const std::string& script) {
    pipeline().leave();
    static_cast<void>(checked(connection_, owned(PQexec(connection_, script.c_str()))));
}

void Session::begin(bool waits_for_disk) {
    pipeline_.send("BEGIN");
    if (!waits_for_disk) pipeline_.send("SET LOCAL synchronous_commit = off");
    in_transaction_ = true;
    // To the planner all indexes of an empty table are alike. It may take one that later finds a row by reading all.
    if (pipeline_.has_filled_a_table()) pipeline_.send("DISCARD PLANS");
}

void Session::commit(bool waits_for_disk) {
    warning_.clear();
    send_bulk();
    if (waits_for_disk) pipeline_.send("SET LOCAL synchronous_commit = on");
    const auto sent = boot_time();
    pipeline_.send("COMMIT");
    const auto result = pipeline_.answer();
    in_transaction_ = false;
    if (std::string_view(PQcmdStatus(result.get())) != "COMMIT")
        throw Failure("40000", "PostgreSQL rolled back a transaction at its commit");
    // "canceling wait for synchronous replication": the commit is on no other machine.
    if (!warning_.empty()) throw Failure(lost_connection, "a commit is not safe: " + warning_);
    if (waits_for_disk) lease_->acknowledged(sent);
}

void Session::roll_back() noexcept {
    static_cast<void>(bulk_.take());
    ahead_.forget();
    pipeline_.abandon();
    PQclear(PQexec(connection_, "ROLLBACK"));
    in_transaction_ = false;
}

std::string Session::value_of(const std::string& sql) {
    pipeline().send(sql.c_str());
    const auto result = pipeline_.answer();
    if (PQntuples(result.get()) == 0) return {};
    return PQgetvalue(result.get(), 0, 0);
}

void Session::for_each_row(const std::string& sql, const std::function<void(const PGresult*)>& act) {
    pipeline().send(sql.c_str());
    pipeline_.answer(act);
}

void Session::copy_in(const std::string& sql, const std::function<std::optional<std::string>()>& next) {
    pipeline().leave();
    const auto begun = owned(PQexec(connection_, sql.c_str()));
    if (PQresultStatus(begun.get()) != PGRES_COPY_IN)
        throw Failure("XX000", in_one_line(PQresultErrorMessage(begun.get())));
    bool is_sent = true;
    for (auto line = next(); line && is_sent; line = next())
        is_sent = PQputCopyData(connection_, line->data(), static_cast<int>(line->size())) == 1;
    if (!is_sent || PQputCopyEnd(connection_, nullptr) != 1)
        throw Failure(lost_connection, in_one_line(PQerrorMessage(connection_)));
    const auto ended = checked(connection_, owned(PQgetResult(connection_)));
    while (const auto more = owned(PQgetResult(connection_))) {
    }
}

Prepared::Prepared(Session& session, std::string_view sql) : session_(session) {
    auto translation = translated(sql);
    sql_ = std::move(translation.text);
    id_ = session.new_statement_name();
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

void Prepared::prepare_if_needed() {
    const auto is_known = [this](std::size_t at) {
        return values_[at].kind == ValueKind::unknown || values_[at].kind == prepared_kinds_[at];
    };
    bool fits = !name_.empty() && failures_before_ == session_.pipeline().failures();
    for (std::size_t at = 0; fits && at < values_.size(); ++at)
        fits = is_known(at);
    if (fits) return;
    prepared_kinds_.clear();
    for (const auto& value : values_)
        prepared_kinds_.push_back(value.kind);
    name_ = session_.new_statement_name();
    failures_before_ = session_.pipeline().failures();
    session_.pipeline().prepare(name_, sql_, types_of(prepared_kinds_));
}

void Prepared::send() {
    prepare_if_needed();
    std::vector<const char*> contents;
    contents.reserve(values_.size());
    for (const auto& value : values_)
        contents.push_back(value.content);
    session_.pipeline().send_prepared(name_, contents);
}

// The statement and its values.
std::string Prepared::question() const {
    std::string text = id_;
    for (const auto& value : values_)
        text += value.content == nullptr ? std::string("\nNULL") : "\n=" + std::string(value.content);
    return text;
}

// False: it has to be asked by itself.
bool Prepared::ask_with_others() {
    if (!of_many_ && !is_of_one_) {
        of_many_ = QuestionStatement::make(sql_, values_);
        is_of_one_ = !of_many_;
    }
    if (!of_many_ || !of_many_->fits(values_)) return false;
    session_.ahead().ask(*of_many_, question(), values_);
    return true;
}

bool Prepared::next() {
    auto& ahead = session_.ahead();
    if (!answer_ && !ahead.is_empty()) answer_ = ahead.find(question());
    if (!answer_ && ahead.is_asking()) {
        if (std::exchange(row_, 0) == 0) return false;
        if (ask_with_others()) return false;
        send();
        session_.pipeline().keep_answer();
        ahead.note_asked(question(), values_.empty());
        if (!values_.empty()) return false;
        // Who asks about no row in particular may remember the answer.
        static_cast<void>(session_.fetch_ahead());
        answer_ = ahead.find(question());
        row_ = -1;
    }
    if (!answer_) {
        send();
        answer_ = {session_.pipeline().answer()};
    }
    return ++row_ < answer_.count();
}

void Prepared::begin_write() {
    DRAWBRIDGE_ASSERT(!session_.ahead().is_asking(), "nothing is written while questions are asked");
    session_.ahead().note_write();
}

void Prepared::run() {
    begin_write();
    send();
    if (!session_.is_in_transaction()) session_.pipeline().answer();
}

void Prepared::run_for_rows(int rows) {
    begin_write();
    send();
    session_.pipeline().expect_changed_rows(rows);
    if (!session_.is_in_transaction()) session_.pipeline().answer();
}

int Prepared::run_counted() {
    begin_write();
    send();
    return changed_rows_of(session_.pipeline().answer().get());
}

void Prepared::run_in_bulk(bool changes_one_row) {
    begin_write();
    DRAWBRIDGE_ASSERT(session_.is_in_transaction(), "what is run in bulk is run in a transaction");
    if (!in_bulk_) in_bulk_.emplace(sql_, values_);
    auto& bulk = session_.bulk();
    if (bulk.is_full() || bulk.collides(*in_bulk_, values_)) session_.send_bulk();
    bulk.add(*in_bulk_, values_, changes_one_row);
}

void Prepared::reset() {
    answer_ = {};
    row_ = -1;
    for (auto& value : values_) {
        value.content = nullptr;
        value.kind = ValueKind::unknown;
    }
}

void Prepared::require_row() const {
    DRAWBRIDGE_ASSERT(row_ >= 0 && answer_ && row_ < answer_.count(), "a value is one of a row");
}

bool Prepared::is_null(int column) const {
    require_row();
    return PQgetisnull(answer_.result.get(), answer_.row_of(row_), column) != 0;
}

std::string Prepared::text(int column) const {
    require_row();
    const auto* result = answer_.result.get();
    const int row = answer_.row_of(row_);
    return text_from_store(
        {PQgetvalue(result, row, column), static_cast<std::size_t>(PQgetlength(result, row, column))});
}

std::int64_t Prepared::integer(int column) const {
    require_row();
    const std::string_view text = PQgetvalue(answer_.result.get(), answer_.row_of(row_), column);
    if (text == "t") return 1;
    std::int64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

}  // namespace drawbridge::ledger::postgresql
