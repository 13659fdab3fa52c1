// Delivers one file to a server, step by step. Private to this module.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "drawbridge/delivery/sftp.hpp"
#include "drawbridge/pipeline/deliver.hpp"
#include "drawbridge/pipeline/transfer_worker.hpp"
#include "effect.hpp"
#include "step_runner.hpp"

namespace drawbridge::pipeline {

// One server in one run of `deliver`.
struct ServerSession {
    Context& context;
    StepRunner& runner;
    const delivery::SftpOptions& options;
    std::string server;                             // delivery::address of the options
    std::shared_ptr<delivery::SftpSession> sftp{};  // empty: not opened yet
    bool finished = false;                          // nothing more can be done there in this run
    std::string unlisted{};                         // why the server does not list its folder; empty: it does
};

// On the transfer worker's thread, with the open session.
template <class T>
[[nodiscard]] asio::awaitable<T> run_on_server(ServerSession& session,
                                               std::function<T(delivery::SftpSession&)> request) {
    std::function<T()> work = [sftp = session.sftp, request = std::move(request)] { return request(*sftp); };
    std::function<void()> tick = [&context = session.context] { context.progress("deliver", 0, 0); };
    auto call = session.context.transfer_worker->call(std::move(work), std::move(tick));
    co_return co_await as_effect(session.context.ledger, std::move(call));
}

// Takes a released, undelivered file as far as possible now.
[[nodiscard]] asio::awaitable<void> deliver_file(ServerSession& session, ledger::DeliveryRow row);

// Raises an exception of `deliver`.
void raise_delivery(Context& context, std::string_view reason_code, const std::string& subject,
                    const std::string& detail);
// The rail's delivery target.
[[nodiscard]] inline const DeliveryTarget& target_of(const Settings& settings, disbursement::Rail rail) {
    return rail == disbursement::Rail::ach ? settings.ach_delivery : settings.check_delivery;
}
// True: start nothing new.
[[nodiscard]] bool must_stop(Context& context);

}  // namespace drawbridge::pipeline
