// The format of a sealed file. Private to this module.
//
//   "DRAWBRIDGE SEALED 1\n"   20 bytes
//   id of the archive key     16
//   size of the plain file     8, little-endian
//   SHA-256 of the plain file 32
//   header of the stream      24
//   chunks                    64 KiB of the plain file each (the last one the rest), plus 17 bytes each
//
// The chunks are libsodium's crypto_secretstream_xchacha20poly1305 under the archive key. Each chunk authenticates
// everything before the stream's header as additional data, and its position in the stream; the last chunk is tagged. A
// changed byte, a moved chunk or a truncated file does not open.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "drawbridge/spool/archive.hpp"
#include "folder.hpp"

namespace drawbridge::spool {

struct OpenFile {
    const FileDescriptor& file;
    std::filesystem::path path;  // for messages
};

// Both files are at their beginning. `facts` describe the plain file. Error: the plain file has changed since.
[[nodiscard]] Result<void> seal_file(const OpenFile& plain, const OpenFile& sealed, const FileFacts& facts,
                                     const ArchiveKey& key);

// Passes the plain bytes to `take` piece by piece, until it returns false or the file ends. Each piece is
// authenticated; completeness is known only at the end. Errors: not a sealed file, none of the keys, or changed.
[[nodiscard]] Result<FileFacts> open_sealed(const OpenFile& sealed, const std::vector<ArchiveKey>& keys,
                                            const std::function<bool(std::string_view)>& take);

[[nodiscard]] FileFacts facts_of(const OpenFile& plain);

}  // namespace drawbridge::spool
