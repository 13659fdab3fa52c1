// The manifests: one line per released payment file, one file per day.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <tuple>
#include <utility>

#include "drawbridge/domain/crash_point.hpp"
#include "folders.hpp"

namespace drawbridge::spool {
namespace {

constexpr mode_t manifest_mode = 0640;
constexpr std::string_view ending = ".jsonl";

// Looks for a line in a file that is read part by part.
class LineSearch {
  public:
    explicit LineSearch(std::string_view line) : whole_(std::string(line) + "\n") {}
    void read(std::string_view part);
    // What must be appended; empty: the line is there. A power loss may have cut it off, or another one that readers
    // must see as broken.
    [[nodiscard]] std::string missing() const {
        if (is_found_) return {};
        return is_same_ ? whole_.substr(at_) : "\n" + whole_;
    }
    [[nodiscard]] bool is_found() const { return is_found_; }

  private:
    std::string whole_;
    bool is_found_ = false;
    bool is_same_ = true;  // so far, the file's newest line
    std::size_t at_ = 0;   // in that line
};

void LineSearch::read(std::string_view part) {
    while (!part.empty()) {
        const auto end = part.find('\n');
        const bool ends = end != std::string_view::npos;
        const auto more = part.substr(0, ends ? end + 1 : end);
        is_same_ = is_same_ && std::string_view(whole_).substr(at_, more.size()) == more;
        at_ += more.size();
        if (ends) {
            is_found_ = is_found_ || is_same_;
            is_same_ = true;
            at_ = 0;
        }
        part.remove_prefix(more.size());
    }
}

void look_in(const Folder& folder, const std::string& name, LineSearch& search) {
    const auto file = folder.open_regular(name);
    if (!file) return;
    files::read_whole(*file, folder.path_of(name), [&](std::string_view part) { search.read(part); });
}

// Whether a power loss cut off the newest line.
bool ends_within_line(const Folder& folder, const std::string& name) {
    const auto file = folder.open_regular(name);
    if (!file || ::lseek(file->get(), -1, SEEK_END) < 0) return false;  // there is none, or it is empty
    char last = '\n';
    return read_some(*file, folder.path_of(name), &last, 1) == 1 && last != '\n';
}

std::string name_of(BusinessDate day) {
    return format_date(day) + std::string(ending);
}

bool has_line(const Folder& folder, const std::string& name, std::string_view line) {
    LineSearch search(line);
    look_in(folder, name, search);
    return search.is_found();
}

// The file that has the line already. If pay.timezone has changed since, it may be that of the day before or after.
std::optional<std::string> written_in(const Folder& folder, BusinessDate day, std::string_view line) {
    for (const int shift : {-1, 1}) {
        std::string name = name_of(BusinessDate(std::chrono::sys_days(day) + std::chrono::days(shift)));
        if (has_line(folder, name, line)) return name;
    }
    return std::nullopt;
}

std::vector<std::string> manifest_names(const Folder& folder) {
    auto names = folder.names();
    std::erase_if(names, [](const std::string& name) { return !name.ends_with(ending); });
    return names;
}

}  // namespace

struct ManifestLines::State {
    // False: the file has no more.
    bool read_more();

    const Folder& folder;
    std::vector<std::string> names;  // of files not begun, the next one last
    std::string name = {};
    std::optional<FileDescriptor> file = {};
    std::string unread = {};
    int lines = 0;
};

bool ManifestLines::State::read_more() {
    std::array<char, 64UL * 1024> buffer;
    const auto size = read_some(*file, folder.path_of(name), buffer.data(), buffer.size());
    unread.append(buffer.data(), size);
    return size > 0;
}

ManifestLines::ManifestLines(std::unique_ptr<State> state) : state_(std::move(state)) {}
ManifestLines::ManifestLines(ManifestLines&&) noexcept = default;
ManifestLines::~ManifestLines() = default;

std::optional<ManifestLine> ManifestLines::next() {
    auto& state = *state_;
    std::size_t searched = 0;
    while (true) {
        while (!state.file) {
            if (state.names.empty()) return std::nullopt;
            state.name = std::move(state.names.back());
            state.names.pop_back();
            state.file = state.folder.open_regular(state.name);
            state.lines = 0;
        }
        const auto end = state.unread.find('\n', searched);
        searched = state.unread.size();
        if (end == std::string::npos && state.read_more()) continue;
        if (end == std::string::npos) {
            state.file.reset();
            searched = 0;
            if (state.unread.empty()) continue;
        }
        ManifestLine line{state.name + ":" + std::to_string(++state.lines), state.unread.substr(0, end)};
        state.unread.erase(0, end == std::string::npos ? end : end + 1);
        return line;
    }
}

ManifestLines Spool::manifest_lines() const {
    auto names = manifest_names(folders_->manifests);
    std::ranges::reverse(names);
    return ManifestLines(std::make_unique<ManifestLines::State>(folders_->manifests, std::move(names)));
}

void Spool::add_manifest_line(BusinessDate day, std::string_view line, WrittenBefore before) {
    const Folder& folder = folders_->manifests;
    std::string name = name_of(day);
    if (before == WrittenBefore::maybe) name = written_in(folder, day, line).value_or(name);
    FileDescriptor file = folder.open_to_append(name, manifest_mode);
    const off_t size = ::lseek(file.get(), 0, SEEK_END);
    const auto write = [&](std::string_view text) {
        try {
            write_all(file, folder.path_of(name), text);
        } catch (const std::system_error&) {
            // A full disk cut it off. If this fails too, readers see a broken line.
            if (size >= 0) std::ignore = ::ftruncate(file.get(), size);
            throw;
        }
    };
    if (before == WrittenBefore::no) {
        if (ends_within_line(folder, name)) write("\n");
        write(line);  // several megabytes, so it is not copied
        write("\n");
    } else {
        LineSearch search(line);
        look_in(folder, name, search);
        write(search.missing());
    }
    crash_point("pay.manifest_written");
    // Even if the line is there: the run that wrote it may have died before it was durable.
    sync_file(file, folder.path_of(name));
    if (const int error = file.close_now(); error != 0) throw_system_error(error, "close", folder.path_of(name));
    folder.sync();
    crash_point("pay.manifest_durable");
}

bool Spool::is_in_manifest(std::string_view line) const {
    const Folder& folder = folders_->manifests;
    return std::ranges::any_of(manifest_names(folder),
                               [&](const std::string& name) { return has_line(folder, name, line); });
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
