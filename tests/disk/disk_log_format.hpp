// The log that disk_shim.cpp writes and disk_log.cpp reads: one head for each call, followed by its path, its other
// path and its data.
#pragma once

#include <cstdint>

namespace drawbridge::disk {

enum class Call : std::uint32_t {
    create,       // path: an empty file
    write,        // inode, path, offset, data
    resize,       // inode, path; offset: the new size
    sync,         // inode, path: of a file or of a folder
    rename,       // path to other
    link,         // path, also as other
    remove,       // path: a file or an empty folder
    make_folder,  // path
};

struct LogHead {
    Call call;
    std::uint32_t path_size, other_size, data_size;
    std::uint64_t inode, offset;
};

}  // namespace drawbridge::disk
