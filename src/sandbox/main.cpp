// draws-sandbox: a complete Draws Service over HTTP, for the demo, tests and training.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "http_server.hpp"
#include "instant.hpp"
#include "manual.hpp"
#include "query.hpp"
#include "sandbox.hpp"

namespace {

namespace sandbox = draws_sandbox;

// The raw command line; serve() turns it into a plan.
struct Options {
    std::string listen = "127.0.0.1:8087";
    std::string as_of;
    std::string mix = "realistic";
    std::string secret_file;
    std::string token_lifetime = "3600s";
    std::string page_size_over = "cap";
    std::string unknown_parameters = "refuse";
    std::string error_body = "problem";
    std::string basic_auth = "refuse";
    sandbox::SandboxPlan plan;
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

constexpr int wrong_command_line = 2;

void declare_store(CLI::App& app, Options& options) {
    auto& plan = options.plan;
    app.add_option("--listen", options.listen, "Address and port to listen on; port 0 picks a free one")
        ->capture_default_str();
    app.add_option("--base-path", plan.base_path, "Path prefix of every endpoint, such as /api");
    app.add_option("--db", plan.database, "SQLite file for the draws; created if missing")->default_str("memory only");
    app.add_option("--draws", plan.draws.draws, "Number of draws to generate if the store is empty")
        ->check(CLI::Range(0, 100'000'000))
        ->capture_default_str();
    app.add_option("--seed", plan.draws.seed, "The same seed and day generate the same draws")->capture_default_str();
    app.add_option("--as-of", options.as_of, "The draws are requested before this day, YYYY-MM-DD")
        ->default_str("today");
    app.add_option("--mix", options.mix, "realistic: every status; pending: only Pending Approval, no missing values")
        ->check(CLI::IsMember({"realistic", "pending"}))
        ->capture_default_str();
    app.add_option("--faults", plan.faults_file, "JSON file with an array of faults to arm at startup")
        ->check(CLI::ExistingFile);
}

void declare_client(CLI::App& app, Options& options) {
    auto& client = options.plan.client;
    app.add_option("--client-id", client.id, "Accepted OAuth client id")->capture_default_str();
    app.add_option("--client-secret", client.secret, "Accepted OAuth client secret")->capture_default_str();
    app.add_option("--client-secret-file", options.secret_file, "File whose first line is the client secret")
        ->check(CLI::ExistingFile);
    app.add_option("--token-lifetime", options.token_lifetime, "Lifetime of a token, such as 3600s or 500ms")
        ->capture_default_str();
}

// Options for what the specification leaves open.
void declare_open_options(CLI::App& app, Options& options) {
    constexpr const char* group = "Options the specification leaves open";
    const CLI::Range any_page_size(1, 1'000'000);
    auto& service = options.plan.options;
    const auto add = [&](const char* name, auto& value, const char* text) {
        return app.add_option(name, value, text)->capture_default_str()->group(group);
    };
    add("--page-size-default", service.page_size_default, "Page size if the request names none")->check(any_page_size);
    add("--page-size-max", service.page_size_max, "Maximum page size")->check(any_page_size);
    add("--page-size-over", options.page_size_over, "What to do with a larger page size: cap it, or answer 400")
        ->check(CLI::IsMember({"cap", "refuse"}));
    add("--unknown-parameters", options.unknown_parameters, "What the list does with unknown parameters")
        ->check(CLI::IsMember({"refuse", "ignore"}));
    add("--error-body", options.error_body, "Body of an error: problem+json, plain text, or empty")
        ->check(CLI::IsMember({"problem", "text", "empty"}));
    add("--token-status", service.token_status, "Status of an issued token")->check(CLI::IsMember({200, 201}));
    add("--patch-status", service.patch_status, "Status of an update; 204 has no body")
        ->check(CLI::IsMember({200, 204}));
    add("--approve-status", service.approve_status, "Status of a bulk approval; 204 has no body")
        ->check(CLI::IsMember({200, 201, 204}));
    add("--too-many-status", service.too_many_status, "Status of a bulk approval of more than 500 draws")
        ->check(CLI::IsMember({400, 413, 422}));
    add("--token-basic-auth", options.basic_auth, "Client credentials in an Authorization header instead of the form")
        ->check(CLI::IsMember({"refuse", "accept"}));
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

std::string display_host(const std::string& host) {
    return host.find(':') == std::string::npos ? host : "[" + host + "]";
}

sandbox::ErrorBody parse_error_body(const std::string& text) {
    if (text == "text") return sandbox::ErrorBody::text;
    return text == "empty" ? sandbox::ErrorBody::empty : sandbox::ErrorBody::problem;
}

sandbox::SandboxPlan complete_plan(const Options& options) {
    auto plan = options.plan;
    while (plan.base_path.ends_with('/'))
        plan.base_path.pop_back();
    if (!plan.base_path.empty() && !plan.base_path.starts_with('/')) plan.base_path.insert(0, "/");
    if (!options.secret_file.empty()) plan.client.secret = read_first_line(options.secret_file);
    plan.token_lifetime = parse_lifetime(options.token_lifetime);
    plan.draws.as_of = parse_day(options.as_of);
    plan.draws.mix = options.mix == "pending" ? sandbox::Mix::pending : sandbox::Mix::realistic;
    plan.options.refuse_page_size_over_max = options.page_size_over == "refuse";
    plan.options.ignore_unknown_parameters = options.unknown_parameters == "ignore";
    plan.options.accept_basic_auth = options.basic_auth == "accept";
    plan.options.error_body = parse_error_body(options.error_body);
    return plan;
}

void serve(const Options& options) {
    const auto address = parse_listen(options.listen);
    if (!address) throw std::runtime_error(fmt::format("--listen {}: expected ADDRESS:PORT", options.listen));
    const auto plan = complete_plan(options);
    sandbox::Sandbox box(plan);
    boost::asio::io_context io(1);
    sandbox::HttpServer server(io, *address, [&box](const sandbox::Request& request) { return box.admit(request); });
    server.start();
    fmt::print("draws-sandbox ready at http://{}:{}{}\n", display_host(address->host), server.port(), plan.base_path);
    std::fflush(stdout);
    io.run();
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{
        "A complete Draws Service over HTTP, with its own store, generated draws and faults on demand.\n"
        "The acts of people in the service's portal are under /portal; docs/sandbox.md lists every endpoint.",
        "draws-sandbox"};
    Options options;
    options.plan.client = {"sandbox", "sandbox-secret"};
    declare_store(app, options);
    declare_client(app, options);
    declare_open_options(app, options);
    bool manual = false;
    app.add_flag("--manual-page", manual)->group("");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);  // the help
        fmt::print(stderr, "draws-sandbox: {}: `draws-sandbox --help` lists the options\n", error.what());
        return wrong_command_line;
    }
    if (manual) {
        fmt::print("{}", sandbox::manual_page(app));
        return 0;
    }
    try {
        serve(options);
    } catch (const std::exception& failure) {
        fmt::print(stderr, "draws-sandbox: {}\n", failure.what());
        return 1;
    }
    return 0;
}
