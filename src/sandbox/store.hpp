#pragma once
// Owns the SQLite file (or memory) with the draws and the workflows' settings, and every statement on it.
// Must never decide what is permitted: it records what it is given. A commit survives SIGKILL of the process.

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "draw.hpp"
#include "query.hpp"

namespace draws_sandbox {

struct StatusTotal {
    std::int64_t status;
    std::int64_t count;
    std::int64_t cents;  // per draw the latest amount: disbursed, else approved, else requested
};

class Store {
  public:
    // ":memory:" keeps everything in memory.
    explicit Store(const std::string& file);

    // Rolled back on destruction without commit().
    class Transaction {
      public:
        explicit Transaction(Store& store);
        Transaction(const Transaction&) = delete;
        Transaction& operator=(const Transaction&) = delete;
        ~Transaction();
        void commit();

      private:
        Store& store_;
        bool open_ = true;
    };

    [[nodiscard]] std::optional<Draw> find(std::int64_t id);
    // Uses the draw's id, or the next free one if it is null. Returns the id.
    std::int64_t insert(const Draw& draw);
    void update(std::int64_t id, const Changes& changes);
    [[nodiscard]] bool empty();

    [[nodiscard]] std::int64_t count(const ListQuery& query);
    [[nodiscard]] std::vector<Draw> page(const ListQuery& query);
    [[nodiscard]] std::vector<std::int64_t> ids_with_status(Status status);
    [[nodiscard]] std::vector<StatusTotal> totals();

    [[nodiscard]] std::vector<std::pair<std::int64_t, std::string>> workflow_settings();
    void set_workflow_settings(std::int64_t workflow, const std::string& json);

    // SQLite's query plan for page().
    [[nodiscard]] std::string page_plan(const ListQuery& query);

    // Builds the indexes that every list needs; any other is built when a list first filters or sorts by its field.
    void build_indexes();

    // Copies the current state in memory, for past().
    void save_past();
    [[nodiscard]] Store* past() { return past_.get(); }

  private:
    // One count, cached while nothing changes. The pages of a sweep by id[gt] derive their counts from it.
    struct LastCount {
        std::uint64_t changes = 0;
        std::string key;
        std::int64_t position = 0;
        std::int64_t total = 0;
    };

    SQLite::Statement& prepared(const std::string& sql);
    void ensure_index(Field field);
    std::int64_t count_through(const ListQuery& query, std::optional<Field> index);
    std::int64_t count_up_to(const ListQuery& query, Field field, std::int64_t limit);
    // A field with an equality filter: its index lists its draws in the order of their ids.
    std::optional<Field> equal_field(const ListQuery& query);
    // The field whose filters leave the fewest draws, if these are few.
    std::optional<Field> selective_field(const ListQuery& query);
    // The index for the page: the fewest draws, or the requested order.
    Field page_index(const ListQuery& query);
    std::string page_sql(const ListQuery& query);

    SQLite::Database database_;
    std::unordered_map<std::string, std::unique_ptr<SQLite::Statement>> statements_;
    std::set<Field> indexed_;
    std::uint64_t changes_ = 1;
    LastCount last_count_;
    std::unique_ptr<Store> past_;
};

}  // namespace draws_sandbox
