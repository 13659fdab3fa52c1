// Moves finished confirmation files and payment files to the archive or quarantine, byte for byte.
#include <cerrno>
#include <cstdint>
#include <functional>
#include <optional>

#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/spool/archive.hpp"
#include "folders.hpp"
#include "names.hpp"

namespace drawbridge::spool {
namespace {

constexpr mode_t report_mode = 0640;
constexpr mode_t archived_mode = 0640;
constexpr std::string_view report_ending = ".report.txt";

// "name", "2-name", "3-name" …
std::string numbered(const std::string& name, int number) {
    return number == 1 ? name : std::to_string(number) + "-" + name;
}
constexpr std::size_t max_number_bytes = 8;

// The first numbered form of `name` in `folder` that is free or already has the bytes of `size` and hash. The hash is
// computed only for a file of the same name and size: the file may be of any size. It is nullopt for what is not a
// regular file and has no bytes.
std::string place_for(const Folder& folder, const std::string& name, std::uint64_t size,
                      const std::function<std::optional<std::string>()>& sha256) {
    for (int number = 1;; ++number) {
        std::string place = numbered(name, number);
        const auto taken = folder.status(place);
        if (!taken) return place;
        if (static_cast<std::uint64_t>(taken->st_size) != size) continue;
        const auto hash = sha256();
        if (hash && folder.sha256(place) == hash) return place;
    }
}

// Moves claimed/FILE to folder/PLACE. If the same bytes are already there, removes only the claimed name.
Result<void> move_or_drop(const Folder& claimed, const std::string& file, const Folder& folder,
                          const std::string& place) {
    int error = claimed.move_new(file, folder, place);
    if (error == EXDEV) {  // the archive or quarantine is a separate mount
        const auto moved = move_by_copy(claimed, file, folder, place);
        if (!moved) {
            return fail(moved.error().code, "cannot move " + claimed.path_of(printable_name(file)).string() + ": " +
                                                moved.error().message + ": leave it where it is; it is moved later");
        }
        error = *moved;
    }
    if (error == EEXIST) {
        claimed.remove(file);
    } else if (error != 0) {
        throw_system_error(error, "move", claimed.path_of(file));
    }
    claimed.remove(profile_name_of(file));
    folder.sync();
    claimed.sync();
    crash_point("confirm.archived");
    return {};
}

Folder open_day(const Folder& archive, BusinessDate date) {
    return Folder::open_or_create(archive.path() / folder_of_day(date), 0750);
}

}  // namespace

std::string Spool::archived_name(std::string_view sha256, std::string_view original_name) {
    constexpr std::size_t hash_shown = 12;
    return std::string(sha256.substr(0, hash_shown)) + "-" +
           shortened_name(printable_name(original_name),
                          max_file_name - hash_shown - 1 - max_number_bytes - sealed_suffix.size());
}

void Spool::restore_archived(const std::filesystem::path& path, std::string_view bytes) {
    const Folder day = Folder::open_or_create(folders_->archive.path() / path.parent_path(), 0750);
    write_durably(day, path.filename().string(), archived_mode, bytes);
}

Result<std::filesystem::path> Spool::archive(const ClaimedFile& file, const Snapshot& read, BusinessDate date) {
    const auto cannot = [&](ErrorCode code, std::string_view why) {
        return fail(code, "confirmation file '" + printable_name(file.original_name) +
                              "' cannot be archived: " + std::string(why));
    };
    const Folder& claimed = folders_->claimed;
    if (!claimed.status(file.name))
        return cannot(ErrorCode::not_found, "it is no longer in " + claimed.path().string());
    const Folder day = open_day(folders_->archive, date);
    const std::string place = place_for(day, archived_name(read.sha256(), file.original_name), read.bytes().size(),
                                        [&] { return read.sha256(); });
    if (claimed.sha256(file.name) != read.sha256()) {
        if (!day.status(place)) write_durably(day, place, archived_mode, read.bytes());
        return cannot(ErrorCode::conflict, "it changed after it was read; the bytes that were read are in " +
                                               day.path_of(place).lexically_relative(state_dir_).string() +
                                               ", and the changed file is imported as a new one");
    }
    if (auto moved = move_or_drop(claimed, file.name, day, place); !moved) return std::unexpected(moved.error());
    return day.path_of(place).lexically_relative(state_dir_);
}

Result<std::optional<std::filesystem::path>> Spool::archive_payment_file(Place from, std::string_view name,
                                                                         BusinessDate date) {
    if (auto good = check_payment_file_name(name); !good) return std::unexpected(std::move(good).error());
    const std::string file(name);
    const Folder& folder = from == Place::staged ? folders_->staged : folders_->outgoing;
    const Folder day = open_day(folders_->archive, date);
    const int error = folder.move_new(file, day, file);
    if (error == ENOENT) {
        // An earlier run may have moved it.
        if (!day.status(file) && !day.status(file + std::string(sealed_suffix))) return std::nullopt;
    } else if (error == EEXIST) {
        if (folder.sha256(file) != day.sha256(file)) {
            return fail(ErrorCode::conflict, "payment file " + file + " cannot be archived: a different file is in " +
                                                 day.path_of(file).string() + ": find out what it is and move it away");
        }
        folder.remove(file);
    } else if (error != 0) {
        throw_system_error(error, "archive", folder.path_of(file));
    }
    day.sync();
    folder.sync();
    return day.path_of(file).lexically_relative(state_dir_);
}

Result<std::filesystem::path> Spool::quarantine(const ClaimedFile& file, std::string_view sha256,
                                                std::string_view report_text) {
    const Folder& claimed = folders_->claimed;
    const Folder& quarantine = folders_->quarantine;
    const auto status = claimed.status(file.name);
    if (!status) {
        return fail(ErrorCode::not_found, "confirmation file '" + printable_name(file.original_name) +
                                              "' cannot be quarantined: it is no longer in " + claimed.path().string());
    }
    const std::string stamp = printable_name(claim_stamp_of(file.name));
    const std::size_t taken =
        stamp.size() + 1 + max_number_bytes + report_ending.size() + std::string_view("..tmp").size();
    const std::string original =
        taken < max_file_name ? shortened_name(printable_name(file.original_name), max_file_name - taken) : "";
    const std::string place = place_for(quarantine, stamp + "-" + original, static_cast<std::uint64_t>(status->st_size),
                                        [&] { return claimed.sha256(file.name); });
    std::string report(report_text);
    if (!report.empty() && report.back() != '\n') report += '\n';
    if (!sha256.empty()) report += "SHA-256 of the file: " + std::string(sha256) + "\n";
    write_durably(quarantine, place + std::string(report_ending), report_mode, report);
    if (auto moved = move_or_drop(claimed, file.name, quarantine, place); !moved) return std::unexpected(moved.error());
    return quarantine.path_of(place).lexically_relative(state_dir_);
}

}  // namespace drawbridge::spool
