#include "disk/disk_log.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace drawbridge::disk {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t sector = 512;

std::string read_file(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return std::move(text).str();
}

std::uint64_t inode_of(const fs::path& path) {
    struct stat found{};
    return ::lstat(path.c_str(), &found) == 0 ? found.st_ino : 0;
}

std::string parent_of(const std::string& path) {
    return path.substr(0, path.rfind('/'));
}

bool is_about_names(Call call) {
    return call == Call::create || call == Call::rename || call == Call::link || call == Call::remove ||
           call == Call::make_folder;
}

// The folder whose sync makes the call durable.
std::string folder_of(const std::string& path, const std::string& other) {
    return parent_of(other.empty() ? path : other);
}

bool chance(std::mt19937_64& random) {
    return (random() & 1U) != 0;
}

void put(std::string& content, std::uint64_t offset, std::string_view bytes) {
    if (content.size() < offset + bytes.size()) content.resize(offset + bytes.size());
    content.replace(offset, bytes.size(), bytes);
}

// Any of the sectors that the write touched.
void put_torn(std::string& content, std::uint64_t offset, std::string_view bytes, std::mt19937_64& random) {
    while (!bytes.empty()) {
        const std::size_t size = std::min(bytes.size(), sector - offset % sector);
        if (chance(random)) put(content, offset, bytes.substr(0, size));
        offset += size;
        bytes.remove_prefix(size);
    }
}

}  // namespace

DiskLog::DiskLog(fs::path folder) : folder_(std::move(folder)) {
    folders_.insert(folder_.string());
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
        const std::string path = entry.path().string();
        if (entry.is_directory()) {
            folders_.insert(path);
        } else if (entry.is_regular_file() && !path.ends_with("-shm")) {
            by_inode_[inode_of(path)] = files_.size();
            names_[path] = files_.size();
            files_.push_back({read_file(path), entry.status().permissions(), entry.last_write_time()});
        }
    }
    now_ = names_;
}

// By its name, or by its inode where it was renamed or deleted while open.
DiskLog::FileNo DiskLog::file_of(const LogHead& head, const std::string& path) {
    if (const auto named = now_.find(path); named != now_.end()) return by_inode_[head.inode] = named->second;
    if (const auto known = by_inode_.find(head.inode); known != by_inode_.end()) return known->second;
    // The first call about a file that another way of opening created.
    LoggedCall created;
    created.call = Call::create;
    created.path = path;
    created.file = files_.size();
    calls_.push_back(created);
    files_.push_back({});
    now_[path] = created.file;
    return by_inode_[head.inode] = created.file;
}

void DiskLog::follow(LoggedCall& call, const LogHead& head) {
    switch (call.call) {
        case Call::create:
            call.file = files_.size();
            files_.push_back({});
            now_[call.path] = call.file;
            break;
        case Call::sync:
            call.is_folder = fs::is_directory(call.path);
            if (!call.is_folder) call.file = file_of(head, call.path);
            break;
        case Call::write:
        case Call::resize: call.file = file_of(head, call.path); break;
        case Call::rename:
        case Call::link:
            if (const auto from = now_.find(call.path); from != now_.end()) {
                now_[call.other] = from->second;
                if (call.call == Call::rename) now_.erase(from);
            }
            break;
        case Call::remove: {
            const auto named = now_.find(call.path);
            if (named == now_.end()) break;
            const FileNo file = named->second;
            now_.erase(named);
            // The file system may use the inode again.
            const bool has_name = std::ranges::any_of(now_, [&](const auto& name) { return name.second == file; });
            if (!has_name) std::erase_if(by_inode_, [&](const auto& entry) { return entry.second == file; });
            break;
        }
        case Call::make_folder: break;
    }
}

void DiskLog::read(const fs::path& log) {
    read_text(read_file(log));
}

void DiskLog::read_text(std::string_view text) {
    std::size_t at = 0;
    while (at + sizeof(LogHead) <= text.size()) {
        LogHead head{};
        std::memcpy(&head, text.data() + at, sizeof head);
        at += sizeof head;
        LoggedCall call;
        call.call = head.call;
        call.offset = head.offset;
        for (const auto& [into, size] : {std::pair{&call.path, head.path_size}, std::pair{&call.other, head.other_size},
                                         std::pair{&call.data, head.data_size}}) {
            *into = text.substr(at, size);
            at += size;
        }
        if (at > text.size()) throw std::runtime_error("the log ends within a call");
        follow(call, head);
        calls_.push_back(std::move(call));
    }
    for (const auto& [path, file] : now_) {
        std::error_code none;
        const auto status = fs::status(path, none);
        if (!fs::exists(status)) continue;
        files_[file].mode = status.permissions();
        files_[file].time = fs::last_write_time(path);
    }
}

std::string DiskLog::describe(std::size_t call) const {
    constexpr const char* names[] = {"create", "write", "resize", "sync", "rename", "link", "remove", "make folder"};
    const auto& what = calls_.at(call);
    std::string text = std::string(names[static_cast<std::size_t>(what.call)]) + " " + what.path;
    if (!what.other.empty()) text += " as " + what.other;
    return text;
}

bool DiskLog::is_durable(std::size_t at) const {
    const auto& call = calls_[at];
    const bool by_folder = is_about_names(call.call);
    const std::string folder = by_folder ? folder_of(call.path, call.other) : std::string();
    return std::any_of(calls_.begin() + static_cast<std::ptrdiff_t>(at) + 1, calls_.end(), [&](const auto& later) {
        if (later.call != Call::sync || later.is_folder != by_folder) return false;
        return by_folder ? later.path == folder : later.file == call.file;
    });
}

std::vector<bool> DiskLog::survivors(Loss loss, std::mt19937_64& random) const {
    std::vector<bool> survives(calls_.size());
    const std::size_t cut = calls_.empty() ? 0 : random() % (calls_.size() + 1);
    for (std::size_t i = 0; i < calls_.size(); ++i) {
        switch (loss) {
            case Loss::all: survives[i] = false; break;
            case Loss::none: survives[i] = true; break;
            case Loss::tail: survives[i] = i < cut; break;
            case Loss::anywhere: survives[i] = chance(random); break;
        }
        if (!survives[i]) survives[i] = is_durable(i);
    }
    return survives;
}

std::vector<std::string> DiskLog::contents(const std::vector<bool>& survives, Loss loss,
                                           std::mt19937_64& random) const {
    std::vector<std::string> contents;
    contents.reserve(files_.size());
    for (const auto& file : files_)
        contents.push_back(file.content);
    for (std::size_t i = 0; i < calls_.size(); ++i) {
        const auto& call = calls_[i];
        if (call.call == Call::resize && survives[i]) contents[call.file].resize(call.offset);
        if (call.call != Call::write) continue;
        if (survives[i]) {
            put(contents[call.file], call.offset, call.data);
        } else if (loss == Loss::anywhere) {
            put_torn(contents[call.file], call.offset, call.data, random);
        }
    }
    return contents;
}

void DiskLog::lose_power(Loss loss, std::mt19937_64& random) {
    const auto survives = survivors(loss, random);
    auto names = names_;
    auto folders = folders_;
    for (std::size_t i = 0; i < calls_.size(); ++i) {
        const auto& call = calls_[i];
        if (!survives[i] || !is_about_names(call.call)) continue;
        if (call.call == Call::create) names[call.path] = call.file;
        if (call.call == Call::make_folder) folders.insert(call.path);
        if (call.call == Call::remove) {
            names.erase(call.path);
            folders.erase(call.path);
        }
        if (call.call != Call::rename && call.call != Call::link) continue;
        const auto from = names.find(call.path);
        if (from == names.end()) continue;
        names[call.other] = from->second;
        if (call.call == Call::rename) names.erase(from);
    }
    put_in_place(names, folders, contents(survives, loss, random));
}

// Each file keeps its inode: the ledger notices when it is another one.
void DiskLog::put_in_place(const std::map<std::string, FileNo>& names, const std::set<std::string>& folders,
                           const std::vector<std::string>& contents) {
    const fs::path aside = folder_.string() + ".aside";
    fs::create_directory(aside);
    for (const auto& [path, file] : now_) {
        std::error_code missing;  // removed by a call that the shim does not see
        fs::rename(path, aside / std::to_string(file), missing);
    }
    for (const auto& entry : fs::directory_iterator(folder_))
        fs::remove_all(entry.path());
    for (const auto& path : folders) {
        fs::create_directories(path);
        fs::permissions(path, fs::perms::owner_all);
    }
    std::map<FileNo, fs::path> placed;
    now_.clear();
    for (const auto& [path, file] : names) {
        if (!fs::exists(parent_of(path))) continue;  // its folder did not survive
        now_[path] = file;
        if (const auto first = placed.find(file); first != placed.end()) {
            fs::create_hard_link(first->second, path);
            continue;
        }
        placed[file] = path;
        std::ofstream(aside / std::to_string(file), std::ios::binary) << contents[file];
        fs::rename(aside / std::to_string(file), path);
        fs::permissions(path, files_[file].mode);
        if (files_[file].time) fs::last_write_time(path, *files_[file].time);
    }
    fs::remove_all(aside);
}

}  // namespace drawbridge::disk
