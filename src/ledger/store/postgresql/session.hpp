// One connection to PostgreSQL, which is the ledger's only one, and the statements prepared on it. A connection that is
// lost is never made again: what a COMMIT on its way became is not known, so the process ends, and its successor reads
// what is there. Private to this module.
#pragma once

#include <libpq-fe.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/ledger/store/engine.hpp"
#include "drawbridge/ledger/store/lease.hpp"
#include "store/postgresql/lease.hpp"

namespace drawbridge::ledger::postgresql {

// What PostgreSQL refused, with its SQLSTATE; "08006": the connection is lost.
class Failure : public std::runtime_error {
  public:
    Failure(std::string state, const std::string& what) : std::runtime_error(what), state_(std::move(state)) {}
    [[nodiscard]] const std::string& state() const { return state_; }
    // A class of SQLSTATEs: "23" are the violated constraints.
    [[nodiscard]] bool is_of(std::string_view kind) const { return std::string_view(state_).starts_with(kind); }

  private:
    std::string state_;
};

// In a handler: the server cannot be reached, or its database does not suit. Any other failure is thrown on.
[[nodiscard]] std::unexpected<Error> unusable_server(const Failure& failure);

struct ResultDeleter {
    void operator()(PGresult* result) const { PQclear(result); }
};
using ResultPointer = std::unique_ptr<PGresult, ResultDeleter>;

enum class ValueKind { unknown, integer, text };

struct BoundValue {
    std::string copy;               // what the statement keeps
    const char* content = nullptr;  // zero-terminated; nullptr: NULL
    ValueKind kind = ValueKind::unknown;
};

class Session {
  public:
    // Throws Failure: no connection, or a database that does not suit.
    explicit Session(const PostgresqlAddress& address);
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
    ~Session();

    // Statements without values and without rows.
    void exec(const std::string& script);
    // COMMIT and nothing else: a warning or a rollback in its place is a failure.
    // `waits_for_disk`: of every machine that a commit waits for, so it renews the lease.
    void commit(bool waits_for_disk = true);
    void roll_back() noexcept;  // a lost connection rolls back by itself
    // The first column of the first row; empty: no row or NULL.
    [[nodiscard]] std::string value_of(const std::string& sql);

    // Rows as they come, one at a time: for what is too large to keep. Nothing else may be run meanwhile.
    void for_each_row(const std::string& sql, const std::function<void(const PGresult*)>& act);

    // COPY … FROM STDIN: each line that `next` gives, until it gives none.
    void copy_in(const std::string& sql, const std::function<std::optional<std::string>()>& next);

    void prepare(const std::string& name, const std::string& sql, const std::vector<BoundValue>& values);
    [[nodiscard]] ResultPointer run(const std::string& name, const std::vector<BoundValue>& values);
    [[nodiscard]] std::string new_statement_name() { return "s" + std::to_string(++statements_); }
    [[nodiscard]] std::int64_t changed_rows() const { return changed_rows_; }
    [[nodiscard]] const std::shared_ptr<Lease>& lease() const { return lease_; }

  private:
    ResultPointer checked(PGresult* result);
    void require_suitable_database();

    PGconn* connection_;
    std::int64_t statements_ = 0;
    std::int64_t changed_rows_ = 0;
    std::string warning_;  // the newest
    std::shared_ptr<Lease> lease_ = std::make_shared<Lease>(lease_length);
};

// A statement prepared at its first run, when the kinds of its values are known.
class Prepared {
  public:
    Prepared(Session& session, std::string_view sql);

    [[nodiscard]] int count_placeholders() const { return static_cast<int>(values_.size()); }
    [[nodiscard]] int count_columns() const { return PQnfields(result_.get()); }
    void bind(int number, std::int64_t value);
    void bind(int number, std::string_view value);
    void bind_borrowed(int number, const std::string& value);  // which outlives the run
    void bind_null(int number, ValueKind kind);

    [[nodiscard]] bool next();
    int run();
    void reset();

    [[nodiscard]] bool is_null(int column) const { return PQgetisnull(result_.get(), row_, column) != 0; }
    [[nodiscard]] std::int64_t integer(int column) const;  // true: 1; NULL: 0
    [[nodiscard]] std::string text(int column) const;

  private:
    void execute();

    Session& session_;
    std::string sql_;
    std::string name_;  // empty: not prepared yet
    std::vector<ValueKind> prepared_kinds_;
    std::vector<BoundValue> values_;
    ResultPointer result_;
    int row_ = -1;
};

}  // namespace drawbridge::ledger::postgresql
