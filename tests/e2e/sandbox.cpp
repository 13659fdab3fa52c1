#include "e2e/sandbox.hpp"

#include <charconv>
#include <cmath>
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

Json Sandbox::portal(std::string_view method, const std::string& path, const Json& body) const {
    const auto answer = http_request(port_, method, "/portal" + path, body.is_null() ? std::string() : body.dump());
    if (answer.status < 200 || answer.status > 299) {
        throw std::runtime_error("portal " + std::string(method) + " " + path + ": " + std::to_string(answer.status) +
                                 " " + answer.body);
    }
    return answer.body.empty() ? Json() : Json::parse(answer.body);
}

void Sandbox::add(const NewDraw& draw) const {
    Json body{{"id", draw.id},
              {"status", draw.status},
              {"workflowId", draw.workflow},
              {"caseId", 9000 + draw.id},
              {"caseName", "Case of draw " + std::to_string(draw.id)},
              {"description", "utility arrears, draw " + std::to_string(draw.id)}};
    body["amountRequested"] = draw.cents ? Json(json_amount(*draw.cents)) : Json();
    body["fieldA"] = draw.payee.empty() ? Json() : Json(draw.payee);
    portal("POST", "/draws", body);
}

Json Sandbox::draw(std::int64_t id) const {
    return portal("GET", "/draws/" + std::to_string(id));
}

void Sandbox::edit(std::int64_t id, const Json& fields) const {
    portal("PATCH", "/draws/" + std::to_string(id), fields);
}

void Sandbox::act(std::int64_t id, const std::string& act, const Json& body) const {
    portal("POST", "/draws/" + std::to_string(id) + "/" + act, body);
}

void Sandbox::disburse_all_approved() const {
    portal("POST", "/disburse", {{"status", 4}});
}

void Sandbox::arm_fault(const Json& fault) const {
    portal("POST", "/faults", fault);
}

void Sandbox::clear_faults() const {
    portal("DELETE", "/faults");
}

std::int64_t Sandbox::requests(const std::string& endpoint) const {
    return portal("GET", "/requests?last=0").at("counts").at(endpoint).get<std::int64_t>();
}

Json Sandbox::approvals_asked() const {
    return portal("GET", "/requests?last=0").at("approvals");
}

double json_amount(std::int64_t cents) {
    return static_cast<double>(cents) / 100;
}

std::int64_t cents_of(const Json& amount) {
    return std::llround(amount.get<double>() * 100);
}

std::string decimal(std::int64_t cents) {
    const std::string fraction = std::to_string(cents % 100);
    return std::to_string(cents / 100) + (fraction.size() == 1 ? ".0" : ".") + fraction;
}

}  // namespace drawbridge::e2e
