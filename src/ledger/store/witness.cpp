#include "drawbridge/ledger/store/witness.hpp"

#include <fcntl.h>

#include <array>
#include <cerrno>
#include <optional>
#include <system_error>

#include "drawbridge/files/durable_file.hpp"

namespace drawbridge::ledger {
namespace {

namespace fs = std::filesystem;

constexpr const char* identity_name = "drawbridge-witness";
constexpr const char* mark_name = "high-water.mark";
constexpr std::size_t max_witness_bytes = 64UL * 1024;

constexpr const char* how_to_init = ": mount the right folder or, if it is new, run 'drawbridge witness init'";

// The content of a file; nullopt: it does not exist.
std::optional<std::string> content_of(const fs::path& path) {
    const files::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!file.is_open() && errno == ENOENT) return std::nullopt;
    if (!file.is_open()) files::throw_system_error(errno, "open", path);
    std::string text;
    std::array<char, 4096> piece;  // NOLINT(cppcoreguidelines-pro-type-member-init): it is read into
    while (text.size() <= max_witness_bytes) {
        const auto got = files::read_some(file, path, piece.data(), piece.size());
        if (got == 0) return text;
        text.append(piece.data(), got);
    }
    files::throw_system_error(EFBIG, "read", path);
}

// Readable for all, because the daemon's user must read it whoever made it. It holds no secret.
void write_durably(const fs::path& path, std::string_view text) {
    constexpr mode_t mode = 0644;
    files::replace_durably(path, text, mode);
}

std::string identity_of(std::string_view ledger_id) {
    return "witness of ledger " + std::string(ledger_id) + "\n";
}

Result<void> check_identity(const fs::path& folder, std::string_view ledger_id) {
    const auto identity = content_of(folder / identity_name);
    if (!identity) {
        return fail(ErrorCode::not_found, folder.string() + ": the folder has no " + identity_name +
                                              ", so it is not a witness" + how_to_init);
    }
    if (*identity == identity_of(ledger_id)) return {};
    return fail(ErrorCode::conflict, folder.string() + ": the folder is the witness of a ledger other than " +
                                         std::string(ledger_id.substr(0, 12)) + ": name this ledger's own folder");
}

Error unusable(const fs::path& folder, const std::system_error& failure) {
    return {ErrorCode::unavailable,
            folder.string() + ": " + failure.what() + ": mount it, and let the daemon's user write there"};
}

}  // namespace

Result<bool> init_witness(const fs::path& folder, std::string_view ledger_id) {
    try {
        if (const auto identity = content_of(folder / identity_name)) {
            if (auto ours = check_identity(folder, ledger_id); !ours) return std::unexpected(ours.error());
            if (content_of(folder / mark_name)) return false;
        }
        // Position 0 of the audit trail, whose hash is the ledger's id.
        write_durably(folder / mark_name, "0 " + std::string(ledger_id) + "\n");
        write_durably(folder / identity_name, identity_of(ledger_id));
        return true;
    } catch (const std::system_error& failure) {
        return std::unexpected(unusable(folder, failure));
    }
}

Result<std::string> read_witness(const fs::path& folder, std::string_view ledger_id) {
    try {
        if (auto ours = check_identity(folder, ledger_id); !ours) return std::unexpected(ours.error());
        auto mark = content_of(folder / mark_name);
        if (mark) return *std::move(mark);
        return fail(ErrorCode::not_found, folder.string() + ": " + mark_name + " is missing" + how_to_init);
    } catch (const std::system_error& failure) {
        return std::unexpected(unusable(folder, failure));
    }
}

Result<void> write_witness(const fs::path& folder, std::string_view ledger_id, std::string_view mark) {
    try {
        if (auto ours = check_identity(folder, ledger_id); !ours) return ours;
        write_durably(folder / mark_name, mark);
        return {};
    } catch (const std::system_error& failure) {
        return std::unexpected(unusable(folder, failure));
    }
}

}  // namespace drawbridge::ledger
