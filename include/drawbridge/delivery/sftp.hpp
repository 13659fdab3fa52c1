// One session with an SFTP server: uploads files, looks them up, renames them. It blocks. One thread at a time uses it,
// which must not be the event loop's; only abort() may be called from another thread.
//
// It never talks to a server without the pinned host key, never overwrites a file, and makes no decisions: the caller
// decides whether a file is sent, and sent again.
//
// Errors: unavailable: the server cannot be reached, or the connection broke; timeout: a step took longer than
// `timeout`, or a transfer as a whole too long; protocol: the host key is not the pinned one; unauthorized: the server
// does not accept our key; not_found: no such file or folder; conflict: the server refuses (permissions, quota, an
// existing file); invalid_input: the local file cannot be read; outcome_unknown: a rename or a whole upload was sent,
// not answered; cancelled: abort().
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
    // One of the two: "ssh-ed25519 AAAA…", or a file in known_hosts format.
    std::string host_key;
    std::filesystem::path known_hosts_file;
    std::string folder;                                            // target folder; empty: the login's start folder
    std::chrono::milliseconds timeout = std::chrono::seconds(30);  // per step: an answer, a chunk of a file
    // A whole upload, read-back or listing ends after this many times `timeout`, plus its bytes at this rate.
    int answers_per_operation = 4;
    std::uint64_t bytes_per_second = 64UL * 1024;
};

// "sftp://payer@bank.example:22/inbox": unique per place, for people and for comparison.
[[nodiscard]] std::string address(const SftpOptions& options);
// Checks the keys before a server is contacted. Error: invalid_input.
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
    // After an error: whether the session is still usable.
    [[nodiscard]] bool alive() const;
    // Interrupts the operation in progress; the session is unusable afterwards. From any thread.
    void abort();

    // The names below are names of files in the folder.

    // nullopt: no such file.
    [[nodiscard]] Result<std::optional<RemoteStatus>> status(const std::string& name);
    // SHA-256 of the file's content; nullopt: the server does not allow reading it. Reads at most one byte more than
    // `size`: a longer file has another hash than the one of that size.
    [[nodiscard]] Result<std::optional<std::string>> sha256(const std::string& name, std::uint64_t size);
    struct Uploaded {
        std::uint64_t size = 0;
        std::string sha256;  // of the local bytes that were sent
    };
    // Creates the file; never overwrites one. On return the file is on the server's disk, if the server supports fsync.
    [[nodiscard]] Result<Uploaded> upload(const std::filesystem::path& local, const std::string& name);
    // Never overwrites a file on a server that follows version 3 of the protocol.
    [[nodiscard]] Result<void> rename(const std::string& from, const std::string& to);
    // Error (not_found): it does not exist.
    [[nodiscard]] Result<void> remove(const std::string& name);
    // The names in the folder, in no particular order. Error (forbidden): the server lets nobody list it; (conflict):
    // also if there are more than 100,000.
    [[nodiscard]] Result<std::vector<std::string>> list_names();

  private:
    class Connection;
    SftpOptions options_;
    std::unique_ptr<Connection> connection_;
};

}  // namespace drawbridge::delivery
