// Keys of both sides as libssh has them, and the check of the server's against the pinned one. Private to this module.
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
// The pinned key, out of "ssh-ed25519 AAAA…" and perhaps a comment.
[[nodiscard]] Result<SshKey> read_host_key(const std::string& line);
// The host key algorithms to ask a server for, so that it shows the key of the pinned kind.
[[nodiscard]] std::string host_key_algorithms(const SshKey& pinned);

// After the key exchange, before anything secret is sent. `pinned` is empty where known_hosts_file decides.
[[nodiscard]] Result<void> check_server(ssh_session session, const SshKey& pinned, const SftpOptions& options);

}  // namespace drawbridge::delivery
