// Statements on their way to the server, in libpq's pipeline mode: they are sent one after the other, and whoever needs
// an answer waits for all of them. A round trip is then one of many statements. When one of them fails, the server
// takes none that were sent after it. Private to this module.
#pragma once

#include <libpq-fe.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace drawbridge::ledger::postgresql {

using ResultPointer = std::shared_ptr<PGresult>;
[[nodiscard]] inline ResultPointer owned(PGresult* result) {
    return {result, PQclear};
}

// Throws Failure: the server refused this, or the connection is lost.
[[nodiscard]] ResultPointer checked(PGconn* connection, ResultPointer result);
[[noreturn]] void throw_lost_connection(PGconn* connection);

[[nodiscard]] int changed_rows_of(PGresult* result);

class Pipeline {
  public:
    explicit Pipeline(PGconn* connection) : connection_(connection) {}

    // These only send: one statement each. Throws Failure, as answer() does.
    void send(const char* sql);
    void prepare(const std::string& name, const std::string& sql, const std::vector<Oid>& types);
    void send_prepared(const std::string& name, const std::vector<const char*>& contents);
    // What was sent last changes this many rows, or there is a bug.
    void expect_changed_rows(int rows) { sent_.back().expected_rows = rows; }
    // The answer to what was sent last is kept.
    void keep_answer() { sent_.back().is_kept = true; }
    // Those that are kept, in order. Call answer() before.
    [[nodiscard]] std::vector<ResultPointer> take_kept() { return std::exchange(kept_, {}); }

    // The answer to what was sent last; with `each_row`, its rows go there as they come. Throws the Failure of the
    // first statement, sent since the last answer, that the server refused.
    ResultPointer answer(const std::function<void(const PGresult*)>& each_row = {});
    // For what has no place in a pipeline: scripts of several statements, and COPY.
    void leave();
    // The same, whatever the server refused.
    void abandon() noexcept;

    // Each one may have taken back what was prepared after it.
    [[nodiscard]] std::int64_t failures() const { return failures_; }
    [[nodiscard]] std::int64_t changed_rows() const { return changed_rows_; }
    // Since the last call, a prepared INSERT has reached a few hundred rows in all.
    [[nodiscard]] bool has_filled_a_table() { return std::exchange(has_filled_a_table_, false); }

  private:
    struct Sent {
        std::string statement;  // its name; empty: not prepared
        std::optional<int> expected_rows;
        bool is_kept = false;
    };
    void enter();
    void note_sent(int is_sent);
    ResultPointer next_answer(const Sent& sent, const std::function<void(const PGresult*)>& each_row);
    void note_changed_rows(PGresult* result, const Sent& sent);

    PGconn* connection_;
    std::vector<Sent> sent_;  // not answered
    std::vector<ResultPointer> kept_;
    std::int64_t failures_ = 0;
    std::int64_t changed_rows_ = 0;
    std::unordered_map<std::string, std::int64_t> inserted_by_;  // rows of each prepared statement
    bool has_filled_a_table_ = false;
};

}  // namespace drawbridge::ledger::postgresql
