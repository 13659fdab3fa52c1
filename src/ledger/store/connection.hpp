// The SQLite connection of a Ledger: cached prepared statements, typed binding and reading. Private to this module.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "drawbridge/domain/assert.hpp"
#include "drawbridge/domain/money.hpp"
#include "drawbridge/domain/time.hpp"
#include "drawbridge/ledger/store/ledger.hpp"
#include "store/fact_digest.hpp"
#include "store/sealer.hpp"
#include "store/state_counts.hpp"
#include "store/state_lock.hpp"

namespace drawbridge::ledger {

class Connection {
  public:
    Connection(const std::string& path, StateLock state_lock);
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection();

    SQLite::Statement& prepared(std::string_view sql);  // must be a literal
    // Every statement prepared so far, to inspect its plan.
    [[nodiscard]] std::vector<std::string> statement_texts() const;

    SQLite::Database db;
    std::filesystem::path state_dir;
    std::int64_t inode = 0;  // of ledger.db; 0: a copy
    bool in_transaction = false;
    std::string ledger_id;
    Instant created_at;
    std::string audit_head;      // hash of the newest audit row
    std::int64_t audit_seq = 0;  // and its number
    std::string committed_head;  // as of the last commit, for a rollback
    std::int64_t committed_seq = 0;
    std::string durable_head;  // as of the last commit that waited for the disk
    std::int64_t durable_seq = 0;
    Instant newest_act_at;              // for audit entries that are nobody's act
    FactDigest facts;                   // set from the end of Ledger::open() on
    std::optional<Sealer> sealer;       // set from the end of Ledger::open() on
    std::optional<Sealer> next_sealer;  // set while the key is changed
    // nullopt: not looked up. A draw with a greater id is new, without a lookup.
    std::optional<std::int64_t> greatest_draw_id;
    // Unsealed once, because planning asks for it with each draw; forgotten by a rollback.
    std::optional<std::string> payee_fingerprint_key;
    std::unordered_map<std::string, std::int64_t> explanation_shapes;  // ids by text, of some; forgotten by a rollback
    std::int64_t rows_about_runs = 0;                                  // since the ledger was opened
    StateCounts uncounted;  // draws that the running transaction recorded for the first time

  private:
    // By the address of the literal: hashing the text would cost more than some statements.
    std::unordered_map<const char*, std::unique_ptr<SQLite::Statement>> statements_;
    StateLock lock_;
};

// Text that outlives the Query it is bound to, so that SQLite need not copy it.
struct Borrowed {
    const std::string* text;  // nullptr: NULL
};
[[nodiscard]] inline Borrowed borrowed(const std::string& text) {
    return {&text};
}
[[nodiscard]] inline Borrowed borrowed(const std::optional<std::string>& text) {
    return {text ? &*text : nullptr};
}

// One use of a cached statement: bound on construction, reset on destruction. `sql` must be a literal, and the same
// literal must not be in use twice at once.
class Query {
  public:
    template <class... Args>
    explicit Query(Ledger& ledger, std::string_view sql, const Args&... args)
        : statement_(ledger.connection().prepared(sql)) {
        DRAWBRIDGE_ASSERT(sizeof...(args) == static_cast<std::size_t>(statement_.getBindParameterCount()),
                          "one value for each placeholder");
        (bind(args), ...);
    }
    Query(const Query&) = delete;
    Query& operator=(const Query&) = delete;
    ~Query();

    bool next() { return statement_.executeStep(); }
    // Runs a statement that returns no rows. Returns the number of changed rows.
    int run() { return statement_.exec(); }

    [[nodiscard]] bool is_null(int column) const { return statement_.getColumn(column).isNull(); }
    [[nodiscard]] std::int64_t integer(int column) const { return statement_.getColumn(column).getInt64(); }
    [[nodiscard]] std::string text(int column) const { return statement_.getColumn(column).getString(); }
    [[nodiscard]] Money money(int column) const { return Money::from_cents(integer(column)); }
    [[nodiscard]] Instant instant(int column) const { return Instant(std::chrono::milliseconds(integer(column))); }
    [[nodiscard]] BusinessDate date(int column) const;

    [[nodiscard]] std::optional<std::int64_t> optional_integer(int column) const {
        return is_null(column) ? std::nullopt : std::optional(integer(column));
    }
    [[nodiscard]] std::optional<std::string> optional_text(int column) const {
        return is_null(column) ? std::nullopt : std::optional(text(column));
    }
    [[nodiscard]] std::optional<Money> optional_money(int column) const {
        return is_null(column) ? std::nullopt : std::optional(money(column));
    }
    [[nodiscard]] std::optional<Instant> optional_instant(int column) const {
        return is_null(column) ? std::nullopt : std::optional(instant(column));
    }
    [[nodiscard]] std::optional<BusinessDate> optional_date(int column) const {
        return is_null(column) ? std::nullopt : std::optional(date(column));
    }

  private:
    void bind(std::int64_t value) { statement_.bind(++bound_, value); }
    void bind(int value) { bind(static_cast<std::int64_t>(value)); }
    void bind(std::size_t value) { bind(static_cast<std::int64_t>(value)); }
    void bind(bool) = delete;
    void bind(double) = delete;
    void bind(std::string_view value) { statement_.bind(++bound_, std::string(value)); }
    void bind(const std::string& value) { statement_.bind(++bound_, value); }
    void bind(const char* literal) { statement_.bindNoCopy(++bound_, literal); }
    void bind(Borrowed value) {
        if (value.text == nullptr) return bind(std::nullopt);
        statement_.bindNoCopy(++bound_, *value.text);
    }
    void bind(Money value) { bind(value.cents()); }
    void bind(Instant value) { bind(static_cast<std::int64_t>(value.time_since_epoch().count())); }
    void bind(BusinessDate value) { bind(format_date(value)); }
    void bind(std::nullopt_t) { ++bound_; }  // bindings were cleared, so it is NULL
    template <class T>
    void bind(const std::optional<T>& value) {
        if (value) {
            bind(*value);
        } else {
            bind(std::nullopt);
        }
    }

    SQLite::Statement& statement_;
    int bound_ = 0;
};

inline void assert_in_transaction(Ledger& ledger) {
    DRAWBRIDGE_ASSERT(ledger.connection().in_transaction, "the ledger is only written in a transaction");
}

// The hash of one audit row: SHA-256 over a JSON array of its columns and the hash of the row before.
[[nodiscard]] std::string audit_hash(std::int64_t seq, const Stamp& stamp, std::string_view action,
                                     std::string_view subject, std::string_view detail, std::string_view previous);

[[nodiscard]] inline std::int64_t last_row_id(Ledger& ledger) {
    return ledger.connection().db.getLastInsertRowid();
}

// For lists with the newest first: the upper bound of ids after the row `after`; 0: no bound.
[[nodiscard]] inline std::int64_t newest_before(std::int64_t after) {
    return after == 0 ? INT64_MAX : after;
}

}  // namespace drawbridge::ledger
