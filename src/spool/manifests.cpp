// The manifests: one line per released payment file, one file per day.
#include <algorithm>
#include <cstdio>

#include "drawbridge/domain/crash_point.hpp"
#include "folders.hpp"

namespace drawbridge::spool {
namespace {

constexpr mode_t manifest_mode = 0640;
constexpr std::string_view ending = ".jsonl";

// What must be appended to `bytes` to make `line` complete; nullopt: the line is there.
std::optional<std::string> missing(std::string_view bytes, std::string_view line) {
    const std::string whole = std::string(line) + "\n";
    for (std::size_t at = bytes.find(whole); at != std::string_view::npos; at = bytes.find(whole, at + 1)) {
        if (at == 0 || bytes[at - 1] == '\n') return std::nullopt;
    }
    const auto last_end = bytes.rfind('\n');
    const auto tail = last_end == std::string_view::npos ? bytes : bytes.substr(last_end + 1);
    // A power loss cut off this line, or another one that readers must see as broken.
    if (line.starts_with(tail)) return whole.substr(tail.size());
    return "\n" + whole;
}

}  // namespace

void Spool::add_manifest_line(BusinessDate day, std::string_view line) {
    const Folder& folder = folders_->manifests;
    const std::string name = format_date(day) + std::string(ending);
    const auto more = missing(folder.read(name).value_or(""), line);
    FileDescriptor file = folder.open_to_append(name, manifest_mode);
    if (more) write_all(file, folder.path_of(name), *more);
    crash_point("pay.manifest_written");
    // Even if the line is there: the run that wrote it may have died before it was durable.
    sync_file(file, folder.path_of(name));
    if (const int error = file.close_now(); error != 0) throw_system_error(error, "close", folder.path_of(name));
    folder.sync();
    crash_point("pay.manifest_durable");
}

void Spool::for_each_manifest(
    const std::function<void(const std::string& name, const std::string& bytes)>& what) const {
    for (const auto& name : folders_->manifests.names()) {
        if (!name.ends_with(ending)) continue;
        if (const auto bytes = folders_->manifests.read(name)) what(name, *bytes);
    }
}

bool Spool::is_in_manifest(std::string_view line) const {
    bool found = false;
    for_each_manifest([&](const std::string&, const std::string& bytes) { found = found || !missing(bytes, line); });
    return found;
}

std::vector<std::string> Spool::outgoing_names() const {
    auto names = folders_->outgoing.names();
    std::erase_if(names, [](const std::string& name) { return !check_payment_file_name(name); });
    return names;
}

Result<std::string> Spool::read_outgoing(std::string_view name, std::size_t max_bytes) const {
    if (auto good = check_payment_file_name(name); !good) return std::unexpected(std::move(good).error());
    const auto status = folders_->outgoing.status(std::string(name));
    if (!status) return fail(ErrorCode::not_found, "spool/outgoing/" + std::string(name) + " no longer exists");
    if (static_cast<std::size_t>(status->st_size) > max_bytes) {
        return fail(ErrorCode::invalid_input, "spool/outgoing/" + std::string(name) + " is too large to be read");
    }
    auto bytes = folders_->outgoing.read(std::string(name));
    if (!bytes) return fail(ErrorCode::not_found, "spool/outgoing/" + std::string(name) + " cannot be read as a file");
    return *std::move(bytes);
}

}  // namespace drawbridge::spool
