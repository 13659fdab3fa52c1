// The only place that puts all modules together: from the configuration to a running program's objects.
#pragma once

#include <expected>
#include <filesystem>
#include <memory>
#include <optional>

#include "drawbridge/app/programs.hpp"
#include "drawbridge/app/writers.hpp"
#include "drawbridge/daemon/application.hpp"
#include "drawbridge/ledger/store/engine.hpp"
#include "drawbridge/ledger/store/read_server.hpp"

namespace drawbridge::app {

enum class Purpose {
    work,     // the daemon or a run of all steps: rules and payees must be valid; creates a missing ledger
    request,  // one operator's request: the ledger must exist; rules and payees may be broken
    read,     // queries alone, of the server in ledger.read_url: nothing is locked and nothing is written
};

struct Built {
    std::optional<WriterLock> writer;  // present if this process may move money
    std::unique_ptr<daemon::Application> application;

    // Call before anything moves money. Error: another process pays the same draws or uses the same numbers; the
    // configuration names another service than the one whose draws the ledger has.
    [[nodiscard]] std::expected<void, StartFailure> lock_as_writer();
};
// For Purpose::work the process is locked as a writer.
[[nodiscard]] std::expected<Built, StartFailure> build(const std::filesystem::path& config_file, Purpose purpose);

// Call it before build(), except to stand by: waits a few seconds for another process that owns the ledger. False: it
// still does, so that build() will fail.
bool wait_for_other_process(const std::filesystem::path& config_file);

// nullopt: the ledger is a file.
[[nodiscard]] std::optional<ledger::PostgresqlAddress> address_of_ledger(const config::Config& config);
// nullopt: ledger.read_url is not set.
[[nodiscard]] std::optional<ledger::ReadServer> read_server_of(const config::Config& config);

[[nodiscard]] service::ClientOptions client_options(const config::Service& service);

}  // namespace drawbridge::app
