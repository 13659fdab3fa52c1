#include "drawbridge/alerts/mail.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <utility>

#include "drawbridge/files/file_descriptor.hpp"
#include "drawbridge/text/sanitize.hpp"
#include "drawbridge/text/utf8.hpp"

namespace drawbridge::alerts {
namespace {

namespace asio = boost::asio;
using files::FileDescriptor;
using std::chrono::floor;

constexpr std::size_t max_stderr_bytes = 4096;

std::string base64(std::string_view bytes) {
    constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::size_t left = std::min<std::size_t>(3, bytes.size() - at);
        std::uint32_t group = 0;
        for (std::size_t i = 0; i < 3; ++i)
            group = group << 8U | (i < left ? static_cast<unsigned char>(bytes[at + i]) : 0U);
        for (std::size_t i = 0; i < 4; ++i)
            out += i <= left ? alphabet[group >> (18U - 6U * i) & 63U] : '=';
    }
    return out;
}

// Encoded words of at most 75 characters (RFC 2047), never split inside a UTF-8 character.
std::string encoded_header(std::string_view text) {
    const bool plain = std::ranges::all_of(text, [](char c) { return c >= ' ' && c < 0x7F; });
    if (plain && text.size() < 900) return std::string(text);
    std::string out;
    while (!text.empty()) {
        std::size_t size = std::min<std::size_t>(45, text.size());
        while (size < text.size() && size > 1 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U)
            --size;
        out += (out.empty() ? "" : "\n ") + ("=?UTF-8?B?" + base64(text.substr(0, size)) + "?=");
        text.remove_prefix(size);
    }
    return out;
}

std::string two(unsigned number) {
    return (number < 10 ? "0" : "") + std::to_string(number);
}

// "Sat, 21 Nov 2026 08:00:00 +0000"
std::string mail_date(Instant at) {
    constexpr std::string_view weekdays = "SunMonTueWedThuFriSat";
    constexpr std::string_view months = "JanFebMarAprMayJunJulAugSepOctNovDec";
    const auto day = floor<std::chrono::days>(at);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss time(floor<std::chrono::seconds>(at - day));
    const auto number = [](auto count) { return two(static_cast<unsigned>(count)); };
    return std::string(weekdays.substr(std::chrono::weekday(day).c_encoding() * 3UL, 3)) + ", " +
           number(static_cast<unsigned>(date.day())) + " " +
           std::string(months.substr((static_cast<unsigned>(date.month()) - 1) * 3UL, 3)) + " " +
           std::to_string(static_cast<int>(date.year())) + " " + number(time.hours().count()) + ":" +
           number(time.minutes().count()) + ":" + number(time.seconds().count()) + " +0000";
}

// A memory file of a fixed size: the child's standard input, or room for the first bytes of its standard error.
FileDescriptor memory_file(std::string_view content, std::size_t size) {
    FileDescriptor file(::memfd_create("drawbridge-mail", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!file.is_open()) return file;
    bool good = ::ftruncate(file.get(), static_cast<off_t>(size)) == 0;
    for (std::size_t at = 0; good && at < content.size();) {
        const auto written = ::pwrite(file.get(), content.data() + at, content.size() - at, static_cast<off_t>(at));
        good = written > 0;
        if (good) at += static_cast<std::size_t>(written);
    }
    if (good) good = ::fcntl(file.get(), F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK) == 0;
    return good ? std::move(file) : FileDescriptor();
}

// Joined by blanks. The reason is often on the second line.
std::string first_lines(const FileDescriptor& file) {
    std::array<char, max_stderr_bytes> buffer{};
    const auto size = ::pread(file.get(), buffer.data(), buffer.size(), 0);
    std::string text(buffer.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
    text.resize(std::min(text.find('\0'), text.size()));
    while (text.ends_with('\n'))
        text.pop_back();
    return text::for_log(text::utf8_prefix(text, 300));
}

// Lines of at most 76 characters (RFC 2045), so that no mail server refuses a long line. A line that a mail program
// might take for a command or a separator does not begin with its own first character.
std::string quoted_printable(std::string_view text) {
    constexpr std::string_view hex = "0123456789ABCDEF";
    constexpr std::size_t max_line = 75;  // and a '='
    std::string out;
    std::size_t length = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '\n') {
            out += c;
            length = 0;
            continue;
        }
        const bool ends_line = at + 1 == text.size() || text[at + 1] == '\n';
        const bool is_plain = (c > ' ' && c < 0x7F && c != '=') || (c == ' ' && !ends_line);
        const bool misleads = length == 0 && (c == '.' || text.substr(at).starts_with("From "));
        std::string next(1, c);
        if (!is_plain || misleads) {
            const auto byte = static_cast<unsigned char>(c);
            next = {'=', hex[byte >> 4U], hex[byte & 15U]};
        }
        if (length + next.size() > max_line) {
            out += "=\n";
            length = 0;
        }
        out += next;
        length += next.size();
    }
    return out;
}

struct Child {
    pid_t pid = -1;
    int error = 0;
};

Child start(const MailOptions& options, const FileDescriptor& in, const FileDescriptor& err) {
    std::vector<std::string> words = {options.sendmail.string(), "-t", "-i", "-f", options.from};
    std::vector<std::string> variables = {"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                                          "LANG=C.UTF-8"};
    if (const char* home = std::getenv("HOME"); home != nullptr) variables.push_back("HOME=" + std::string(home));
    const auto pointers = [](std::vector<std::string>& texts) {
        std::vector<char*> raw;
        for (auto& text : texts)
            raw.push_back(text.data());
        raw.push_back(nullptr);
        return raw;
    };
    auto arguments = pointers(words);
    auto environment = pointers(variables);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in.get(), STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, err.get(), STDERR_FILENO);
    // The child inherits neither the ledger nor a connection.
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    Child child;
    child.error = ::posix_spawn(&child.pid, options.sendmail.c_str(), &actions, &attributes, arguments.data(),
                                environment.data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return child;
}

// Owns the child's process group: the destructor kills the group and reaps the child.
class ProcessGroup {
  public:
    explicit ProcessGroup(pid_t pid) : pid_(pid) {}
    ProcessGroup(const ProcessGroup&) = delete;
    ProcessGroup& operator=(const ProcessGroup&) = delete;
    ~ProcessGroup() {
        if (pid_ <= 0) return;
        ::kill(-pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    // nullopt: the child still runs.
    [[nodiscard]] std::optional<int> exit_code() {
        int status = 0;
        if (::waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
        pid_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

  private:
    pid_t pid_;
};

std::unexpected<Error> failed(const MailOptions& options, const std::string& why) {
    return fail(ErrorCode::unavailable, options.sendmail.string() + ": " + why);
}

}  // namespace

std::string render_mail(const MailOptions& options, const Mail& mail) {
    std::string to;
    for (const auto& address : options.to)
        to += (to.empty() ? "" : ",\n ") + address;
    std::string out = "From: " + options.from + "\nTo: " + to +
                      "\nSubject: " + encoded_header(text::for_log(mail.subject)) + "\nDate: " + mail_date(mail.date) +
                      "\nMessage-ID: <" + mail.message_id +
                      ">\nAuto-Submitted: auto-generated\nMIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\n"
                      "Content-Transfer-Encoding: quoted-printable\n\n" +
                      quoted_printable(text::for_mail(mail.text));
    if (!out.ends_with('\n')) out += '\n';
    return out;
}

asio::awaitable<Result<void>> send_mail(asio::any_io_executor executor, MailOptions options, Mail mail) {
    const std::string message = render_mail(options, mail);
    const FileDescriptor in = memory_file(message, message.size());
    const FileDescriptor err = memory_file("", max_stderr_bytes);
    if (in.get() < 0 || err.get() < 0) co_return failed(options, "no memory for the message: memfd_create failed");
    const Child child = start(options, in, err);
    if (child.error != 0) {
        co_return failed(options, "cannot be started: " + std::generic_category().message(child.error));
    }
    ProcessGroup group(child.pid);
    const int handle = static_cast<int>(::syscall(SYS_pidfd_open, child.pid, 0));
    if (handle < 0) co_return failed(options, "cannot be watched: " + std::generic_category().message(errno));
    asio::posix::stream_descriptor exit_event(executor, handle);
    asio::steady_timer limit(executor, options.deadline);
    bool too_slow = false;
    limit.async_wait([&exit_event, &too_slow](const boost::system::error_code& error) {
        if (error) return;
        too_slow = true;
        exit_event.cancel();
    });
    static_cast<void>(
        co_await exit_event.async_wait(asio::posix::stream_descriptor::wait_read, asio::as_tuple(asio::use_awaitable)));
    limit.cancel();
    const auto code = group.exit_code();
    if (!code) {
        co_return failed(options, too_slow ? "it did not exit within " +
                                                 std::to_string(floor<std::chrono::seconds>(options.deadline).count()) +
                                                 " s and was stopped"
                                           : "it was stopped because Drawbridge stops");
    }
    if (*code == 0) co_return Result<void>();
    const std::string output = first_lines(err);
    auto error = failed(options, fmt::format("exit code {}{}{}", *code, output.empty() ? "" : ": ", output));
    if (*code >= EX_DATAERR && *code <= EX_NOHOST) error.error().code = ErrorCode::invalid_input;
    co_return error;
}

}  // namespace drawbridge::alerts
