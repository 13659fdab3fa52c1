#include "archive.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "drawbridge/domain/digest.hpp"
#include "drawbridge/spool/archive.hpp"
#include "drawbridge/text/sanitize.hpp"
#include "page.hpp"

namespace drawbridge::admin {
namespace {

constexpr std::size_t hash_in_name = 12;

json entry_view(const ArchiveEntry& entry) {
    return to_json(records::ArchivedFile{.path = entry.path,
                                         .state = entry.state,
                                         .bytes = entry.size_bytes,
                                         .sha256 = if_any(entry.sha256),
                                         .sealed_at = entry.sealed_at,
                                         .deleted_at = entry.deleted_at});
}

// Matches by path, by name in the archive, by original name, or by SHA-256.
bool matches_name(const ArchiveEntry& entry, std::string_view name) {
    const std::string_view path = entry.path;
    const auto file = path.substr(path.rfind('/') + 1);
    if (name == path || name == file) return true;
    const bool has_hash =
        file.size() > hash_in_name + 1 && file[hash_in_name] == '-' && is_hash_prefix(file.substr(0, hash_in_name));
    if (has_hash && name == file.substr(hash_in_name + 1)) return true;
    if (!is_hash_prefix(name)) return false;
    return entry.sha256.starts_with(name) ||
           (has_hash && file.substr(0, hash_in_name).starts_with(name.substr(0, hash_in_name)));
}

// "spool/archive/2026/11/22/NAME.sealed" → "2026/11/22/NAME"
std::string_view plain_name(std::string_view name) {
    constexpr std::string_view folder = "spool/archive/";
    if (const auto at = name.find(folder); at != std::string_view::npos) name.remove_prefix(at + folder.size());
    if (name.ends_with(spool::sealed_suffix)) name.remove_suffix(spool::sealed_suffix.size());
    return name;
}

Result<ArchiveEntry> find_entry(const std::vector<ArchiveEntry>& entries, const std::string& name) {
    std::vector<const ArchiveEntry*> found;
    for (const auto& entry : entries) {
        if (matches_name(entry, plain_name(name))) found.push_back(&entry);
    }
    const auto shown = text::for_terminal(name);
    if (found.empty()) {
        return fail(ErrorCode::not_found,
                    fmt::format("the archive has no file '{}': `drawbridge archive list` lists its files", shown));
    }
    if (found.size() > 1) {
        return fail(ErrorCode::conflict,
                    fmt::format("'{}' matches {} files, {} and {} among them: name one by its path", shown,
                                found.size(), text::for_terminal(found[0]->path), text::for_terminal(found[1]->path)));
    }
    const auto& entry = *found.front();
    if (entry.deleted_at) {
        return fail(ErrorCode::not_found,
                    fmt::format("{} was deleted at {} by archive.delete_after: use a copy that was kept elsewhere",
                                entry.path, format_instant(*entry.deleted_at)));
    }
    return entry;
}

Result<std::int64_t> offset_of(const json& body) {
    const auto given = body.find("offset");
    if (given == body.end()) return 0;
    if (given->is_number_unsigned() && *given <= INT64_MAX) return given->get<std::int64_t>();
    return fail(ErrorCode::invalid_input, "'offset' is not a whole number from 0");
}

void record_shown(AdminContext& context, const ArchiveEntry& entry, std::int64_t offset, std::size_t size,
                  const std::string& reason, const ledger::Stamp& by) {
    const auto end = offset + static_cast<std::int64_t>(size);
    context.ledger.transaction([&] {
        ledger::audit(context.ledger, by, "archive.shown", "archive " + entry.path,
                      fmt::format("bytes {} to {}: {}", offset, end, reason));
    });
}

}  // namespace

asio::awaitable<Answer> archive_view(AdminContext& context, Call call) {
    const auto page = read_page(call);
    if (!page) co_return std::unexpected(page.error());
    const auto entries = co_await context.program.list_archive();
    if (!entries) co_return std::unexpected(entries.error());
    const auto first = std::min(static_cast<std::size_t>(page->after), entries->size());
    const auto last = std::min(first + static_cast<std::size_t>(page->limit), entries->size());
    json list = json::array();
    for (std::size_t at = first; at < last; ++at)
        list.push_back(entry_view((*entries)[at]));
    json answer = {{"files", std::move(list)}, {"next_after", last < entries->size() ? json(last) : json(nullptr)}};
    if (page->with_total) answer["total"] = entries->size();
    co_return Answer(std::move(answer));
}

asio::awaitable<Result<std::string>> show_archived(AdminContext& context, Call call) {
    const auto reason = reason_of(call);
    if (!reason) co_return std::unexpected(reason.error());
    const auto offset = offset_of(call.body);
    if (!offset) co_return std::unexpected(offset.error());
    const auto name = call.body.find("name");
    if (name == call.body.end() || !name->is_string())
        co_return fail(ErrorCode::invalid_input, "'name' is not a file name");
    const auto entries = co_await context.program.list_archive();
    if (!entries) co_return std::unexpected(entries.error());
    const auto entry = find_entry(*entries, name->get<std::string>());
    if (!entry) co_return std::unexpected(entry.error());
    auto path = entry->path;
    auto bytes = co_await context.program.read_archived(std::move(path), static_cast<std::uint64_t>(*offset),
                                                        archive_piece_bytes);
    if (!bytes) co_return bytes;
    const auto by = stamp(context, call);
    record_shown(context, *entry, *offset, bytes->size(), *reason, by);
    co_return bytes;
}

}  // namespace drawbridge::admin
