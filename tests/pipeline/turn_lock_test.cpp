#include "drawbridge/pipeline/turn_lock.hpp"

#include <gmock/gmock.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace drawbridge::pipeline {
namespace {

using ::testing::ElementsAre;

class Turns : public ::testing::Test {
  protected:
    Turns() {
        lock_.on_begin = [this] { seen_.push_back("begin " + lock_.doing()); };
        lock_.on_end = [this] { seen_.push_back("end"); };
    }

    asio::awaitable<void> act(std::string name) {
        const auto turn = co_await lock_.take(name);
        seen_.push_back(turn ? name : "no turn for " + name);
        if (stops_) lock_.close();
        co_await asio::post(io_, asio::use_awaitable);
        if (turn) seen_.push_back(name + " is done");
    }
    void run(std::initializer_list<const char*> names) {
        for (const char* name : names) {
            asio::co_spawn(io_, act(name), [](const std::exception_ptr& failure) {
                if (failure) std::rethrow_exception(failure);
            });
        }
        io_.restart();
        io_.run();
    }

    asio::io_context io_{1};
    TurnLock lock_{io_.get_executor()};
    std::vector<std::string> seen_;
    bool stops_ = false;
};

TEST_F(Turns, come_one_at_a_time_in_the_order_in_which_they_were_asked_for) {
    run({"pay", "release", "poll"});
    EXPECT_THAT(seen_, ElementsAre("begin pay", "pay", "pay is done", "end",              //
                                   "begin release", "release", "release is done", "end",  //
                                   "begin poll", "poll", "poll is done", "end"));
    EXPECT_FALSE(lock_.is_taken());
    EXPECT_EQ(lock_.doing(), "waiting");
}

TEST_F(Turns, end_with_the_one_that_was_taken_when_the_program_stops) {
    stops_ = true;
    run({"pay", "release"});
    EXPECT_THAT(seen_, ElementsAre("begin pay", "pay", "no turn for release", "pay is done", "end"));
    seen_.clear();
    run({"poll"});
    EXPECT_THAT(seen_, ElementsAre("no turn for poll"));
}

TEST_F(Turns, end_when_they_cannot_begin) {
    lock_.on_begin = [] { throw std::runtime_error("the rules in force cannot be read"); };
    EXPECT_THROW(run({"pay"}), std::runtime_error);
    lock_.on_begin = [] {};
    seen_.clear();
    run({"poll"});
    EXPECT_THAT(seen_, ElementsAre("poll", "poll is done", "end"));
}

}  // namespace
}  // namespace drawbridge::pipeline
