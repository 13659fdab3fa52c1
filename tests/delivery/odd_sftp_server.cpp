// An SFTP server with one oddity that real banks' servers have: OpenSSH's own server, and between it and sshd this
// program, which changes single requests or answers.
//
//   hides_reads        answers "no such file" when a file is to be read: a write-only drop box
//   takes_before_read  takes a file away just before it is read
//   ignores_renames    answers a rename with success and does nothing
//   denies_renames     renames, and answers with a failure
//   cuts_at_close      takes a file away when it is complete, and cuts the connection
//   takes_and_denies   takes a file away once its last bytes are written, and answers that write with a failure
//   endless_reads      a file that is read never ends
//   slow_reads         a read returns one byte, after 100 ms
//   slow_writes        a write is answered after 200 ms
//   endless_names      a listing never ends
//   slow_names         a listing never ends, and has 300 names each 100 ms
//   unlisted           does not let anybody list a folder
//   cannot_list        answers a listing with a failure
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace {

constexpr char open_request = 3, close_request = 4, read_request = 5, write_request = 6, open_folder_request = 11,
               read_folder_request = 12, rename_request = 18, status_answer = 101, data_answer = 103,
               names_answer = 104;
constexpr std::uint32_t ok = 0, no_such_file = 2, permission_denied = 3, failure = 4;

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < 4; ++i)
        number = number << 8U | static_cast<unsigned char>(bytes[at + i]);
    return number;
}

std::string bytes_of(std::uint32_t number) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes.push_back(static_cast<char>(number >> static_cast<unsigned>(shift)));
    return bytes;
}

std::string status(std::uint32_t id, std::uint32_t code) {
    return bytes_of(17) + status_answer + bytes_of(id) + bytes_of(code) + bytes_of(0) + bytes_of(0);
}

std::string with_length(std::string_view packet) {
    return bytes_of(static_cast<std::uint32_t>(packet.size())) + std::string(packet);
}

std::string data(std::uint32_t id, std::uint32_t size) {
    return with_length(data_answer + bytes_of(id) + bytes_of(size) + std::string(size, 'x'));
}

// Many names, without attributes.
std::string names(std::uint32_t id) {
    const std::string line = "-rw-r--r--    1 bank     bank            0 Jan  1 00:00 a";
    constexpr std::uint32_t count = 300;
    std::string packet = names_answer + bytes_of(id) + bytes_of(count);
    for (std::uint32_t i = 0; i < count; ++i)
        packet += bytes_of(1) + "a" + bytes_of(static_cast<std::uint32_t>(line.size())) + line + bytes_of(0);
    return with_length(packet);
}

void send(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const auto written = ::write(fd, bytes.data(), bytes.size());
        if (written <= 0) std::exit(1);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

class Oddity {
  public:
    Oddity(std::string kind, int to_client, int to_server)
        : kind_(std::move(kind)), to_client_(to_client), to_server_(to_server) {}

    // `packet` has its length, type, request id and the rest.
    void request(std::string_view packet) {
        const char type = packet[4];
        const std::uint32_t id = packet.size() >= 9 ? number_at(packet, 5) : 0;
        if (type == open_request) {
            const std::string name(packet.substr(13, number_at(packet, 9)));
            const bool writes = (number_at(packet, 13 + name.size()) & 2U) != 0;
            if (writes) written_ = name;
            if (!writes && kind_ == "hides_reads") return send(to_client_, status(id, no_such_file));
            if (!writes && kind_ == "takes_before_read") ::unlink(name.c_str());
        } else if (type == close_request && kind_ == "cuts_at_close" && !written_.empty()) {
            ::unlink(written_.c_str());
            std::exit(0);
        } else if (type == rename_request && kind_ == "ignores_renames") {
            return send(to_client_, status(id, ok));
        } else if (type == rename_request && kind_ == "denies_renames") {
            denied_ = id;
        } else if (type == write_request && kind_ == "takes_and_denies" && !written_.empty()) {
            // The last chunk is shorter than the others.
            constexpr std::size_t chunk = 32UL * 1024;
            if (packet.size() < chunk) {
                ::unlink(written_.c_str());
                denied_ = id;
            }
        } else if (type == read_request && kind_ == "endless_reads") {
            return send(to_client_, data(id, number_at(packet, packet.size() - 4)));
        } else if (type == read_request && kind_ == "slow_reads") {
            ::usleep(100'000);
            return send(to_client_, data(id, 1));
        } else if (type == write_request && kind_ == "slow_writes") {
            ::usleep(200'000);
        } else if (type == read_folder_request && kind_ == "endless_names") {
            return send(to_client_, names(id));
        } else if (type == read_folder_request && kind_ == "slow_names") {
            ::usleep(100'000);
            return send(to_client_, names(id));
        } else if (type == open_folder_request && kind_ == "unlisted") {
            return send(to_client_, status(id, permission_denied));
        } else if (type == open_folder_request && kind_ == "cannot_list") {
            return send(to_client_, status(id, failure));
        }
        send(to_server_, packet);
    }
    void answer(std::string_view packet) {
        if (packet.size() >= 9 && denied_ == number_at(packet, 5)) {
            denied_.reset();
            return send(to_client_, status(number_at(packet, 5), failure));
        }
        send(to_client_, packet);
    }

  private:
    std::string kind_;
    int to_client_, to_server_;
    std::string written_;
    std::optional<std::uint32_t> denied_;
};

// False: the other side has ended.
template <class Handle>
bool forward(int from, std::string& buffer, Handle handle) {
    std::array<char, 65536> bytes;
    const auto size = ::read(from, bytes.data(), bytes.size());
    if (size <= 0) return false;
    buffer.append(bytes.data(), static_cast<std::size_t>(size));
    while (buffer.size() >= 5 && buffer.size() >= 4 + std::size_t{number_at(buffer, 0)}) {
        const std::size_t length = 4 + std::size_t{number_at(buffer, 0)};
        handle(std::string_view(buffer).substr(0, length));
        buffer.erase(0, length);
    }
    return true;
}

}  // namespace

int main(int count, char** arguments) {
    int requests[2], answers[2];
    if (count != 2 || ::pipe(requests) != 0 || ::pipe(answers) != 0) return 1;
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(requests[0], STDIN_FILENO);
        ::dup2(answers[1], STDOUT_FILENO);
        ::close(requests[1]);
        ::close(answers[0]);
        ::execl("/usr/lib/openssh/sftp-server", "sftp-server", nullptr);
        std::_Exit(1);
    }
    ::close(requests[0]);
    ::close(answers[1]);
    Oddity oddity(arguments[1], STDOUT_FILENO, requests[1]);
    std::string from_client, from_server;
    for (;;) {
        std::array<pollfd, 2> waiting{
            {{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0}, {.fd = answers[0], .events = POLLIN, .revents = 0}}};
        if (::poll(waiting.data(), waiting.size(), -1) <= 0) return 1;
        const bool goes_on =
            (waiting[0].revents == 0 ||
             forward(STDIN_FILENO, from_client, [&](std::string_view packet) { oddity.request(packet); })) &&
            (waiting[1].revents == 0 ||
             forward(answers[0], from_server, [&](std::string_view packet) { oddity.answer(packet); }));
        if (!goes_on) return 0;
    }
}
