// Shutdown: a signal ends all waits and stops accepting connections. The running step may finish; after a grace period,
// its waits are canceled too. Committed work stays, and the next start continues the rest.
#include "drawbridge/daemon/daemon.hpp"

#include <unistd.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <csignal>
#include <exception>
#include <list>
#include <optional>
#include <string>
#include <utility>

#include "drawbridge/admin/console.hpp"
#include "drawbridge/admin/identity.hpp"
#include "drawbridge/admin/server.hpp"
#include "drawbridge/daemon/api_program.hpp"
#include "drawbridge/daemon/application.hpp"
#include "drawbridge/daemon/log.hpp"
#include "drawbridge/daemon/systemd.hpp"
#include "drawbridge/daemon/verifying.hpp"
#include "heartbeat.hpp"
#include "inbox_watch.hpp"
#include "maintenance.hpp"
#include "report_queries.hpp"
#include "work_loop.hpp"

namespace drawbridge::daemon {
namespace {

constexpr std::chrono::seconds grace{3};
// Between looks at the connection to the ledger's server. Until the end is noticed, nobody else can go on.
constexpr std::chrono::milliseconds between_looks{200};

bool is_cancellation(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const boost::system::system_error& error) {
        return error.code() == asio::error::operation_aborted;
    } catch (const std::exception&) {
        return false;
    }
}

std::string what(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const std::exception& error) {
        return error.what();
    }
}

class Daemon : private ApiProgram {
  public:
    Daemon(Application& app, Log log, AnswerReport answer_report)
        : ApiProgram(app),
          log_(std::move(log)),
          reports_(app, log_, std::move(answer_report)),
          work_(app, log_, systemd_),
          maintenance_(app, log_),
          admin_{.shared = *app.shared,
                 .turn = app.turn,
                 .program = *this,
                 .meter = &app.meter,
                 .console = &console_,
                 .reports = app.read_server ? &reports_ : nullptr},
          signals_(app.io, SIGTERM, SIGINT, SIGHUP),
          grace_timer_(app.io),
          next_look_(app.io) {}

    [[nodiscard]] bool run() {
        admin::ServerOptions options;
        options.socket = app_.config.admin_socket;
        auto server = admin::Server::listen(app_.io.get_executor(), admin_, std::move(options));
        if (!server) {
            log_->critical("{}", server.error().message);
            return false;
        }
        server_ = std::move(*server);
        if (const auto refused = serve_console()) {
            log_->critical("{}", *refused);
            return false;
        }
        if (const auto refused = serve_monitoring()) {
            log_->critical("{}", *refused);
            return false;
        }
        watch_inbox();
        spawn("the operators' socket", server_->serve());
        tell_people();
        begin_heartbeat();
        spawn("signals", obey_signals());
        if (ledger::is_in_postgresql(app_.ledger)) spawn("the connection to the ledger", watch_connection());
        asio::co_spawn(app_.io, maintenance_.run(),
                       asio::bind_cancellation_slot(cancel_backup_.slot(), [this](const std::exception_ptr& failure) {
                           ended("the backups", failure);
                       }));
        asio::co_spawn(app_.io, work_.run(),
                       asio::bind_cancellation_slot(cancel_work_.slot(), [this](const std::exception_ptr& failure) {
                           ended("the work loop", failure);
                           work_ended_ = true;
                           end_grace();
                           signals_.cancel();
                       }));
        systemd_.ready();
        log_event(log_, kinds::ready(), {},
                  "ready: ledger " + app_.ledger.ledger_id().substr(0, 12) + ", rule set " +
                      app_.context->rules.sha256.substr(0, 12) + ", socket " + app_.config.admin_socket.string() +
                      (monitoring_ ? ", metrics on port " + std::to_string(monitoring_->port()) : std::string()));
        app_.io.run();
        monitoring_.reset();
        console_server_.reset();
        server_.reset();
        log_event(log_, kinds::stopped(), {}, "stopped");
        return !failed_;
    }

  private:
    [[nodiscard]] admin::DaemonStatus status() const override {
        auto status = work_.daemon_status();
        status.reports_read = app_.reports_read;
        return status;
    }
    [[nodiscard]] Result<std::string> reload(const ledger::Stamp& by) override { return work_.reload(by); }
    [[nodiscard]] asio::awaitable<Verified> verify(ledger::Stamp by) override {
        return verify_copy_of_ledger(app_, std::move(by));
    }
    void log(LogLevel level, const std::string& text) override {
        switch (level) {
            case LogLevel::info: return log_->info("{}", text);
            case LogLevel::warning: return log_->warn("{}", text);
            case LogLevel::error: return log_->error("{}", text);
        }
    }
    void acted() override { work_.mirror_journal(); }

    // Why it cannot be served. Sessions end with the daemon.
    std::optional<std::string> serve_console() {
        const auto uid = console_uid();
        if (!uid) return "console.user: there is no user '" + app_.config.console.user + "' on this machine";
        admin::ServerOptions options;
        options.socket = app_.config.console.socket;
        options.console_uid = *uid;
        auto server = admin::Server::listen(app_.io.get_executor(), admin_, std::move(options));
        if (!server) return server.error().message;
        console_server_ = std::move(*server);
        spawn("the console's socket", console_server_->serve());
        return std::nullopt;
    }

    // Whose process may connect: console.user, or the daemon's own.
    [[nodiscard]] std::optional<std::int64_t> console_uid() const {
        const auto& user = app_.config.console.user;
        if (user.empty()) return ::geteuid();
        if (user.find_first_not_of("0123456789") == std::string::npos && user.size() < 10) return std::stoll(user);
        return admin::find_user(user);
    }

    // Why it cannot be served, where it is configured.
    std::optional<std::string> serve_monitoring() {
        if (!app_.config.metrics) return std::nullopt;
        auto server = admin::Server::listen_for_monitoring(app_.io.get_executor(), admin_, app_.config.metrics->address,
                                                           app_.config.metrics->port, {});
        if (!server) return server.error().message;
        monitoring_ = std::move(*server);
        spawn("the monitoring port", monitoring_->serve());
        return std::nullopt;
    }

    void watch_inbox() {
        auto watch = InboxWatch::open(app_.io.get_executor(), app_.config.state_dir / "inbox");
        if (!watch) return log_->warn("{}", watch.error().message);
        inbox_.emplace(std::move(*watch));
        spawn("the inbox watch", inbox_->watch([this] { work_.file_dropped(); }));
    }

    // The steps never wait for alerts.
    void tell_people() {
        app_.alerts_log = [this](bool is_problem, const std::string& text) {
            log_event(log_, is_problem ? spdlog::level::warn : spdlog::level::info, kinds::alerts_fail(), {}, text);
        };
        if (app_.alerts->channels().empty()) return;
        spawn("the watch for alerts", app_.alerts->watch());
        for (const auto channel : app_.alerts->channels()) {
            auto& cancel = cancel_alerts_.emplace_back();
            asio::co_spawn(app_.io, app_.alerts->send(channel),
                           asio::bind_cancellation_slot(cancel.slot(), [this](const std::exception_ptr& failure) {
                               ended("sending alerts", failure);
                               --senders_;
                               end_grace();
                           }));
            ++senders_;
        }
    }

    void begin_heartbeat() {
        if (!app_.heartbeat) return;
        const auto is_well = [this] {
            return admin::handle_monitoring(admin_, {.method = "GET", .target = "/readyz", .body = {}, .actor = {}})
                       .status == 200;
        };
        heartbeat_.emplace(app_.io.get_executor(), std::move(app_.heartbeat), app_.config.alerts.heartbeat->every,
                           is_well, log_);
        asio::co_spawn(app_.io, heartbeat_->beat(),
                       asio::bind_cancellation_slot(cancel_alerts_.emplace_back().slot(),
                                                    [this](const std::exception_ptr& failure) {
                                                        ended("the heartbeat", failure);
                                                        --senders_;
                                                        end_grace();
                                                    }));
        ++senders_;
    }

    asio::awaitable<void> watch_connection() {
        while (!stopping_) {
            ledger::require_in_place(app_.ledger);
            next_look_.expires_after(between_looks);
            static_cast<void>(co_await next_look_.async_wait(no_throw));
        }
    }

    void end_grace() {
        if (work_ended_ && senders_ == 0) grace_timer_.cancel();
    }

    // Cancels whatever is still running. Committed work is safe.
    void cancel_work() {
        app_.transfer_worker.abort();
        cancel_work_.emit(asio::cancellation_type::terminal);
        server_->cut_short();
        if (console_server_) console_server_->cut_short();
        for (auto& cancel : cancel_alerts_)
            cancel.emit(asio::cancellation_type::terminal);
    }

    void spawn(std::string name, asio::awaitable<void> task) {
        asio::co_spawn(app_.io, std::move(task),
                       [this, name = std::move(name)](const std::exception_ptr& failure) { ended(name, failure); });
    }

    // A task that ends before the program has failed.
    void ended(const std::string& name, const std::exception_ptr& failure) {
        if (failure && !(stopping_ && is_cancellation(failure))) {
            log_->critical("{} failed: {}", name, what(failure));
            // Nothing that is still on its way could be recorded, and another process waits for the end of this one.
            const bool is_first = !std::exchange(failed_, true);
            if (is_first && ledger::is_in_postgresql(app_.ledger)) asio::post(app_.io, [this] { cancel_work(); });
        }
        stop();
    }

    asio::awaitable<void> obey_signals() {
        boost::system::error_code error;  // set when the work is done
        while (!error) {
            const int signal = co_await signals_.async_wait(asio::redirect_error(asio::use_awaitable, error));
            if (!error) obey(signal);
        }
    }

    void obey(int signal) {
        if (signal == SIGHUP) return reload_inputs();
        if (stopping_) return cancel_work();
        log_->info("stopping");
        stop();
    }

    // reload() logs errors, and `status` shows them. The old rules and payees stay in force.
    void reload_inputs() {
        const auto in_force = work_.reload({app_.clock.now(), std::string(pipeline::daemon_actor)});
        if (in_force) log_->info("reload: {}", *in_force);
    }

    void stop() {
        if (std::exchange(stopping_, true)) return;
        systemd_.stopping();
        work_.stop();
        maintenance_.stop();
        cancel_backup_.emit(asio::cancellation_type::terminal);
        server_->stop();
        if (console_server_) console_server_->stop();
        if (monitoring_) monitoring_->stop();
        app_.alerts->stop();
        if (heartbeat_) heartbeat_->stop();
        if (inbox_) inbox_->stop();
        next_look_.cancel();
        grace_timer_.expires_after(grace);
        grace_timer_.async_wait([this](const boost::system::error_code& error) {
            if (!error) cancel_work();
        });
    }

    Log log_;
    ReportQueries reports_;
    Systemd systemd_;
    WorkLoop work_;
    Maintenance maintenance_;
    admin::Console console_;
    admin::AdminContext admin_;
    std::unique_ptr<admin::Server> server_, console_server_, monitoring_;
    std::optional<InboxWatch> inbox_;
    std::optional<Heartbeat> heartbeat_;
    asio::signal_set signals_;
    asio::steady_timer grace_timer_, next_look_;
    asio::cancellation_signal cancel_work_, cancel_backup_;
    std::list<asio::cancellation_signal> cancel_alerts_;
    int senders_ = 0;  // tasks that send alerts and have not ended
    bool work_ended_ = false;
    bool stopping_ = false;
    bool failed_ = false;
};

}  // namespace

bool run(Application& app, const Log& log, AnswerReport answer_report) {
    return Daemon(app, log, std::move(answer_report)).run();
}

}  // namespace drawbridge::daemon
