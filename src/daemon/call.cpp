// One operator's request: over the socket, or in this process when no daemon answers.
#include <unistd.h>

#include <utility>

#include "drawbridge/admin/client.hpp"
#include "drawbridge/admin/identity.hpp"
#include "drawbridge/config/admin_socket.hpp"
#include "requests.hpp"
#include "run_to_end.hpp"

namespace drawbridge::daemon {
namespace {

// A pay stage over many thousand draws reads each of them afresh.
constexpr std::chrono::hours longest_wait{1};

asio::awaitable<Result<admin::PayOutcome>> pay_without_daemon(Application& app, std::string actor, std::string reason) {
    if (!app.input_problems.empty()) {
        co_return fail(ErrorCode::invalid_input,
                       "rules or payees are broken, nothing is paid on them:\n" + text::to_string(app.input_problems));
    }
    co_return co_await pay_for(app, std::move(actor), std::move(reason));
}

std::expected<admin::Response, StartFailure> call_in_process(const std::filesystem::path& config_file,
                                                             admin::Request request) {
    auto built = Application::build(config_file, Purpose::request);
    if (!built) return std::unexpected(built.error());
    Application& app = **built;
    auto context = admin_context(app);
    context.live = [&] {
        admin::Live live;
        live.rule_set_sha256 = app.context->rules.sha256;
        live.next_cutoff = next_cutoff(app.cutoff_plan(), app.clock.now());
        for (const auto& problem : app.input_problems)
            live.reload_problems.push_back(problem.to_string());
        return live;
    };
    context.pay = [&](std::string actor, std::string reason) {
        return pay_without_daemon(app, std::move(actor), std::move(reason));
    };
    context.take_file = [&](spool::ClaimedFile file, std::size_t lines_wanted, std::string actor) {
        return take_for(app, std::move(file), lines_wanted, std::move(actor));
    };
    context.reload = [](const ledger::Stamp&) -> Result<std::string> {
        return fail(ErrorCode::conflict, "no daemon runs: the next run reads rules and payees anyway");
    };
    request.actor = admin::describe_user(::getuid());
    return run_to_end(app.io, admin::handle(context, std::move(request)));
}

}  // namespace

std::expected<admin::Response, StartFailure> call(const std::filesystem::path& config_file,
                                                  const admin::Request& request) {
    if (const auto socket = config::find_admin_socket(config_file)) {
        auto answer = admin::call(*socket, request, longest_wait);
        if (!answer) return std::unexpected(StartFailure{exit_failed, answer.error().message});
        if (*answer) return std::move(**answer);
    }
    return call_in_process(config_file, request);
}

}  // namespace drawbridge::daemon
