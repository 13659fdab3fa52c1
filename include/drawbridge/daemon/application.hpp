// All objects of a running program, in order of dependency. app/ builds them from the configuration.
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "drawbridge/admin/metrics.hpp"
#include "drawbridge/alerts/alerts.hpp"
#include "drawbridge/config/config.hpp"
#include "drawbridge/config/inputs.hpp"
#include "drawbridge/daemon/system_clock.hpp"
#include "drawbridge/ledger/store/read_server.hpp"
#include "drawbridge/pipeline/context.hpp"
#include "drawbridge/pipeline/transfer_worker.hpp"
#include "drawbridge/pipeline/turn_lock.hpp"
#include "drawbridge/pipeline/worker.hpp"
#include "drawbridge/service/client.hpp"
#include "drawbridge/service/webhook.hpp"
#include "drawbridge/spool/spool.hpp"

namespace drawbridge::daemon {

namespace asio = boost::asio;

struct Application {
    config::Config config;
    SystemClock clock;
    asio::io_context io{1};  // one thread
    ledger::Ledger ledger;
    std::optional<ledger::ReadServer> read_server;  // nullopt: reports are read from `ledger`
    std::string reports_read;                       // for people: where they were read last
    spool::Spool spool;
    admin::Meter meter;  // outlives the client, which reports each request to it
    std::unique_ptr<service::DrawsClient> service;
    alerts::Alerts::LogSink alerts_log;  // empty: nobody listens
    std::unique_ptr<alerts::Alerts> alerts;
    std::unique_ptr<service::Webhook> heartbeat;  // its target; null: not configured
    text::Diagnostics input_problems;  // of files that are not in force: older ones are, or (without a daemon) none
    config::InputStamps input_stamps;  // of the rule and payee files, from before they were read
    text::Diagnostics warnings;
    std::optional<pipeline::Shared> shared;
    std::optional<pipeline::Context> context;  // the daemon's own acts
    pipeline::TurnLock turn{io.get_executor()};
    bool backing_up = false;           // one backup at a time
    bool verifying = false;            // one check at a time
    bool archive_in_use = false;       // one of sealing, deletion or check at a time
    std::set<std::string> left_plain;  // archived files that this process does not seal
    pipeline::Worker disk{pipeline::Worker::AtEnd::leave};
    pipeline::TransferWorker transfer_worker;  // last, so that its thread ends before the objects that it wakes

    Application(config::Config from, ledger::Ledger opened)
        : config(std::move(from)), ledger(std::move(opened)), spool(config.state_dir) {}
    Application(const Application&) = delete;
    Application& operator=(const Application&) = delete;
};

}  // namespace drawbridge::daemon
