// Confirmation files that a person uploads in pieces.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "drawbridge/domain/crash_point.hpp"
#include "folders.hpp"
#include "names.hpp"

namespace drawbridge::spool {
namespace {

constexpr mode_t upload_mode = 0640;
constexpr mode_t profile_mode = 0640;

std::unexpected<Error> no_upload(std::string_view id) {
    return fail(ErrorCode::not_found, "there is no upload '" + printable_name(id) +
                                          "': it was dropped in the meantime: upload the file again");
}

}  // namespace

std::string profile_name_of(std::string_view claimed_name) {
    return "." + claim_stamp_of(claimed_name) + ".profile";
}

std::string Spool::begin_upload(std::int64_t owner, Instant now) {
    for (;;) {
        std::string id = claim_stamp(now, ++counter_) + "-" + std::to_string(owner);
        if (folders_->uploads.status(id)) continue;
        FileDescriptor file = folders_->uploads.create(id, upload_mode);
        return id;
    }
}

bool Spool::is_upload_of(std::int64_t owner, std::string_view id) {
    return is_upload_name(id) && id.ends_with("-" + std::to_string(owner));
}

Result<void> Spool::append_upload(std::string_view id, std::uint64_t offset, std::string_view bytes) {
    const Folder& uploads = folders_->uploads;
    const std::string name(id);
    if (!is_upload_name(id)) return no_upload(id);
    const auto status = uploads.status(name);
    if (!status) return no_upload(id);
    if (static_cast<std::uint64_t>(status->st_size) != offset) {
        return fail(ErrorCode::conflict, "the upload has " + std::to_string(status->st_size) +
                                             " bytes so far, but this piece starts at " + std::to_string(offset));
    }
    const FileDescriptor file = uploads.try_append(name);
    if (!file.is_open()) throw_system_error(errno, "open", uploads.path_of(name));
    write_all(file, uploads.path_of(name), bytes);
    return {};
}

Result<ClaimedFile> Spool::claim_upload(std::string_view id, std::string_view original_name, std::string_view profile,
                                        Instant now) {
    const Folder& uploads = folders_->uploads;
    const Folder& claimed = folders_->claimed;
    const std::string name(id);
    if (!is_plain_name(original_name))
        return fail(ErrorCode::invalid_input, "'" + printable_name(original_name) + "' is not a file name");
    if (!is_upload_name(id) || !uploads.status(name)) return no_upload(id);
    {
        const FileDescriptor file = uploads.try_append(name);
        if (!file.is_open()) throw_system_error(errno, "open", uploads.path_of(name));
        sync_file(file, uploads.path_of(name));
    }
    for (;;) {
        ClaimedFile file{claimed_name(now, ++counter_, original_name), std::string(original_name), std::string(profile),
                         static_cast<std::int64_t>(::geteuid())};
        if (!profile.empty()) write_durably(claimed, profile_name_of(file.name), profile_mode, profile);
        const int error = uploads.move_new(name, claimed, file.name);
        if (error == EEXIST) continue;
        if (error != 0) throw_system_error(error, "claim", uploads.path_of(name));
        claimed.sync();
        uploads.sync();
        crash_point("confirm.claimed");
        return file;
    }
}

void Spool::drop_upload(std::string_view id) {
    if (is_upload_name(id)) folders_->uploads.remove(std::string(id));
}

std::vector<std::string> Spool::uploads_of(std::int64_t owner) const {
    auto ids = folders_->uploads.names();
    std::erase_if(ids, [&](const std::string& id) { return !is_upload_of(owner, id); });
    std::ranges::sort(ids);  // an id begins with the time
    return ids;
}

void Spool::drop_uploads_before(Instant then) {
    for (const std::string& name : folders_->uploads.names()) {
        const auto status = folders_->uploads.status(name);
        if (status && S_ISREG(status->st_mode) && instant_of(status->st_mtim) < then) folders_->uploads.remove(name);
    }
}

}  // namespace drawbridge::spool
