#include "remote.hpp"

#include <system_error>

namespace drawbridge::pipeline {
namespace {

// Larger files are not read back from the server; only their size is compared.
constexpr std::uint64_t max_read_back_bytes = 64ULL * 1024 * 1024;

}  // namespace

RemoteLookup look_up(SftpSession& session, const std::string& name) {
    const auto status = session.status(name);
    if (!status) return std::unexpected(status.error());
    if (!*status) return std::nullopt;
    RemoteFile file{.size = (*status)->size, .sha256 = ""};
    if (!(*status)->regular) {
        file.sha256 = "none: it is not a regular file";
    } else if (file.size <= max_read_back_bytes) {
        auto hash = session.sha256(name, file.size);
        if (!hash && hash.error().code == ErrorCode::not_found) {
            // The bank took it meanwhile; or the server says so of a file that it does not let us read.
            const auto still = session.status(name);
            if (!still) return std::unexpected(still.error());
            if (!*still) return std::nullopt;
            return file;
        }
        if (!hash) return std::unexpected(hash.error());
        file.sha256 = hash->value_or("");
    }
    return file;
}

Result<RemoteNames> look_up_both(SftpSession& session, const std::string& temporary, const std::string& name) {
    auto first = look_up(session, temporary);
    if (!first) return std::unexpected(first.error());
    auto second = look_up(session, name);
    if (!second) return std::unexpected(second.error());
    return RemoteNames{*first, *second};
}

Result<UploadResult> send(SftpSession& session, const std::filesystem::path& local, const std::string& leftover,
                          const std::string& temporary) {
    // An earlier upload's leftover was never renamed. If the server does not allow its removal, it stays: no harm.
    if (!leftover.empty()) {
        if (const auto removed = session.remove(leftover); !removed && !session.alive()) {
            return std::unexpected(removed.error());
        }
    }
    auto uploaded = session.upload(local, temporary);
    if (!uploaded) {
        // A server whose disk is full refuses the last bytes, and still has an upload without them.
        if (uploaded.error().code == ErrorCode::outcome_unknown && session.alive()) {
            const auto left = session.status(temporary);
            std::error_code error;
            const auto size = std::filesystem::file_size(local, error);
            if (left && *left && !error && (*left)->size < size)
                return fail(ErrorCode::conflict, uploaded.error().message);
        }
        return std::unexpected(uploaded.error());
    }
    auto found = look_up(session, temporary);
    if (!found) return fail(ErrorCode::outcome_unknown, found.error().message);
    return UploadResult{*uploaded, *found};
}

Result<void> rename_and_look(SftpSession& session, const std::string& temporary, const std::string& name) {
    if (auto renamed = session.rename(temporary, name); !renamed) return renamed;
    const auto left = session.status(temporary);
    if (!left || !*left) return {};
    return fail(ErrorCode::conflict, "the server says that it renamed " + temporary + ", and still shows it");
}

}  // namespace drawbridge::pipeline
