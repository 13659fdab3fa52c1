#include "delivery/sftp_server.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace drawbridge::test {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;

sockaddr_in loopback(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    return address;
}

// The socket and its port.
std::pair<int, int> bind_anywhere() {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    if (::bind(fd, reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
        ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
        throw std::runtime_error("no port on loopback");
    }
    return {fd, ntohs(address.sin_port)};
}

int connect_to(int port) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = loopback(port);
    if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return fd;
    ::close(fd);
    return -1;
}

void run(const std::vector<std::string>& arguments, const fs::path& folder) {
    e2e::Process process({arguments, {}, folder / "out", folder / "err"});
    if (process.wait(seconds(30)) != e2e::Exit{0, 0}) {
        throw std::runtime_error(arguments.front() + ": " + e2e::read_file(folder / "err"));
    }
}

std::vector<pid_t> children_of(pid_t parent) {
    std::vector<pid_t> found;
    for (const auto& entry : fs::directory_iterator("/proc")) {
        const std::string name = entry.path().filename();
        if (!std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; })) continue;
        std::ifstream in(entry.path() / "stat");
        std::string line;  // empty: the process has ended meanwhile
        std::getline(in, line, '\0');
        const auto end = line.rfind(')');
        if (end == std::string::npos) continue;
        std::istringstream rest(line.substr(end + 1));
        std::string state;
        pid_t above = 0;
        if (rest >> state >> above && above == parent) found.push_back(std::stoi(name));
    }
    return found;
}

void kill_tree(pid_t pid) {
    for (const pid_t child : children_of(pid))
        kill_tree(child);
    ::kill(pid, SIGKILL);
}

}  // namespace

void make_ssh_key(const fs::path& file) {
    run({"/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", file.string()},
        file.parent_path());
}

std::string public_key(const fs::path& file) {
    std::ifstream in(file.string() + ".pub");
    std::string kind, key;
    in >> kind >> key;
    return kind + " " + key;
}

SftpServer::SftpServer(fs::path folder, std::string sftp_options)
    : folder_(std::move(folder)), sftp_options_(std::move(sftp_options)) {
    fs::create_directories(inbox());
    make_ssh_key(folder_ / "host_key");
    make_ssh_key(client_key());
    fs::copy_file(client_key().string() + ".pub", folder_ / "authorized_keys");
    // sshd needs this folder when root starts it.
    if (::geteuid() == 0) ::mkdir("/run/sshd", 0755);
    constexpr int tries = 5;  // another process may get the port in between
    for (int number = 1; !process_; ++number) {
        const auto [fd, port] = bind_anywhere();
        port_ = port;
        ::close(fd);
        configure("internal-sftp " + sftp_options_);
        try {
            start();
        } catch (const std::runtime_error& error) {
            if (number == tries || !std::string_view(error.what()).contains("Address already in use")) throw;
            process_.reset();
        }
    }
}

void SftpServer::configure(const std::string& subsystem) {
    std::ofstream(folder_ / "sshd_config")
        << "ListenAddress 127.0.0.1\nPort " << port_ << "\nHostKey " << (folder_ / "host_key").string()
        << "\nPidFile none\nStrictModes no\nUsePAM no\nPasswordAuthentication no\n"
           "KbdInteractiveAuthentication no\nPermitRootLogin prohibit-password\n"
           "UseDNS no\nPrintMotd no\nMaxStartups 100\nAuthorizedKeysFile "
        << (folder_ / "authorized_keys").string() << "\nSubsystem sftp " << subsystem << "\n";
}

void SftpServer::fill_disk() {
    stop();
    const fs::path script = folder_ / "sftp-server-on-a-full-disk";
    // With the signal ignored, the write that reaches the limit fails and the server continues.
    std::ofstream(script) << "trap '' XFSZ\nulimit -f 1\nexec /usr/lib/openssh/sftp-server " << sftp_options_ << "\n";
    configure("/bin/sh " + script.string());
    start();
}

void SftpServer::free_disk() {
    behave();
}

void SftpServer::behave_oddly(const std::string& how) {
    stop();
    configure(DRAWBRIDGE_BINARY_DIR "/tests/odd_sftp_server " + how);
    start();
}

void SftpServer::behave() {
    stop();
    configure("internal-sftp " + sftp_options_);
    start();
}

SftpServer::~SftpServer() {
    stop();
}

std::string SftpServer::user() const {
    return ::getpwuid(::geteuid())->pw_name;
}

std::vector<std::string> SftpServer::names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(inbox()))
        names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
}

std::string SftpServer::content(const std::string& name) const {
    return e2e::read_file(inbox() / name);
}

void SftpServer::start() {
    fs::remove(folder_ / "sshd.log");  // of an earlier start
    process_.emplace(e2e::Command{{"/usr/sbin/sshd", "-D", "-e", "-f", (folder_ / "sshd_config").string()},
                                  {},
                                  folder_ / "sshd.log",
                                  folder_ / "sshd.log"});
    // Connecting proves nothing: a socket that happens to get the server's port as its own connects to itself.
    const bool up = e2e::eventually([&] {
        return e2e::read_file(folder_ / "sshd.log").find("Server listening") != std::string::npos ||
               !process_->running();
    });
    if (!up || !process_->running()) throw std::runtime_error("sshd: " + e2e::read_file(folder_ / "sshd.log"));
}

void SftpServer::stop() {
    if (!process_) return;
    kill_connections();
    process_->kill();
    process_.reset();
}

void SftpServer::kill_connections() {
    for (const pid_t child : children_of(process_->id()))
        kill_tree(child);
}

TcpProxy::TcpProxy(int to_port) : to_port_(to_port) {
    std::tie(listener_, port_) = bind_anywhere();
    ::listen(listener_, 16);
    thread_ = std::jthread([this](const std::stop_token& stop) { accept_connections(stop); });
}

TcpProxy::~TcpProxy() {
    thread_.request_stop();
    thread_.join();
    ::close(listener_);
}

void TcpProxy::cut_after(std::int64_t to_server, std::int64_t from_server) {
    limit_sent_ = to_server;
    limit_received_ = from_server;
}

void TcpProxy::lose_next_answer() {
    loses_answer_ = true;
}

void TcpProxy::stall() {
    stalled_ = true;
}

void TcpProxy::restore() {
    cut_after(unlimited, unlimited);
    loses_answer_ = false;
    stalled_ = false;
}

void TcpProxy::accept_connections(const std::stop_token& stop) {
    std::vector<std::jthread> connections;
    while (!stop.stop_requested()) {
        pollfd waiting{.fd = listener_, .events = POLLIN, .revents = 0};
        if (::poll(&waiting, 1, 20) <= 0) continue;
        const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (client < 0) continue;
        connections.emplace_back([this, client, stop] { forward(stop, client); });
    }
}

void TcpProxy::forward(const std::stop_token& stop, int client) {
    const int server = connect_to(to_port_);
    sent_ = 0;
    received_ = 0;
    // Forwards once. False: the connection ends.
    const auto pass = [&](int from, int to, std::atomic<std::int64_t>& count, std::int64_t limit) {
        std::array<char, 16384> buffer;
        const auto left = std::min<std::int64_t>(limit - count, buffer.size());
        if (left <= 0) return false;
        const auto size = ::recv(from, buffer.data(), static_cast<std::size_t>(left), 0);
        if (size <= 0) return false;
        count += size;
        return ::send(to, buffer.data(), static_cast<std::size_t>(size), MSG_NOSIGNAL) == size;
    };
    const int on = 1;
    for (const int fd : {client, server})
        ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    bool is_open = server >= 0;
    while (is_open && !stop.stop_requested()) {
        std::array<pollfd, 2> waiting{
            {{.fd = client, .events = POLLIN, .revents = 0}, {.fd = server, .events = POLLIN, .revents = 0}}};
        if (stalled_) {
            for (auto& each : waiting)
                each.events = 0;
        }
        if (::poll(waiting.data(), waiting.size(), 20) <= 0) continue;
        if (waiting[1].revents != 0) is_open = !loses_answer_ && pass(server, client, received_, limit_received_);
        if (is_open && waiting[0].revents != 0) is_open = pass(client, server, sent_, limit_sent_);
    }
    ::close(client);
    if (server >= 0) ::close(server);
}

}  // namespace drawbridge::test
