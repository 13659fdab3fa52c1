// Questions that are asked before their answers are needed, all in one round trip: those of one statement become one,
// over arrays of their values. Private to this module.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "store/postgresql/bulk.hpp"
#include "store/postgresql/pipeline.hpp"

namespace drawbridge::ledger::postgresql {

// Rows of a result, or all of it.
struct AnswerRows {
    ResultPointer result;
    std::optional<std::vector<int>> rows = std::nullopt;

    explicit operator bool() const { return result != nullptr; }
    [[nodiscard]] int count() const { return rows ? static_cast<int>(rows->size()) : PQntuples(result.get()); }
    [[nodiscard]] int row_of(int at) const { return rows ? (*rows)[static_cast<std::size_t>(at)] : at; }
};

// A SELECT about the row of its values, as one about many such rows.
class QuestionStatement {
  public:
    // nullopt: it cannot be one, because it has no values, a value without a kind, or a LIMIT that is a value.
    [[nodiscard]] static std::optional<QuestionStatement> make(std::string_view sql,
                                                               const std::vector<BoundValue>& values);
    [[nodiscard]] const std::string& sql() const { return sql_; }
    [[nodiscard]] bool fits(const std::vector<BoundValue>& values) const;

    std::string name;                  // empty: not prepared yet
    std::int64_t failures_before = 0;  // when it was prepared

  private:
    std::string sql_;
    std::vector<ValueKind> kinds_;
};

class Ahead {
  public:
    [[nodiscard]] bool is_asking() const { return is_asking_; }
    [[nodiscard]] bool is_empty() const { return answers_.empty(); }
    // It waits for others of its kind.
    void ask(QuestionStatement& statement, std::string question, const std::vector<BoundValue>& values);
    // It was sent by itself. `about_all`: it has no values, so any write may change its answer.
    void note_asked(std::string question, bool about_all) { asked_.push_back({std::move(question), about_all}); }
    void note_write() { is_written_ = true; }
    [[nodiscard]] bool has_asked() const { return !asked_.empty() || !groups_.empty(); }

    struct Group {
        QuestionStatement* statement;
        std::vector<std::string> questions, arrays;
    };
    // To be sent, with the arrays complete.
    [[nodiscard]] const std::vector<Group>& end_groups();
    // Adds the answers to the single queries, in order, and then those to the groups.
    void add(std::vector<ResultPointer> answers);
    // No result: it was not asked, or its answer is used up. Once something was written, an answer is good for one use.
    [[nodiscard]] AnswerRows find(const std::string& question);
    void forget();

  private:
    friend class Asking;
    struct Asked {
        std::string question;
        bool about_all = false;
    };
    struct Answer {
        AnswerRows rows;
        bool about_all = false;
    };
    void add_group(const Group& group, const ResultPointer& result);

    bool is_asking_ = false;
    bool is_written_ = false;
    std::vector<Asked> asked_;
    std::vector<Group> groups_;
    std::unordered_map<std::string, Answer> answers_;
};

class Asking {
  public:
    explicit Asking(Ahead& ahead) : ahead_(ahead) { ahead_.is_asking_ = true; }
    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;
    ~Asking() { ahead_.is_asking_ = false; }

  private:
    Ahead& ahead_;
};

}  // namespace drawbridge::ledger::postgresql
