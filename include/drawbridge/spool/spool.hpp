// The folders that files move through, and every durable step in them. Nothing else creates or moves payment files or
// confirmation files. It decides nothing: which file is staged, released, archived or refused is the caller's decision,
// recorded in the ledger.
//
// state_dir/spool/staged      payment files that are written, not yet released
//           spool/outgoing    released; the bank side may take them away at any time
//           spool/claimed     confirmation files out of the inbox, not yet done with
//           spool/manifests   what was let go, a file of lines for each day; it only grows
//           spool/uploads     confirmation files that a person hands over, until they are whole
//           spool/archive     confirmation files that were recorded and payment files that were delivered, by date
//           inbox             where finance drops confirmation files
//           quarantine        refused confirmation files, each beside a report
//
// On return of every step its effect survives power loss. A failing disk is a std::system_error that names the file.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/domain/time.hpp"

namespace drawbridge::spool {

// File names are bytes as the file system gives them: they may hold blanks, UTF-8, newlines. Show them with care.
struct ReadyFile {
    std::string name;
    std::uint64_t size = 0;
    Instant changed_at{};
};

struct UnreadyFile {
    std::string name;
    std::string reason;       // "still changing", "a symbolic link" …
    bool may_settle = false;  // it is only waited for until it has not changed for the settle time
    Instant changed_at{};
};

struct InboxScan {
    std::vector<ReadyFile> ready;      // by name
    std::vector<UnreadyFile> waiting;  // may become ready by themselves: hidden, .part, .tmp, ~, changed lately
    std::vector<UnreadyFile> refused;  // never will: links, folders, pipes, unreadable; left where they are
};

struct ClaimedFile {
    std::string name;            // in spool/claimed
    std::string original_name;   // as dropped; one near 255 bytes comes back shortened after a crash
    std::string profile = {};    // how a person wants it read; empty: as its content and name say
    std::int64_t owner_uid = 0;  // of the file as it was dropped; a file handed over in pieces is our own
    friend bool operator==(const ClaimedFile&, const ClaimedFile&) = default;
};

// The bytes of a confirmation file as they were when it was opened, in a copy that nobody else can change or cut off
// while it is read; on disk, not in memory.
class Snapshot {
  public:
    Snapshot(const char* bytes, std::size_t size, std::string sha256)
        : bytes_(bytes), size_(size), sha256_(std::move(sha256)) {}
    Snapshot(Snapshot&& other) noexcept
        : bytes_(std::exchange(other.bytes_, nullptr)),
          size_(std::exchange(other.size_, 0)),
          sha256_(std::move(other.sha256_)) {}
    Snapshot& operator=(Snapshot&&) = delete;
    ~Snapshot();
    [[nodiscard]] std::string_view bytes() const { return {bytes_, size_}; }
    [[nodiscard]] const std::string& sha256() const { return sha256_; }
    // Gives back the memory of what was looked at so far; it comes again when it is looked at again.
    void forget() const;

  private:
    const char* bytes_;
    std::size_t size_;
    std::string sha256_;
};

// 1 to 200 characters of A-Z a-z 0-9 . _ -, the first a letter or a digit.
[[nodiscard]] Result<void> check_payment_file_name(std::string_view name);

// Where a payment file stands.
enum class Place { staged, outgoing };

class Spool {
  public:
    // Creates what is missing: folders 0750, the inbox 0770.
    explicit Spool(std::filesystem::path state_dir);
    Spool(const Spool&) = delete;
    Spool& operator=(const Spool&) = delete;
    ~Spool();

    // --- payment files

    // Writes staged/NAME whole (0640), by way of a temporary file beside it, and gives its SHA-256. A staged file of
    // that name is replaced, atomically. invalid_input: the name is none of a payment file.
    [[nodiscard]] Result<std::string> write_staged(std::string_view name, std::string_view bytes);
    // nullopt: there is no such file.
    [[nodiscard]] std::optional<std::string> staged_sha256(std::string_view name) const;
    [[nodiscard]] std::optional<std::string> outgoing_sha256(std::string_view name) const;
    // Moves staged/NAME to outgoing/NAME, never over a file that is there. not_found: it is not staged (an earlier
    // release moved it); conflict: outgoing/ holds another file of that name.
    [[nodiscard]] Result<void> release(std::string_view name);
    // not_found: it is not staged.
    [[nodiscard]] Result<std::string> read_staged(std::string_view name) const;
    // For who reads it on its way to the bank; the name must be that of a payment file.
    [[nodiscard]] std::filesystem::path outgoing_path(std::string_view name) const;
    // nullopt: it is not there, or no regular file.
    [[nodiscard]] std::optional<std::uint64_t> outgoing_size(std::string_view name) const;
    // Moves it to spool/archive/YYYY/MM/DD/NAME and gives that path, relative to the state folder; may be repeated.
    // nullopt: it is in neither place. conflict: the archive has another file of that name.
    [[nodiscard]] Result<std::optional<std::filesystem::path>> archive_payment_file(Place from, std::string_view name,
                                                                                    BusinessDate date);
    // For a void before release. False: it was not there.
    bool remove_staged(std::string_view name);
    // The same of a file that waited there for its upload.
    bool remove_outgoing(std::string_view name);
    // What the bank side has not taken away yet, by name.
    [[nodiscard]] std::vector<std::string> outgoing_names() const;
    [[nodiscard]] Result<std::string> read_outgoing(std::string_view name, std::size_t max_bytes) const;

    // --- manifests

    // Appends the line to spool/manifests/DAY.jsonl unless it stands there already; what a power loss left of a line is
    // made whole. It never shortens the file.
    void add_manifest_line(BusinessDate day, std::string_view line);
    struct TextFile {
        std::string name;
        std::string bytes;
    };
    // Every day's file, by name.
    [[nodiscard]] std::vector<TextFile> manifests() const;

    // --- confirmation files

    // A regular file is ready when it has not changed for `settle` before `now` (the real clock). Nothing is moved.
    [[nodiscard]] InboxScan scan_inbox(std::chrono::milliseconds settle, Instant now) const;
    // Moves inbox/NAME to claimed/<stamp of now>-<counter>-NAME. not_found: it went away in the meantime.
    [[nodiscard]] Result<ClaimedFile> claim(std::string_view name, Instant now);
    // Many at once, durable together; one result for each name.
    [[nodiscard]] std::vector<Result<ClaimedFile>> claim(const std::vector<std::string>& names, Instant now);
    // What is claimed and not yet archived or quarantined, by claim: after a restart, what a crash left behind.
    [[nodiscard]] std::vector<ClaimedFile> claimed() const;
    // A file that has another name somewhere (a hard link) or another owner becomes a copy of our own: who dropped it
    // cannot change it in the archive.
    // invalid_input: larger than max_bytes, not a regular file, not readable. not_found: no longer there.
    // conflict: it changed while it was read; it stays claimed.
    [[nodiscard]] Result<Snapshot> hold(const ClaimedFile& file, std::uint64_t max_bytes) const;
    // Moves it to spool/archive/YYYY/MM/DD/<first 12 of the hash>-<original name> and gives that path, relative to the
    // state folder. Where the same bytes are in the archive under that name already, only the claimed copy goes.
    // conflict: someone wrote on after it was read: the bytes that were read are in the archive, and the file stays
    // claimed, as another one.
    [[nodiscard]] Result<std::filesystem::path> archive(const ClaimedFile& file, const Snapshot& read,
                                                        BusinessDate date);
    // Writes quarantine/<stamp>-<original name>.report.txt (the text, then the hash, which may be empty), then moves
    // the file beside it. Gives the file's path, relative to the state folder.
    [[nodiscard]] Result<std::filesystem::path> quarantine(const ClaimedFile& file, std::string_view sha256,
                                                           std::string_view report_text);

    // --- confirmation files that a person hands over in pieces

    // An empty file in spool/uploads, by its id.
    [[nodiscard]] std::string begin_upload(Instant now);
    // not_found: there is no such upload. conflict: it does not end at `offset`.
    [[nodiscard]] Result<void> append_upload(std::string_view id, std::uint64_t offset, std::string_view bytes);
    // invalid_input: larger than max_bytes.
    [[nodiscard]] Result<Snapshot> hold_upload(std::string_view id, std::uint64_t max_bytes) const;
    // It is claimed from here on, as if it had been dropped under that name. `profile` may be empty.
    [[nodiscard]] Result<ClaimedFile> claim_upload(std::string_view id, std::string_view original_name,
                                                   std::string_view profile, Instant now);
    void drop_upload(std::string_view id);
    // What nobody finished.
    void drop_uploads_before(Instant then);

    [[nodiscard]] const std::filesystem::path& state_dir() const { return state_dir_; }

  private:
    struct Folders;
    std::filesystem::path state_dir_;
    std::unique_ptr<Folders> folders_;
    unsigned counter_ = 0;  // of claims, so that two in one millisecond differ
};

}  // namespace drawbridge::spool
