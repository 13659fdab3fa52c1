// What the journal receives over its socket, in the test's mount namespace, and the JSON log lines.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <sstream>

#include "e2e/office.hpp"

namespace drawbridge::e2e {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Pair;

using Entry = std::map<std::string, std::string>;

// The journal's native protocol: NAME=value lines, or NAME, a 64-bit length and the bytes.
Entry parse_entry(std::string_view datagram) {
    Entry entry;
    while (!datagram.empty()) {
        const auto end = datagram.find('\n');
        const auto line = datagram.substr(0, end);
        datagram.remove_prefix(end == std::string_view::npos ? datagram.size() : end + 1);
        if (const auto equals = line.find('='); equals != std::string_view::npos) {
            entry[std::string(line.substr(0, equals))] = std::string(line.substr(equals + 1));
            continue;
        }
        std::uint64_t size = 0;
        std::memcpy(&size, datagram.data(), sizeof size);
        entry[std::string(line)] = std::string(datagram.substr(sizeof size, size));
        datagram.remove_prefix(sizeof size + size + 1);
    }
    return entry;
}

class FakeJournal {
  public:
    FakeJournal() : fd_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0)) {
        const int size = 4 << 20;
        ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    }
    FakeJournal(const FakeJournal&) = delete;
    FakeJournal& operator=(const FakeJournal&) = delete;
    ~FakeJournal() { ::close(fd_); }

    // Runs the program with this socket as /run/systemd/journal/socket. 126: the system does not allow it.
    int run(const std::vector<std::string>& arguments) {
        const pid_t child = ::fork();
        if (child == 0) become(arguments);
        // Reads while the program runs, because the socket's queue is short.
        int status = 0;
        while (::waitpid(child, &status, WNOHANG) == 0)
            receive();
        receive();
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

  private:
    [[noreturn]] void become(const std::vector<std::string>& arguments) const {
        const bool apart = ::geteuid() == 0 ? ::unshare(CLONE_NEWNS) == 0 : ::unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0;
        if (!apart || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) ::_exit(126);
        if (::mount("tmpfs", "/run", "tmpfs", 0, nullptr) != 0) ::_exit(126);
        ::mkdir("/run/systemd", 0755);
        ::mkdir("/run/systemd/journal", 0755);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::strcpy(address.sun_path, "/run/systemd/journal/socket");
        if (::bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) ::_exit(126);
        std::vector<char*> raw;
        for (const auto& argument : arguments)
            raw.push_back(const_cast<char*>(argument.c_str()));
        raw.push_back(nullptr);
        const int null = ::open("/dev/null", O_WRONLY);
        ::dup2(null, STDOUT_FILENO);
        ::execv(raw[0], raw.data());
        ::_exit(127);
    }
    void receive() {
        static char buffer[1 << 18];
        for (ssize_t size = 0; (size = ::recv(fd_, buffer, sizeof buffer, 0)) >= 0;)
            entries_.push_back(parse_entry({buffer, static_cast<std::size_t>(size)}));
    }

    int fd_;
    std::vector<Entry> entries_;
};

std::string sha256_of_the_one_file(const Office& office) {
    const auto answer = office.json({"files"});
    return answer.at("files").at(0).at("sha256").get<std::string>();
}

TEST(Journal, each_message_kind_has_its_fields) {
    House house;
    house.office.configure("log: {to: journal, level: debug}\n");
    house.sandbox.add({1, 250'00, "ACH-1"});
    house.sandbox.add({2, 250'00, "NOBODY"});
    FakeJournal journal;
    const int code = journal.run({std::string(DRAWBRIDGE_BINARY_DIR) + "/drawbridge", "--config",
                                  (house.office.folder() / "drawbridge.yaml").string(), "run", "--once"});
    if (code == 126) GTEST_SKIP() << "cannot create a mount namespace: run the tests as root";
    ASSERT_EQ(code, 0);
    const auto has = [&](const Entry& wanted) {
        for (const auto& entry : journal.entries()) {
            bool fits = true;
            for (const auto& [name, value] : wanted) {
                const auto found = entry.find(name);
                fits = fits && found != entry.end() && found->second == value;
            }
            if (fits) return true;
        }
        return false;
    };
    EXPECT_TRUE(has({{"MESSAGE_ID", "2cf12c548f2d4130bc32ae3c6b51249f"},
                     {"DRAW_ID", "1"},
                     {"RULE", "known-programs"},
                     {"PRIORITY", "7"},
                     {"SYSLOG_IDENTIFIER", "drawbridge"}}));
    const auto sha256 = sha256_of_the_one_file(house.office);
    ASSERT_EQ(sha256.size(), 64U);
    EXPECT_TRUE(has({{"MESSAGE_ID", "2c1d01c05dfd422ab053de80834ff66f"}, {"FILE_SHA256", sha256}, {"PRIORITY", "6"}}));
    EXPECT_TRUE(has({{"MESSAGE_ID", "d7c9443620914523a3fc92b18a2e8c26"}, {"DRAW_ID", "2"}, {"PRIORITY", "4"}}));
    EXPECT_TRUE(has({{"MESSAGE_ID", "0894396efae74171bb595b10b5f2d19f"}, {"STEP", "pay"}}));

    house.sandbox.disburse_all_approved();
    house.office.drop("bank.csv", confirmation_csv(house.bank.collect(house.office.outgoing()), "returned"));
    FakeJournal later;
    ASSERT_EQ(later.run({std::string(DRAWBRIDGE_BINARY_DIR) + "/drawbridge", "--config",
                         (house.office.folder() / "drawbridge.yaml").string(), "run", "--once"}),
              0);
    bool returned = false;
    for (const auto& entry : later.entries()) {
        const auto id = entry.find("MESSAGE_ID");
        if (id == entry.end() || id->second != "dab2bf9771504d98a686487ba1561f25") continue;
        returned = true;
        EXPECT_THAT(entry, AllOf(Contains(Pair("DRAW_ID", "1")), Contains(Pair("PAYMENT_ID", "P0000000001")),
                                 Contains(Pair("FILE_SHA256", sha256))));
    }
    EXPECT_TRUE(returned);
}

TEST(Journal, json_lines_have_the_same_fields) {
    House house;
    house.office.configure("log: {to: json}\n");
    house.sandbox.add({2, 250'00, "NOBODY"});
    const auto outcome = house.office.run_once();
    std::istringstream lines(outcome.err);
    bool exception = false;
    for (std::string line; std::getline(lines, line);) {
        const auto said = Json::parse(line);
        EXPECT_TRUE(said.contains("at") && said.contains("level") && said.contains("message")) << line;
        if (said.value("MESSAGE_ID", "") != "d7c9443620914523a3fc92b18a2e8c26") continue;
        exception = true;
        EXPECT_EQ(said.at("DRAW_ID"), "2");
        EXPECT_EQ(said.at("level"), "warning");
    }
    EXPECT_TRUE(exception) << outcome.err;
}

}  // namespace
}  // namespace drawbridge::e2e
