#include "simulation/simulated_surroundings.hpp"

#include <fstream>
#include <limits>
#include <string>
#include <utility>

#include "caller.hpp"
#include "disk/failing_disk.hpp"
#include "instant.hpp"
#include "sandbox.hpp"
#include "simulation/new_ledgers.hpp"

namespace drawbridge::pipeline {

namespace asio = boost::asio;

namespace {

draws_sandbox::SandboxPlan plan() {
    draws_sandbox::SandboxPlan plan;
    plan.client.id = e2e::client_id;
    plan.client.secret = e2e::client_secret;
    return plan;
}

draws_sandbox::Request request_to(std::string_view method, std::string_view target) {
    draws_sandbox::Request request;
    const auto question = target.find('?');
    request.method = method;
    request.path = target.substr(0, question);
    if (question != std::string_view::npos) request.query = target.substr(question + 1);
    return request;
}

}  // namespace

class ServiceInProcess final : public e2e::Portal {
  public:
    [[nodiscard]] draws_sandbox::Reply reply_to(const draws_sandbox::Request& request) const {
        return sandbox_.admit(request).answer();
    }

  private:
    [[nodiscard]] e2e::HttpAnswer answer_of(std::string_view method, const std::string& path,
                                            const std::string& body) const override {
        auto request = request_to(method, path);
        request.content_type = "application/json";
        request.body = body;
        auto reply = reply_to(request);
        return {static_cast<int>(reply.status), std::move(reply.body)};
    }

    mutable draws_sandbox::Sandbox sandbox_{plan()};
};

namespace {

class ConnectionInProcess final : public service::Connection {
  public:
    explicit ConnectionInProcess(const ServiceInProcess& service) : service_(service) {}
    [[nodiscard]] bool is_reusable() override { return !is_closed_; }

    [[nodiscard]] asio::awaitable<service::HttpResult> exchange(service::HttpRequest request,
                                                                service::SteadyTime /*deadline*/) override {
        if (disk::power_is_off()) {
            is_closed_ = true;
            co_return std::unexpected(
                service::HttpFailure{.error = {ErrorCode::unavailable, "this machine has no power"}, .sent = false});
        }
        auto sent = request_to(request.method, request.target);
        sent.content_type = request.content_type;
        sent.body = std::move(request.body);
        if (!request.bearer.empty()) sent.authorization = "Bearer " + request.bearer.reveal();
        auto reply = service_.reply_to(sent);
        if (reply.delivery.kind != draws_sandbox::Delivery::Kind::whole) {
            is_closed_ = true;
            co_return std::unexpected(service::HttpFailure{
                .error = {ErrorCode::unavailable, "the service closed the connection"}, .sent = true});
        }
        is_closed_ = reply.delivery.close_after;
        service::HttpAnswer answer;
        answer.status = static_cast<int>(reply.status);
        answer.body = std::move(reply.body);
        answer.content_type = std::move(reply.content_type);
        co_return answer;
    }

  private:
    const ServiceInProcess& service_;
    bool is_closed_ = false;
};

}  // namespace

SimulatedSurroundings::SimulatedSurroundings(Instant start) : start_(start), now_(start) {
    NewLedgers::prepare_library();
    draws_sandbox::use_clock([this] { return now(); });
    service_ = std::make_unique<ServiceInProcess>();
}

SimulatedSurroundings::~SimulatedSurroundings() {
    draws_sandbox::use_clock({});
}

const e2e::Portal& SimulatedSurroundings::portal() const {
    return *service_;
}

void SimulatedSurroundings::prepare(const std::filesystem::path& state_dir) {
    NewLedgers::of_process().put_into(state_dir, start_, offices_++);
}

void SimulatedSurroundings::clear(const std::filesystem::path& state_dir) {
    NewLedgers::of_process().take_back(state_dir);
}

std::unique_ptr<service::DrawsClient> SimulatedSurroundings::connect(const asio::any_io_executor& executor) {
    auto options = client_options(/*port=*/1);
    // Waits and limits by the real time would make a story depend on how fast this machine is.
    options.retry_base_delay = options.retry_delay_cap = std::chrono::milliseconds(0);
    options.circuit_failures = options.retry_budget = std::numeric_limits<int>::max();
    service::ConnectionSettings settings;
    settings.endpoint = service::parse_base_url(options.base_url).value();
    settings.max_body_bytes = options.max_body_bytes;
    settings.open = [service = service_.get()](const asio::any_io_executor&, service::ConnectionSettings*,
                                               service::SteadyTime) -> asio::awaitable<service::OpenedConnection> {
        co_return std::make_unique<ConnectionInProcess>(*service);
    };
    return service::make_client(executor, std::move(options), std::move(settings));
}

void write_file_at(const std::filesystem::path& path, const std::string& bytes, Instant time) {
    std::ofstream(path) << bytes;
    std::filesystem::last_write_time(path, std::chrono::file_clock::from_sys(time));
}

}  // namespace drawbridge::pipeline
