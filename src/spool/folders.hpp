// The open folders of a Spool. Private to this module.
#pragma once

#include "drawbridge/spool/spool.hpp"
#include "folder.hpp"

namespace drawbridge::spool {

struct Spool::Folders {
    Folder staged, outgoing, claimed, uploads, archive, inbox, quarantine, manifests;
};

// Writes NAME in `folder` whole, by way of ".NAME.tmp", and calls `step` after each part of it: 0 written, 1 synced,
// 2 renamed, 3 the folder is synced. A leftover temporary file is replaced, and so is NAME.
void write_durably(const Folder& folder, const std::string& name, mode_t mode, std::string_view bytes,
                   void (*step)(int));

// Moves a file to a folder on another file system: a copy that is durable first. Never over a file that is there: 0, or
// EEXIST. Errors: it changed meanwhile; it cannot be opened, or not be taken away from where it is (then there is no
// copy of it either). A crash in the middle leaves both; the second is known by its content. `owner_uid`, where given,
// is set to the owner of the file that was copied: the copy is our own.
[[nodiscard]] Result<int> move_by_copy(const Folder& from, const std::string& name, const Folder& to,
                                       const std::string& new_name, std::int64_t* owner_uid = nullptr);

// "a symbolic link": what is no regular file; empty for one.
[[nodiscard]] std::string_view kind_of_file(mode_t mode);
[[nodiscard]] Instant instant_of(const timespec& time);

// The file under claimed/, hidden, that says how a person wants a claimed file read.
[[nodiscard]] std::string profile_name_of(std::string_view claimed_name);

}  // namespace drawbridge::spool
