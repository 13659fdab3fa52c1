// Handles one operator's request: over the socket, or in this process if no daemon answers.
#include <unistd.h>

#include <cstdio>
#include <utility>

#include "drawbridge/admin/client.hpp"
#include "drawbridge/admin/identity.hpp"
#include "drawbridge/config/admin_socket.hpp"
#include "drawbridge/pipeline/refresh.hpp"
#include "drawbridge/text/sanitize.hpp"
#include "ownership.hpp"
#include "requests.hpp"
#include "run_to_end.hpp"
#include "verifying.hpp"

namespace drawbridge::daemon {
namespace {

// Long: a pay step with thousands of draws reads each of them again.
constexpr std::chrono::hours max_wait{1};

asio::awaitable<Result<admin::PayOutcome>> pay_without_daemon(Application& app, ledger::Stamp by, std::string reason) {
    if (!app.input_problems.empty()) {
        co_return fail(ErrorCode::invalid_input,
                       "rules or payees have errors, so nothing is paid:\n" + text::to_string(app.input_problems));
    }
    co_return co_await pay_for(app, std::move(by), std::move(reason));
}

}  // namespace

struct Caller::InProcess {
    explicit InProcess(std::unique_ptr<Application> built) : app(std::move(built)), context(admin_context(*app)) {
        context.daemon_status = [this] {
            admin::DaemonStatus live;
            live.rule_set_sha256 = app->context->rules.sha256;
            live.next_cutoff = next_cutoff(app->cutoff_plan(), app->clock.now());
            for (const auto& problem : app->input_problems)
                live.reload_problems.push_back(problem.to_string());
            return live;
        };
        context.pay = [this](ledger::Stamp by, std::string reason) {
            return pay_without_daemon(*app, std::move(by), std::move(reason));
        };
        context.verify = [this](ledger::Stamp by) { return verify_in_place(*app, std::move(by)); };
        context.take_file = [this](spool::ClaimedFile file, std::size_t lines_wanted, ledger::Stamp by) {
            return take_for(*app, std::move(file), lines_wanted, std::move(by));
        };
        context.log_failure = [](const std::string& what) {
            std::fprintf(stderr, "drawbridge: %s\n", text::for_log(what).c_str());
        };
        context.release = [this](std::string name, std::string reason, ledger::Stamp by) {
            return release_for(*app, std::move(name), std::move(reason), std::move(by));
        };
        context.refresh = [this](std::vector<DrawId> ids) { return pipeline::refresh(*app->context, std::move(ids)); };
    }

    std::expected<admin::Response, StartFailure> answer(admin::Request request) {
        if (request.method != "GET") {
            if (const auto locked = app->lock_as_writer(); !locked) {
                return std::unexpected(StartFailure{exit_locked, locked.error().message});
            }
        }
        request.actor = admin::describe_user(::getuid());
        request.uid = ::getuid();
        request.groups = own_groups();
        app->io.restart();
        return run_to_end(app->io, admin::handle(context, std::move(request)));
    }

    std::unique_ptr<Application> app;
    admin::AdminContext context;
};

Caller::Caller(std::filesystem::path config_file) : config_file_(std::move(config_file)) {}
Caller::~Caller() = default;

std::expected<admin::Response, StartFailure> Caller::call(admin::Request request) {
    if (in_process_) return in_process_->answer(std::move(request));
    if (const auto socket = config::find_admin_socket(config_file_)) {
        auto answer = admin::call(*socket, request, max_wait);
        if (!answer) return std::unexpected(StartFailure{exit_failed, answer.error().message});
        if (*answer) return std::move(**answer);
    }
    auto built = Application::build(config_file_, Purpose::request);
    if (!built) return std::unexpected(built.error());
    in_process_ = std::make_unique<InProcess>(std::move(*built));
    return in_process_->answer(std::move(request));
}

std::expected<admin::Response, StartFailure> call(const std::filesystem::path& config_file,
                                                  const admin::Request& request) {
    return Caller(config_file).call(request);
}

}  // namespace drawbridge::daemon
