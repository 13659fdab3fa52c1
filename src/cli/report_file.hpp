// The destination of a report: standard output, or a file that is complete or absent. Private to this module.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/files/file_descriptor.hpp"

namespace drawbridge::cli {

// Prints why a file was not written and returns the exit code. ErrorCode::unavailable is a disk that is full, read-only
// or broken.
[[nodiscard]] int report_write_failure(const Error& error);

class ReportFile {
  public:
    // Empty: standard output. Otherwise a temporary file next to `path`, mode 0640. Errors: the file exists and
    // `overwrite` is false; the folder is not writable.
    [[nodiscard]] static Result<std::unique_ptr<ReportFile>> open(const std::string& path, bool overwrite);
    ReportFile(const ReportFile&) = delete;
    ReportFile& operator=(const ReportFile&) = delete;
    ~ReportFile();  // removes an unfinished temporary file

    [[nodiscard]] Result<void> write(std::string_view bytes);
    // On return the file survives power loss.
    [[nodiscard]] Result<void> finish();

  private:
    ReportFile(std::string path, bool overwrite) : path_(std::move(path)), overwrite_(overwrite) {}
    [[nodiscard]] Error failure(std::string_view what, int error) const;
    [[nodiscard]] int put_in_place() const;  // 0 or the errno

    std::string path_, temporary_;
    bool overwrite_;
    files::FileDescriptor file_;
};

}  // namespace drawbridge::cli
