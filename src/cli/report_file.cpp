#include "report_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "output.hpp"

namespace drawbridge::cli {
namespace {

constexpr mode_t report_mode = 0640;  // it contains payee names

std::unexpected<Error> already_exists(const std::string& path) {
    return fail(ErrorCode::conflict, path + ": the file exists: name another, or add --overwrite");
}

}  // namespace

Error ReportFile::failure(std::string_view what, int error) const {
    return {ErrorCode::unavailable, (path_.empty() ? std::string("standard output") : path_) + ": cannot " +
                                        std::string(what) + ": " + std::strerror(error)};
}

Result<std::unique_ptr<ReportFile>> ReportFile::open(const std::string& path, bool overwrite) {
    std::unique_ptr<ReportFile> file(new ReportFile(path, overwrite));
    if (path.empty()) return file;
    struct stat found{};
    if (::lstat(path.c_str(), &found) == 0) {
        if (!S_ISREG(found.st_mode)) return fail(ErrorCode::conflict, path + ": not a regular file: name another");
        if (!overwrite) return already_exists(path);
    }
    file->temporary_ = path + ".tmp-" + std::to_string(::getpid());
    file->fd_ = ::open(file->temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, report_mode);
    if (file->fd_ < 0) {
        const int error = errno;
        file->temporary_.clear();
        return std::unexpected(file->failure("be written", error));
    }
    if (::fchmod(file->fd_, report_mode) != 0) return std::unexpected(file->failure("be set to mode 0640", errno));
    return file;
}

ReportFile::~ReportFile() {
    if (fd_ >= 0) ::close(fd_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Result<void> ReportFile::write(std::string_view bytes) {
    if (path_.empty()) {
        print_bytes(bytes);
        if (std::ferror(stdout) == 0) return {};
        return std::unexpected(failure("be written", errno));
    }
    while (!bytes.empty()) {
        const auto written = ::write(fd_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return std::unexpected(failure("be written", errno));
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

Result<void> ReportFile::finish() {
    if (path_.empty()) {
        if (std::fflush(stdout) == 0) return {};
        return std::unexpected(failure("be written", errno));
    }
    if (::fsync(fd_) != 0) return std::unexpected(failure("be synced", errno));
    if (::close(std::exchange(fd_, -1)) != 0) return std::unexpected(failure("be closed", errno));
    const unsigned flags = overwrite_ ? 0U : RENAME_NOREPLACE;
    if (::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), flags) != 0) {
        if (errno == EEXIST) return already_exists(path_);
        return std::unexpected(failure("be renamed", errno));
    }
    temporary_.clear();
    const auto folder = std::filesystem::path(path_).parent_path();
    const int folder_fd = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder_fd < 0) return std::unexpected(failure("be synced", errno));
    const bool is_synced = ::fsync(folder_fd) == 0;
    const int error = errno;
    ::close(folder_fd);
    if (!is_synced) return std::unexpected(failure("be synced", error));
    return {};
}

}  // namespace drawbridge::cli
