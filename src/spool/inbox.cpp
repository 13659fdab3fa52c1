// Taking confirmation files out of the inbox.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "drawbridge/domain/crash_point.hpp"
#include "folders.hpp"
#include "names.hpp"

namespace drawbridge::spool {
namespace {

using std::chrono::milliseconds;

Instant instant_of(const timespec& time) {
    const auto since_epoch = std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
    return Instant(std::chrono::floor<milliseconds>(since_epoch));
}

// Why a file that is not a regular one is left alone; empty for a regular one.
std::string_view refusal(mode_t mode) {
    if (S_ISREG(mode)) return {};
    if (S_ISLNK(mode)) return "a symbolic link; drop the file itself";
    if (S_ISDIR(mode)) return "a folder; drop the files themselves";
    if (S_ISFIFO(mode)) return "a pipe";
    if (S_ISSOCK(mode)) return "a socket";
    return "a device";
}

bool is_named_as_unfinished(std::string_view name) {
    constexpr std::string_view endings[] = {".part", ".tmp", ".filepart", ".crdownload"};
    return std::ranges::any_of(endings, [&](std::string_view ending) {
        if (name.size() < ending.size()) return false;
        return std::ranges::equal(name.substr(name.size() - ending.size()), ending,
                                  [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
    });
}

bool is_settled(const struct stat& status, milliseconds settle, Instant now) {
    // A copy that keeps the times of its origin may carry one from a clock that is ahead, or from another zone; then
    // the time at which this system last saw a change counts.
    const Instant modified = instant_of(status.st_mtim);
    const Instant changed = modified <= now ? modified : instant_of(status.st_ctim);
    return changed <= now - settle;
}

// Where the inbox is on another file system (a network share), a rename cannot take the file: copies it, and removes
// it once the copy is durable. A crash between the two leaves both; the second is known by its content.
Result<void> move_by_copy(const Folder& inbox, const std::string& name, const Folder& claimed,
                          const std::string& new_name) {
    int error = 0;
    const FileDescriptor source = inbox.try_open(name, error);
    if (error == ENOENT) return fail(ErrorCode::not_found, "the file went away");
    if (error != 0) return fail(ErrorCode::invalid_input, std::string("it cannot be opened: ") + std::strerror(error));
    struct stat before{};
    if (::fstat(source.get(), &before) != 0) throw_system_error(errno, "look at", inbox.path_of(name));
    if (!S_ISREG(before.st_mode)) return fail(ErrorCode::invalid_input, std::string(refusal(before.st_mode)));

    TemporaryFile temporary(claimed, ".copy.tmp");
    claimed.remove(temporary.name());
    FileDescriptor target = claimed.create(temporary.name(), 0640);
    std::array<char, 64UL * 1024> buffer;
    while (const std::size_t size = read_some(source, inbox.path_of(name), buffer.data(), buffer.size()))
        write_all(target, claimed.path_of(new_name), {buffer.data(), size});
    sync_file(target, claimed.path_of(new_name));
    if (const int closed = target.close_now(); closed != 0)
        throw_system_error(closed, "close", claimed.path_of(new_name));

    struct stat after{};
    if (::fstat(source.get(), &after) != 0) throw_system_error(errno, "look at", inbox.path_of(name));
    if (after.st_size != before.st_size || instant_of(after.st_mtim) != instant_of(before.st_mtim))
        return fail(ErrorCode::conflict, "it changed while it was copied");
    if (const int moved = claimed.move_new(temporary.name(), claimed, new_name); moved != 0)
        throw_system_error(moved, "claim", inbox.path_of(name));
    temporary.keep();
    claimed.sync();
    if (const int removed = inbox.try_remove(name); removed != 0) {
        claimed.remove(new_name);
        return fail(ErrorCode::unavailable, std::string("it cannot be taken out of the inbox: ") +
                                                std::strerror(removed) + ": make the inbox writable for this program");
    }
    return {};
}

}  // namespace

InboxScan Spool::scan_inbox(milliseconds settle, Instant now) const {
    InboxScan scan;
    for (std::string& name : folders_->inbox.names()) {
        const auto status = folders_->inbox.status(name);
        if (!status) continue;  // taken back in the meantime
        if (name.starts_with('.')) {
            scan.waiting.push_back({std::move(name), "its name begins with a dot", /*may_settle=*/false});
        } else if (const std::string_view reason = refusal(status->st_mode); !reason.empty()) {
            scan.refused.push_back({std::move(name), std::string(reason), /*may_settle=*/false});
        } else if (is_named_as_unfinished(name)) {
            scan.waiting.push_back({std::move(name), "its name says that it is not complete", /*may_settle=*/false});
        } else if (!is_settled(*status, settle, now)) {
            scan.waiting.push_back({std::move(name), "still changing", /*may_settle=*/true});
        } else if (!folders_->inbox.is_readable(name)) {
            scan.refused.push_back(
                {std::move(name), "not readable for this program; change its permissions", /*may_settle=*/false});
        } else {
            scan.ready.push_back({std::move(name), static_cast<std::uint64_t>(status->st_size)});
        }
    }
    return scan;
}

Result<ClaimedFile> Spool::claim(std::string_view name, Instant now) {
    const std::string original(name);
    if (!is_plain_name(name)) return fail(ErrorCode::invalid_input, "'" + original + "' is no name of a file");
    const auto cannot = [&](ErrorCode code, const std::string& why) {
        return fail(code, "inbox file '" + printable_name(original) + "' cannot be claimed: " + why);
    };
    for (;;) {
        ClaimedFile file{claimed_name(now, ++counter_, original), original};
        const int error = folders_->inbox.move_new(original, folders_->claimed, file.name);
        if (error == EEXIST) continue;  // a claim of an earlier run in the same millisecond
        if (error == ENOENT) return cannot(ErrorCode::not_found, "it went away");
        if (error == EXDEV) {
            if (auto moved = move_by_copy(folders_->inbox, original, folders_->claimed, file.name); !moved)
                return cannot(moved.error().code, moved.error().message);
        } else if (error == EACCES || error == EPERM || error == EROFS) {
            return cannot(ErrorCode::unavailable,
                          std::string(std::strerror(error)) + ": make the inbox writable for this program");
        } else if (error != 0) {
            throw_system_error(error, "claim", folders_->inbox.path_of(original));
        }
        folders_->claimed.sync();
        folders_->inbox.sync();
        crash_point("confirm.claimed");
        return file;
    }
}

std::vector<ClaimedFile> Spool::claimed() const {
    std::vector<ClaimedFile> files;
    for (const std::string& name : folders_->claimed.names()) {
        if (!name.starts_with('.')) files.push_back({name, original_name_of(name)});
    }
    return files;
}

Result<std::string> Spool::read(const ClaimedFile& file, std::size_t max_bytes) const {
    const auto cannot = [&](ErrorCode code, const std::string& why) {
        return fail(code, "confirmation file '" + printable_name(file.original_name) + "' cannot be read: " + why);
    };
    int error = 0;
    const FileDescriptor opened = folders_->claimed.try_open(file.name, error);
    if (error == ENOENT) return cannot(ErrorCode::not_found, "it is no longer there");
    if (error != 0) return cannot(ErrorCode::invalid_input, std::strerror(error));
    const std::filesystem::path path = folders_->claimed.path_of(file.name);
    struct stat status{};
    if (::fstat(opened.get(), &status) != 0) throw_system_error(errno, "look at", path);
    if (!S_ISREG(status.st_mode))
        return cannot(ErrorCode::invalid_input, "it is " + std::string(refusal(status.st_mode)));
    const auto too_large = [&] {
        return cannot(ErrorCode::invalid_input, "it has more than " + std::to_string(max_bytes) + " bytes");
    };
    if (static_cast<std::uint64_t>(status.st_size) > max_bytes) return too_large();
    std::string bytes;
    bytes.reserve(static_cast<std::size_t>(status.st_size));
    std::array<char, 64UL * 1024> buffer;
    while (const std::size_t size = read_some(opened, path, buffer.data(), buffer.size())) {
        bytes.append(buffer.data(), size);
        if (bytes.size() > max_bytes) return too_large();  // it grew
    }
    return bytes;
}

}  // namespace drawbridge::spool
