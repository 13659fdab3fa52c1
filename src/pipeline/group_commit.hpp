// Records answers of the service in groups, because each commit has its cost. Only for answers that a later run can ask
// for again: the end of the process loses those of a group that is not yet committed, and a power loss those of groups
// that were committed since the last commit that waited for the disk. Private to this module.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/ledger/store/ledger.hpp"
#include "drawbridge/ledger/store/read_ahead.hpp"
#include "in_flight.hpp"

namespace drawbridge::pipeline {

class GroupCommit {
  public:
    static constexpr std::size_t max_answers = 200;
    static constexpr std::chrono::milliseconds max_age{50};

    // `committed` is the crash point after each commit.
    GroupCommit(ledger::Ledger& ledger, std::string_view committed) : ledger_(ledger), committed_(committed) {}

    // `record` writes one answer. It runs later, in a transaction with others; `ask` asks what it will ask the ledger,
    // for ledger::ReadAhead.
    void add(std::function<void()> record, std::function<void()> ask = [] {}) {
        records_.push_back({std::move(record), std::move(ask)});
        if (records_.size() == max_answers) commit();
    }

    void commit() {
        if (records_.empty()) return;
        const auto records = std::exchange(records_, {});
        ledger_.transaction_deferred_sync([&] {
            const ledger::ReadAhead known(ledger_, [&] {
                for (const auto& one : records)
                    one.ask();
            });
            for (const auto& one : records)
                one.record();
        });
        crash_point(committed_);
    }

    // Runs the workers. No answer that they add waits longer than `max_age`, and none is left when this returns.
    boost::asio::awaitable<void> run(std::vector<boost::asio::awaitable<void>> workers) {
        boost::asio::steady_timer timer(co_await boost::asio::this_coro::executor);
        std::size_t working = workers.size();
        std::vector<boost::asio::awaitable<void>> all;
        all.reserve(workers.size() + 1);
        for (auto& worker : workers)
            all.push_back(run_one(std::move(worker), working, timer));
        all.push_back(commit_in_time(working, timer));
        co_await run_all(std::move(all));
        commit();
    }

  private:
    // Counts a worker as ended however it ends.
    struct Ending {
        std::size_t& working;
        boost::asio::steady_timer& timer;
        ~Ending() {
            if (--working == 0) timer.cancel();
        }
    };

    static boost::asio::awaitable<void> run_one(boost::asio::awaitable<void> worker, std::size_t& working,
                                                boost::asio::steady_timer& timer) {
        const Ending ending{working, timer};
        co_await std::move(worker);
    }

    boost::asio::awaitable<void> commit_in_time(std::size_t& working, boost::asio::steady_timer& timer) {
        // The workers end by themselves when the step is canceled, and what they learned is still recorded.
        co_await boost::asio::this_coro::throw_if_cancelled(false);
        while (working > 0) {
            timer.expires_after(max_age);
            static_cast<void>(co_await timer.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable)));
            commit();
        }
    }

    ledger::Ledger& ledger_;
    std::string_view committed_;
    struct Record {
        std::function<void()> record, ask;
    };
    std::vector<Record> records_;
};

}  // namespace drawbridge::pipeline
