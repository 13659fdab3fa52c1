#include "drawbridge/spool/archive.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>

#include "drawbridge/domain/crash_point.hpp"
#include "folder.hpp"
#include "sealed_file.hpp"

namespace drawbridge::spool {
namespace {

namespace fs = std::filesystem;

constexpr mode_t sealed_mode = 0640;
constexpr const char* temporary_name = ".sealing.tmp";

// The folder of the day and the file's name: "2026/11/22" and "NAME".
struct ArchivePlace {
    Folder folder;
    std::string name;
};

ArchivePlace place_of(const fs::path& archive, const std::string& path) {
    const auto whole = archive / path;
    return {Folder::open_or_create(whole.parent_path(), 0750), whole.filename().string()};
}

std::optional<BusinessDate> day_of(const std::string& folder) {
    std::string text = folder;
    std::ranges::replace(text, '/', '-');
    const auto day = parse_date(text);
    if (!day) return std::nullopt;
    return *day;
}

bool is_regular(const std::optional<struct stat>& status) {
    return status && S_ISREG(status->st_mode);
}

// nullopt: it does not exist, or is not a readable regular file.
std::optional<FileDescriptor> open_regular(const Folder& folder, const std::string& name) {
    if (!is_regular(folder.status(name))) return std::nullopt;
    int error = 0;
    auto file = folder.try_open(name, error);
    if (error != 0) return std::nullopt;
    return file;
}

std::optional<FileFacts> facts_of_plain(const Folder& folder, const std::string& name) {
    const auto file = open_regular(folder, name);
    if (!file) return std::nullopt;
    return facts_of({*file, folder.path_of(name)});
}

Result<FileFacts> facts_of_sealed(const Folder& folder, const std::string& name, const std::vector<ArchiveKey>& keys) {
    const auto file = open_regular(folder, name);
    if (!file) return fail(ErrorCode::not_found, folder.path_of(name).string() + ": there is no such file");
    return open_sealed({*file, folder.path_of(name)}, keys, [](std::string_view) { return true; });
}

void list_day(const fs::path& archive, const std::string& folder, BusinessDate day, StoredFiles& files) {
    const Folder opened = Folder::open_or_create(archive / folder, 0750);
    for (const auto& name : opened.names()) {
        const auto status = opened.status(name);
        if (name.starts_with('.') || !is_regular(status)) continue;
        const bool is_sealed = name.ends_with(sealed_suffix) && name.size() > sealed_suffix.size();
        const auto plain = is_sealed ? name.substr(0, name.size() - sealed_suffix.size()) : name;
        auto& file = files[folder + "/" + plain];
        file.day = day;
        (is_sealed ? file.is_sealed : file.is_plain) = true;
        if (!is_sealed || file.size == 0) file.size = static_cast<std::uint64_t>(status->st_size);
    }
}

// Every folder YYYY/MM/DD.
std::vector<std::pair<std::string, BusinessDate>> days_in(const fs::path& archive) {
    std::vector<std::pair<std::string, BusinessDate>> days;
    constexpr int depth_of_days = 2;
    for (fs::recursive_directory_iterator at(archive), end; at != end; ++at) {
        if (!at->is_directory() || at.depth() > depth_of_days) continue;
        const auto folder = at->path().lexically_relative(archive).string();
        if (at.depth() != depth_of_days) continue;
        at.disable_recursion_pending();
        if (const auto day = day_of(folder)) days.emplace_back(folder, *day);
    }
    std::ranges::sort(days);
    return days;
}

// Adds the hash of each regular file of the folder with at most `max_bytes`. False: `stop` was requested.
bool add_hashes(const fs::path& path, std::uint64_t max_bytes, std::set<std::string>& hashes,
                const std::stop_token& stop) {
    const Folder folder = Folder::open_or_create(path, 0750);
    for (const auto& name : folder.names()) {
        if (stop.stop_requested()) return false;
        const auto status = folder.status(name);
        if (!status || static_cast<std::uint64_t>(status->st_size) > max_bytes) continue;
        if (const auto facts = facts_of_plain(folder, name)) hashes.insert(facts->sha256);
    }
    return true;
}

}  // namespace

Archive::Archive(const fs::path& state_dir, std::vector<ArchiveKey> keys)
    : spool_(state_dir / "spool"), quarantine_(state_dir / "quarantine"), keys_(std::move(keys)) {}

StoredFiles Archive::list() const {
    const auto archive = spool_ / "archive";
    StoredFiles files;
    for (const auto& [folder, day] : days_in(archive))
        list_day(archive, folder, day, files);
    return files;
}

std::optional<FileFacts> Archive::plain_facts(const std::string& path) const {
    const auto [folder, name] = place_of(spool_ / "archive", path);
    return facts_of_plain(folder, name);
}

Result<FileFacts> Archive::sealed_facts(const std::string& path) const {
    const auto [folder, name] = place_of(spool_ / "archive", path);
    return facts_of_sealed(folder, name + std::string(sealed_suffix), keys_);
}

Result<FileFacts> Archive::seal(const std::string& path) const {
    const auto [folder, name] = place_of(spool_ / "archive", path);
    const auto plain = open_regular(folder, name);
    if (!plain) return fail(ErrorCode::not_found, folder.path_of(name).string() + ": it no longer exists");
    const OpenFile from{*plain, folder.path_of(name)};
    const auto facts = facts_of(from);
    const auto sealed_name = name + std::string(sealed_suffix);
    if (folder.status(sealed_name)) {
        auto existing = facts_of_sealed(folder, sealed_name, keys_);
        if (!existing || *existing == facts) return existing;
        return fail(ErrorCode::conflict,
                    folder.path_of(sealed_name).string() +
                        " has different bytes than the plain file beside it: find out which one is "
                        "the bank's, and move the other away");
    }
    if (::lseek(plain->get(), 0, SEEK_SET) != 0) throw_system_error(errno, "read", from.path);
    TemporaryFile temporary(folder, temporary_name);
    folder.remove(temporary.name());
    FileDescriptor target = folder.create(temporary.name(), sealed_mode);
    const OpenFile to{target, folder.path_of(temporary.name())};
    if (auto sealed = seal_file(from, to, facts, keys_.front()); !sealed) return std::unexpected(sealed.error());
    sync_file(target, to.path);
    if (const int closed = target.close_now(); closed != 0) throw_system_error(closed, "close", to.path);
    if (auto read_back = facts_of_sealed(folder, temporary.name(), keys_); !read_back) return read_back;
    crash_point("archive.sealed_written");
    if (const int error = folder.move_new(temporary.name(), folder, sealed_name); error != 0)
        throw_system_error(error, "name", folder.path_of(sealed_name));
    temporary.keep();
    folder.sync();
    crash_point("archive.sealed_durable");
    return facts;
}

Result<std::string> Archive::read(const std::string& path, std::uint64_t offset, std::size_t max_bytes) const {
    const auto [folder, name] = place_of(spool_ / "archive", path);
    std::string bytes;
    std::uint64_t at = 0;
    const auto take = [&](std::string_view piece) {
        const auto skipped = std::min<std::uint64_t>(piece.size(), offset > at ? offset - at : 0);
        at += piece.size();
        piece.remove_prefix(static_cast<std::size_t>(skipped));
        bytes += piece.substr(0, max_bytes - bytes.size());
        // The first piece is returned only after the whole file was read, so that the file is known to be complete.
        return offset == 0 || bytes.size() < max_bytes;
    };
    if (const auto plain = open_regular(folder, name)) {
        std::string buffer(64UL * 1024, '\0');
        while (const auto size = read_some(*plain, folder.path_of(name), buffer.data(), buffer.size())) {
            take({buffer.data(), size});
            if (bytes.size() == max_bytes) break;
        }
        return bytes;
    }
    const auto sealed_name = name + std::string(sealed_suffix);
    const auto sealed = open_regular(folder, sealed_name);
    if (!sealed) return fail(ErrorCode::not_found, path + ": the archive no longer has it");
    if (auto opened = open_sealed({*sealed, folder.path_of(sealed_name)}, keys_, take); !opened)
        return std::unexpected(opened.error());
    return bytes;
}

void Archive::remove_plain(const std::string& path) const {
    const auto [folder, name] = place_of(spool_ / "archive", path);
    folder.remove(name);
    folder.sync();
}

void Archive::remove(const std::string& path) const {
    const auto [folder, name] = place_of(spool_ / "archive", path);
    folder.remove(name + std::string(sealed_suffix));
    folder.remove(name);
    folder.sync();
}

std::optional<ArchiveContent> Archive::read_all(std::uint64_t max_bytes, const std::stop_token& stop) const {
    ArchiveContent content;
    if (!add_hashes(spool_ / "claimed", max_bytes, content.hashes, stop)) return std::nullopt;
    for (const auto& [path, file] : list()) {
        if (stop.stop_requested()) return std::nullopt;
        if (file.is_plain) {
            if (const auto facts = plain_facts(path)) content.hashes.insert(facts->sha256);
        }
        const auto [folder, name] = place_of(spool_ / "archive", path);
        if (!folder.status(name + std::string(sealed_suffix))) continue;
        const auto facts = sealed_facts(path);
        if (facts) {
            content.sealed.emplace(path, *facts);
            content.hashes.insert(facts->sha256);
        } else {
            content.damaged.push_back(facts.error().message);
        }
    }
    if (!add_hashes(quarantine_, max_bytes, content.hashes, stop)) return std::nullopt;
    return content;
}

}  // namespace drawbridge::spool
