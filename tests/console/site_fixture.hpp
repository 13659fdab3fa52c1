// The console's site, with a daemon of the test's own, on a port of this machine.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "console/fake_daemon.hpp"
#include "console/raw_client.hpp"
#include "drawbridge/console/listener.hpp"
#include "drawbridge/console/site.hpp"
#include "support/temporary_folder.hpp"

namespace drawbridge::console {

class Noon final : public Clock {
  public:
    [[nodiscard]] Instant now() const override {
        return parse_instant("2026-11-23T17:00:00Z").value() + std::chrono::minutes(minutes_later);
    }
    std::atomic<int> minutes_later = 0;
};

class SiteTest : public ::testing::Test {
  protected:
    using json = nlohmann::json;
    static inline const std::string token = "token-of-the-session";
    static inline const std::string cookie = "Cookie: drawbridge-session=" + token + "\r\n";
    static inline const std::string ours = "Origin: http://localhost:8080\r\nSec-Fetch-Site: same-origin\r\n";

    SiteTest() {
        settings_.listen = "127.0.0.1:0";
        settings_.origin = "http://localhost:8080";
        settings_.socket = folder_.path() / "console.sock";
    }
    ~SiteTest() override {
        asio::post(io_, [this] {
            listener_->stop();
            site_->stop();
        });
        thread_.join();
    }
    SiteTest(const SiteTest&) = delete;
    SiteTest& operator=(const SiteTest&) = delete;

    void start(bool with_daemon = true) {
        if (with_daemon) start_daemon();
        site_.emplace(io_.get_executor(), settings_, clock_,
                      [](const std::string& failure) { ADD_FAILURE() << failure; });
        listener_ = Listener::open(io_.get_executor(), settings_, [this](WebRequest request) {
                        return site_->answer(std::move(request));
                    }).value();
        const auto rethrow = [](const std::exception_ptr& failure) {
            if (failure) std::rethrow_exception(failure);
        };
        asio::co_spawn(io_, listener_->serve(), rethrow);
        asio::co_spawn(io_, site_->serve(), rethrow);
        thread_ = std::thread([this] { io_.run(); });
    }
    void start_daemon() {
        std::filesystem::remove(settings_.socket);
        daemon_.emplace(settings_.socket, [this](const FakeDaemon::Asked& asked) { return answer(asked); });
    }

    static json error(const std::string& message) { return {{"error", {{"code", "x"}, {"message", message}}}}; }
    [[nodiscard]] FakeDaemon::Answer answer(const FakeDaemon::Asked& asked) const {
        const std::string request = asked.method + " " + asked.target.substr(0, asked.target.find('?'));
        if (request == "POST /session/link" || request == "POST /session")
            return {200, {{"token", token}, {"me", {{"read_only", true}}}}};
        if (request == "POST /enroll/begin") return {200, {{"person", {{"name", "Anna"}}}}};
        if (is_over_ || asked.authorization != "Session " + token) return {401, error("there is no session")};
        if (request == "GET /me") {
            return {200,
                    {{"person", {{"id", 1}, {"name", "Anna Berg"}}},
                     {"roles", roles_},
                     {"how", "passkey"},
                     {"expires", "2026-11-23T17:15:00.000Z"},
                     {"read_only", false},
                     {"keys", json::array()}}};
        }
        if (request == "POST /rules/check") return {200, {{"ok", true}, {"diagnostics", json::array()}}};
        if (request == "GET /pulse") return {200, {{"audit_seq", 7}, {"open_exceptions", 2}}};
        if (request == "GET /draws/17") return {200, {{"draw", {{"id", 17}}}}};
        if (request == "GET /draws/404") return {404, error("draw 404 is not in the ledger")};
        if (request == "GET /draws" && asked.target.find("fields=true") != std::string::npos) {
            if (asked.target.find("state=lost") != std::string::npos) return {400, error("unknown state 'lost'")};
            const bool is_second = asked.target.ends_with("&after=17");
            if (is_second && asked.target.find("text=broken") != std::string::npos) return {503, error("stopping")};
            const json row = {{"id", is_second ? 18 : 17}, {"state", "held"}, {"case_name", "=1+1"}};
            return {200, {{"draws", {row}}, {"next_after", is_second ? json(nullptr) : json(17)}}};
        }
        const json line = {
            {"line", 7}, {"outcome", "applied"}, {"says", "paid"}, {"payment_reference", "0910"}, {"amount", "100.00"}};
        if (request == "GET /confirmations/3f9c2a71be04")
            return {200, {{"lines", {line}}, {"problems", {"=line 3: no amount"}}, {"next_after", nullptr}}};
        if (asked.target == "/ingest/u%201/preview") return {200, {{"lines", {line}}, {"lines_left_out", 5}}};
        if (request == "POST /rules/backtest") {
            const bool is_second = asked.body.find("\"after\":400") != std::string::npos;
            const json changes(300, json{{"draw_id", 17}});
            return {200,
                    {{"draws", 400}, {"amount", "1.00"}, {"changes", changes}, {"next_after", is_second ? 800 : 400}}};
        }
        if (request == "GET /acts") {
            const json first = {{"act_id", 1}, {"text", "<b>"}}, second = {{"act_id", 2}, {"text", "x"}};
            return {200, {{"acts", {first, second}}, {"next_after", nullptr}}};
        }
        if (request == "GET /find") {
            const bool one = asked.target.ends_with("=one");
            json matches = {{{"kind", "draw"}, {"id", "17"}, {"title", "a draw"}, {"path", "/draws/17"}}};
            if (!one)
                matches.push_back({{"kind", "check"}, {"id", "10001"}, {"title", "a check"}, {"path", "/checks"}});
            return {200, {{"matches", matches}}};
        }
        if (request == "POST /acts/challenge") {
            return {200,
                    {{"act_id", "act-1"},
                     {"text", "release ACH-1\ntotal: $1.00"},
                     {"challenge", "Y2hhbGxlbmdl"},
                     {"rp_id", "localhost"},
                     {"credentials", json::array()}}};
        }
        return {200, json::object()};
    }

    [[nodiscard]] std::string exchange(const std::string& bytes) const {
        const RawClient client(listener_->port());
        client.send(bytes);
        return client.read_all();
    }
    [[nodiscard]] std::string get(const std::string& target, const std::string& fields = cookie) const {
        return exchange("GET " + target + " HTTP/1.1\r\nHost: localhost:8080\r\nConnection: close\r\n" + fields +
                        "\r\n");
    }
    [[nodiscard]] std::string post(const std::string& target, const std::string& body,
                                   const std::string& fields = cookie + ours,
                                   const std::string& type = "application/x-www-form-urlencoded",
                                   const std::string& method = "POST") const {
        return exchange(method + " " + target +
                        " HTTP/1.1\r\nHost: localhost:8080\r\nConnection: close\r\nContent-Type: " + type +
                        "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + fields + "\r\n" + body);
    }

    const test::TemporaryFolder folder_;
    Settings settings_;
    Noon clock_;
    std::atomic<bool> is_over_ = false;
    json roles_ = {"operator"};
    asio::io_context io_{1};
    std::optional<FakeDaemon> daemon_;
    std::optional<Site> site_;
    std::unique_ptr<Listener> listener_;
    std::thread thread_;
};

}  // namespace drawbridge::console
