// Claims confirmation files from the inbox.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "drawbridge/domain/crash_point.hpp"
#include "folders.hpp"
#include "names.hpp"

namespace drawbridge::spool {
namespace {

using std::chrono::milliseconds;

bool is_named_as_unfinished(std::string_view name) {
    constexpr std::string_view endings[] = {".part", ".partial", ".tmp", ".filepart", ".crdownload", "~"};
    if (name.starts_with("~$")) return true;  // the lock file of an office program
    return std::ranges::any_of(endings, [&](std::string_view ending) {
        if (name.size() < ending.size()) return false;
        return std::ranges::equal(name.substr(name.size() - ending.size()), ending,
                                  [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
    });
}

bool is_quiet(const struct stat& status, milliseconds quiet_period, Instant now) {
    // A copy that keeps the original's times may have a time in the future, from a clock that is ahead or another zone.
    // Then the time of the last change that this system saw counts.
    const Instant modified = instant_of(status.st_mtim);
    const Instant changed = modified <= now ? modified : instant_of(status.st_ctim);
    return changed <= now - quiet_period;
}

std::string_view what_to_do(mode_t mode) {
    if (S_ISLNK(mode)) return "; drop the file itself";
    return S_ISDIR(mode) ? "; drop the files themselves" : "";
}

// Who wrote a file in a folder of ours, where nobody else can replace it.
std::int64_t owner_of(const Folder& claimed, const std::string& name) {
    const auto status = claimed.status(name);
    return status ? sole_writer(*status) : 0;
}

// Claims one file. It is not durable yet.
Result<ClaimedFile> claim_one(const Folder& inbox, const Folder& claimed, const std::string& original, Instant now,
                              unsigned& counter, std::uint64_t max_bytes) {
    if (!is_plain_name(original)) return fail(ErrorCode::invalid_input, "'" + original + "' is not a file name");
    const auto cannot = [&](ErrorCode code, const std::string& why) {
        return fail(code, "inbox file '" + printable_name(original) + "' cannot be claimed: " + why);
    };
    for (;;) {
        ClaimedFile file{claimed_name(now, ++counter, original), original};
        int error = inbox.move_new(original, claimed, file.name);
        if (error == 0) file.owner_uid = owner_of(claimed, file.name);
        if (error == EXDEV) {  // the inbox is a network share
            const auto moved = move_by_copy(inbox, original, claimed, file.name, max_bytes, &file.owner_uid);
            if (!moved) return cannot(moved.error().code, moved.error().message);
            error = *moved;
        }
        if (error == 0) {
            crash_point("confirm.renamed");
            return file;
        }
        if (error == EEXIST) continue;  // a claim of an earlier run in the same millisecond
        if (error == ENOENT) return cannot(ErrorCode::not_found, "it disappeared");
        if (error != EACCES && error != EPERM && error != EROFS)
            throw_system_error(error, "claim", inbox.path_of(original));
        return cannot(ErrorCode::unavailable,
                      std::string(std::strerror(error)) + ": make the inbox writable for Drawbridge");
    }
}

}  // namespace

InboxScan Spool::scan_inbox(milliseconds quiet_period, Instant now) const {
    InboxScan scan;
    const int unwritable = folders_->inbox.try_writable();
    scan.can_claim = unwritable == 0;
    for (std::string& name : folders_->inbox.names()) {
        const auto status = folders_->inbox.status(name);
        if (!status) continue;  // removed in the meantime
        const Instant changed_at = instant_of(status->st_mtim);
        if (name.starts_with('.')) {
            scan.waiting.push_back(
                {std::move(name), "its name begins with a dot", /*may_become_quiet=*/false, changed_at});
        } else if (const std::string_view reason = kind_of_file(status->st_mode); !reason.empty()) {
            scan.refused.push_back({std::move(name), std::string(reason) + std::string(what_to_do(status->st_mode)),
                                    /*may_become_quiet=*/false, changed_at});
        } else if (is_named_as_unfinished(name)) {
            scan.waiting.push_back(
                {std::move(name), "its name marks it as incomplete", /*may_become_quiet=*/false, changed_at});
        } else if (!is_quiet(*status, quiet_period, now)) {
            scan.waiting.push_back({std::move(name), "still changing", /*may_become_quiet=*/true, changed_at});
        } else if (!folders_->inbox.is_readable(name)) {
            scan.refused.push_back({std::move(name), "not readable for Drawbridge; change its permissions",
                                    /*may_become_quiet=*/false, changed_at});
        } else if (!scan.can_claim) {
            scan.refused.push_back({std::move(name),
                                    std::string(std::strerror(unwritable)) +
                                        ": the inbox is not writable for Drawbridge; change its permissions",
                                    /*may_become_quiet=*/false, changed_at});
        } else {
            scan.ready.push_back({std::move(name), static_cast<std::uint64_t>(status->st_size), changed_at});
        }
    }
    return scan;
}

Result<ClaimedFile> Spool::claim(std::string_view name, Instant now) {
    return std::move(claim(std::vector<std::string>{std::string(name)}, now, UINT64_MAX).front());
}

std::vector<Result<ClaimedFile>> Spool::claim(const std::vector<std::string>& names, Instant now,
                                              std::uint64_t max_bytes) {
    std::vector<Result<ClaimedFile>> files;
    files.reserve(names.size());
    for (const std::string& name : names)
        files.push_back(claim_one(folders_->inbox, folders_->claimed, name, now, counter_, max_bytes));
    if (std::ranges::none_of(files, [](const auto& file) { return file.has_value(); })) return files;
    folders_->claimed.sync();
    folders_->inbox.sync();
    crash_point("confirm.claimed");
    return files;
}

std::vector<ClaimedFile> Spool::claimed() const {
    std::vector<ClaimedFile> files;
    for (const std::string& name : folders_->claimed.names()) {
        if (name.starts_with('.')) continue;
        files.push_back({name, original_name_of(name), {}, owner_of(folders_->claimed, name)});
        if (const auto profile = folders_->claimed.small_text(profile_name_of(name))) files.back().profile = *profile;
    }
    return files;
}

}  // namespace drawbridge::spool
