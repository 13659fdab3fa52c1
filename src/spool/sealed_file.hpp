// The form of a sealed file. Private to this module.
//
//   "DRAWBRIDGE SEALED 1\n"   20 bytes
//   id of the archive key     16
//   size of the plain file     8, the lowest byte first
//   SHA-256 of the plain file 32
//   header of the stream      24
//   chunks                    64 KiB of the plain file each, the last one what is left, 17 bytes longer each
//
// The chunks are libsodium's crypto_secretstream_xchacha20poly1305 under the archive key. Each authenticates everything
// before the stream's header as additional data, and its place in the stream; the last is marked as the last. A byte
// that was changed, a chunk that was moved and an end that was cut off do not open.
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

// Both at their beginning. `facts` are those of the plain file. Errors: it holds other bytes by now.
[[nodiscard]] Result<void> seal_file(const OpenFile& plain, const OpenFile& sealed, const FileFacts& facts,
                                     const ArchiveKey& key);

// Gives the plain bytes to `take`, piece by piece, until it says false or they end. A piece that was given was
// authenticated; that nothing is missing is known at the end alone. Errors: it is not sealed, with none of the keys, or
// it was changed.
[[nodiscard]] Result<FileFacts> open_sealed(const OpenFile& sealed, const std::vector<ArchiveKey>& keys,
                                            const std::function<bool(std::string_view)>& take);

[[nodiscard]] FileFacts facts_of(const OpenFile& plain);

}  // namespace drawbridge::spool
