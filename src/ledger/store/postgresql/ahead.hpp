// Questions that are asked before their answers are needed, all in one round trip. Private to this module.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "store/postgresql/pipeline.hpp"

namespace drawbridge::ledger::postgresql {

class Ahead {
  public:
    [[nodiscard]] bool is_asking() const { return is_asking_; }
    [[nodiscard]] bool is_empty() const { return answers_.empty(); }
    // `about_all`: it has no values, so any write may change its answer.
    void note_asked(std::string question, bool about_all) { asked_.push_back({std::move(question), about_all}); }
    void note_write() { is_written_ = true; }
    [[nodiscard]] bool has_asked() const { return !asked_.empty(); }
    // In the order of the questions.
    void add(std::vector<ResultPointer> answers);
    // nullptr: it was not asked, or its answer is used up. Once something was written, an answer is good for one use.
    [[nodiscard]] ResultPointer find(const std::string& question);
    void forget();

  private:
    friend class Asking;
    struct Asked {
        std::string question;
        bool about_all = false;
    };
    struct Answer {
        ResultPointer result;
        bool about_all = false;
    };

    bool is_asking_ = false;
    bool is_written_ = false;
    std::vector<Asked> asked_;
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
