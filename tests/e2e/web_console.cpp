#include "e2e/web_console.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <stdexcept>

#include "support/free_port.hpp"

namespace drawbridge::e2e {
namespace {

namespace fs = std::filesystem;

std::string exchanged(int fd, std::string_view request) {
    while (!request.empty()) {
        const auto sent = ::send(fd, request.data(), request.size(), MSG_NOSIGNAL);
        if (sent <= 0) break;
        request.remove_prefix(static_cast<std::size_t>(sent));
    }
    std::string answer;
    char piece[8192];
    for (ssize_t size = 0; (size = ::recv(fd, piece, sizeof piece, 0)) > 0;)
        answer.append(piece, static_cast<std::size_t>(size));
    ::close(fd);
    return answer;
}

WebAnswer parsed(const std::string& bytes) {
    const auto end = bytes.find("\r\n\r\n");
    if (!bytes.starts_with("HTTP/1.1 ") || end == std::string::npos) return {};
    return {std::stoi(bytes.substr(9, 3)), bytes.substr(0, end + 2), bytes.substr(end + 4)};
}

std::string to_port(std::uint16_t port, std::string_view request) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        ::close(fd);
        return {};
    }
    return exchanged(fd, request);
}

void good(const Outcome& outcome) {
    EXPECT_EQ(to_string(outcome.exit), "exit 0") << outcome.err << outcome.out;
}

}  // namespace

std::string WebAnswer::header(const std::string& name) const {
    const auto at = head.find("\r\n" + name + ": ");
    if (at == std::string::npos) return {};
    const auto begin = at + 4 + name.size();
    return head.substr(begin, head.find("\r\n", begin) - begin);
}

WebConsole::WebConsole(const Office& office)
    : office_(office), port_(free_port()), origin_("http://localhost:" + std::to_string(port_)) {
    office_.configure("console: {origin: \"" + origin_ + "\"}\n");
    office_.give_to_user(service);
    start_daemon();
    set_up_people();
    const std::string uid = std::to_string(service);
    Command console;
    console.arguments = {"/usr/bin/setpriv",
                         "--reuid=" + uid,
                         "--regid=" + uid,
                         "--clear-groups",
                         std::string(DRAWBRIDGE_BINARY_DIR) + "/drawbridge-console",
                         "--listen",
                         "127.0.0.1:" + std::to_string(port_),
                         "--socket",
                         socket().string()};
    console.stdout_file = office_.folder() / "console.out";
    console.stderr_file = office_.folder() / "console.err";
    console_.emplace(console);
    EXPECT_TRUE(eventually([&] { return read_file(console.stdout_file).find("ready") != std::string::npos; }))
        << read_file(console.stderr_file);
}

void WebConsole::start_daemon(const std::string& crash_at) {
    daemon_.emplace(office_.start_daemon_as(service, crash_at));
    // One that was killed leaves its socket behind.
    EXPECT_TRUE(eventually([&] { return ask_daemon("GET", "/pulse", nullptr).status == 401; })) << office_.daemon_log();
}

bool WebConsole::daemon_died() const {
    return eventually([&] { return !daemon_->running(); });
}

Outcome WebConsole::act(unsigned uid, std::vector<std::string> words) const {
    words.insert(words.end(), {"--reason", "because"});
    return office_.run_as(uid, words);
}

void WebConsole::set_up_people() const {
    good(act(0, {"people", "add", "Anna"}));
    good(act(0, {"people", "add", "Ben"}));
    good(act(0, {"people", "add", "Erin"}));
    good(act(0, {"people", "link", "3", "--uid", std::to_string(erin)}));
    good(act(0, {"people", "role", "1", "operator"}));
    good(act(0, {"people", "role", "1", "finance"}));
    good(act(0, {"people", "role", "2", "releaser"}));
    good(act(0, {"people", "role", "3", "admin"}));
    good(act(erin, {"people", "confirm", "1", "2", "3"}));
}

std::string WebConsole::open_link() const {
    const auto printed = office_.run_as(0, {"console", "open"});
    good(printed);
    return printed.out.substr(0, printed.out.find('\n'));
}

std::string WebConsole::invitation(int person, unsigned inviter) const {
    const auto printed = act(inviter, {"people", "invite", std::to_string(person)});
    good(printed);
    return printed.out.substr(0, printed.out.find('\n'));
}

void WebConsole::confirm_key(const std::string& fingerprint) const {
    good(act(erin, {"people", "confirm", fingerprint}));
}

std::string WebConsole::log() const {
    return read_file(office_.folder() / "console.err") + office_.daemon_log();
}

WebAnswer WebConsole::get(const std::string& target, const std::string& cookie) const {
    return parsed(to_port(port_, "GET " + target + " HTTP/1.1\r\nHost: localhost:" + std::to_string(port_) +
                                     "\r\nConnection: close\r\n" +
                                     (cookie.empty() ? "" : "Cookie: " + cookie + "\r\n") + "\r\n"));
}

WebAnswer WebConsole::post(const std::string& target, const std::string& body, const std::string& cookie,
                           const std::string& content_type) const {
    return parsed(to_port(port_, "POST " + target + " HTTP/1.1\r\nHost: localhost:" + std::to_string(port_) +
                                     "\r\nConnection: close\r\nOrigin: " + origin_ +
                                     "\r\nSec-Fetch-Site: same-origin\r\nContent-Type: " + content_type +
                                     "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
                                     (cookie.empty() ? "" : "Cookie: " + cookie + "\r\n") + "\r\n" + body));
}

std::string WebConsole::look() const {
    const std::string link = open_link();
    const auto answer = post("/api/session/link", Json{{"code", link.substr(link.find('#') + 1)}}.dump());
    EXPECT_EQ(answer.status, 200) << answer.body;
    const std::string cookie = answer.header("Set-Cookie");
    return cookie.substr(0, cookie.find(';'));
}

WebAnswer WebConsole::ask_daemon(const std::string& method, const std::string& target, const Json& body,
                                 const std::string& token) const {
    const std::string text = body.is_null() ? "" : body.dump();
    const std::string request = method + " " + target + " HTTP/1.1\r\nHost: drawbridge\r\nConnection: close\r\n" +
                                (token.empty() ? "" : "Authorization: Session " + token + "\r\n") +
                                "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text;
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    socket().native().copy(address.sun_path, sizeof address.sun_path - 1);
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    // The kernel tells the daemon who connects at that moment.
    if (::seteuid(service) != 0) throw std::runtime_error("cannot be the console's user");
    const bool connected = ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    if (::seteuid(0) != 0) throw std::runtime_error("cannot be root again");
    if (!connected) {
        ::close(fd);
        return {};
    }
    return parsed(exchanged(fd, request));
}

}  // namespace drawbridge::e2e
