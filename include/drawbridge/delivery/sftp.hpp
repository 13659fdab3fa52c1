// One session with an SFTP server: files put there, looked at, renamed. It blocks; it is used by one thread at a time,
// which must be none that others wait for, and only abort() may be called from another.
//
// It never talks to a server that does not show the pinned host key, never writes over a file, and decides nothing:
// whether something is sent, and sent again, is the caller's decision.
//
// Errors: unavailable: the server cannot be reached, or the connection broke; timeout: it took longer than `timeout`;
// protocol: the host key is not the pinned one; unauthorized: the server does not take our key; not_found: there is no
// such file or folder; conflict: the server refuses (rights, quota, a file in the way), or the local file is not
// readable; outcome_unknown: of a rename that was sent and not answered; cancelled: abort().
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/domain/secret.hpp"

namespace drawbridge::delivery {

struct SftpOptions {
    std::string host;
    int port = 22;
    std::string user;
    Secret private_key;  // the text of the key file
    Secret passphrase;   // empty: the key has none
    // One of the two: "ssh-ed25519 AAAA…", or a file in the form of known_hosts.
    std::string host_key;
    std::filesystem::path known_hosts_file;
    std::string folder;                                            // where files go; empty: where the login begins
    std::chrono::milliseconds timeout = std::chrono::seconds(30);  // of each step: an answer, a chunk of a file
};

// "sftp://payer@bank.example:22/inbox": the same for the same place, for people and for comparing.
[[nodiscard]] std::string address(const SftpOptions& options);
// What can be seen wrong in the keys before a server is asked. Errors: invalid_input.
[[nodiscard]] Result<void> check_keys(const SftpOptions& options);

struct RemoteStatus {
    bool regular = true;  // otherwise a folder, a link …
    std::uint64_t size = 0;
};

class SftpSession {
  public:
    explicit SftpSession(SftpOptions options);
    SftpSession(const SftpSession&) = delete;
    SftpSession& operator=(const SftpSession&) = delete;
    ~SftpSession();

    // Connects, checks the host key, logs in.
    [[nodiscard]] Result<void> open();
    // After an error: can the session still be used?
    [[nodiscard]] bool alive() const;
    // Ends what is under way; nothing works any more. From any thread.
    void abort();

    // Below, names are of files in the folder.

    // nullopt: it is not there.
    [[nodiscard]] Result<std::optional<RemoteStatus>> status(const std::string& name);
    // The file's content as a hash; nullopt: the server does not let it be read.
    [[nodiscard]] Result<std::optional<std::string>> sha256(const std::string& name);
    struct Uploaded {
        std::uint64_t size = 0;
        std::string sha256;  // of the local file as it was read
    };
    // Creates it; never writes over one that is there. On return the server has it on disk, where it offers that.
    [[nodiscard]] Result<Uploaded> upload(const std::filesystem::path& local, const std::string& name);
    // Never over a file that is there, where the server keeps to the protocol's version 3.
    [[nodiscard]] Result<void> rename(const std::string& from, const std::string& to);
    // Also when it is not there.
    [[nodiscard]] Result<void> remove(const std::string& name);
    // The names in the folder, in no order.
    [[nodiscard]] Result<std::vector<std::string>> list_names();

  private:
    class Connection;
    SftpOptions options_;
    std::unique_ptr<Connection> connection_;
};

}  // namespace drawbridge::delivery
