// Keys of both sides in libssh's form, and the check of the server's key against the pinned one. Private to this
// module.
#pragma once

#include <libssh/libssh.h>

#include <memory>

#include "drawbridge/delivery/sftp.hpp"

namespace drawbridge::delivery {

struct FreeSshKey {
    void operator()(ssh_key key) const { ssh_key_free(key); }
};
using SshKey = std::unique_ptr<ssh_key_struct, FreeSshKey>;

[[nodiscard]] Result<SshKey> read_private_key(const SftpOptions& options);
// Parses the pinned key: "ssh-ed25519 AAAA…" with an optional comment.
[[nodiscard]] Result<SshKey> read_host_key(const std::string& line);
// The host key algorithms to offer, so that the server presents its key of the pinned kind.
[[nodiscard]] std::string host_key_algorithms(const SshKey& pinned);

// Call it after the key exchange and before anything secret is sent. `pinned` is empty if known_hosts_file decides.
[[nodiscard]] Result<void> check_server(ssh_session session, const SshKey& pinned, const SftpOptions& options);

// The server has no key of the pinned kind, so that the key exchange failed.
[[nodiscard]] std::unexpected<Error> no_such_host_key(const SftpOptions& options, const SshKey& pinned,
                                                      const std::string& detail);

}  // namespace drawbridge::delivery
