#include "store/postgresql/ahead.hpp"

#include <utility>

#include "drawbridge/domain/assert.hpp"

namespace drawbridge::ledger::postgresql {

void Ahead::add(std::vector<ResultPointer> answers) {
    const auto asked = std::exchange(asked_, {});
    DRAWBRIDGE_ASSERT(asked.size() == answers.size(), "each question has an answer");
    for (std::size_t at = 0; at < asked.size(); ++at)
        answers_.insert_or_assign(asked[at].question, Answer{std::move(answers[at]), asked[at].about_all});
}

ResultPointer Ahead::find(const std::string& question) {
    const auto found = answers_.find(question);
    if (found == answers_.end()) return nullptr;
    if (!is_written_) return found->second.result;
    const auto answer = std::move(found->second);
    answers_.erase(found);
    return answer.about_all ? nullptr : answer.result;
}

void Ahead::forget() {
    answers_.clear();
    asked_.clear();
    is_written_ = false;
}

}  // namespace drawbridge::ledger::postgresql
