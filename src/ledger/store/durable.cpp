#include "store/durable.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <functional>
#include <string_view>
#include <system_error>
#include <utility>

#include "drawbridge/domain/digest.hpp"

namespace drawbridge::ledger {
namespace {

namespace fs = std::filesystem;

void sync(const Descriptor& file) {
    if (::fsync(file.get()) != 0) throw_errno(file.path());
}

void read_whole(const Descriptor& file, const std::function<void(std::string_view)>& take) {
    std::array<char, 256UL * 1024> buffer;
    for (;;) {
        const ssize_t size = ::read(file.get(), buffer.data(), buffer.size());
        if (size < 0 && errno == EINTR) continue;
        if (size < 0) throw_errno(file.path());
        if (size == 0) return;
        take({buffer.data(), static_cast<std::size_t>(size)});
    }
}

}  // namespace

void throw_errno(const fs::path& path) {
    throw std::system_error(errno, std::generic_category(), path.string());
}

Descriptor::Descriptor(fs::path path, int flags, mode_t mode)
    : path_(std::move(path)), fd_(::open(path_.c_str(), flags | O_CLOEXEC, mode)) {
    if (fd_ < 0) throw_errno(path_);
}

Descriptor::~Descriptor() {
    ::close(fd_);
}

void sync_file(const fs::path& path) {
    sync(Descriptor(path, O_RDONLY));
}

void sync_folder(const fs::path& path) {
    sync(Descriptor(path, O_RDONLY | O_DIRECTORY));
}

void copy_durably(const Descriptor& from, const fs::path& to) {
    fs::remove(to);
    constexpr mode_t owner_only = 0600;
    const Descriptor file(to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, owner_only);
    read_whole(from, [&](std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t done = ::write(file.get(), bytes.data(), bytes.size());
            if (done < 0 && errno == EINTR) continue;
            if (done < 0) throw_errno(to);
            bytes.remove_prefix(static_cast<std::size_t>(done));
        }
    });
    sync(file);
}

FileDigest digest_of(const fs::path& path) {
    Sha256 hash;
    FileDigest digest;
    read_whole(Descriptor(path, O_RDONLY), [&](std::string_view bytes) {
        hash.update(bytes);
        digest.size_bytes += static_cast<std::int64_t>(bytes.size());
    });
    digest.sha256 = hash.hex();
    return digest;
}

}  // namespace drawbridge::ledger
