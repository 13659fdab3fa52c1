// Tasks on one event loop that let others run between the parts of their work.
#include "drawbridge/pipeline/let_others_run.hpp"

#include <gmock/gmock.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <exception>
#include <string>
#include <vector>

namespace drawbridge::pipeline {
namespace {

namespace asio = boost::asio;

using ::testing::ElementsAre;

void rethrow(const std::exception_ptr& error) {
    if (error) std::rethrow_exception(error);
}

class LetOthersRun : public ::testing::Test {
  protected:
    asio::awaitable<void> work(std::string name, int parts) {
        for (int part = 1; part <= parts; ++part) {
            co_await let_others_run();
            told_.push_back(name);
        }
    }
    // Takes three turns, as an answer to a person does.
    asio::awaitable<void> answer() {
        for (int turn = 0; turn < 3; ++turn)
            co_await asio::post(asio::use_awaitable);
        told_.emplace_back("answer");
    }
    void start(asio::awaitable<void> task) { asio::co_spawn(io_, std::move(task), rethrow); }

    asio::io_context io_;
    std::vector<std::string> told_;
};

TEST_F(LetOthersRun, continues_when_nobody_else_has_anything_to_do) {
    start(work("a", 3));
    io_.run();
    EXPECT_THAT(told_, ElementsAre("a", "a", "a"));
}

TEST_F(LetOthersRun, lets_tasks_continue_in_turn) {
    start(work("a", 3));
    start(work("b", 1));
    start(work("c", 2));
    io_.run();
    EXPECT_THAT(told_, ElementsAre("a", "b", "c", "a", "c", "a"));
}

// However many tasks wait, one part of one of them delays it.
TEST_F(LetOthersRun, answers_after_at_most_one_part_of_all_tasks) {
    for (const char* name : {"a", "b", "c", "d", "e"})
        start(work(name, 20));
    for (int waited = 0; waited < 50; ++waited) {
        const auto before = told_.size();
        start(answer());
        while (told_.empty() || told_.back() != "answer")
            ASSERT_EQ(io_.poll_one(), 1U);
        EXPECT_LE(told_.size() - before, 2U) << "after " << before;
    }
}

TEST_F(LetOthersRun, does_not_continue_a_task_that_was_canceled) {
    asio::cancellation_signal stop;
    bool was_aborted = false;
    asio::co_spawn(io_, work("a", 100), asio::bind_cancellation_slot(stop.slot(), [&](const std::exception_ptr& error) {
                       try {
                           std::rethrow_exception(error);
                       } catch (const boost::system::system_error& aborted) {
                           was_aborted = aborted.code() == asio::error::operation_aborted;
                       }
                   }));
    start(work("b", 3));
    while (told_.size() < 2)
        io_.poll_one();
    stop.emit(asio::cancellation_type::terminal);
    io_.run();
    EXPECT_TRUE(was_aborted);
    EXPECT_THAT(told_, ElementsAre("a", "b", "b", "b"));
}

TEST_F(LetOthersRun, forgets_tasks_of_an_event_loop_that_ended) {
    {
        asio::io_context ended;
        asio::co_spawn(ended, work("a", 2), rethrow);
        asio::co_spawn(ended, work("b", 2), rethrow);
        for (int turn = 0; turn < 3; ++turn)
            ended.poll_one();
    }
    start(work("c", 1));
    io_.run();
    EXPECT_THAT(told_, ElementsAre("c"));
}

}  // namespace
}  // namespace drawbridge::pipeline
