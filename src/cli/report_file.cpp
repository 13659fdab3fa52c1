#include "report_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "drawbridge/app/programs.hpp"
#include "drawbridge/files/durable_file.hpp"
#include "output.hpp"

namespace drawbridge::cli {
namespace {

constexpr mode_t report_mode = 0640;  // it contains payee names

std::unexpected<Error> already_exists(const std::string& path) {
    return fail(ErrorCode::conflict, path + ": the file exists: name another, or add --overwrite");
}

}  // namespace

Error ReportFile::failure(std::string_view what, int error) const {
    return {!path_.empty() && files::is_disk_failure(error) ? ErrorCode::unavailable : ErrorCode::conflict,
            (path_.empty() ? std::string("standard output") : path_) + ": cannot " + std::string(what) + ": " +
                std::strerror(error)};
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
    try {
        file->file_ = files::open_file(file->temporary_, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, report_mode);
    } catch (const std::system_error& refused) {
        file->temporary_.clear();
        return std::unexpected(file->failure("be written", refused.code().value()));
    }
    if (::fchmod(file->file_.get(), report_mode) != 0)
        return std::unexpected(file->failure("be set to mode 0640", errno));
    return file;
}

int report_write_failure(const Error& error) {
    print_error("drawbridge: " + error.message);
    return error.code == ErrorCode::unavailable ? app::exit_disk : app::exit_failed;
}

ReportFile::~ReportFile() {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Result<void> ReportFile::write(std::string_view bytes) {
    if (path_.empty()) {
        print_bytes(bytes);
        if (std::ferror(stdout) == 0) return {};
        return std::unexpected(failure("be written", errno));
    }
    try {
        files::write_all(file_, temporary_, bytes);
    } catch (const std::system_error& failed) {
        return std::unexpected(failure("be written", failed.code().value()));
    }
    return {};
}

Result<void> ReportFile::finish() {
    if (path_.empty()) {
        if (std::fflush(stdout) == 0) return {};
        return std::unexpected(failure("be written", errno));
    }
    try {
        files::sync_file(file_, temporary_);
        if (const int error = file_.close_now(); error != 0) return std::unexpected(failure("be closed", error));
        if (const int error = put_in_place(); error != 0) {
            if (error == EEXIST) return already_exists(path_);
            return std::unexpected(failure("be renamed", error));
        }
        temporary_.clear();
        files::sync_folder(files::folder_of(path_));
    } catch (const std::system_error& failed) {
        return std::unexpected(failure("be synced", failed.code().value()));
    }
    return {};
}

int ReportFile::put_in_place() const {
    if (!overwrite_) return files::move_new(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str());
    return ::rename(temporary_.c_str(), path_.c_str()) == 0 ? 0 : errno;
}

}  // namespace drawbridge::cli
