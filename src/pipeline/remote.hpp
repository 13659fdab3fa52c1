// What is asked of the bank's server, on the transfer_worker's thread: it touches neither the ledger nor the spool. Private to
// this module.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "drawbridge/delivery/sftp.hpp"
#include "drawbridge/disbursement/delivery.hpp"

namespace drawbridge::pipeline {

using delivery::SftpSession;
using disbursement::RemoteFile;
using Looked = Result<std::optional<RemoteFile>>;

struct BothNames {
    std::optional<RemoteFile> temporary, final_;
};

struct Sent {
    SftpSession::Uploaded uploaded;
    std::optional<RemoteFile> there;
};

// Its size and, up to 64 MB and where the server lets it be read, its hash. nullopt: there is no such file.
[[nodiscard]] Looked look(SftpSession& session, const std::string& name);
// The temporary name first: what is renamed between the two looks is then seen under its own.
[[nodiscard]] Result<BothNames> look_at_both(SftpSession& session, const std::string& temporary,
                                             const std::string& name);
// Uploads it under its temporary name, and looks at what arrived. `leftover`: of an earlier upload; may be empty.
[[nodiscard]] Result<Sent> send(SftpSession& session, const std::filesystem::path& local, const std::string& leftover,
                                const std::string& temporary);

}  // namespace drawbridge::pipeline
