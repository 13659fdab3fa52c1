// What a power loss leaves of a folder. Built from a copy of the folder before a run and from the log of the calls that
// changed it (disk_shim.cpp).
//
// The rules are those of POSIX, not the kinder ones of a particular file system: bytes survive for certain after a sync
// of their file, names after a sync of their folder. Of everything else any part may survive, down to single sectors of
// a write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "disk/disk_log_format.hpp"

namespace drawbridge::disk {

// What becomes of changes that were not synced.
enum class Loss {
    all,      // none of them survives
    none,     // all of them do
    tail,     // those before some moment survive
    anywhere  // each is left to chance, and so is each sector of a write
};
inline constexpr Loss all_losses[] = {Loss::all, Loss::none, Loss::tail, Loss::anywhere};

class DiskLog {
  public:
    // Copies the folder into memory.
    explicit DiskLog(std::filesystem::path folder);

    // Reads the log of a run that has ended, killed or not. Throws if a file in it is not of the folder.
    void read(const std::filesystem::path& log);
    void read_text(std::string_view text);
    [[nodiscard]] std::size_t calls() const { return calls_.size(); }
    // For messages: "write spool/staged/ACH-1.ach".
    [[nodiscard]] std::string describe(std::size_t call) const;

    // Replaces the folder by what may be left after all calls of the log.
    void lose_power(Loss loss, std::mt19937_64& random);

  private:
    using FileNo = std::size_t;
    struct LoggedCall {
        Call call = Call::sync;
        std::string path, other, data;
        std::uint64_t offset = 0;
        FileNo file = 0;  // of write, resize, sync of a file, create
        bool is_folder = false;
    };
    struct File {
        std::string content;  // before the run
        std::filesystem::perms mode = std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;
        std::optional<std::filesystem::file_time_type> time;  // nullopt: the run removed it again
    };

    FileNo file_of(const LogHead& head, const std::string& path);
    void follow(LoggedCall& call, const LogHead& head);
    [[nodiscard]] bool is_durable(std::size_t at) const;
    [[nodiscard]] std::vector<bool> survivors(Loss loss, std::mt19937_64& random) const;
    [[nodiscard]] std::vector<std::string> contents(const std::vector<bool>& survives, Loss loss,
                                                    std::mt19937_64& random) const;
    void put_in_place(const std::map<std::string, FileNo>& names, const std::set<std::string>& folders,
                      const std::vector<std::string>& contents);

    std::filesystem::path folder_;
    std::vector<File> files_;
    std::map<std::string, FileNo> names_;  // before the run
    std::set<std::string> folders_;        // likewise
    std::vector<LoggedCall> calls_;
    // The names as they are now; while the log is read, also the files by inode.
    std::map<std::string, FileNo> now_;
    std::map<std::uint64_t, FileNo> by_inode_;
};

}  // namespace drawbridge::disk
