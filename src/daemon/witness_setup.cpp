#include "witness_setup.hpp"

#include <sys/stat.h>

#include <boost/asio/io_context.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <system_error>

#include "drawbridge/daemon/programs.hpp"
#include "drawbridge/ledger/witness.hpp"
#include "drawbridge/pipeline/disk_worker.hpp"
#include "drawbridge/text/json.hpp"
#include "run_to_end.hpp"

namespace drawbridge::daemon {
namespace {

namespace fs = std::filesystem;
using text::Severity;

// `work` beside this thread, so that a file system that hangs is given up.
template <class T>
Result<T> call_witness(const config::Witness& witness, std::function<T()> work) {
    boost::asio::io_context io(1);
    pipeline::DiskWorker disk(io.get_executor());
    return run_to_end(io, disk.call(std::move(work), witness.timeout));
}

// The disk that a folder lies on, or would lie on.
dev_t device_of(fs::path folder) {
    struct stat status{};
    while (::stat(folder.c_str(), &status) != 0 && folder.has_relative_path())
        folder = folder.parent_path();
    return status.st_dev;
}

void warn(text::Diagnostics& found, const config::Config& config, std::string message, std::string hint) {
    found.push_back({config.file.string(), 0, 0, std::move(message), std::move(hint), Severity::warning});
}

}  // namespace

text::Diagnostics check_witness(const config::Config& config, std::vector<std::string>& lines) {
    text::Diagnostics found;
    const auto& witness = config.ledger.witness;
    if (witness.none_on_purpose) {
        lines.emplace_back("witness   none: a machine that is rolled back to a snapshot may pay again");
        return found;
    }
    if (!witness.folder) {
        warn(found, config, "ledger.witness is not set: a machine that is rolled back to a snapshot may pay again",
             "name a folder on another disk or machine; or say ledger: {witness: none}");
        return found;
    }
    std::function<Result<bool>()> look = [folder = *witness.folder, state_dir = config.state_dir]() -> Result<bool> {
        std::error_code error;
        if (!fs::is_directory(folder, error)) {
            return fail(ErrorCode::not_found,
                        error ? error.message() : std::string("it is not there, or is no folder"));
        }
        return device_of(folder) == device_of(state_dir);
    };
    const auto answered = call_witness(witness, std::move(look));
    const Result<bool> same_disk = answered ? *answered : Result<bool>(std::unexpected(answered.error()));
    if (!same_disk) {
        warn(found, config, "ledger.witness: " + witness.folder->string() + ": " + same_disk.error().message,
             "mount it: nothing leaves for the bank while it cannot be used");
        return found;
    }
    if (*same_disk) {
        warn(found, config, "ledger.witness: " + witness.folder->string() + " is on the disk of state_dir",
             "a snapshot of that disk takes both back: name a folder on another one");
    }
    lines.push_back("witness   " + witness.folder->string());
    return found;
}

std::string describe_witness(const config::Witness& witness) {
    if (witness.none_on_purpose) return "none";
    return witness.folder ? witness.folder->string() : "";
}

std::expected<std::string, StartFailure> init_witness(const fs::path& config_file) {
    const auto config = config::load_config(config_file);
    if (!config) return std::unexpected(StartFailure{exit_configuration, text::to_string(config.error())});
    const auto& witness = config->ledger.witness;
    if (!witness.folder) {
        return std::unexpected(StartFailure{
            exit_configuration, config->file.string() + ": ledger.witness names no folder: name one on another disk"});
    }
    const auto status = call(config_file, {"GET", "/status", "", ""});
    if (!status) return std::unexpected(status.error());
    const auto answer = text::parse_json(status->body);
    const nlohmann::json::json_pointer ledger_id("/ledger/id");
    if (status->status != 200 || !answer || !answer->contains(ledger_id) || !(*answer)[ledger_id].is_string()) {
        return std::unexpected(
            StartFailure{exit_failed, "the daemon does not say which ledger it has: " + status->body});
    }
    std::function<Result<bool>()> make = [folder = *witness.folder, id = (*answer)[ledger_id].get<std::string>()] {
        return ledger::init_witness(folder, id);
    };
    const auto answered = call_witness(witness, std::move(make));
    const Result<bool> made = answered ? *answered : Result<bool>(std::unexpected(answered.error()));
    if (!made) return std::unexpected(StartFailure{exit_failed, made.error().message});
    return witness.folder->string() + (*made ? " is the witness of this ledger from now on"
                                             : " is the witness of this ledger already: nothing was changed");
}

}  // namespace drawbridge::daemon
