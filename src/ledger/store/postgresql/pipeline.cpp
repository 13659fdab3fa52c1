#include "store/postgresql/pipeline.hpp"

#include <charconv>
#include <string_view>
#include <utility>

#include "drawbridge/domain/assert.hpp"
#include "store/postgresql/session.hpp"

namespace drawbridge::ledger::postgresql {
namespace {

constexpr int texts = 0;  // the format of values and answers

bool is_refusal(const PGresult* result) {
    const auto status = PQresultStatus(result);
    return status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE;
}

}  // namespace

int changed_rows_of(PGresult* result) {
    const std::string_view count = PQcmdTuples(result);
    int rows = 0;
    std::from_chars(count.data(), count.data() + count.size(), rows);
    return rows;
}

void throw_lost_connection(PGconn* connection) {
    throw Failure(lost_connection, "the connection to PostgreSQL is lost: " + in_one_line(PQerrorMessage(connection)));
}

ResultPointer checked(PGconn* connection, ResultPointer result) {
    const auto status = PQresultStatus(result.get());
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY) return result;
    if (PQstatus(connection) != CONNECTION_OK) throw_lost_connection(connection);
    const char* state = PQresultErrorField(result.get(), PG_DIAG_SQLSTATE);
    throw Failure(state == nullptr ? "XX000" : state, in_one_line(PQresultErrorMessage(result.get())));
}

void Pipeline::enter() {
    // Answers that nobody reads are kept, here and at the server.
    constexpr std::size_t max_unanswered = 2000;
    if (sent_.size() >= max_unanswered) answer();
    if (PQpipelineStatus(connection_) == PQ_PIPELINE_OFF && PQenterPipelineMode(connection_) == 0)
        throw_lost_connection(connection_);
}

void Pipeline::note_sent(int is_sent) {
    // The server works while more is being sent.
    constexpr std::size_t statements_at_once = 32;
    if (is_sent == 0) throw_lost_connection(connection_);
    sent_.emplace_back();
    if (sent_.size() % statements_at_once == 0 && PQflush(connection_) != 0) throw_lost_connection(connection_);
}

void Pipeline::send(const char* sql) {
    enter();
    note_sent(PQsendQueryParams(connection_, sql, 0, nullptr, nullptr, nullptr, nullptr, texts));
}

void Pipeline::prepare(const std::string& name, const std::string& sql, const std::vector<Oid>& types) {
    enter();
    note_sent(PQsendPrepare(connection_, name.c_str(), sql.c_str(), static_cast<int>(types.size()), types.data()));
}

void Pipeline::send_prepared(const std::string& name, const std::vector<const char*>& contents) {
    enter();
    note_sent(PQsendQueryPrepared(connection_, name.c_str(), static_cast<int>(contents.size()), contents.data(),
                                  nullptr, nullptr, texts));
    sent_.back().statement = name;
}

ResultPointer Pipeline::answer(const std::function<void(const PGresult*)>& each_row) {
    if (PQpipelineSync(connection_) == 0) throw_lost_connection(connection_);
    const auto sent = std::exchange(sent_, {});
    ResultPointer last, refused;
    for (std::size_t at = 0; at < sent.size(); ++at) {
        const bool is_last = at + 1 == sent.size();
        auto answered = next_answer(sent[at], is_last ? each_row : nullptr);
        if (sent[at].is_kept) kept_.push_back(answered);
        // What follows a refused statement is not carried out, and not refused either.
        if (!refused && answered && is_refusal(answered.get())) {
            refused = std::move(answered);
        } else {
            last = std::move(answered);
        }
    }
    const auto end = owned(PQgetResult(connection_));
    if (PQresultStatus(end.get()) != PGRES_PIPELINE_SYNC) throw_lost_connection(connection_);
    if (!refused) return last;
    ++failures_;
    kept_.clear();
    return checked(connection_, std::move(refused));
}

ResultPointer Pipeline::next_answer(const Sent& sent, const std::function<void(const PGresult*)>& each_row) {
    if (each_row) PQsetSingleRowMode(connection_);
    ResultPointer last;
    while (auto result = owned(PQgetResult(connection_))) {
        if (PQresultStatus(result.get()) == PGRES_SINGLE_TUPLE) {
            each_row(result.get());
        } else {
            last = std::move(result);
        }
    }
    if (PQstatus(connection_) != CONNECTION_OK) throw_lost_connection(connection_);
    if (PQresultStatus(last.get()) == PGRES_COMMAND_OK) note_changed_rows(last.get(), sent);
    return last;
}

void Pipeline::note_changed_rows(PGresult* result, const Sent& sent) {
    const int rows = changed_rows_of(result);
    changed_rows_ += rows;
    DRAWBRIDGE_ASSERT(!sent.expected_rows || *sent.expected_rows == rows,
                      "a statement changes the rows that it is about");
    if (sent.statement.empty() || !std::string_view(PQcmdStatus(result)).starts_with("INSERT")) return;
    constexpr std::int64_t few_rows = 256;
    auto& inserted = inserted_by_[sent.statement];
    if (inserted < few_rows && inserted + rows >= few_rows) has_filled_a_table_ = true;
    inserted += rows;
}

void Pipeline::leave() {
    if (!sent_.empty()) answer();
    if (PQpipelineStatus(connection_) != PQ_PIPELINE_OFF && PQexitPipelineMode(connection_) == 0)
        throw_lost_connection(connection_);
}

void Pipeline::abandon() noexcept {
    try {
        leave();
    } catch (const Failure&) {
        PQexitPipelineMode(connection_);
    }
}

}  // namespace drawbridge::ledger::postgresql
