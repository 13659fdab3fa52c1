#pragma once
// Owns the SQLite file (or memory) that holds the draws and the workflows' settings, and every statement on it.
// Must never decide what is permitted: it records what it is told. A commit survives SIGKILL of the process.

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
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
    std::int64_t cents;  // the furthest amount each draw has: disbursed, else approved, else requested
};

class Store {
  public:
    // ":memory:" keeps everything in memory.
    explicit Store(const std::string& file);

    // Undone when it is destroyed without commit().
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
    // Uses the draw's id, or the next free one when it is null. Returns the id.
    std::int64_t insert(const Draw& draw);
    void update(std::int64_t id, const Changes& changes);
    [[nodiscard]] bool empty();

    [[nodiscard]] std::int64_t count(const ListQuery& query);
    [[nodiscard]] std::vector<Draw> page(const ListQuery& query);
    [[nodiscard]] std::vector<std::int64_t> ids_with_status(Status status);
    [[nodiscard]] std::vector<StatusTotal> totals();

    [[nodiscard]] std::vector<std::pair<std::int64_t, std::string>> workflow_settings();
    void set_workflow_settings(std::int64_t workflow, const std::string& json);

    // Builds what the list needs to answer a filtered, sorted page without a scan; quick on an indexed file.
    void build_indexes();

  private:
    SQLite::Statement& prepared(const std::string& sql);

    SQLite::Database database_;
    std::unordered_map<std::string, std::unique_ptr<SQLite::Statement>> statements_;
};

}  // namespace draws_sandbox
