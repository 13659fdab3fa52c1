#include "in_process.hpp"

#include <unistd.h>

#include <cstdio>
#include <exception>
#include <utility>

#include "drawbridge/admin/identity.hpp"
#include "drawbridge/daemon/run_to_end.hpp"
#include "drawbridge/pipeline/forecast.hpp"
#include "drawbridge/text/sanitize.hpp"
#include "ownership.hpp"

namespace drawbridge::app {
namespace {

// Shows the same time throughout one request.
class MomentClock final : public Clock {
  public:
    [[nodiscard]] Instant now() const override { return now_; }
    void set(Instant now) { now_ = now; }

  private:
    Instant now_;
};

std::unexpected<StartFailure> not_answered(std::string why) {
    return std::unexpected(StartFailure{exit_failed, std::move(why)});
}

}  // namespace

void name_caller(admin::Request& request) {
    request.actor = admin::describe_user(::getuid());
    request.uid = ::getuid();
    request.groups = own_groups();
}

InProcess::InProcess(Built from)
    : ApiProgram(*from.application),
      built_(std::move(from)),
      context_{.shared = *app_.shared, .turn = app_.turn, .program = *this} {}

std::expected<admin::Response, StartFailure> InProcess::answer(admin::Request request) {
    if (request.method != "GET") {
        if (auto locked = built_.lock_as_writer(); !locked) return std::unexpected(std::move(locked.error()));
        daemon::note_settings(app_.ledger, app_.config, {app_.clock.now(), request.actor, request.uid});
    }
    app_.io.restart();
    return daemon::run_to_end(app_.io, admin::handle(context_, std::move(request)));
}

admin::DaemonStatus InProcess::status() const {
    admin::DaemonStatus live;
    live.rule_set_sha256 = app_.context->rules.sha256;
    live.next_cutoff = next_cutoff(pipeline::cutoff_plan(*app_.shared), app_.clock.now());
    for (const auto& problem : app_.input_problems)
        live.reload_problems.push_back(problem.to_string());
    return live;
}

Result<std::string> InProcess::reload(const ledger::Stamp& /*by*/) {
    return fail(ErrorCode::conflict,
                "no daemon runs, so there is nothing to reload: the next start reads rules and payees, and "
                "`drawbridge check` checks them now");
}

boost::asio::awaitable<daemon::Verified> InProcess::verify(ledger::Stamp by) {
    return daemon::verify_in_place(app_, std::optional(std::move(by)));
}

void InProcess::log(LogLevel level, const std::string& text) {
    if (level != LogLevel::error) return;
    std::fprintf(stderr, "drawbridge: %s\n", text::for_log(text).c_str());
}

// The same objects around a ledger that is only read.
class ReportReader::Program final : public InProcess {
  public:
    explicit Program(Built built) : InProcess(std::move(built)), moments_(*app_.read_server) {}

    [[nodiscard]] const std::string& settings() const { return app_.config.settings_sha256; }

    Result<admin::Response> answer_at_one_moment(admin::Request request, const std::optional<Expected>& expected) {
        const auto now = app_.clock.now();
        auto& ledger = app_.ledger;
        const auto reading = expected ? moments_.begin(ledger, expected->written, now) : moments_.begin(ledger, now);
        if (!reading) return std::unexpected(reading.error());
        clock_.set(reading->as_of);
        admin::AdminContext context{.shared = *app_.shared,
                                    .turn = app_.turn,
                                    .program = *this,
                                    .read_from = reading->to_string(),
                                    .clock = clock_};
        app_.io.restart();
        auto response = daemon::run_to_end(app_.io, admin::handle(context, std::move(request)));
        moments_.end(ledger);
        return response;
    }

    [[nodiscard]] boost::asio::awaitable<daemon::Verified> verify(ledger::Stamp /*by*/) override {
        return daemon::verify_in_place(app_, std::nullopt);
    }

  private:
    ledger::ReadMoments moments_;
    MomentClock clock_;
};

ReportReader::ReportReader(std::filesystem::path config_file) : config_file_(std::move(config_file)) {}
ReportReader::~ReportReader() = default;

std::expected<void, StartFailure> ReportReader::open(const std::optional<Expected>& expected) {
    auto built = build(config_file_, Purpose::read);
    if (!built) return std::unexpected(built.error());
    auto program = std::make_unique<Program>(std::move(*built));
    if (expected && program->settings() != expected->settings)
        return not_answered("the configuration was changed since the daemon started: restart it");
    program_ = std::move(program);
    return {};
}

std::expected<admin::Response, StartFailure> ReportReader::answer(const admin::Request& request,
                                                                  const std::optional<Expected>& expected) {
    if (request.method != "GET")
        return not_answered("the ledger is only read here (ledger.read_url): act where the daemon runs");
    constexpr int attempts = 3;
    std::string why;
    for (int attempt = 0; attempt < attempts; ++attempt) {
        if (!program_) {
            if (auto opened = open(expected); !opened) return std::unexpected(opened.error());
        }
        try {
            auto response = program_->answer_at_one_moment(request, expected);
            if (response) return *std::move(response);
            return not_answered(response.error().message);
        } catch (const std::exception& failure) {
            program_.reset();
            if (!ledger::may_be_read_again(failure)) throw;
            why = failure.what();
        }
    }
    return not_answered("ledger.read_url: the standby canceled the query " + std::to_string(attempts) + " times (" +
                        why + "): set hot_standby_feedback = on there, or try again");
}

}  // namespace drawbridge::app
