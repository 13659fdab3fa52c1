#include "store/postgresql/ahead.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "drawbridge/domain/assert.hpp"

namespace drawbridge::ledger::postgresql {
namespace {

std::vector<ValueKind> kinds_of(const std::vector<BoundValue>& values) {
    std::vector<ValueKind> kinds;
    for (const auto& value : values)
        kinds.push_back(value.kind);
    return kinds;
}

}  // namespace

// OFFSET 0 keeps the server from taking the question apart: it is answered for one row of values after the other, by
// the plan that it has alone, and in its own order.
std::optional<QuestionStatement> QuestionStatement::make(std::string_view sql, const std::vector<BoundValue>& values) {
    const auto kinds = kinds_of(values);
    if (kinds.empty() || std::ranges::find(kinds, ValueKind::unknown) != kinds.end()) return std::nullopt;
    if (sql.contains("LIMIT $") || sql.contains("OFFSET")) return std::nullopt;
    QuestionStatement statement;
    statement.kinds_ = kinds;
    statement.sql_ = fmt::format("SELECT q.*, v.n FROM {} WITH ORDINALITY AS {}, n) CROSS JOIN LATERAL ({} OFFSET 0) q",
                                 arrays_of(kinds), columns_of(kinds), with_columns(sql));
    return statement;
}

bool QuestionStatement::fits(const std::vector<BoundValue>& values) const {
    return kinds_of(values) == kinds_;
}

void Ahead::ask(QuestionStatement& statement, std::string question, const std::vector<BoundValue>& values) {
    auto group = std::ranges::find(groups_, &statement, &Group::statement);
    if (group == groups_.end()) {
        groups_.push_back({&statement, {}, std::vector<std::string>(values.size())});
        group = groups_.end() - 1;
    }
    for (std::size_t at = 0; at < values.size(); ++at)
        append_value(group->arrays[at], values[at]);
    group->questions.push_back(std::move(question));
}

const std::vector<Ahead::Group>& Ahead::end_groups() {
    for (auto& group : groups_) {
        for (auto& array : group.arrays)
            array += '}';
    }
    return groups_;
}

void Ahead::add(std::vector<ResultPointer> answers) {
    const auto asked = std::exchange(asked_, {});
    const auto groups = std::exchange(groups_, {});
    DRAWBRIDGE_ASSERT(asked.size() + groups.size() == answers.size(), "each question has an answer");
    auto answer = answers.begin();
    for (const auto& one : asked)
        answers_.insert_or_assign(one.question, Answer{{std::move(*answer++)}, one.about_all});
    for (const auto& group : groups)
        add_group(group, *answer++);
}

// The last column says which question a row answers, from 1.
void Ahead::add_group(const Group& group, const ResultPointer& result) {
    std::vector<std::vector<int>> rows(group.questions.size());
    const int last = PQnfields(result.get()) - 1;
    for (int row = 0; row < PQntuples(result.get()); ++row) {
        const std::string_view text = PQgetvalue(result.get(), row, last);
        std::size_t number = 0;
        std::from_chars(text.data(), text.data() + text.size(), number);
        rows.at(number - 1).push_back(row);
    }
    for (std::size_t at = 0; at < rows.size(); ++at)
        answers_.insert_or_assign(group.questions[at], Answer{{result, std::move(rows[at])}, /*about_all=*/false});
}

AnswerRows Ahead::find(const std::string& question) {
    const auto found = answers_.find(question);
    if (found == answers_.end()) return {};
    if (!is_written_) return found->second.rows;
    auto answer = std::move(found->second);
    answers_.erase(found);
    return answer.about_all ? AnswerRows() : std::move(answer.rows);
}

void Ahead::forget() {
    answers_.clear();
    asked_.clear();
    groups_.clear();
    is_written_ = false;
}

}  // namespace drawbridge::ledger::postgresql
