// draws-sandbox: a complete Draws Service over HTTP, for the demo, the tests and an operator's training.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "generator.hpp"
#include "http_server.hpp"
#include "portal.hpp"
#include "query.hpp"
#include "service.hpp"

namespace {

namespace sandbox = draws_sandbox;

struct Options {
    std::string listen = "127.0.0.1:8087";
    std::string base_path;
    std::string database = ":memory:";
    sandbox::GeneratorPlan plan;
    std::string as_of;
    std::string mix = "realistic";
    sandbox::Client client{"sandbox", "sandbox-secret"};
    std::string secret_file;
    std::string token_lifetime = "3600s";
};

std::optional<sandbox::ListenAddress> parse_listen(const std::string& text) {
    const auto colon = text.rfind(':');
    if (colon == std::string::npos) return std::nullopt;
    const auto port = sandbox::parse_integer(std::string_view(text).substr(colon + 1));
    if (!port || *port < 0 || *port > 65535) return std::nullopt;
    return sandbox::ListenAddress{text.substr(0, colon), static_cast<std::uint16_t>(*port)};
}

std::string read_first_line(const std::string& file) {
    std::ifstream in(file);
    std::string line;
    if (!std::getline(in, line)) throw std::runtime_error(fmt::format("{}: cannot read a secret from it", file));
    if (line.ends_with('\r')) line.pop_back();
    return line;
}

void declare(CLI::App& app, Options& options) {
    app.add_option("--listen", options.listen, "Address and port to serve on; port 0 takes a free one")
        ->capture_default_str();
    app.add_option("--base-path", options.base_path, "Path before every endpoint, such as /api");
    app.add_option("--db", options.database, "SQLite file to keep the draws in; created when missing")
        ->default_str("memory only");
    app.add_option("--draws", options.plan.draws, "How many draws to invent when the store is empty")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app.add_option("--seed", options.plan.seed, "The same seed and day invent the same draws")->capture_default_str();
    app.add_option("--as-of", options.as_of, "The day before which the draws were requested, YYYY-MM-DD")
        ->default_str("today");
    app.add_option("--mix", options.mix, "realistic: every status; pending: Pending Approval only, nothing missing")
        ->check(CLI::IsMember({"realistic", "pending"}))
        ->capture_default_str();
    app.add_option("--client-id", options.client.id, "OAuth client id that is accepted")->capture_default_str();
    app.add_option("--client-secret", options.client.secret, "OAuth client secret that is accepted")
        ->capture_default_str();
    app.add_option("--client-secret-file", options.secret_file, "File whose first line is the client secret")
        ->check(CLI::ExistingFile);
    app.add_option("--token-lifetime", options.token_lifetime, "How long a token is good for, such as 3600s or 500ms")
        ->capture_default_str();
}

std::chrono::milliseconds parse_lifetime(const std::string& text) {
    const auto digits = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto number = sandbox::parse_integer(std::string_view(text).substr(0, digits));
    const auto unit = text.substr(digits);
    if (number && unit == "ms") return std::chrono::milliseconds{*number};
    if (number && unit == "s") return std::chrono::seconds{*number};
    if (number && unit == "m") return std::chrono::minutes{*number};
    throw std::runtime_error(fmt::format("--token-lifetime {}: expected a number with ms, s or m", text));
}

std::chrono::sys_days parse_day(const std::string& text) {
    if (text.empty()) return std::chrono::floor<std::chrono::days>(sandbox::now());
    const auto day = text.size() == 10 ? sandbox::parse_instant(text) : std::nullopt;
    if (!day) throw std::runtime_error(fmt::format("--as-of {}: expected YYYY-MM-DD", text));
    return std::chrono::floor<std::chrono::days>(*day);
}

// Everything that answers requests, over one store.
class Sandbox {
  public:
    explicit Sandbox(const Options& options)
        : base_path_(options.base_path),
          store_(options.database),
          workflows_(store_),
          tokens_(parse_lifetime(options.token_lifetime)),
          service_(store_, workflows_, tokens_, faults_, log_, options.client),
          portal_(store_, workflows_, tokens_, faults_, log_) {
        if (options.plan.draws > 0 && store_.empty()) sandbox::generate(store_, options.plan);
        store_.build_indexes();
    }

    sandbox::Reply answer(const sandbox::Request& received) {
        auto request = received;
        if (!base_path_.empty() && request.path.starts_with(base_path_ + "/")) request.path.erase(0, base_path_.size());
        const bool portal = request.path == "/portal" || request.path.starts_with("/portal/");
        if (portal) return portal_.answer(request);
        if (request.path.size() == received.path.size() && !base_path_.empty()) {
            return sandbox::problem_reply(
                {404, "no_such_path", fmt::format("everything here is under {}", base_path_)});
        }
        auto reply = service_.answer(request, service_.admit(request));
        const bool sent = reply.delivery.kind != sandbox::Delivery::Kind::dropped;
        log_.answered({request.method, request.query.empty() ? request.path : request.path + "?" + request.query,
                       sent ? reply.status : 0});
        return reply;
    }

  private:
    std::string base_path_;
    sandbox::Store store_;
    sandbox::Workflows workflows_;
    sandbox::TokenDesk tokens_;
    sandbox::FaultDesk faults_;
    sandbox::RequestLog log_;
    sandbox::Service service_;
    sandbox::Portal portal_;
};

std::string display_host(const std::string& host) {
    return host.find(':') == std::string::npos ? host : "[" + host + "]";
}

void serve(Options options) {
    auto address = parse_listen(options.listen);
    if (!address) throw std::runtime_error(fmt::format("--listen {}: expected ADDRESS:PORT", options.listen));
    if (!options.secret_file.empty()) options.client.secret = read_first_line(options.secret_file);
    while (options.base_path.ends_with('/'))
        options.base_path.pop_back();
    options.plan.as_of = parse_day(options.as_of);
    options.plan.mix = options.mix == "pending" ? sandbox::Mix::pending : sandbox::Mix::realistic;
    Sandbox box(options);
    boost::asio::io_context io(1);
    sandbox::HttpServer server(io, *address, [&box](const sandbox::Request& request) { return box.answer(request); });
    server.start();
    fmt::print("draws-sandbox ready at http://{}:{}{}\n", display_host(address->host), server.port(),
               options.base_path);
    std::fflush(stdout);
    io.run();
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{
        "A complete Draws Service over HTTP, with its own store, invented draws and faults on demand.\n"
        "People's acts in the service's portal are under /portal; docs/sandbox.md has every endpoint.",
        "draws-sandbox"};
    Options options;
    declare(app, options);
    CLI11_PARSE(app, argc, argv);
    try {
        serve(std::move(options));
    } catch (const std::exception& failure) {
        fmt::print(stderr, "draws-sandbox: {}\n", failure.what());
        return 1;
    }
    return 0;
}
