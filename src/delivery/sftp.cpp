#include "drawbridge/delivery/sftp.hpp"

#include <fcntl.h>
#include <libssh/callbacks.h>
#include <libssh/sftp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstring>
#include <fstream>
#include <utility>

#include "drawbridge/domain/digest.hpp"
#include "server_keys.hpp"
#include "socket.hpp"

namespace drawbridge::delivery {
namespace {

constexpr std::size_t chunk = 32UL * 1024;  // every server accepts this size
constexpr mode_t remote_mode = 0640;
// Far more than a bank's folder has: a server that lists names without end must not fill the memory.
constexpr std::size_t max_names = 100'000;
constexpr std::string_view why_not_written = " (a full disk, a quota, or an existing file)";
constexpr std::chrono::seconds max_close_time{2};

struct FreeSession {
    void operator()(ssh_session session) const { ssh_free(session); }
};
struct FreeSftp {
    void operator()(sftp_session sftp) const { sftp_free(sftp); }
};
struct FreeAttributes {
    void operator()(sftp_attributes attributes) const { sftp_attributes_free(attributes); }
};
struct CloseFile {
    void operator()(sftp_file file) const { sftp_close(file); }
};
struct CloseFolder {
    void operator()(sftp_dir folder) const { sftp_closedir(folder); }
};
using Attributes = std::unique_ptr<sftp_attributes_struct, FreeAttributes>;
using RemoteHandle = std::unique_ptr<sftp_file_struct, CloseFile>;

// libssh writes to the socket without MSG_NOSIGNAL: a broken connection must be an error and not end the program.
void ignore_broken_pipes_in_this_thread() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

std::string_view error_text(int sftp_error) {
    switch (sftp_error) {
        case SSH_FX_NO_SUCH_FILE:
        case SSH_FX_NO_SUCH_PATH: return "no such file or folder";
        case SSH_FX_PERMISSION_DENIED: return "permission denied";
        case SSH_FX_FAILURE: return "failure";
        case SSH_FX_OP_UNSUPPORTED: return "the server does not support that";
        case SSH_FX_FILE_ALREADY_EXISTS: return "a file of that name exists";
        case SSH_FX_WRITE_PROTECT: return "write-protected";
        default: return "a server error";
    }
}

using std::chrono::steady_clock;

// Sets the alarm for a step, including the destruction of what the step opened. Declare it first in each function.
class StepTime {
  public:
    StepTime(Alarm& alarm, std::chrono::milliseconds timeout,
             steady_clock::time_point deadline = steady_clock::time_point::max())
        : alarm_(alarm), timeout_(timeout), deadline_(deadline) {
        restart();
    }
    StepTime(const StepTime&) = delete;
    StepTime& operator=(const StepTime&) = delete;
    ~StepTime() { alarm_.clear(); }
    // For the next answer, up to the deadline of the step.
    void restart() const { alarm_.set(std::min(steady_clock::now() + timeout_, deadline_)); }

  private:
    Alarm& alarm_;
    std::chrono::milliseconds timeout_;
    steady_clock::time_point deadline_;
};

// While it lives, libssh sends SSH_FXP_RENAME, which refuses to replace a file. From version 0.11 on, libssh would send
// posix-rename@openssh.com to a server that has it, and that replaces one.
class WithoutExtensions {
  public:
    explicit WithoutExtensions(sftp_session sftp) : sftp_(sftp), extensions_(std::exchange(sftp->ext, nullptr)) {}
    WithoutExtensions(const WithoutExtensions&) = delete;
    WithoutExtensions& operator=(const WithoutExtensions&) = delete;
    ~WithoutExtensions() { sftp_->ext = extensions_; }

  private:
    sftp_session sftp_;
    sftp_ext extensions_;
};

// While it lives, keeps what libssh logs in this thread about the kind of the host key. The session's own error is
// often overwritten by that of the socket, which closes at the same time.
class HostKeyNotice {
  public:
    HostKeyNotice() : level_(ssh_get_log_level()) {
        ssh_set_log_userdata(this);
        ssh_set_log_callback([](int, const char*, const char* line, void* notice) {
            const std::string_view text(line);
            const auto at = text.find("no match for method server host key algo");
            if (at != std::string_view::npos) static_cast<HostKeyNotice*>(notice)->text_ = text.substr(at);
        });
        ssh_set_log_level(SSH_LOG_TRACE);
    }
    HostKeyNotice(const HostKeyNotice&) = delete;
    HostKeyNotice& operator=(const HostKeyNotice&) = delete;
    ~HostKeyNotice() {
        ssh_set_log_level(level_);
        ssh_set_log_callback(nullptr);
        ssh_set_log_userdata(nullptr);
    }
    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    int level_;
    std::string text_;
};

}  // namespace

class SftpSession::Connection {
  public:
    explicit Connection(const SftpOptions& options) : options_(options), alarm_(socket_) {}
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection() {
        if (!alive()) socket_.shut_down();
        const StepTime time(alarm_, std::min<std::chrono::milliseconds>(options_.timeout, max_close_time));
        sftp_.reset();
        session_.reset();
    }

    Result<void> open() {
        ignore_broken_pipes_in_this_thread();
        if (auto connected = socket_.connect(options_.host, options_.port, options_.timeout); !connected) {
            return fail(connected.error().code, address(options_) + ": " + connected.error().message);
        }
        const StepTime time(alarm_, options_.timeout);
        if (auto begun = begin(); !begun) return begun;
        if (auto known = check_server(session_.get(), pinned_, options_); !known) return known;
        if (auto in = log_in(); !in) return in;
        sftp_.reset(sftp_new(session_.get()));
        if (!sftp_ || sftp_init(sftp_.get()) != SSH_OK) return broken("the server does not offer SFTP");
        return {};
    }

    void abort() {
        aborted_ = true;
        socket_.shut_down();
    }

    [[nodiscard]] bool alive() const {
        return sftp_ && !lost_ && !socket_.is_shut_down() && ssh_is_connected(session_.get()) != 0 &&
               ssh_channel_is_open(sftp_->channel) != 0;
    }
    [[nodiscard]] StepTime step() { return begin_step(steady_clock::time_point::max()); }
    // A step with many answers. `bytes`: what it transfers.
    [[nodiscard]] StepTime long_step(std::uint64_t bytes) {
        limit_ = options_.timeout * options_.answers_per_operation +
                 std::chrono::seconds(bytes / std::max<std::uint64_t>(options_.bytes_per_second, 1));
        return begin_step(steady_clock::now() + limit_);
    }
    [[nodiscard]] sftp_session sftp() const { return sftp_.get(); }
    [[nodiscard]] std::string path(const std::string& name) const {
        return options_.folder.empty() ? name : options_.folder + (options_.folder.ends_with('/') ? "" : "/") + name;
    }
    [[nodiscard]] const std::string& folder() const { return options_.folder; }

    // Why the last call on the SFTP session failed.
    [[nodiscard]] int last_error() const { return sftp_get_error(sftp_.get()); }
    // `likely`: what a mere failure may mean.
    [[nodiscard]] std::unexpected<Error> failure(const std::string& doing, std::string_view likely = {}) {
        const int error = last_error();
        const bool answered = error != SSH_FX_OK && error != SSH_FX_EOF && error != SSH_FX_NO_CONNECTION &&
                              error != SSH_FX_CONNECTION_LOST;
        if (answered && alive()) {
            const bool absent = error == SSH_FX_NO_SUCH_FILE || error == SSH_FX_NO_SUCH_PATH;
            return fail(absent ? ErrorCode::not_found : ErrorCode::conflict,
                        address(options_) + ": cannot " + doing + ": " + std::string(error_text(error)) +
                            std::string(error == SSH_FX_FAILURE ? likely : ""));
        }
        lost_ = true;
        return broken("cannot " + doing + ": the connection broke");
    }

  private:
    StepTime begin_step(steady_clock::time_point deadline) {
        // After a broken connection libssh still has the error of an earlier answer.
        sftp_->errnum = SSH_FX_OK;
        deadline_ = deadline;
        return {alarm_, options_.timeout, deadline_};
    }
    std::unexpected<Error> broken(const std::string& what) {
        lost_ = true;
        const std::string where = address(options_) + ": ";
        if (aborted_) return fail(ErrorCode::cancelled, where + "Drawbridge is stopping");
        if (alarm_.rang() && steady_clock::now() >= deadline_) {
            return fail(ErrorCode::timeout,
                        where + what + ": not finished within " + std::to_string(limit_.count()) + " ms");
        }
        if (alarm_.rang()) {
            return fail(ErrorCode::timeout,
                        where + what + ": no answer within " + std::to_string(options_.timeout.count()) + " ms");
        }
        const char* detail = session_ ? ssh_get_error(session_.get()) : "";
        return fail(ErrorCode::unavailable, where + what + (*detail == '\0' ? "" : ": " + std::string(detail)));
    }

    bool set(ssh_options_e option, const void* value) {
        return ssh_options_set(session_.get(), option, value) == SSH_OK;
    }

    // The SSH configuration of this machine and user is not used.
    Result<void> begin() {
        session_.reset(ssh_new());
        const bool no_configuration = false;
        // The alarm ends a step. The timeout of libssh must come later: from 0.11 on it would win, and look like a
        // broken connection.
        const long seconds = static_cast<long>(options_.timeout.count() / 1000) + 60;
        const auto port = static_cast<unsigned>(options_.port);
        // libssh gets a duplicate of the descriptor: it depends on the version whether libssh closes it.
        const int fd = ::fcntl(socket_.fd(), F_DUPFD_CLOEXEC, 0);
        bool set_all = session_ != nullptr && fd >= 0 && set(SSH_OPTIONS_PROCESS_CONFIG, &no_configuration) &&
                       set(SSH_OPTIONS_SSH_DIR, "/nonexistent") && set(SSH_OPTIONS_HOST, options_.host.c_str()) &&
                       set(SSH_OPTIONS_PORT, &port) && set(SSH_OPTIONS_USER, options_.user.c_str()) &&
                       set(SSH_OPTIONS_TIMEOUT, &seconds) && set(SSH_OPTIONS_GLOBAL_KNOWNHOSTS, "/dev/null");
        if (!options_.host_key.empty()) {
            auto key = read_host_key(options_.host_key);
            if (!key) return std::unexpected(key.error());
            pinned_ = std::move(*key);
            set_all = set_all && set(SSH_OPTIONS_KNOWNHOSTS, "/dev/null") &&
                      set(SSH_OPTIONS_HOSTKEYS, host_key_algorithms(pinned_).c_str());
        } else {
            set_all = set_all && set(SSH_OPTIONS_KNOWNHOSTS, options_.known_hosts_file.c_str());
        }
        if (!set_all) return broken("the session cannot be set up");
        set(SSH_OPTIONS_FD, &fd);
        const HostKeyNotice notice;
        if (ssh_connect(session_.get()) == SSH_OK) return {};
        // Only the pinned key's kind is offered, so a server without such a key fails here.
        if (!notice.text().empty()) return no_such_host_key(options_, pinned_, notice.text());
        return broken("the session cannot be started");
    }

    Result<void> log_in() {
        auto key = read_private_key(options_);
        if (!key) return std::unexpected(key.error());
        const int answer = ssh_userauth_publickey(session_.get(), nullptr, key->get());
        if (answer == SSH_AUTH_SUCCESS) return {};
        if (answer == SSH_AUTH_DENIED || answer == SSH_AUTH_PARTIAL) {
            return fail(
                ErrorCode::unauthorized,
                address(options_) +
                    ": the server does not accept the key: have the bank register the public key for this user");
        }
        return broken("cannot log in");
    }

    const SftpOptions& options_;
    Socket socket_;
    Alarm alarm_;
    std::atomic<bool> aborted_ = false;
    bool lost_ = false;
    // The time limit of a step with many answers.
    std::chrono::milliseconds limit_{0};
    steady_clock::time_point deadline_ = steady_clock::time_point::max();
    SshKey pinned_;
    std::unique_ptr<ssh_session_struct, FreeSession> session_;
    std::unique_ptr<sftp_session_struct, FreeSftp> sftp_;
};

SftpSession::SftpSession(SftpOptions options)
    : options_(std::move(options)), connection_(std::make_unique<Connection>(options_)) {}

SftpSession::~SftpSession() = default;

Result<void> SftpSession::open() {
    return connection_->open();
}

bool SftpSession::alive() const {
    return connection_->alive();
}

void SftpSession::abort() {
    connection_->abort();
}

Result<std::optional<RemoteStatus>> SftpSession::status(const std::string& name) {
    const StepTime time = connection_->step();
    const Attributes found(sftp_lstat(connection_->sftp(), connection_->path(name).c_str()));
    if (found) return RemoteStatus{found->type == SSH_FILEXFER_TYPE_REGULAR, found->size};
    auto error = connection_->failure("look for " + name);
    if (error.error().code == ErrorCode::not_found) return std::nullopt;
    return error;
}

Result<std::optional<std::string>> SftpSession::sha256(const std::string& name, std::uint64_t size) {
    const StepTime time = connection_->long_step(size);
    const std::string doing = "read back " + name;
    const RemoteHandle file(sftp_open(connection_->sftp(), connection_->path(name).c_str(), O_RDONLY, 0));
    if (!file) {
        auto error = connection_->failure(doing);
        if (error.error().code == ErrorCode::conflict) return std::nullopt;
        return error;
    }
    Sha256 hash;
    std::array<char, chunk> buffer;
    for (std::uint64_t left = size + 1; left > 0;) {
        time.restart();
        const auto got = sftp_read(file.get(), buffer.data(), std::min<std::uint64_t>(left, buffer.size()));
        if (got == 0) break;
        if (got < 0) {
            auto error = connection_->failure(doing);
            if (connection_->alive()) return std::nullopt;
            return error;
        }
        hash.update({buffer.data(), static_cast<std::size_t>(got)});
        left -= static_cast<std::uint64_t>(got);
    }
    return hash.hex();
}

Result<SftpSession::Uploaded> SftpSession::upload(const std::filesystem::path& local, const std::string& name) {
    const auto unreadable = [&] {
        return fail(ErrorCode::invalid_input, local.string() + " cannot be read: " + std::strerror(errno));
    };
    std::ifstream from(local, std::ios::binary);
    std::error_code error;
    const auto size = std::filesystem::file_size(local, error);
    if (!from || error) return unreadable();
    const StepTime time = connection_->long_step(size);
    const std::string doing = "write " + name;
    RemoteHandle file(
        sftp_open(connection_->sftp(), connection_->path(name).c_str(), O_WRONLY | O_CREAT | O_EXCL, remote_mode));
    if (!file) return connection_->failure(doing, why_not_written);
    Sha256 hash;
    Uploaded done;
    std::array<char, chunk> buffer;
    bool sent_all = false;
    // A server may take the file away as soon as it has all bytes, whatever it answers.
    const auto failure = [&](const std::string& what) {
        auto error = connection_->failure(what, why_not_written);
        if (sent_all) return fail(ErrorCode::outcome_unknown, error.error().message);
        return error;
    };
    while (from.read(buffer.data(), buffer.size()), from.gcount() > 0) {
        const auto got = static_cast<std::size_t>(from.gcount());
        sent_all = from.eof() || from.peek() == std::ifstream::traits_type::eof();
        time.restart();
        if (sftp_write(file.get(), buffer.data(), got) != static_cast<ssize_t>(got)) return failure(doing);
        hash.update({buffer.data(), got});
        done.size += got;
    }
    if (from.bad()) return unreadable();
    sent_all = true;
    time.restart();
    if (sftp_extension_supported(connection_->sftp(), "fsync@openssh.com", "1") != 0 &&
        sftp_fsync(file.get()) != SSH_OK) {
        return failure(doing + " to disk");
    }
    if (sftp_close(file.release()) != SSH_OK) return failure(doing);
    done.sha256 = hash.hex();
    return done;
}

Result<void> SftpSession::rename(const std::string& from, const std::string& to) {
    const StepTime time = connection_->step();
    const WithoutExtensions no_replacing(connection_->sftp());
    if (sftp_rename(connection_->sftp(), connection_->path(from).c_str(), connection_->path(to).c_str()) == SSH_OK)
        return {};
    auto error = connection_->failure("rename " + from + " to " + to, why_not_written);
    if (!connection_->alive()) {
        return fail(ErrorCode::outcome_unknown,
                    error.error().message + ": it is not known whether the file was renamed");
    }
    return error;
}

Result<void> SftpSession::remove(const std::string& name) {
    const StepTime time = connection_->step();
    if (sftp_unlink(connection_->sftp(), connection_->path(name).c_str()) == SSH_OK) return {};
    return connection_->failure("remove " + name);
}

Result<std::vector<std::string>> SftpSession::list_names() {
    const StepTime time = connection_->long_step(0);
    const std::string folder = connection_->folder().empty() ? "." : connection_->folder();
    const std::string doing = "list the folder " + folder;
    const std::unique_ptr<sftp_dir_struct, CloseFolder> opened(sftp_opendir(connection_->sftp(), folder.c_str()));
    if (!opened) {
        auto error = connection_->failure(doing);
        const int answer = connection_->last_error();
        if (connection_->alive() && (answer == SSH_FX_PERMISSION_DENIED || answer == SSH_FX_OP_UNSUPPORTED))
            error.error().code = ErrorCode::forbidden;
        return error;
    }
    std::vector<std::string> names;
    while (const Attributes entry{sftp_readdir(connection_->sftp(), opened.get())}) {
        time.restart();
        const std::string_view name = entry->name;
        if (names.size() == max_names) {
            return fail(ErrorCode::conflict, address(options_) + ": cannot " + doing + ": it has more than " +
                                                 std::to_string(max_names) + " names: have the bank clear it");
        }
        if (name != "." && name != "..") names.emplace_back(name);
    }
    if (sftp_dir_eof(opened.get()) == 0) return connection_->failure(doing);
    return names;
}

}  // namespace drawbridge::delivery
