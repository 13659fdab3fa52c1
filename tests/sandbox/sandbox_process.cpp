#include "sandbox_process.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <utility>

namespace sandbox_test {
namespace {

std::string lower(std::string text) {
    for (auto& c : text)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

void read_head(const std::string& head, Answer& answer) {
    answer.status = static_cast<unsigned>(std::stoul(head.substr(head.find(' ') + 1)));
    auto line = head.find("\r\n");
    while (line != std::string::npos && line + 2 < head.size()) {
        const auto end = head.find("\r\n", line + 2);
        const auto text = head.substr(line + 2, end == std::string::npos ? end : end - line - 2);
        const auto colon = text.find(": ");
        if (colon != std::string::npos) answer.headers[lower(text.substr(0, colon))] = text.substr(colon + 2);
        line = end;
    }
}

std::string sandbox_program() {
    return std::string(DRAWBRIDGE_BINARY_DIR) + "/draws-sandbox";
}

}  // namespace

void HttpProbe::connect() {
    socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const timeval timeout{timeout_.count() / 1000, timeout_.count() % 1000 * 1000};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port_);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    // The socket API passes every address family through this type.
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        hang_up();
        throw std::runtime_error("cannot connect to the sandbox");
    }
    ++times_connected_;
}

// Reads more into `buffer`; false at the end of the stream, after a reset, or after the timeout.
bool HttpProbe::receive(std::string& buffer) {
    std::array<char, 16384> piece{};
    const auto size = ::recv(socket_, piece.data(), piece.size(), 0);
    gave_up_ = size < 0 && errno == EAGAIN;
    if (size <= 0) return false;
    buffer.append(piece.data(), static_cast<std::size_t>(size));
    return true;
}

bool HttpProbe::closed_within(std::chrono::milliseconds time) const {
    pollfd entry{socket_, POLLIN, 0};
    return ::poll(&entry, 1, static_cast<int>(time.count())) == 1 && closed_by_peer();
}

bool HttpProbe::closed_by_peer() const {
    char byte = 0;
    return ::recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

void HttpProbe::hang_up() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
}

Answer HttpProbe::send(const std::string& method, const std::string& target, const Headers& headers,
                       const std::string& body) {
    std::string bytes = method + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n";
    for (const auto& [name, value] : headers)
        bytes += fmt::format("{}: {}\r\n", name, value);
    bytes += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    return send_raw(bytes);
}

void HttpProbe::send_only(const std::string& bytes) {
    if (socket_ >= 0 && closed_by_peer()) hang_up();
    if (socket_ < 0) connect();
    if (::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0) hang_up();
}

Answer HttpProbe::send_raw(const std::string& bytes) {
    send_only(bytes);
    Answer answer;
    std::string buffer;
    if (socket_ < 0) return answer;
    auto end_of_head = std::string::npos;
    while ((end_of_head = buffer.find("\r\n\r\n")) == std::string::npos) {
        if (!receive(buffer)) {
            hang_up();
            return answer;
        }
    }
    read_head(buffer.substr(0, end_of_head), answer);
    answer.body = buffer.substr(end_of_head + 4);
    const auto length = answer.headers.find("content-length");
    const auto expected = length == answer.headers.end() ? 0 : std::stoul(length->second);
    while (answer.body.size() < expected && receive(answer.body)) {
    }
    answer.complete = answer.body.size() == expected;
    const auto connection = answer.headers.find("connection");
    if (!answer.complete || (connection != answer.headers.end() && connection->second == "close")) hang_up();
    return answer;
}

SandboxProcess::SandboxProcess(std::vector<std::string> arguments) : arguments_(std::move(arguments)) {
    start(0);
}

SandboxProcess::~SandboxProcess() {
    if (pid_ > 0) {
        signal(SIGKILL);
        wait();
    }
}

void SandboxProcess::signal(int number) const {
    ::kill(pid_, number);
}

int SandboxProcess::wait() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return status;
}

std::string SandboxProcess::base_path() const {
    const auto path = ready_line_.find('/', ready_line_.find("://") + 3);
    return path == std::string::npos ? std::string{} : ready_line_.substr(path);
}

void SandboxProcess::start_again() {
    start(port_);
}

void SandboxProcess::start(std::uint16_t port) {
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
    std::vector<std::string> words{sandbox_program(), "--listen", "127.0.0.1:" + std::to_string(port)};
    words.insert(words.end(), arguments_.begin(), arguments_.end());
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (auto& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // never outlives the test
        ::dup2(pipe[1], STDOUT_FILENO);
        ::execv(argv[0], argv.data());
        ::_exit(127);
    }
    ::close(pipe[1]);
    ready_line_.clear();
    char byte = 0;
    while (::read(pipe[0], &byte, 1) == 1 && byte != '\n')
        ready_line_ += byte;
    ::close(pipe[0]);
    const auto colon = ready_line_.rfind(':');
    if (colon == std::string::npos) throw std::runtime_error("the sandbox did not become ready: " + ready_line_);
    port_ = static_cast<std::uint16_t>(std::stoul(ready_line_.substr(colon + 1)));
}

Answer ask_token(HttpProbe& probe, const std::string& form, const std::string& base_path) {
    return probe.send("POST", base_path + "/oauth/token", {{"Content-Type", "application/x-www-form-urlencoded"}},
                      form);
}

Bench::Bench(std::vector<std::string> arguments) : process(std::move(arguments)), probe(process.port()) {
    renew_token();
}

void Bench::renew_token() {
    const auto answer = ask_token(probe, "grant_type=client_credentials&client_id=sandbox&client_secret=sandbox-secret",
                                  process.base_path());
    token = answer.json().at("access_token").get<std::string>();
}

Answer Bench::api(const std::string& method, const std::string& target, const std::string& body) {
    return probe.send(method, target, {{"Authorization", "Bearer " + token}, {"Content-Type", "application/json"}},
                      body);
}

Answer Bench::patch(std::int64_t id, const nlohmann::json& body) {
    return api("PATCH", "/caseBudgets/draws/" + std::to_string(id), body.dump());
}

Answer Bench::portal(const std::string& method, const std::string& target, const nlohmann::json& body) {
    return probe.send(method, "/portal" + target, {}, body.is_null() ? std::string{} : body.dump());
}

std::int64_t Bench::add(const nlohmann::json& draw) {
    const auto answer = portal("POST", "/draws", draw);
    if (answer.status != 201) throw std::runtime_error("the portal refused the draw: " + answer.body);
    return answer.json().at("id").get<std::int64_t>();
}

void Bench::arm(const nlohmann::json& fault) {
    const auto answer = portal("POST", "/faults", fault);
    if (answer.status != 201) throw std::runtime_error("the portal refused the fault: " + answer.body);
}

std::vector<std::int64_t> Bench::ids(const std::string& query) {
    const auto page = list(query).json();
    std::vector<std::int64_t> out;
    for (const auto& record : page.at("records"))
        out.push_back(record.at("id").get<std::int64_t>());
    return out;
}

std::string temporary_folder() {
    auto pattern = (std::filesystem::temp_directory_path() / "draws-sandbox-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
    return pattern;
}

}  // namespace sandbox_test
