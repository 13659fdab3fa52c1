// The open folders of a Spool. Private to this module.
#pragma once

#include "drawbridge/spool/spool.hpp"
#include "folder.hpp"

namespace drawbridge::spool {

struct Spool::Folders {
    Folder staged, outgoing, claimed, uploads, archive, inbox, quarantine, manifests;
};

// Writes NAME in `folder` atomically through ".NAME.tmp", and calls `step` after each part: 0 written, 1 synced,
// 2 renamed, 3 folder synced. Replaces a leftover temporary file and an existing NAME.
// A file that is written in pieces and appears complete or not at all. `step` is called with 0 when it is written, 1
// when it is synced, 2 when it has its name, and 3 when the name is durable.
class DurableFile {
  public:
    DurableFile(const Folder& folder, std::string name, mode_t mode);
    void write(std::string_view bytes);
    void finish(void (*step)(int));

  private:
    const Folder& folder_;
    std::string name_;
    TemporaryFile temporary_;
    FileDescriptor file_;
    std::size_t unsynced_ = 0;
};
void write_durably(
    const Folder& folder, const std::string& name, mode_t mode, std::string_view bytes,
    void (*step)(int) = [](int /*step*/) {});

// Moves a file to a folder on another file system through a durable copy. Never replaces an existing file: returns 0 or
// EEXIST. Errors: it has more than `max_bytes`, it changed during the copy, it cannot be opened, or it cannot be
// removed from its folder (then the copy is removed too). A crash in the middle leaves both; the second is recognized
// by its content. `owner_uid` receives sole_writer() of the original file, because the copy is our own.
[[nodiscard]] Result<int> move_by_copy(const Folder& from, const std::string& name, const Folder& to,
                                       const std::string& new_name, std::uint64_t max_bytes = UINT64_MAX,
                                       std::int64_t* owner_uid = nullptr);

// The uid of the only person who can have written a file: its owner. 0, nobody in particular: its group or others may
// write it, or it has another name, under which others may reach it. With an ACL, the group's permissions show what any
// entry may grant.
[[nodiscard]] std::int64_t sole_writer(const struct stat& status);

// "a symbolic link", "a folder" …; empty for a regular file.
[[nodiscard]] std::string_view kind_of_file(mode_t mode);
[[nodiscard]] Instant instant_of(const timespec& time);

// The hidden file under claimed/ with the profile that a person chose for a claimed file.
[[nodiscard]] std::string profile_name_of(std::string_view claimed_name);

}  // namespace drawbridge::spool
