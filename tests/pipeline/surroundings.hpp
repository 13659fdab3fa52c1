// What is around the office of a test: the Draws Service with the people at its portal, and the time.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "drawbridge/domain/clock.hpp"
#include "drawbridge/service/client.hpp"
#include "e2e/sandbox.hpp"

namespace drawbridge::pipeline {

class Surroundings {
  public:
    virtual ~Surroundings() = default;
    [[nodiscard]] virtual const e2e::Portal& portal() const = 0;
    [[nodiscard]] virtual std::unique_ptr<service::DrawsClient> connect(
        const boost::asio::any_io_executor& executor) = 0;
    [[nodiscard]] virtual Instant now() const = 0;
    // Before an office first opens its ledger, and after it closed it for the last time.
    virtual void prepare(const std::filesystem::path& /*state_dir*/) {}
    virtual void clear(const std::filesystem::path& /*state_dir*/) {}
};

inline service::ClientOptions client_options(std::uint16_t port) {
    service::ClientOptions options;
    options.base_url = "http://127.0.0.1:" + std::to_string(port);
    options.client_id = Secret(std::string(e2e::client_id));
    options.client_secret = Secret(std::string(e2e::client_secret));
    options.attempts = 2;
    options.retry_base_delay = std::chrono::milliseconds(1);
    return options;
}

// The real sandbox, over HTTP, and the real time.
class OverHttp final : public Surroundings {
  public:
    explicit OverHttp(const std::filesystem::path& folder) : sandbox_(folder) {}
    [[nodiscard]] const e2e::Portal& portal() const override { return sandbox_; }
    [[nodiscard]] std::unique_ptr<service::DrawsClient> connect(const boost::asio::any_io_executor& executor) override {
        auto options = client_options(sandbox_.port());
        options.wall_clock = [this] { return now() + ahead_of_sandbox; };
        auto client = service::make_client(executor, std::move(options));
        if (!client) throw std::runtime_error(client.error().message);
        return std::move(*client);
    }
    [[nodiscard]] Instant now() const override {
        return std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
    }

    // How far this machine's clock is ahead of the sandbox's, as the client sees it.
    std::chrono::milliseconds ahead_of_sandbox{0};

  private:
    e2e::Sandbox sandbox_;
};

// The time around an office plus an offset that a test sets.
class ShiftedClock : public Clock {
  public:
    explicit ShiftedClock(const Surroundings& around) : around_(around) {}
    [[nodiscard]] Instant now() const override { return around_.now() + ahead; }
    [[nodiscard]] std::chrono::nanoseconds elapsed() const override {
        return (around_.now() + (ahead_passes ? ahead : std::chrono::milliseconds(0))).time_since_epoch();
    }
    std::chrono::milliseconds ahead{0};
    // Whether a test that moves `ahead` means that time passes, and not that somebody sets the clock.
    bool ahead_passes = true;

  private:
    const Surroundings& around_;
};

}  // namespace drawbridge::pipeline
