#include "drawbridge/files/durable_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <functional>

#include "drawbridge/domain/digest.hpp"

namespace drawbridge::files {
namespace {

namespace fs = std::filesystem;

// Writes a temporary file; `name` gives it the name `path`, or returns the errno.
void write_and_name(FileDescriptor file, const fs::path& temporary, std::string_view bytes, mode_t mode,
                    const fs::path& path, const std::function<int()>& name) {
    try {
        write_all(file, temporary, bytes);
        if (::fchmod(file.get(), mode) != 0) throw_system_error(errno, "set the mode of", temporary);
        sync_file(file, temporary);
        if (const int error = file.close_now(); error != 0) throw_system_error(error, "close", temporary);
        if (const int error = name(); error != 0) throw_system_error(error, "create", path);
    } catch (const std::exception&) {
        ::unlink(temporary.c_str());
        throw;
    }
}

}  // namespace

bool is_no_space(int error) {
    return error == ENOSPC || error == EDQUOT || error == EFBIG;
}

bool is_disk_failure(int error) {
    return is_no_space(error) || error == EROFS || error == EIO;
}

void sync_file(const fs::path& path) {
    sync_file(open_file(path, O_RDONLY), path);
}

void sync_folder(const fs::path& path) {
    sync_file(open_file(path, O_RDONLY | O_DIRECTORY), path);
}

fs::path folder_of(const fs::path& file) {
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

void replace_durably(const fs::path& path, std::string_view bytes, mode_t mode) {
    auto temporary = path;
    temporary += ".tmp";
    ::unlink(temporary.c_str());
    auto file = open_file(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
    write_and_name(std::move(file), temporary, bytes, mode, path,
                   [&] { return ::rename(temporary.c_str(), path.c_str()) == 0 ? 0 : errno; });
    sync_folder(folder_of(path));
}

void create_durably(const fs::path& path, std::string_view bytes, mode_t mode) {
    std::string temporary = (folder_of(path) / ".new-XXXXXX").string();
    FileDescriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
    if (!file.is_open()) throw_system_error(errno, "create", path);
    write_and_name(std::move(file), temporary, bytes, mode, path,
                   [&] { return move_new(AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str()); });
    sync_folder(folder_of(path));
}

void copy_durably(const FileDescriptor& from, const fs::path& from_path, const fs::path& to) {
    fs::remove(to);
    constexpr mode_t owner_only = 0600;
    const auto file = open_file(to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, owner_only);
    read_whole(from, from_path, [&](std::string_view bytes) { write_all(file, to, bytes); });
    sync_file(file, to);
}

FileDigest digest_of(const fs::path& path) {
    Sha256 hash;
    FileDigest digest;
    read_whole(open_file(path, O_RDONLY), path, [&](std::string_view bytes) {
        hash.update(bytes);
        digest.size_bytes += static_cast<std::int64_t>(bytes.size());
    });
    digest.sha256 = hash.hex();
    return digest;
}

}  // namespace drawbridge::files
