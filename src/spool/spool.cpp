#include "drawbridge/spool/spool.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/domain/digest.hpp"
#include "folders.hpp"

namespace drawbridge::spool {
namespace {

constexpr mode_t folder_mode = 0750;
constexpr mode_t staged_mode = 0700;  // whoever could copy a file from there could bring it to the bank
constexpr mode_t inbox_mode = 0770;   // group-writable, so that finance can drop files
constexpr mode_t payment_file_mode = 0640;
constexpr std::size_t max_name = 200;

void staged_step(int step) {
    constexpr std::string_view points[] = {"pay.staged_written", "pay.staged_synced", "pay.staged_renamed",
                                           "pay.staged_durable"};
    crash_point(points[step]);
}

bool is_same_file(const struct stat& a, const struct stat& b) {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

}  // namespace

void write_durably(const Folder& folder, const std::string& name, mode_t mode, std::string_view bytes,
                   void (*step)(int)) {
    DurableFile file(folder, name, mode);
    file.write(bytes);
    file.finish(step);
}

DurableFile::DurableFile(const Folder& folder, std::string name, mode_t mode)
    : folder_(folder), name_(std::move(name)), temporary_(folder, "." + name_ + ".tmp") {
    folder_.remove(temporary_.name());
    file_ = folder_.create(temporary_.name(), mode);
}

// Syncs now and then, so that the last sync of a large file does not take long.
void DurableFile::write(std::string_view bytes) {
    constexpr std::size_t max_unsynced = 4UL * 1024 * 1024;
    const auto path = folder_.path_of(name_);
    write_all(file_, path, bytes);
    unsynced_ += bytes.size();
    if (unsynced_ < max_unsynced) return;
    sync_file(file_, path);
    unsynced_ = 0;
}

void DurableFile::finish(void (*step)(int)) {
    const auto path = folder_.path_of(name_);
    step(0);
    sync_file(file_, path);
    if (const int error = file_.close_now(); error != 0) throw_system_error(error, "close", path);
    step(1);
    folder_.rename(temporary_.name(), name_);
    temporary_.keep();
    step(2);
    folder_.sync();
    step(3);
}

Result<void> check_payment_file_name(std::string_view name) {
    const auto allowed = [](char c) { return is_letter_or_digit(c) || c == '.' || c == '_' || c == '-'; };
    if (!name.empty() && name.size() <= max_name && is_letter_or_digit(name.front()) &&
        std::ranges::all_of(name, allowed)) {
        return {};
    }
    return fail(ErrorCode::invalid_input,
                "'" + std::string(name.substr(0, max_name)) +
                    "' is not a valid name for a payment file: use 1 to 200 letters, digits, '.', '_' and '-', "
                    "starting with a letter or a digit");
}

Spool::Spool(std::filesystem::path state_dir) : state_dir_(std::move(state_dir)) {
    state_dir_ = std::filesystem::absolute(state_dir_).lexically_normal();
    if (!state_dir_.has_filename()) state_dir_ = state_dir_.parent_path();  // "…/state/"
    const auto open = [&](std::string_view name, mode_t mode) {
        return Folder::open_or_create(state_dir_ / name, mode);
    };
    open("", folder_mode);
    folders_ = std::make_unique<Folders>(Folders{.staged = open("spool/staged", staged_mode),
                                                 .outgoing = open("spool/outgoing", folder_mode),
                                                 .claimed = open("spool/claimed", folder_mode),
                                                 .uploads = open("spool/uploads", folder_mode),
                                                 .archive = open("spool/archive", folder_mode),
                                                 .inbox = open("inbox", inbox_mode),
                                                 .quarantine = open("quarantine", folder_mode),
                                                 .manifests = open("spool/manifests", folder_mode)});
}

Spool::~Spool() = default;

void Spool::require_in_place() const {
    const auto& all = *folders_;
    for (const Folder* folder : {&all.staged, &all.outgoing, &all.claimed, &all.uploads, &all.archive, &all.inbox,
                                 &all.quarantine, &all.manifests}) {
        if (folder->is_in_place()) continue;
        throw std::runtime_error(folder->path().string() +
                                 " was moved, or something was mounted over it, while this process used it: start "
                                 "Drawbridge again, and look for files in the folder that was there before");
    }
}

struct StagedFile::State {
    State(const Folder& folder, std::string name) : file(folder, std::move(name), payment_file_mode) {}
    DurableFile file;
    Sha256 hash;
};

StagedFile::StagedFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
StagedFile::StagedFile(StagedFile&&) noexcept = default;
StagedFile::~StagedFile() = default;

void StagedFile::write(std::string_view bytes) {
    state_->file.write(bytes);
    state_->hash.update(bytes);
}

std::string StagedFile::finish() {
    state_->file.finish(staged_step);
    return state_->hash.hex();
}

Result<StagedFile> Spool::begin_staged(std::string_view name) {
    if (auto good = check_payment_file_name(name); !good) return std::unexpected(std::move(good).error());
    return StagedFile(std::make_unique<StagedFile::State>(folders_->staged, std::string(name)));
}

Result<std::string> Spool::write_staged(std::string_view name, std::string_view bytes) {
    auto file = begin_staged(name);
    if (!file) return std::unexpected(file.error());
    file->write(bytes);
    return file->finish();
}

bool Spool::has_staged(std::string_view name) const {
    return check_payment_file_name(name) && folders_->staged.status(std::string(name));
}

std::optional<std::string> Spool::staged_sha256(std::string_view name) const {
    if (!check_payment_file_name(name)) return std::nullopt;
    return folders_->staged.sha256(std::string(name));
}

std::optional<std::string> Spool::outgoing_sha256(std::string_view name) const {
    if (!check_payment_file_name(name)) return std::nullopt;
    return folders_->outgoing.sha256(std::string(name));
}

Result<void> Spool::release(std::string_view name) {
    if (auto good = check_payment_file_name(name); !good) return good;
    const std::string file(name);
    const Folder& staged = folders_->staged;
    const Folder& outgoing = folders_->outgoing;
    const int error = staged.move_new(file, outgoing, file);
    if (error == ENOENT) {
        // An earlier release may have moved it and died before the folders were synced.
        outgoing.sync();
        staged.sync();
        return fail(ErrorCode::not_found, "payment file " + file + " is not staged");
    }
    if (error == EEXIST) {
        const auto from = staged.status(file);
        const auto to = outgoing.status(file);
        // Two names of one file: a move by link and unlink died between the two.
        if (!from || !to || !is_same_file(*from, *to)) {
            return fail(ErrorCode::conflict, "payment file " + file + " cannot be released: a different file is in " +
                                                 outgoing.path_of(file).string());
        }
        staged.remove(file);
    } else if (error == EXDEV || error == EACCES || error == EPERM || error == EROFS) {
        return fail(ErrorCode::unavailable,
                    "payment file " + file + " cannot be moved to " + outgoing.path().string() + ": " +
                        (error == EXDEV ? "it is on another file system than spool/staged: mount the whole spool, "
                                          "or nothing in it"
                                        : std::string(std::strerror(error)) + ": make it writable for Drawbridge"));
    } else if (error != 0) {
        throw_system_error(error, "release", staged.path_of(file));
    }
    crash_point("pay.released_renamed");
    outgoing.sync();
    staged.sync();
    crash_point("pay.released_durable");
    return {};
}

Result<std::string> Spool::read_staged(std::string_view name) const {
    if (auto good = check_payment_file_name(name); !good) return std::unexpected(std::move(good).error());
    const Folder& staged = folders_->staged;
    int error = 0;
    const FileDescriptor file = staged.try_open(std::string(name), error);
    if (error == ENOENT) return fail(ErrorCode::not_found, "payment file " + std::string(name) + " is not staged");
    if (error != 0) throw_system_error(error, "open", staged.path_of(name));
    std::string bytes;
    files::read_whole(file, staged.path_of(name), [&](std::string_view part) { bytes += part; });
    return bytes;
}

std::filesystem::path Spool::outgoing_path(std::string_view name) const {
    return folders_->outgoing.path_of(name);
}

std::optional<std::uint64_t> Spool::outgoing_size(std::string_view name) const {
    if (!check_payment_file_name(name)) return std::nullopt;
    const auto status = folders_->outgoing.status(std::string(name));
    if (!status || !S_ISREG(status->st_mode)) return std::nullopt;
    return static_cast<std::uint64_t>(status->st_size);
}

bool Spool::remove_staged(std::string_view name) {
    if (!check_payment_file_name(name)) return false;
    const bool removed = folders_->staged.remove(std::string(name));
    folders_->staged.sync();
    return removed;
}

bool Spool::remove_outgoing(std::string_view name) {
    if (!check_payment_file_name(name)) return false;
    const bool removed = folders_->outgoing.remove(std::string(name));
    folders_->outgoing.sync();
    return removed;
}

}  // namespace drawbridge::spool
