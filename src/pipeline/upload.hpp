// The way of one file to a server, step by step. Private to this room.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "drawbridge/delivery/sftp.hpp"
#include "drawbridge/pipeline/courier.hpp"
#include "drawbridge/pipeline/deliver.hpp"
#include "run_stage.hpp"

namespace drawbridge::pipeline {

// One server in one run of `deliver`.
struct Trip {
    Context& context;
    StageRunner& runner;
    const delivery::SftpOptions& options;
    std::string server;                                // delivery::address of the options
    std::shared_ptr<delivery::SftpSession> session{};  // empty: not opened yet
    bool over = false;                                 // nothing more can be done there in this run
};

// On the courier's thread, with the session that is open.
template <class T>
[[nodiscard]] asio::awaitable<T> ask(Trip& trip, std::function<T(delivery::SftpSession&)> question) {
    std::function<T()> work = [session = trip.session, question = std::move(question)] { return question(*session); };
    std::function<void()> tick = [&context = trip.context] { context.progress("deliver", 0, 0); };
    co_return co_await trip.context.courier->ask(std::move(work), std::move(tick));
}

// Takes a file that is released and not delivered as far as it can go now.
[[nodiscard]] asio::awaitable<void> carry(Trip& trip, ledger::DeliveryRow row);

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
