// One connection to PostgreSQL, which is the ledger's only one, and the statements prepared on it. A connection that is
// lost is never made again: what a COMMIT on its way became is not known, so the process ends, and its successor reads
// what is there.
//
// In a transaction, statements that return nothing are sent without waiting for their answers. Whatever waits next
// throws what the server refused: a statement with an answer, or the commit, which is then not carried out. Private to
// this module.
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
#include "store/postgresql/ahead.hpp"
#include "store/postgresql/bulk.hpp"
#include "store/postgresql/lease.hpp"
#include "store/postgresql/pipeline.hpp"

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

inline constexpr const char* lost_connection = "08006";
inline constexpr const char* insufficient_privilege = "42501";
inline constexpr const char* unusable_schema = "3F000";  // also of a role without USAGE
// Joins the lines of a message from libpq or the server. A line that begins with a tab continues the one before.
[[nodiscard]] std::string in_one_line(std::string_view message);

// In a handler: the server cannot be reached, or its database does not suit. Any other failure is thrown on.
[[nodiscard]] std::unexpected<Error> unusable_server(const Failure& failure);
// The connection is lost, because the server, the network or an administrator ended it.
[[nodiscard]] bool is_lost_connection(const Failure& failure);

class Session {
  public:
    // Throws Failure: no connection, a connection pooler in between, or a database that does not suit.
    explicit Session(const PostgresqlAddress& address);
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    // Statements without values and without rows.
    void exec(const std::string& script);
    void begin(bool waits_for_disk = true);
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

    // What waits in a bulk is sent before anything else.
    void send_bulk();
    [[nodiscard]] Pipeline& pipeline() {
        send_bulk();
        return pipeline_;
    }
    [[nodiscard]] Bulk& bulk() { return bulk_; }
    [[nodiscard]] Ahead& ahead() { return ahead_; }
    // Sends the questions that were asked, and waits for their answers. False: there are none.
    [[nodiscard]] bool fetch_ahead();
    // For another thread: ends the statement that runs, and the connection.
    [[nodiscard]] std::function<void()> interrupter() const;
    // The server has ended the connection. Asks the kernel only.
    [[nodiscard]] bool is_lost() const;
    // For people: "db2.example.gov port 5432".
    [[nodiscard]] std::string server() const;
    // Otherwise each statement is a transaction of its own.
    [[nodiscard]] bool is_in_transaction() const { return in_transaction_; }
    [[nodiscard]] std::string new_statement_name() { return "s" + std::to_string(++statements_); }
    [[nodiscard]] std::int64_t changed_rows() const { return pipeline_.changed_rows(); }
    [[nodiscard]] const std::shared_ptr<Lease>& lease() const { return lease_; }

  private:
    void require_server_itself(const std::string& key);
    void require_suitable_database(const std::string& key);
    template <class OverArrays>
    void prepare_if_needed(OverArrays& statement);

    PGconn* connection_;
    Pipeline pipeline_;
    Bulk bulk_;
    Ahead ahead_;
    bool in_transaction_ = false;
    std::int64_t statements_ = 0;
    std::string warning_;  // the newest
    std::shared_ptr<Lease> lease_ = std::make_shared<Lease>(lease_length);
    // Ends the connection before all else, and if the constructor throws.
    std::unique_ptr<PGconn, void (*)(PGconn*)> end_{connection_, PQfinish};
};

// A statement prepared at its first run, when the kinds of its values are known.
class Prepared {
  public:
    Prepared(Session& session, std::string_view sql);

    [[nodiscard]] int count_placeholders() const { return static_cast<int>(values_.size()); }
    [[nodiscard]] int count_columns() const { return PQnfields(answer_.result.get()) - (answer_.rows ? 1 : 0); }
    void bind(int number, std::int64_t value);
    void bind(int number, std::string_view value);
    void bind_borrowed(int number, const std::string& value);  // which outlives the run
    void bind_null(int number, ValueKind kind);

    [[nodiscard]] bool next();
    void run();
    void run_for_rows(int rows);
    [[nodiscard]] int run_counted();
    // In a transaction: with others of its kind, before the next statement that is not run in bulk.
    void run_in_bulk(bool changes_one_row);
    void reset();

    [[nodiscard]] bool is_null(int column) const;
    [[nodiscard]] std::int64_t integer(int column) const;  // true: 1; NULL: 0
    [[nodiscard]] std::string text(int column) const;

  private:
    void send();
    void prepare_if_needed();
    [[nodiscard]] bool ask_with_others();
    void begin_write();
    [[nodiscard]] std::string question() const;
    void require_row() const;

    Session& session_;
    std::string sql_;
    std::string id_;                    // in this session
    std::string name_;                  // empty: not prepared yet
    std::int64_t failures_before_ = 0;  // when it was prepared
    std::vector<ValueKind> prepared_kinds_;
    std::vector<BoundValue> values_;
    std::optional<BulkStatement> in_bulk_;
    std::optional<QuestionStatement> of_many_;
    bool is_of_one_ = false;  // it cannot be asked about many rows of values
    AnswerRows answer_;
    int row_ = -1;
};

}  // namespace drawbridge::ledger::postgresql
