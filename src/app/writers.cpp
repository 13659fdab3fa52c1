#include "drawbridge/app/writers.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "drawbridge/ledger/store/engine.hpp"
#include "drawbridge/text/json.hpp"

namespace drawbridge::app {
namespace {

namespace fs = std::filesystem;
using config::Claims;
using disbursement::NumberRange;
using files::FileDescriptor;
using json = nlohmann::json;

constexpr const char* shared_folder = "/run/drawbridge-writers";
constexpr const char* mutex_name = "mutex";
constexpr std::string_view ending = ".writer";

std::unexpected<Error> unusable(const fs::path& path, int error) {
    return fail(ErrorCode::unavailable, path.string() + ": " + std::generic_category().message(error) +
                                            ": cannot take the lock that keeps two instances from paying the same "
                                            "draws: see 'Several instances' in docs/set-up.md");
}

// In a folder that others can write to, anybody could create locks.
Result<fs::path> private_folder(fs::path folder) {
    constexpr mode_t owner_only = 0700;
    if (::mkdir(folder.c_str(), owner_only) != 0 && errno != EEXIST) return unusable(folder, errno);
    struct stat status{};
    if (::lstat(folder.c_str(), &status) != 0) return unusable(folder, errno);
    const bool safe =
        S_ISDIR(status.st_mode) && status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
    if (!safe) return unusable(folder, EPERM);
    return folder;
}

Result<fs::path> writers_folder() {
    if (const char* named = std::getenv("DRAWBRIDGE_WRITERS"); named != nullptr && *named != '\0') {
        return private_folder(named);
    }
    struct stat status{};
    const bool shared = ::lstat(shared_folder, &status) == 0 && S_ISDIR(status.st_mode) &&
                        (status.st_mode & S_IWOTH) == 0 && ::access(shared_folder, W_OK | X_OK) == 0;
    if (shared) return fs::path(shared_folder);
    // A service has a /tmp of its own, where no other instance would see its locks.
    if (const char* of_service = std::getenv("STATE_DIRECTORY"); of_service != nullptr && *of_service != '\0') {
        return fail(ErrorCode::unavailable,
                    std::string(shared_folder) +
                        ": this service cannot write to it, and its locks must be where other instances see them: run "
                        "`systemd-tmpfiles --create drawbridge.conf`, then start it again");
    }
    if (const char* runtime = std::getenv("XDG_RUNTIME_DIR"); runtime != nullptr && *runtime != '\0') {
        return private_folder(fs::path(runtime) / "drawbridge-writers");
    }
    return private_folder("/tmp/drawbridge-writers-" + std::to_string(::geteuid()));
}

// Root may have created the file: the daemon's group must be able to use it.
int open_shared(const fs::path& path) {
    constexpr mode_t group_too = 0660;
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, group_too);
    if (fd >= 0) static_cast<void>(::fchmod(fd, group_too));  // overrides the umask; fails if the file is not ours
    return fd;
}

// Processes take this lock only for moments.
Result<void> lock_briefly(int fd, const fs::path& path) {
    constexpr int tries = 100;
    for (int i = 0; i < tries; ++i) {
        if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return {};
        if (errno != EWOULDBLOCK && errno != EINTR) return unusable(path, errno);
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return unusable(path, EWOULDBLOCK);
}

json view(const NumberRange& range) {
    return {range.from, range.to};
}

NumberRange range_of(const json& view) {
    return {view.at(0).get<std::int64_t>(), view.at(1).get<std::int64_t>()};
}

std::string encode(const Claims& claims) {
    json view_of_all = {{"pid", ::getpid()},
                        {"file", claims.file.string()},
                        {"state_dir", claims.state_dir.string()},
                        {"service", claims.service},
                        {"workflows", claims.workflows},
                        {"file_numbers", view(claims.file_numbers)},
                        {"payment_ids", view(claims.payment_ids)}};
    if (const auto& ach = claims.ach) {
        view_of_all["ach"] = {{"odfi", ach->odfi_identification},    {"origin", ach->origin_id},
                              {"destination", ach->destination},     {"file_name", ach->file_name},
                              {"modifiers", ach->file_id_modifiers}, {"trace_numbers", view(ach->trace_numbers)}};
    }
    if (const auto& checks = claims.checks) {
        view_of_all["checks"] = {{"account", checks->account_sha256}, {"numbers", view(checks->numbers)}};
    }
    return view_of_all.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::optional<Claims> decode(const std::string& text) {
    const auto parsed = text::parse_json(text);
    if (!parsed) return std::nullopt;
    const auto& all = *parsed;
    try {
        Claims claims;
        claims.file = all.at("file").get<std::string>();
        claims.state_dir = all.at("state_dir").get<std::string>();
        claims.service = all.at("service").get<std::string>();
        claims.workflows = all.at("workflows").get<std::vector<std::int64_t>>();
        claims.file_numbers = range_of(all.at("file_numbers"));
        claims.payment_ids = range_of(all.at("payment_ids"));
        if (all.contains("ach")) {
            const auto& ach = all.at("ach");
            claims.ach = {ach.at("odfi").get<std::string>(),        ach.at("origin").get<std::string>(),
                          ach.at("destination").get<std::string>(), ach.at("file_name").get<std::string>(),
                          ach.at("modifiers").get<std::string>(),   range_of(ach.at("trace_numbers"))};
        }
        if (all.contains("checks")) {
            const auto& checks = all.at("checks");
            claims.checks = {checks.at("account").get<std::string>(), range_of(checks.at("numbers"))};
        }
        return claims;
    } catch (const json::exception&) {
        return std::nullopt;
    }
}

std::string read_all(int fd) {
    std::string text;
    std::array<char, 4096> piece;  // NOLINT(cppcoreguidelines-pro-type-member-init): a read buffer
    for (ssize_t got = 0; (got = ::pread(fd, piece.data(), piece.size(), static_cast<off_t>(text.size()))) > 0;)
        text.append(piece.data(), static_cast<std::size_t>(got));
    return text;
}

std::unexpected<Error> taken(const std::string& what) {
    return fail(ErrorCode::conflict, what);
}

bool is_gone(const fs::path& path) {
    std::error_code error;
    return fs::status(path, error).type() == fs::file_type::not_found;
}

// Checks an instance that ran on this machine and is stopped now. It may start again at any time, and its ledger does
// not know what ours pays meanwhile. Its current configuration counts until that file or its ledger is removed.
Result<void> check_idle(const Claims& claims, const Claims& recorded) {
    if (recorded.file == claims.file || is_gone(recorded.file)) return {};
    const auto theirs = config::claims_in(recorded.file).value_or(recorded);
    if (!ledger::has_ledger(theirs.state_dir)) return {};
    const auto why = conflict(claims, theirs);
    if (why.empty()) return {};
    return taken("another instance has run on this machine, configured by " + theirs.file.string() + ": " + why +
                 "; or remove its configuration if it is no longer in use");
}

// Checks that the instance of another entry claims nothing of ours.
Result<void> check_entry(const fs::path& path, const Claims& claims) {
    const FileDescriptor entry(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (entry.get() < 0) return errno == ENOENT ? Result<void>() : Result<void>(unusable(path, errno));
    const bool is_idle = ::flock(entry.get(), LOCK_SH | LOCK_NB) == 0;
    const auto theirs = decode(read_all(entry.get()));
    if (is_idle) return theirs ? check_idle(claims, *theirs) : Result<void>();
    if (!theirs) return taken(path.string() + ": locked by another version of Drawbridge: stop that process first");
    const auto why = conflict(claims, *theirs);
    if (why.empty()) return {};
    return taken("another instance is running, configured by " + theirs->file.string() + ": " + why);
}

}  // namespace

Result<WriterLock> WriterLock::take(const Claims& claims, const std::string& ledger_id) {
    const auto folder = writers_folder();
    if (!folder) return std::unexpected(folder.error());
    const auto mutex_path = *folder / mutex_name;
    const FileDescriptor mutex(open_shared(mutex_path));
    if (mutex.get() < 0) return unusable(mutex_path, errno);
    if (auto locked = lock_briefly(mutex.get(), mutex_path); !locked) return std::unexpected(locked.error());
    const auto own_path = *folder / (ledger_id + std::string(ending));
    std::error_code error;
    for (fs::directory_iterator at(*folder, error), end; !error && at != end; at.increment(error)) {
        if (at->path().extension() != ending || at->path() == own_path) continue;
        if (auto free = check_entry(at->path(), claims); !free) return std::unexpected(free.error());
    }
    if (error) return unusable(*folder, error.value());
    FileDescriptor own(open_shared(own_path));
    if (own.get() < 0) return unusable(own_path, errno);
    if (::flock(own.get(), LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK) return unusable(own_path, errno);
        const auto holder = decode(read_all(own.get()));
        return taken("another process uses this ledger or a copy of it" +
                     (holder ? ", in " + holder->state_dir.string() : std::string()) + ": stop it first");
    }
    const auto text = encode(claims);
    const bool written = ::ftruncate(own.get(), 0) == 0 &&
                         ::pwrite(own.get(), text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
    if (!written) return unusable(own_path, errno);
    return WriterLock(std::move(own));
}

Result<void> check_siblings(const config::Claims& ours) {
    for (const auto& file : config::sibling_configurations(ours.file)) {
        const auto theirs = config::claims_in(file);
        if (!theirs) continue;
        if (const auto why = conflict(ours, *theirs); !why.empty()) {
            return fail(ErrorCode::conflict, ours.file.string() + " and " + file.string() + ": " + why +
                                                 "; or remove the one that is not in use");
        }
    }
    return {};
}

}  // namespace drawbridge::app
