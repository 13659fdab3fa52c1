// Copies of confirmation files: a private snapshot to read, and a move from or to another file system.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>

#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/domain/digest.hpp"
#include "drawbridge/files/subordinate_uids.hpp"
#include "folders.hpp"
#include "names.hpp"

namespace drawbridge::spool {
namespace {

constexpr mode_t copy_mode = 0640;

struct stat file_status(const FileDescriptor& file, const std::filesystem::path& path) {
    struct stat status{};
    if (::fstat(file.get(), &status) != 0) throw_system_error(errno, "look at", path);
    return status;
}

bool is_unchanged(const struct stat& before, const struct stat& after) {
    return before.st_size == after.st_size && before.st_mtim.tv_sec == after.st_mtim.tv_sec &&
           before.st_mtim.tv_nsec == after.st_mtim.tv_nsec;
}

// Copies up to max_bytes and returns their hash. nullopt: there are more.
std::optional<std::string> copy_bytes(const FileDescriptor& from, const std::filesystem::path& from_path,
                                      const FileDescriptor& to, const std::filesystem::path& to_path,
                                      std::uint64_t max_bytes) {
    Sha256 hash;
    std::uint64_t total = 0;
    std::array<char, 64UL * 1024> buffer;
    while (const std::size_t size = read_some(from, from_path, buffer.data(), buffer.size())) {
        total += size;
        if (total > max_bytes) return std::nullopt;
        hash.update({buffer.data(), size});
        write_all(to, to_path, {buffer.data(), size});
    }
    return hash.hex();
}

Snapshot map(const FileDescriptor& file, const std::filesystem::path& path, std::string sha256) {
    const auto size = static_cast<std::size_t>(file_status(file, path).st_size);
    if (size == 0) return {nullptr, 0, std::move(sha256)};
    void* bytes = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.get(), 0);
    if (bytes == MAP_FAILED) throw_system_error(errno, "map", path);
    return {static_cast<const char*>(bytes), size, std::move(sha256)};
}

// Replaces the file by a copy of what was read, which no other name shares and only this program's user may write. The
// person who dropped it then cannot change it in the archive or in quarantine.
void replace_by_own_copy(const Folder& folder, const std::string& name, const FileDescriptor& read) {
    if (::lseek(read.get(), 0, SEEK_SET) != 0) throw_system_error(errno, "read", folder.path_of(name));
    TemporaryFile temporary(folder, ".copy.tmp");
    folder.remove(temporary.name());
    FileDescriptor target = folder.create(temporary.name(), copy_mode);
    const auto path = folder.path_of(temporary.name());
    copy_bytes(read, folder.path_of(name), target, path, UINT64_MAX);
    sync_file(target, path);
    if (const int closed = target.close_now(); closed != 0) throw_system_error(closed, "close", path);
    folder.rename(temporary.name(), name);
    temporary.keep();
    folder.sync();
}

std::string why_too_large(std::uint64_t max_bytes) {
    return "it has more than " + std::to_string(max_bytes) +
           " bytes (confirmations.max_file_bytes): have it split, or raise the limit";
}

std::string why_not_opened(int error) {
    return error == ELOOP ? "it is a symbolic link" : std::strerror(error);
}

// What becomes of a file that somebody else may still write.
enum class Owner { becomes_us, stays };

Result<Snapshot> make_snapshot(const Folder& folder, const std::string& name, std::uint64_t max_bytes,
                               const std::string& shown_name, Owner owner = Owner::becomes_us) {
    const auto cannot = [&](ErrorCode code, const std::string& why) {
        return fail(code, "confirmation file '" + shown_name + "' cannot be read: " + why);
    };
    const auto too_large = [&] { return cannot(ErrorCode::invalid_input, why_too_large(max_bytes)); };
    int error = 0;
    const FileDescriptor opened = folder.try_open(name, error);
    if (error == ENOENT) return cannot(ErrorCode::not_found, "it no longer exists");
    if (error != 0) return cannot(ErrorCode::invalid_input, why_not_opened(error));
    const std::filesystem::path path = folder.path_of(name);
    const struct stat before = file_status(opened, path);
    if (!S_ISREG(before.st_mode))
        return cannot(ErrorCode::invalid_input, "it is " + std::string(kind_of_file(before.st_mode)));
    if (static_cast<std::uint64_t>(before.st_size) > max_bytes) return too_large();
    const FileDescriptor copy = folder.create_nameless();
    auto hash = copy_bytes(opened, path, copy, path, max_bytes);
    if (!hash) return too_large();  // it grew
    if (!is_unchanged(before, file_status(opened, path)))
        return cannot(ErrorCode::conflict, "it changes while it is read: it is retried");
    if (owner == Owner::becomes_us && (before.st_nlink > 1 || before.st_uid != ::geteuid()))
        replace_by_own_copy(folder, name, copy);
    return map(copy, path, std::move(*hash));
}

}  // namespace

Snapshot::~Snapshot() {
    if (bytes_ != nullptr) ::munmap(const_cast<char*>(bytes_), size_);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

void Snapshot::drop_pages() const {
    if (bytes_ == nullptr) return;
    // If this fails, the memory stays in use.
    static_cast<void>(::madvise(const_cast<char*>(bytes_), size_, MADV_DONTNEED));  // NOLINT
}

Instant instant_of(const timespec& time) {
    const auto since_epoch = std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
    return Instant(std::chrono::floor<std::chrono::milliseconds>(since_epoch));
}

std::int64_t sole_writer(const struct stat& status) {
    const bool is_shared = (status.st_mode & (S_IWGRP | S_IWOTH)) != 0 || status.st_nlink > 1;
    return is_shared || files::login_of_subordinate(status.st_uid) ? 0 : static_cast<std::int64_t>(status.st_uid);
}

std::string_view kind_of_file(mode_t mode) {
    if (S_ISREG(mode)) return {};
    if (S_ISLNK(mode)) return "a symbolic link";
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a pipe";
    if (S_ISSOCK(mode)) return "a socket";
    return "a device";
}

Result<int> move_by_copy(const Folder& from, const std::string& name, const Folder& to, const std::string& new_name,
                         std::uint64_t max_bytes, std::int64_t* owner_uid) {
    int error = 0;
    const FileDescriptor source = from.try_open(name, error);
    if (error == ENOENT) return fail(ErrorCode::not_found, "it disappeared");
    if (error != 0) return fail(ErrorCode::invalid_input, "it cannot be opened: " + why_not_opened(error));
    const struct stat before = file_status(source, from.path_of(name));
    if (!S_ISREG(before.st_mode))
        return fail(ErrorCode::invalid_input, "it is " + std::string(kind_of_file(before.st_mode)));
    const auto too_large = [&] { return fail(ErrorCode::invalid_input, why_too_large(max_bytes)); };
    if (static_cast<std::uint64_t>(before.st_size) > max_bytes) return too_large();
    if (owner_uid != nullptr) *owner_uid = sole_writer(before);

    TemporaryFile temporary(to, ".copy.tmp");
    to.remove(temporary.name());
    FileDescriptor target = to.create(temporary.name(), copy_mode);
    const auto path = to.path_of(temporary.name());
    try {
        if (!copy_bytes(source, from.path_of(name), target, path, max_bytes)) return too_large();  // it grew
        sync_file(target, path);
    } catch (const std::system_error& error) {
        if (error.code() != std::errc::no_space_on_device && error.code().value() != EDQUOT) throw;
        return fail(ErrorCode::unavailable, "there is no room for its " + std::to_string(before.st_size) +
                                                " bytes in " + to.path().string() + ": free some space there");
    }
    if (const int closed = target.close_now(); closed != 0) throw_system_error(closed, "close", path);
    if (!is_unchanged(before, file_status(source, from.path_of(name))))
        return fail(ErrorCode::conflict, "it changed while it was copied");
    if (const int moved = to.move_new(temporary.name(), to, new_name); moved != 0) {
        if (moved == EEXIST) return moved;
        throw_system_error(moved, "move", from.path_of(name));
    }
    temporary.keep();
    to.sync();
    crash_point("confirm.copied");
    if (const int removed = from.try_remove(name); removed != 0) {
        to.remove(new_name);
        return fail(ErrorCode::unavailable, std::string("it cannot be removed from ") + from.path().string() + ": " +
                                                std::strerror(removed) + ": make that folder writable for Drawbridge");
    }
    return 0;
}

Result<Snapshot> Spool::open_snapshot(const ClaimedFile& file, std::uint64_t max_bytes) const {
    return make_snapshot(folders_->claimed, file.name, max_bytes, printable_name(file.original_name));
}

Result<InboxFile> Spool::read_inbox(std::string_view name, std::uint64_t max_bytes) const {
    const std::string file(name);
    const auto status = folders_->inbox.status(file);
    auto bytes = make_snapshot(folders_->inbox, file, max_bytes, printable_name(name), Owner::stays);
    if (!bytes) return std::unexpected(bytes.error());
    return InboxFile{*std::move(bytes), status ? sole_writer(*status) : 0};
}

Result<Snapshot> Spool::open_upload_snapshot(std::string_view id, std::uint64_t max_bytes) const {
    if (!is_upload_name(id)) return fail(ErrorCode::invalid_input, "'" + printable_name(id) + "' is not an upload");
    return make_snapshot(folders_->uploads, std::string(id), max_bytes, std::string(id));
}

}  // namespace drawbridge::spool
