// The folders that files move through, and every durable step in them. Nothing else creates or moves payment files or
// confirmation files. It makes no decisions: the caller decides which file is staged, released, archived or refused,
// and records that in the ledger.
//
// state_dir/spool/staged      payment files that are written and not yet released
//           spool/outgoing    released payment files; the bank's software may take them at any time
//           spool/claimed     confirmation files taken from the inbox and not yet finished
//           spool/manifests   append-only, one file per day, one line per released payment file
//           spool/uploads     confirmation files that a person uploads, until they are complete
//           spool/archive     recorded confirmation files and delivered payment files, by date
//           inbox             where finance drops confirmation files
//           quarantine        refused confirmation files, each with a report
//
// Each step is durable on return. An I/O error is a std::system_error that names the file.
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

// File names are raw bytes from the file system, with spaces, UTF-8 or newlines. Sanitize them before you show them.
struct ReadyFile {
    std::string name;
    std::uint64_t size = 0;
    Instant changed_at{};
};

struct UnreadyFile {
    std::string name;
    std::string reason;             // "still changing", "a symbolic link" …
    bool may_become_quiet = false;  // it waits only for the end of the quiet period
    Instant changed_at{};
};

struct InboxScan {
    std::vector<ReadyFile> ready;      // by name
    std::vector<UnreadyFile> waiting;  // may become ready: hidden, .part, .tmp, ~, changed recently
    std::vector<UnreadyFile> refused;  // never become ready: links, folders, pipes, unreadable; they stay in the inbox
    bool can_claim = true;             // false: the inbox is not writable, and every complete file is refused
};

struct ClaimedFile {
    std::string name;           // in spool/claimed
    std::string original_name;  // as dropped; after a crash, a name near 255 bytes comes back shortened
    std::string profile = {};   // the profile that a person chose; empty: recognized by content and name
    // The owner of the dropped file, if nobody else could write it; else 0. An uploaded file belongs to this program.
    std::int64_t owner_uid = 0;
    friend bool operator==(const ClaimedFile&, const ClaimedFile&) = default;
};

// The bytes of a confirmation file as of its opening, in a private copy on disk that nobody else can change or truncate
// while it is read.
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
    // Drops the pages read so far from memory. They are loaded again when they are read again.
    void drop_pages() const;

  private:
    const char* bytes_;
    std::size_t size_;
    std::string sha256_;
};

// 1 to 200 characters of A-Z a-z 0-9 . _ -, starting with a letter or a digit.
[[nodiscard]] Result<void> check_payment_file_name(std::string_view name);

// A file that is still in the inbox.
struct InboxFile {
    Snapshot bytes;
    std::int64_t owner_uid = 0;  // as of ClaimedFile
};

// The folder of a payment file.
enum class Place { staged, outgoing };

// A payment file that is being written. Destroyed before finish(), it leaves nothing. The spool must outlive it.
class StagedFile {
  public:
    StagedFile(StagedFile&&) noexcept;
    StagedFile& operator=(StagedFile&&) = delete;
    ~StagedFile();

    void write(std::string_view bytes);
    // staged/NAME is durable. Returns its SHA-256.
    [[nodiscard]] std::string finish();

  private:
    friend class Spool;
    struct State;
    explicit StagedFile(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

struct ManifestLine {
    std::string place;  // "2026-03-04.jsonl:1"
    std::string text;
};

// Reads the manifests line by line. It must not outlive its Spool.
class ManifestLines {
  public:
    ManifestLines(ManifestLines&&) noexcept;
    ~ManifestLines();
    // nullopt: there are no more.
    [[nodiscard]] std::optional<ManifestLine> next();

  private:
    friend class Spool;
    struct State;
    explicit ManifestLines(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

class Spool {
  public:
    // Creates missing folders: 0750, spool/staged 0700, the inbox 0770.
    explicit Spool(std::filesystem::path state_dir);
    Spool(const Spool&) = delete;
    Spool& operator=(const Spool&) = delete;
    ~Spool();

    // Throws if somebody replaced one of its folders, or mounted something over it: what is written would go where
    // nobody looks, and what is handed in would not be found. A new process opens the folders that are there then.
    void require_in_place() const;

    // --- payment files

    // Begins to write staged/NAME (0640) through a temporary file next to it. It will replace a staged file of that
    // name. invalid_input: not a valid name for a payment file.
    [[nodiscard]] Result<StagedFile> begin_staged(std::string_view name);
    // All of it at once. Returns its SHA-256.
    [[nodiscard]] Result<std::string> write_staged(std::string_view name, std::string_view bytes);
    // Whether the name is there, whatever it is: a file that cannot be read has not left.
    [[nodiscard]] bool has_staged(std::string_view name) const;
    // nullopt: no such file, or not one that can be read.
    [[nodiscard]] std::optional<std::string> staged_sha256(std::string_view name) const;
    [[nodiscard]] std::optional<std::string> outgoing_sha256(std::string_view name) const;
    // Moves staged/NAME to outgoing/NAME, never over an existing file. not_found: it is not staged (an earlier release
    // moved it); conflict: outgoing/ has a different file of that name.
    [[nodiscard]] Result<void> release(std::string_view name);
    // not_found: it is not staged.
    [[nodiscard]] Result<std::string> read_staged(std::string_view name) const;
    // The path for reading it on its way to the bank. The name must be valid for a payment file.
    [[nodiscard]] std::filesystem::path outgoing_path(std::string_view name) const;
    // nullopt: it does not exist or is not a regular file.
    [[nodiscard]] std::optional<std::uint64_t> outgoing_size(std::string_view name) const;
    // Moves it to spool/archive/YYYY/MM/DD/NAME and returns that path, relative to the state folder. Repeatable.
    // nullopt: it is in neither place. conflict: the archive has a different file of that name.
    [[nodiscard]] Result<std::optional<std::filesystem::path>> archive_payment_file(Place from, std::string_view name,
                                                                                    BusinessDate date);
    // For a void before release. False: it did not exist.
    bool remove_staged(std::string_view name);
    // The same, for a file that waited in outgoing/ for its upload.
    bool remove_outgoing(std::string_view name);
    // Files in outgoing/, sorted by name.
    [[nodiscard]] std::vector<std::string> outgoing_names() const;
    [[nodiscard]] Result<std::string> read_outgoing(std::string_view name, std::size_t max_bytes) const;

    // --- manifests

    // Appends the line to spool/manifests/DAY.jsonl unless it is there already. Completes a line that a power loss cut
    // off. It never shortens the file. With `maybe` it reads the whole file first.
    enum class WrittenBefore { no, maybe };
    void add_manifest_line(BusinessDate day, std::string_view line, WrittenBefore before = WrittenBefore::maybe);
    // The lines of all manifests, by day. A line of 50,000 payments has 4 MB, and a day may have many.
    [[nodiscard]] ManifestLines manifest_lines() const;
    // Whether one of them has this line.
    [[nodiscard]] bool is_in_manifest(std::string_view line) const;

    // --- confirmation files

    // A regular file is ready when it has not changed for `quiet_period` before `now` (the real clock). Moves nothing.
    [[nodiscard]] InboxScan scan_inbox(std::chrono::milliseconds quiet_period, Instant now) const;
    // Reads inbox/NAME, which stays there. Errors: as open_snapshot().
    [[nodiscard]] Result<InboxFile> read_inbox(std::string_view name, std::uint64_t max_bytes) const;
    // Moves inbox/NAME to claimed/<stamp of now>-<counter>-NAME. not_found: it disappeared in the meantime.
    [[nodiscard]] Result<ClaimedFile> claim(std::string_view name, Instant now);
    // Claims many files, which become durable together. One result per name. From another file system, whence files
    // are copied, it takes none of more than `max_bytes`.
    [[nodiscard]] std::vector<Result<ClaimedFile>> claim(const std::vector<std::string>& names, Instant now,
                                                         std::uint64_t max_bytes);
    // Files that are claimed and not yet archived or quarantined, in order of claim. After a restart: what a crash
    // left.
    [[nodiscard]] std::vector<ClaimedFile> claimed() const;
    // A file with another hard link or another owner is replaced by a copy of our own, so that the person who dropped
    // it cannot change it in the archive. invalid_input: larger than max_bytes, not a regular file, or unreadable.
    // not_found: it no longer exists. conflict: it changed while it was read; it stays claimed.
    [[nodiscard]] Result<Snapshot> open_snapshot(const ClaimedFile& file, std::uint64_t max_bytes) const;
    // Moves it to spool/archive/YYYY/MM/DD/<first 12 of the hash>-<original name> and returns that path, relative to
    // the state folder. If the archive already has the same bytes under that name, only the claimed copy is removed.
    // conflict: the file changed after it was read: the archive has the bytes that were read, and the file stays
    // claimed as a new one.
    [[nodiscard]] Result<std::filesystem::path> archive(const ClaimedFile& file, const Snapshot& read,
                                                        BusinessDate date);
    // Without what may follow if another file has that name.
    [[nodiscard]] static std::string archived_name(std::string_view sha256, std::string_view original_name);
    // Writes spool/archive/PATH ("2026/11/22/NAME"), which another host had. It replaces what is there.
    void restore_archived(const std::filesystem::path& path, std::string_view bytes);
    // Writes quarantine/<stamp>-<original name>.report.txt (the text, then the hash, which may be empty), then moves
    // the file beside it. Returns the file's path, relative to the state folder.
    [[nodiscard]] Result<std::filesystem::path> quarantine(const ClaimedFile& file, std::string_view sha256,
                                                           std::string_view report_text);

    // --- confirmation files that a person uploads in pieces

    // Creates an empty file in spool/uploads and returns its id, which names the uid of its owner.
    [[nodiscard]] std::string begin_upload(std::int64_t owner, Instant now);
    [[nodiscard]] static bool is_upload_of(std::int64_t owner, std::string_view id);
    // not_found: there is no such upload. conflict: it does not end at `offset`.
    [[nodiscard]] Result<void> append_upload(std::string_view id, std::uint64_t offset, std::string_view bytes);
    // invalid_input: larger than max_bytes.
    [[nodiscard]] Result<Snapshot> open_upload_snapshot(std::string_view id, std::uint64_t max_bytes) const;
    // Claims the upload as if it had been dropped under that name. `profile` may be empty.
    [[nodiscard]] Result<ClaimedFile> claim_upload(std::string_view id, std::string_view original_name,
                                                   std::string_view profile, Instant now);
    void drop_upload(std::string_view id);
    // Those of this owner that are neither claimed nor dropped, oldest first.
    [[nodiscard]] std::vector<std::string> uploads_of(std::int64_t owner) const;
    // Removes abandoned uploads.
    void drop_uploads_before(Instant then);

    [[nodiscard]] const std::filesystem::path& state_dir() const { return state_dir_; }

  private:
    struct Folders;
    std::filesystem::path state_dir_;
    std::unique_ptr<Folders> folders_;
    unsigned counter_ = 0;  // of claims, so that two in one millisecond differ
};

}  // namespace drawbridge::spool
