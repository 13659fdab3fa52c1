// Runs what acts outside of this process under the lease on the ledger. Private to this module.
#pragma once

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <expected>
#include <utility>

#include "drawbridge/ledger/store/engine.hpp"
#include "drawbridge/ledger/store/lease.hpp"

namespace drawbridge::pipeline {

namespace asio = boost::asio;

// Ends only when it cannot renew the lease any more.
[[nodiscard]] inline asio::awaitable<void> keep_lease(ledger::Effect& effect, std::exception_ptr& failure) {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    for (;;) {
        timer.expires_after(ledger::lease_renewal);
        co_await timer.async_wait(asio::use_awaitable);
        try {
            effect.keep();
        } catch (const std::exception&) {
            failure = std::current_exception();
            co_return;
        }
    }
}

// What it threw, as a value: operator|| waits for the other side when one throws, and throws both when both are
// canceled.
template <class T>
[[nodiscard]] asio::awaitable<std::expected<T, std::exception_ptr>> caught(asio::awaitable<T> act) {
    std::exception_ptr thrown;
    try {
        co_return co_await std::move(act);
    } catch (const std::exception&) {
        thrown = std::current_exception();
    }
    co_return std::unexpected(std::move(thrown));
}

// Throws if the lease cannot be renewed meanwhile; what became of the act is then not known.
template <class T>
[[nodiscard]] asio::awaitable<T> as_effect(ledger::Ledger& ledger, asio::awaitable<T> act) {
    if (!ledger::is_in_postgresql(ledger)) co_return co_await std::move(act);
    using asio::experimental::awaitable_operators::operator||;
    ledger::Effect effect(ledger);
    std::exception_ptr failure;
    auto ended = co_await (caught(std::move(act)) || keep_lease(effect, failure));
    if (failure) std::rethrow_exception(failure);
    auto outcome = std::move(std::get<0>(ended));
    if (!outcome) std::rethrow_exception(outcome.error());
    co_return std::move(*outcome);
}

}  // namespace drawbridge::pipeline
