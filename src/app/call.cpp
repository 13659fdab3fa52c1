// Handles one operator's request: over the socket, or in this process if no daemon answers.
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "drawbridge/admin/client.hpp"
#include "drawbridge/config/admin_socket.hpp"
#include "drawbridge/config/input_files.hpp"
#include "drawbridge/ledger/store/server.hpp"
#include "drawbridge/text/sanitize.hpp"
#include "in_process.hpp"

namespace drawbridge::app {
namespace {

// Long: a pay step with thousands of draws reads each of them again.
constexpr std::chrono::hours max_wait{1};

// A configuration that cannot be read is for build() to report.
bool has_read_server(const std::filesystem::path& config_file) {
    const auto config = config::load_config(config_file);
    return config && read_server_of(*config).has_value();
}

// Without a daemon, only two users can use the ledger. To anybody else, the secrets that they cannot read are not the
// point.
std::optional<StartFailure> needs_daemon(const std::filesystem::path& config_file) {
    const auto inputs = config::find_input_files(config_file);
    const auto& state_dir = inputs.state_dir;
    struct stat status{};
    if (::geteuid() == 0 || !state_dir || ::stat(state_dir->c_str(), &status) != 0) return std::nullopt;
    if (status.st_uid == ::geteuid()) return std::nullopt;
    const std::string start =
        "ask an administrator to start it (`systemctl start drawbridge`); without it, only root "
        "and the service's user can use this ledger";
    if (!inputs.is_ledger_on_server)
        return StartFailure{exit_failed, state_dir->string() + ": no daemon runs: " + start};
    // A process that stands by does not answer, and only root and the service can ask the ledger who writes.
    return StartFailure{exit_failed, state_dir->string() +
                                         ": no daemon answers here: if this machine stands by, run the command on the "
                                         "machine that writes; if not, " +
                                         start};
}

// While it lives, a command waits for the daemon. If that takes long and the ledger's server is the cause, it says so
// on stderr, once.
class Patience {
  public:
    explicit Patience(const std::filesystem::path& config_file)
        : thread_([config_file](const std::stop_token& stop) {
              constexpr std::chrono::seconds patience{5};
              std::mutex mutex;
              std::unique_lock lock(mutex);
              std::condition_variable_any end;
              static_cast<void>(end.wait_for(lock, stop, patience, [] { return false; }));
              if (stop.stop_requested()) return;
              const auto config = config::load_config(config_file);
              const auto address = config ? address_of_ledger(*config) : std::nullopt;
              const auto why = address ? ledger::why_writes_wait(*address) : std::nullopt;
              if (!why || stop.stop_requested()) return;
              std::fprintf(stderr, "drawbridge: the daemon does not answer yet: %s\n", text::for_log(*why).c_str());
          }) {}

  private:
    std::jthread thread_;
};

// nullopt: no daemon answers.
std::optional<std::expected<admin::Response, StartFailure>> ask_daemon(const std::filesystem::path& config_file,
                                                                       const admin::Request& request) {
    const auto socket = config::find_admin_socket(config_file);
    if (!socket) return std::nullopt;
    const Patience patience(config_file);
    auto answer = admin::call(*socket, request, max_wait);
    if (!answer) return std::unexpected(StartFailure{exit_failed, answer.error().message});
    if (!*answer) return std::nullopt;
    return std::move(**answer);
}

}  // namespace

Caller::Caller(std::filesystem::path config_file) : config_file_(std::move(config_file)) {}
Caller::~Caller() = default;

std::expected<admin::Response, StartFailure> Caller::call(admin::Request request) {
    auto response = answer(std::move(request));
    if (response && std::exchange(has_named_source_, has_named_source_ || !response->read_from.empty()))
        response->read_from.clear();
    return response;
}

std::expected<admin::Response, StartFailure> Caller::answer(admin::Request request) {
    if (!in_process_ && !reader_) {
        if (auto answer = ask_daemon(config_file_, request)) return *std::move(answer);
        if (request.method == "GET" && has_read_server(config_file_)) {
            reader_ = std::make_unique<ReportReader>(config_file_);
        } else {
            if (auto failure = needs_daemon(config_file_)) return std::unexpected(*std::move(failure));
            // A daemon that was starting owns it, and answers by now.
            if (!wait_for_other_process(config_file_)) {
                if (auto answer = ask_daemon(config_file_, request)) return *std::move(answer);
            }
            auto built = build(config_file_, Purpose::request);
            if (!built) return std::unexpected(built.error());
            in_process_ = std::make_unique<InProcess>(std::move(*built));
        }
    }
    name_caller(request);
    return reader_ ? reader_->answer(request, std::nullopt) : in_process_->answer(std::move(request));
}

std::expected<admin::Response, StartFailure> call(const std::filesystem::path& config_file,
                                                  const admin::Request& request) {
    return Caller(config_file).call(request);
}

}  // namespace drawbridge::app
