#include "witness_setup.hpp"

#include <sys/stat.h>

#include <boost/asio/io_context.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <system_error>

#include "drawbridge/app/programs.hpp"
#include "drawbridge/daemon/run_to_end.hpp"
#include "drawbridge/ledger/store/witness.hpp"
#include "drawbridge/pipeline/worker.hpp"
#include "drawbridge/text/json.hpp"

namespace drawbridge::app {
namespace {

namespace fs = std::filesystem;
using text::Severity;

// Runs `work` in another thread, so that a hanging file system ends in a timeout.
template <class T>
Result<T> call_witness(const config::Witness& witness, std::function<T()> work) {
    boost::asio::io_context io(1);
    pipeline::Worker disk(pipeline::Worker::AtEnd::leave);
    return daemon::run_to_end(io, disk.call(std::move(work), witness.timeout));
}

// The device of a folder, or of its nearest existing parent.
dev_t device_of(fs::path folder) {
    struct stat status{};
    while (::stat(folder.c_str(), &status) != 0 && folder.has_relative_path())
        folder = folder.parent_path();
    return status.st_dev;
}

void add_warning(text::Diagnostics& found, const config::Config& config, std::string message, std::string hint) {
    found.push_back({config.file.string(), 0, 0, std::move(message), std::move(hint), Severity::warning});
}

}  // namespace

text::Diagnostics check_witness(const config::Config& config, std::vector<std::string>& lines) {
    text::Diagnostics found;
    const auto& witness = config.ledger.witness;
    if (witness.none_on_purpose) {
        lines.emplace_back("witness   none: after a snapshot rollback, draws may be paid twice");
        return found;
    }
    if (!witness.folder) {
        add_warning(found, config,
                    "ledger.witness is not set: after a snapshot rollback of this machine, draws may be paid twice",
                    "name a folder on another disk or machine, or write ledger: {witness: none}");
        return found;
    }
    std::function<Result<bool>()> look = [folder = *witness.folder, state_dir = config.state_dir]() -> Result<bool> {
        std::error_code error;
        if (!fs::is_directory(folder, error)) {
            return fail(ErrorCode::not_found, error ? error.message() : std::string("not a folder"));
        }
        return device_of(folder) == device_of(state_dir);
    };
    const auto answered = call_witness(witness, std::move(look));
    const Result<bool> same_disk = answered ? *answered : Result<bool>(std::unexpected(answered.error()));
    if (!same_disk) {
        add_warning(found, config, "ledger.witness: " + witness.folder->string() + ": " + same_disk.error().message,
                    "mount it; while it is unavailable, nothing leaves for the bank");
        return found;
    }
    if (*same_disk) {
        add_warning(found, config, "ledger.witness: " + witness.folder->string() + " is on the same disk as state_dir",
                    "name a folder on another disk; a snapshot of this disk rolls back both");
    }
    lines.push_back("witness   " + witness.folder->string());
    return found;
}

std::expected<std::string, StartFailure> init_witness(const fs::path& config_file) {
    const auto config = config::load_config(config_file);
    if (!config) return std::unexpected(StartFailure{exit_configuration, text::to_string(config.error())});
    const auto& witness = config->ledger.witness;
    if (!witness.folder) {
        const std::string problem = witness.none_on_purpose ? "is none" : "is not set";
        return std::unexpected(StartFailure{exit_configuration, config->file.string() + ": ledger.witness " + problem +
                                                                    ": set it to a folder on another disk or machine"});
    }
    const auto status = call(config_file, {"GET", "/status", "", ""});
    if (!status) return std::unexpected(status.error());
    const auto answer = text::parse_json(status->body);
    const nlohmann::json::json_pointer ledger_id("/ledger/id");
    if (status->status != 200 || !answer || !answer->contains(ledger_id) || !(*answer)[ledger_id].is_string()) {
        return std::unexpected(
            StartFailure{exit_failed, "the daemon's status does not contain a ledger id: " + status->body});
    }
    std::function<Result<bool>()> make = [folder = *witness.folder, id = (*answer)[ledger_id].get<std::string>()] {
        return ledger::init_witness(folder, id);
    };
    const auto answered = call_witness(witness, std::move(make));
    const Result<bool> made = answered ? *answered : Result<bool>(std::unexpected(answered.error()));
    if (!made) return std::unexpected(StartFailure{exit_failed, made.error().message});
    return witness.folder->string() + (*made ? " is now the witness of this ledger"
                                             : " is already the witness of this ledger: nothing was changed");
}

}  // namespace drawbridge::app
