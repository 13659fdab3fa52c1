// The way of one file to a server, step by step. Private to this module.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "drawbridge/delivery/sftp.hpp"
#include "drawbridge/pipeline/transfer_worker.hpp"
#include "drawbridge/pipeline/deliver.hpp"
#include "step_runner.hpp"

namespace drawbridge::pipeline {

// One server in one run of `deliver`.
struct ServerSession {
    Context& context;
    StepRunner& runner;
    const delivery::SftpOptions& options;
    std::string server;                                // delivery::address of the options
    std::shared_ptr<delivery::SftpSession> sftp{};  // empty: not opened yet
    bool over = false;                                 // nothing more can be done there in this run
};

// On the transfer_worker's thread, with the session that is open.
template <class T>
[[nodiscard]] asio::awaitable<T> run_on_server(ServerSession& session, std::function<T(delivery::SftpSession&)> question) {
    std::function<T()> work = [sftp = session.sftp, question = std::move(question)] { return question(*sftp); };
    std::function<void()> tick = [&context = session.context] { context.progress("deliver", 0, 0); };
    co_return co_await session.context.transfer_worker->call(std::move(work), std::move(tick));
}

// Takes a file that is released and not delivered as far as it can go now.
[[nodiscard]] asio::awaitable<void> deliver_file(ServerSession& session, ledger::DeliveryRow row);

// A case of `deliver` that a person must look at.
void raise_delivery(Context& context, std::string_view reason_code, const std::string& subject,
                    const std::string& detail);
// Where the files of that rail go.
[[nodiscard]] inline const DeliveryTarget& target_of(const Settings& settings, disbursement::Rail rail) {
    return rail == disbursement::Rail::ach ? settings.ach_delivery : settings.check_delivery;
}
// Nothing new may be begun.
[[nodiscard]] bool must_stop(Context& context);

}  // namespace drawbridge::pipeline
