// Requests to the bank's server, on the transfer worker's thread. They touch neither the ledger nor the spool. Private
// to this module.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "drawbridge/delivery/sftp.hpp"
#include "drawbridge/disbursement/delivery.hpp"

namespace drawbridge::pipeline {

using delivery::SftpSession;
using disbursement::RemoteFile;
using RemoteLookup = Result<std::optional<RemoteFile>>;

struct RemoteNames {
    std::optional<RemoteFile> temporary, final_;
};

struct UploadResult {
    SftpSession::Uploaded uploaded;
    std::optional<RemoteFile> found;
};

// The file's size and, up to 64 MB and if the server lets it be read, its hash. nullopt: there is no such file.
[[nodiscard]] RemoteLookup look_up(SftpSession& session, const std::string& name);
// Looks up the temporary name first: a file that is renamed between the two lookups is then found by its final name.
[[nodiscard]] Result<RemoteNames> look_up_both(SftpSession& session, const std::string& temporary,
                                               const std::string& name);
// Uploads under the temporary name, then looks up what arrived. `leftover`: from an earlier upload; may be empty.
// Error (outcome_unknown): the server may have the complete upload.
[[nodiscard]] Result<UploadResult> send(SftpSession& session, const std::filesystem::path& local,
                                        const std::string& leftover, const std::string& temporary);
// Error (conflict): also if the server says that it renamed the file, and still shows its temporary name.
[[nodiscard]] Result<void> rename_and_look(SftpSession& session, const std::string& temporary, const std::string& name);

}  // namespace drawbridge::pipeline
