// The open folders of a Spool. Private to this room.
#pragma once

#include "drawbridge/spool/spool.hpp"
#include "folder.hpp"

namespace drawbridge::spool {

struct Spool::Folders {
    Folder staged, outgoing, claimed, archive, inbox, quarantine, manifests;
};

// Writes NAME in `folder` whole, by way of ".NAME.tmp", and calls `step` after each part of it: 0 written, 1 synced,
// 2 renamed, 3 the folder is synced. A leftover temporary file is replaced, and so is NAME.
void write_durably(const Folder& folder, const std::string& name, mode_t mode, std::string_view bytes,
                   void (*step)(int));

}  // namespace drawbridge::spool
