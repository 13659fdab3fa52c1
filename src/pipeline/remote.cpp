#include "remote.hpp"

namespace drawbridge::pipeline {
namespace {

// What is larger is not read back from the server: its size must do.
constexpr std::uint64_t largest_read_back = 64ULL * 1024 * 1024;

}  // namespace

Looked look(SftpSession& session, const std::string& name) {
    const auto status = session.status(name);
    if (!status) return std::unexpected(status.error());
    if (!*status) return std::nullopt;
    RemoteFile file{.size = (*status)->size, .sha256 = ""};
    if (!(*status)->regular) {
        file.sha256 = "none: it is no regular file";
    } else if (file.size <= largest_read_back) {
        auto hash = session.sha256(name);
        if (!hash) return std::unexpected(hash.error());
        file.sha256 = hash->value_or("");
    }
    return file;
}

Result<BothNames> look_at_both(SftpSession& session, const std::string& temporary, const std::string& name) {
    auto first = look(session, temporary);
    if (!first) return std::unexpected(first.error());
    auto second = look(session, name);
    if (!second) return std::unexpected(second.error());
    return BothNames{*first, *second};
}

Result<Sent> send(SftpSession& session, const std::filesystem::path& local, const std::string& leftover,
                  const std::string& temporary) {
    // What an earlier upload left was never renamed. A server that does not let it be removed keeps it: no harm.
    if (!leftover.empty()) {
        if (const auto removed = session.remove(leftover); !removed && !session.alive()) {
            return std::unexpected(removed.error());
        }
    }
    auto uploaded = session.upload(local, temporary);
    if (!uploaded) return std::unexpected(uploaded.error());
    auto there = look(session, temporary);
    if (!there) return std::unexpected(there.error());
    return Sent{*uploaded, *there};
}

}  // namespace drawbridge::pipeline
