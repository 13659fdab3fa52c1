#include "e2e/sandbox.hpp"

#include <charconv>
#include <stdexcept>
#include <utility>

#include "e2e/http.hpp"

namespace drawbridge::e2e {
namespace {

namespace fs = std::filesystem;

Process launch(const fs::path& folder, const std::vector<std::string>& more, std::uint16_t port) {
    Command command;
    command.arguments = {(fs::path(DRAWBRIDGE_BINARY_DIR) / "draws-sandbox").string(),
                         "--listen",
                         "127.0.0.1:" + std::to_string(port),
                         "--db",
                         (folder / "sandbox.db").string(),
                         "--client-id",
                         std::string(client_id),
                         "--client-secret",
                         std::string(client_secret)};
    command.arguments.insert(command.arguments.end(), more.begin(), more.end());
    command.stdout_file = folder / "sandbox.out";
    command.stderr_file = folder / "sandbox.err";
    fs::remove(command.stdout_file);
    return Process(command);
}

std::optional<std::uint16_t> ready_port(const fs::path& output) {
    const std::string text = read_file(output);
    constexpr std::string_view lead = "draws-sandbox ready at http://127.0.0.1:";
    if (!text.starts_with(lead) || !text.ends_with('\n')) return std::nullopt;
    std::uint16_t port = 0;
    std::from_chars(text.data() + lead.size(), text.data() + text.size(), port);
    return port;
}

}  // namespace

Sandbox::Sandbox(fs::path folder, std::vector<std::string> arguments)
    : folder_(std::move(folder)), arguments_(std::move(arguments)), process_(launch(folder_, arguments_, 0)) {
    start(0);
}

void Sandbox::restart() {
    process_.kill();
    process_ = launch(folder_, arguments_, port_);
    start(port_);
}

void Sandbox::start(std::uint16_t port) {
    const auto output = folder_ / "sandbox.out";
    const bool ready = eventually([&] { return !process_.running() || ready_port(output).has_value(); });
    if (!ready || !process_.running()) {
        throw std::runtime_error("draws-sandbox did not start: " + read_file(folder_ / "sandbox.err"));
    }
    port_ = *ready_port(output);
    if (port != 0 && port != port_) throw std::runtime_error("draws-sandbox took another port");
}

HttpAnswer Sandbox::answer_of(std::string_view method, const std::string& path, const std::string& body) const {
    return http_request(port_, method, path, body);
}

}  // namespace drawbridge::e2e
