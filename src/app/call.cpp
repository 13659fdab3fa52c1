// Handles one operator's request: over the socket, or in this process if no daemon answers.
#include <unistd.h>

#include <cstdio>
#include <utility>

#include "build.hpp"
#include "drawbridge/admin/client.hpp"
#include "drawbridge/admin/identity.hpp"
#include "drawbridge/config/admin_socket.hpp"
#include "drawbridge/daemon/api_program.hpp"
#include "drawbridge/daemon/run_to_end.hpp"
#include "drawbridge/daemon/verifying.hpp"
#include "drawbridge/pipeline/forecast.hpp"
#include "drawbridge/text/sanitize.hpp"
#include "ownership.hpp"

namespace drawbridge::app {
namespace {

// Long: a pay step with thousands of draws reads each of them again.
constexpr std::chrono::hours max_wait{1};

}  // namespace

struct Caller::InProcess final : daemon::ApiProgram {
    explicit InProcess(Built from)
        : ApiProgram(*from.application),
          built(std::move(from)),
          context{.shared = *app_.shared, .turn = app_.turn, .program = *this} {}

    [[nodiscard]] admin::DaemonStatus status() const override {
        admin::DaemonStatus live;
        live.rule_set_sha256 = app_.context->rules.sha256;
        live.next_cutoff = next_cutoff(pipeline::cutoff_plan(*app_.shared), app_.clock.now());
        for (const auto& problem : app_.input_problems)
            live.reload_problems.push_back(problem.to_string());
        return live;
    }
    [[nodiscard]] Result<std::string> reload(const ledger::Stamp& /*by*/) override {
        return fail(ErrorCode::conflict,
                    "no daemon runs, so there is nothing to reload: the next start reads rules and payees, and "
                    "`drawbridge check` checks them now");
    }
    [[nodiscard]] boost::asio::awaitable<daemon::Verified> verify(ledger::Stamp by) override {
        return daemon::verify_in_place(app_, std::move(by));
    }
    void log(LogLevel level, const std::string& text) override {
        if (level != LogLevel::error) return;
        std::fprintf(stderr, "drawbridge: %s\n", text::for_log(text).c_str());
    }

    std::expected<admin::Response, StartFailure> answer(admin::Request request) {
        if (request.method != "GET") {
            if (const auto locked = built.lock_as_writer(); !locked) {
                return std::unexpected(StartFailure{exit_locked, locked.error().message});
            }
        }
        request.actor = admin::describe_user(::getuid());
        request.uid = ::getuid();
        request.groups = own_groups();
        app_.io.restart();
        return daemon::run_to_end(app_.io, admin::handle(context, std::move(request)));
    }

    Built built;
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
    auto built = build(config_file_, Purpose::request);
    if (!built) return std::unexpected(built.error());
    in_process_ = std::make_unique<InProcess>(std::move(*built));
    return in_process_->answer(std::move(request));
}

std::expected<admin::Response, StartFailure> call(const std::filesystem::path& config_file,
                                                  const admin::Request& request) {
    return Caller(config_file).call(request);
}

}  // namespace drawbridge::app
