// The connection of a Ledger: cached prepared statements, typed binding and reading. Private to this module.
#pragma once

#include <boost/pfr/core.hpp>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "drawbridge/domain/assert.hpp"
#include "drawbridge/domain/draw.hpp"
#include "drawbridge/domain/money.hpp"
#include "drawbridge/domain/time.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/store/ledger.hpp"
#include "store/database.hpp"
#include "store/enum_columns.hpp"
#include "store/fact_digest.hpp"
#include "store/row_entries.hpp"
#include "store/sealed_fields.hpp"
#include "store/sealer.hpp"
#include "store/state_counts.hpp"
#include "store/state_lock.hpp"

namespace drawbridge::ledger {

// Ids of some texts that the ledger has, so that most need no lookup.
class KnownIds {
  public:
    // `find_or_store()` returns the id of a text that is not known here.
    std::int64_t id_of(const std::string& text, const auto& find_or_store) {
        if (const auto found = ids_.find(text); found != ids_.end()) return found->second;
        const std::int64_t id = find_or_store();
        if (ids_.size() >= max_known) ids_.clear();
        return ids_.emplace(text, id).first->second;
    }
    void clear() { ids_.clear(); }

  private:
    // Rule sets of other days have other texts; more than these are not worth their memory.
    static constexpr std::size_t max_known = 1000;
    std::unordered_map<std::string, std::int64_t> ids_;
};

class Connection {
  public:
    Connection(SQLite::Database file, StateLock state_lock);
    Connection(const PostgresqlAddress& postgresql_address, StateLock state_lock);
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection();

    Statement& prepared(std::string_view sql);  // must be a literal
    // Every statement prepared so far, to inspect its plan.
    [[nodiscard]] std::vector<std::string> statement_texts() const;
    // For messages: the ledger's file, or its schema.
    [[nodiscard]] std::string place() const;

    Database db;
    std::optional<PostgresqlAddress> address;  // nullopt: a file
    std::filesystem::path state_dir;
    // In PostgreSQL: of this writer, and the one before that it must outwait. acts_from is zero once it has acted.
    std::int64_t epoch = 0;
    std::string predecessor;
    postgresql::BootTime acts_from{0};
    bool is_taken_over = false;  // from another host, whose files are not known to be here yet
    std::int64_t inode = 0;      // of ledger.db; 0: a copy
    bool in_transaction = false;
    std::string ledger_id;
    Instant created_at;
    std::string audit_head;      // hash of the newest audit row
    std::int64_t audit_seq = 0;  // and its number
    std::string committed_head;  // as of the last commit, for a rollback
    std::int64_t committed_seq = 0;
    std::string durable_head;  // as of the last commit that waited for the disk
    std::int64_t durable_seq = 0;
    std::int64_t marked_seq = 0;     // as this process last wrote it to the high-water mark
    std::int64_t marked_before = 0;  // as an earlier process did; 0: not known, or of another ledger
    Instant newest_act_at;           // for audit entries that are nobody's act
    FactDigest facts;                // set from the end of Ledger::open() on
    std::optional<Sealer> sealer;    // set from the end of Ledger::open() on
    // nullopt: not looked up. A draw with a greater id is new, without a lookup.
    std::optional<std::int64_t> greatest_draw_id;
    // Unsealed once, because planning asks for it with each draw; forgotten by a rollback.
    std::optional<std::string> payee_fingerprint_key;
    // The accounts of check files with an id up to `through`.
    struct CheckAccounts {
        std::int64_t through = 0;
        std::vector<AccountNumber> accounts;
    } check_accounts;
    KnownIds explanation_shapes, verdicts, portal_names, settles_because;  // forgotten by a rollback
    std::unordered_map<const char*, std::int64_t> row_numbers;             // the greatest, by the query for it
    // The makers of waiting files, as they were found, by file_id; they hold while `found_with` does.
    struct MakerRow {
        Maker maker;
        std::optional<std::int64_t> person;  // apart from the uid
    };
    struct KnownMakers {
        std::vector<TableDigest> found_with;
        std::vector<MakerRow> rows;
    };
    std::map<std::int64_t, KnownMakers> makers;
    // The addresses in the portal that are, or were, linked to somebody; likewise.
    struct LinkedAddresses {
        TableDigest found_with;
        std::set<std::string> addresses;
    };
    LinkedAddresses linked;
    std::set<std::int64_t> stagings;    // confirmation files whose lines this process reads or records
    std::int64_t rows_about_runs = 0;   // since the ledger was opened
    std::vector<RowEntry> row_entries;  // of the running transaction
    StateCounts uncounted;              // draws that the running transaction recorded for the first time

  private:
    // By the address of the literal: hashing the text would cost more than some statements.
    std::unordered_map<const char*, std::unique_ptr<Statement>> statements_;
    StateLock lock_;
};

// 32 hexadecimal digits.
[[nodiscard]] std::string random_id();

[[nodiscard]] std::string place_of_ledger(const PostgresqlAddress& address);

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
        : connection_(ledger.connection()), statement_(connection_.prepared(sql)) {
        DRAWBRIDGE_ASSERT(sizeof...(args) == static_cast<std::size_t>(statement_.count_placeholders()),
                          "one value for each placeholder");
        DRAWBRIDGE_ASSERT(!connection_.in_transaction || !connection_.db.is_rolled_back(),
                          "nothing is written after a statement that failed");
        (bind(args), ...);
    }
    Query(const Query&) = delete;
    Query& operator=(const Query&) = delete;
    ~Query();

    bool next() { return statement_.next(); }
    // Runs a statement that returns no rows. What PostgreSQL refuses is thrown by the next statement with an answer, or
    // at the commit.
    void run() { statement_.run(); }
    // The same for a statement that changes one row, or there is a bug.
    void run_for_one_row() { statement_.run_for_rows(1); }
    // For what is run for many rows in turn: PostgreSQL runs it for all of them at once, before the next statement that
    // is not run in bulk. Statements that are run so between two others are carried out in the order in which each of
    // them came first. INSERT … VALUES; or UPDATE and DELETE whose WHERE names other rows each time.
    void run_in_bulk() { statement_.run_in_bulk(/*changes_one_row=*/false); }
    void run_in_bulk_for_one_row() { statement_.run_in_bulk(/*changes_one_row=*/true); }
    // The same, and returns the number of changed rows, for which PostgreSQL is waited for.
    [[nodiscard]] int run_counted() { return statement_.run_counted(); }

    [[nodiscard]] bool is_null(int column) const { return statement_.is_null(column); }
    [[nodiscard]] std::int64_t integer(int column) const { return statement_.integer(column); }
    [[nodiscard]] std::string text(int column) const { return statement_.text(column); }
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

    // What is sealed in the column after `column`, which it is bound to. Throws if it does not open: it was changed, or
    // copied from another row.
    [[nodiscard]] std::optional<std::string> opened(const SealedField& field, int column) const;
    [[nodiscard]] bool opens(const SealedField& field, int column) const;

    // Reads the columns into these, in order; the members of a struct are columns of their own. NULL becomes an empty
    // optional, and an empty text.
    template <class... T>
    void read(T&... into) const {
        int column = 0;
        (read_next(column, into), ...);
    }
    // The columns as values, for structured bindings.
    template <class... T>
    [[nodiscard]] std::tuple<T...> row() const {
        std::tuple<T...> values;
        std::apply([this](auto&... into) { this->read(into...); }, values);
        return values;
    }
    // A value of one column, or a struct whose members are the columns, in order.
    template <class T>
    [[nodiscard]] T record() const {
        T value{};
        read(value);
        return value;
    }
    // One of each row.
    template <class T>
    [[nodiscard]] std::vector<T> records() {
        std::vector<T> rows;
        while (next())
            rows.push_back(record<T>());
        return rows;
    }
    template <class T>
    [[nodiscard]] std::optional<T> first() {
        return next() ? std::optional(record<T>()) : std::nullopt;
    }
    // Of a query that always has one row: counts and sums.
    template <class T>
    [[nodiscard]] T only() {
        DRAWBRIDGE_ASSERT(next(), "this query has one row");
        return record<T>();
    }

  private:
    template <const SealedField& field>
    void read_next(int& column, Opened<field>& into) const {
        into.text = opened(field, column);
        column += 2;
    }
    template <class T>
    void read_next(int& column, T& into) const {
        if constexpr (std::is_class_v<T> && std::is_aggregate_v<T>) {
            boost::pfr::for_each_field(into, [&](auto& member) { read_next(column, member); });
        } else {
            read_column(column++, into);
        }
    }
    template <class E>
        requires std::is_enum_v<E>
    void read_column(int column, E& value) const {
        from_column(text(column), value);
    }
    void read_column(int column, DrawStatus& value) const { value = static_cast<DrawStatus>(integer(column)); }
    void read_column(int column, std::int64_t& value) const { value = integer(column); }
    void read_column(int column, int& value) const { value = static_cast<int>(integer(column)); }
    void read_column(int column, bool& value) const { value = integer(column) != 0; }
    void read_column(int column, std::string& value) const { value = text(column); }  // NULL: empty
    void read_column(int column, Money& value) const { value = money(column); }
    void read_column(int column, Instant& value) const { value = instant(column); }
    void read_column(int column, BusinessDate& value) const { value = date(column); }
    template <class T>
    void read_column(int column, std::optional<T>& value) const {
        if (is_null(column)) {
            value.reset();
        } else {
            read_column(column, value.emplace());
        }
    }

    void bind(std::int64_t value) { statement_.bind(++bound_, value); }
    void bind(int value) { bind(static_cast<std::int64_t>(value)); }
    void bind(std::size_t value) { bind(static_cast<std::int64_t>(value)); }
    void bind(bool) = delete;
    void bind(double) = delete;
    void bind(std::string_view value) { statement_.bind(++bound_, value); }
    void bind(const std::string& value) { bind(std::string_view(value)); }
    void bind(const char* literal) { statement_.bind_literal(++bound_, literal); }
    void bind(Borrowed value) {
        if (value.text == nullptr) return bind_null<std::string>();
        statement_.bind_borrowed(++bound_, *value.text);
    }
    void bind(Money value) { bind(value.cents()); }
    void bind(Instant value) { bind(static_cast<std::int64_t>(value.time_since_epoch().count())); }
    void bind(BusinessDate value) { bind(format_date(value)); }
    void bind(std::nullopt_t) { statement_.bind_null(++bound_, ValueKind::unknown); }
    // In place of a T.
    template <class T>
    void bind_null() {
        constexpr bool is_integer = std::is_integral_v<T> || std::is_same_v<T, Money> || std::is_same_v<T, Instant>;
        statement_.bind_null(++bound_, is_integer ? ValueKind::integer : ValueKind::text);
    }
    template <class T>
    void bind(const std::optional<T>& value) {
        if (value) {
            bind(*value);
        } else {
            bind_null<T>();
        }
    }

    Connection& connection_;
    Statement& statement_;
    int bound_ = 0;
};

inline void assert_in_transaction(Ledger& ledger) {
    DRAWBRIDGE_ASSERT(ledger.connection().in_transaction, "the ledger is only written in a transaction");
}

// The hash of one audit row: SHA-256 over a JSON array of its columns and the hash of the row before.
[[nodiscard]] std::string audit_hash(std::int64_t seq, const Stamp& stamp, std::string_view action,
                                     std::string_view subject, std::string_view detail, std::string_view previous);

// The number of a row that is about to be inserted: the greatest so far, by `greatest`, which must be a literal, and
// one. The database is asked once; from then on the rows of this table are numbered here only.
[[nodiscard]] std::int64_t new_row(Ledger& ledger, std::string_view greatest);
// That row was not inserted after all.
inline void forget_new_row(Ledger& ledger, std::string_view greatest) {
    ledger.connection().row_numbers.erase(greatest.data());
}

// The statements for a table that stores each text once. String literals only.
struct TextStatements {
    std::string_view find;      // (text) -> id
    std::string_view greatest;  // () -> the greatest id
    std::string_view insert;    // (id, text)
};
// The id of a text, which is inserted if the table does not have it.
[[nodiscard]] std::int64_t id_of_text(Ledger& ledger, KnownIds& known, const TextStatements& statements,
                                      const std::string& text);

// For lists with the newest first: the upper bound of ids after the row `after`; 0: no bound.
[[nodiscard]] inline std::int64_t newest_before(std::int64_t after) {
    return after == 0 ? INT64_MAX : after;
}

}  // namespace drawbridge::ledger
