// Everything that a running program is made of, built from the configuration in the order of its needs.
#pragma once

#include <boost/asio/io_context.hpp>
#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "drawbridge/admin/metrics.hpp"
#include "drawbridge/alerts/alerts.hpp"
#include "drawbridge/config/config.hpp"
#include "drawbridge/daemon/cutoffs.hpp"
#include "drawbridge/daemon/inputs.hpp"
#include "drawbridge/daemon/programs.hpp"
#include "drawbridge/pipeline/context.hpp"
#include "drawbridge/pipeline/transfer_worker.hpp"
#include "drawbridge/pipeline/disk_worker.hpp"
#include "drawbridge/service/client.hpp"
#include "drawbridge/spool/spool.hpp"
#include "system_clock.hpp"
#include "writers.hpp"

namespace drawbridge::daemon {

namespace asio = boost::asio;

enum class Purpose {
    work,     // the daemon, a run of all steps: rules and payees must be good; a new ledger is created
    request,  // one operator's request: the ledger must be there; rules and payees may be broken
};

struct Application {
    config::Config config;
    SystemClock clock;
    asio::io_context io{1};  // one thread
    ledger::Ledger ledger;
    spool::Spool spool;
    admin::Meter meter;  // outlives the client, which tells it of each request
    std::unique_ptr<service::DrawsClient> service;
    alerts::Alerts::LogSink alerts_log;  // empty: nobody listens
    std::unique_ptr<alerts::Alerts> alerts;
    text::Diagnostics input_problems;  // why rules and payees are empty (Purpose::request)
    text::Diagnostics warnings;
    std::optional<pipeline::Shared> shared;
    std::optional<pipeline::Context> context;  // the daemon's own acts
    bool backing_up = false;                   // one copy at a time
    bool verifying = false;                    // one check at a time
    bool archive_in_use = false;               // it is sealed, cleared or checked, by one at a time
    std::set<std::string> left_plain;          // files of the archive that are not sealed by this process
    std::optional<WriterLock> writer;          // of a process that may move money
    pipeline::DiskWorker disk{io.get_executor()};
    pipeline::TransferWorker transfer_worker;  // the last: its thread ends before what it may wake goes

    Application(config::Config from, ledger::Ledger opened)
        : config(std::move(from)), ledger(std::move(opened)), spool(config.state_dir) {}
    Application(const Application&) = delete;
    Application& operator=(const Application&) = delete;

    [[nodiscard]] static std::expected<std::unique_ptr<Application>, StartFailure> build(
        const std::filesystem::path& config_file, Purpose purpose);

    // Call it before anything moves money. Errors: another process does, with the same draws or numbers.
    [[nodiscard]] Result<void> lock_as_writer();

    [[nodiscard]] CutoffPlan cutoff_plan() const {
        return {config.pay.timezone, config.pay.cutoffs, context->settings.plan.calendar};
    }
};

[[nodiscard]] service::ClientOptions client_options(const config::Service& service);

}  // namespace drawbridge::daemon
