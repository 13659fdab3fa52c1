// What the operators' API works with: the real pipeline on the test's ledger and a real spool, and a Draws Service that
// shows each draw as the ledger saw it last.
#pragma once

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "drawbridge/admin/handlers.hpp"
#include "drawbridge/ledger/facts/draws.hpp"
#include "drawbridge/ledger/facts/invariant_checks.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "support/sample_config.hpp"
#include "support/samples.hpp"
#include "support/verify_and_record.hpp"

namespace drawbridge::admin {

class KnownDraws final : public service::DrawsService {
  public:
    explicit KnownDraws(ledger::Ledger& ledger) : ledger_(ledger) {}

    [[nodiscard]] bool takes_calls() const override { return true; }
    void begin_fresh_reads() override {}
    [[nodiscard]] service::Task<service::DrawPage> list(service::ListQuery /*query*/) override {
        co_return Result<service::DrawPage>(service::DrawPage());
    }
    [[nodiscard]] service::Task<std::optional<Draw>> read(DrawId id) override {
        if (before_read) co_await before_read();
        const auto known = ledger::newest_reading(ledger_, id);
        co_return Result<std::optional<Draw>>(known ? std::optional(known->draw) : std::nullopt);
    }
    [[nodiscard]] service::Task<std::optional<Draw>> patch(DrawId /*id*/, service::DrawPatch /*patch*/) override {
        co_return fail(ErrorCode::unavailable, "this service is only read");
    }
    [[nodiscard]] service::Task<service::ApprovalAnswer> approve(std::vector<service::Approval> /*all*/) override {
        co_return fail(ErrorCode::unavailable, "this service is only read");
    }

    std::function<asio::awaitable<void>()> before_read = {};

  private:
    ledger::Ledger& ledger_;
};

class TestProgram final : public Program {
  public:
    explicit TestProgram(ledger::Ledger& ledger) : ledger_(ledger) {}

    [[nodiscard]] DaemonStatus status() const override { return live; }
    [[nodiscard]] Result<std::string> reload(const ledger::Stamp& by) override { return by.actor; }
    [[nodiscard]] std::vector<std::string> alert_channels() const override { return channels; }
    [[nodiscard]] asio::awaitable<Result<std::vector<AlertTest>>> test_alerts(std::string /*reason*/,
                                                                              ledger::Stamp /*by*/) override {
        co_return Result<std::vector<AlertTest>>();
    }
    [[nodiscard]] asio::awaitable<Result<void>> mail(std::string /*title*/, std::string text) override {
        mails.push_back(std::move(text));
        co_return Result<void>();
    }
    [[nodiscard]] asio::awaitable<Result<std::vector<ledger::InvariantResult>>> verify(ledger::Stamp by) override {
        co_return test::verify_and_record(ledger_, by);
    }
    [[nodiscard]] asio::awaitable<Result<ledger::Backup>> back_up(std::string /*file*/, ledger::Stamp /*by*/) override {
        throw std::logic_error("a mistake of this program");
    }
    [[nodiscard]] asio::awaitable<Result<std::vector<ArchiveEntry>>> list_archive() override {
        co_return fail(ErrorCode::unavailable, "this program has no archive");
    }
    [[nodiscard]] asio::awaitable<Result<std::string>> read_archived(std::string /*path*/, std::uint64_t /*offset*/,
                                                                     std::size_t /*most*/) override {
        co_return fail(ErrorCode::unavailable, "this program has no archive");
    }
    void log(LogLevel level, const std::string& text) override {
        if (level == LogLevel::error) failures.push_back(text);
    }

    DaemonStatus live;
    std::vector<std::string> failures, channels, mails;

  private:
    ledger::Ledger& ledger_;
};

struct Office {
    Office(ledger::Ledger& ledger, const Clock& clock, const std::filesystem::path& folder)
        : service(ledger),
          spool(folder),
          config(test::sample_config(folder)),
          shared{.ledger = ledger,
                 .service = service,
                 .spool = spool,
                 .clock = clock,
                 .config = config,
                 .settings = {.payee_key = find_draw_field("fieldA"), .plan = test::sample_plan_settings()},
                 .rules = {},
                 .payees = test::sample_directory()},
          program(ledger),
          context{.shared = shared, .turn = turn, .program = program} {}
    Office(const Office&) = delete;
    Office& operator=(const Office&) = delete;

    // Writes the bytes of a file that the ledger has as staged.
    void write_staged(const std::string& name) {
        const auto stored = ledger::load_file(shared.ledger, ledger::find_file(shared.ledger, name)->file_id);
        const auto bytes = disbursement::render(stored.file, stored.profile).value();
        if (auto written = spool.write_staged(name, bytes); !written) throw std::runtime_error(written.error().message);
    }

    asio::io_context io;
    KnownDraws service;
    spool::Spool spool;
    config::Config config;
    pipeline::Shared shared;
    pipeline::TurnLock turn{io.get_executor()};
    TestProgram program;
    AdminContext context;
};

}  // namespace drawbridge::admin
