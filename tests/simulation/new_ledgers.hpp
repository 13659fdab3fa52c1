// New ledgers for many stories: creating the schema takes longer than many a story. The file of a story's ledger is
// used again by a later story, with the content that it had when it was new. It stays the same file, because a ledger
// notices when it is in another one.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "drawbridge/domain/time.hpp"
#include "support/temporary_folder.hpp"

namespace drawbridge::pipeline {

class NewLedgers {
  public:
    static NewLedgers& of_process();
    // Before anything uses SQLite: as the program does, without statistics of its memory. The sandbox of a simulation
    // is in the same process and would be first.
    static void prepare_library();

    // A ledger that was created at this time, closed, with its key and its high-water mark. The offices of a story have
    // different ones.
    void put_into(const std::filesystem::path& state_dir, Instant created_at, int office);
    // The ledger is closed, and the folder is not used anymore.
    void take_back(const std::filesystem::path& state_dir);

  private:
    using Which = std::pair<Instant, int>;
    struct NewLedger {
        std::filesystem::path home;                // the folder of its file while no story has it
        std::map<std::string, std::string> files;  // by name, with their content
        ino_t inode = 0;
    };
    [[nodiscard]] NewLedger create(Instant at);

    test::TemporaryFolder folder_;
    std::map<Which, NewLedger> ledgers_;
    std::map<std::filesystem::path, Which> lent_;  // by the folder of the story
    int created_ = 0;
};

}  // namespace drawbridge::pipeline
