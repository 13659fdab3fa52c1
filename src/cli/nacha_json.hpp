// Prints a NACHA file as JSON on stdout, record by record. It keeps only one batch header and one entry in memory.
// Account numbers are masked. Private to this module.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

#include "drawbridge/nacha/describe.hpp"

namespace drawbridge::cli {

class NachaJson {
  public:
    // Prints at most `entries_shown` entries per batch.
    explicit NachaJson(std::int64_t entries_shown) : entries_shown_(entries_shown) {}
    void add(const nacha::Record& record);
    void finish(const nacha::ReadSummary& summary);

  private:
    void begin();
    void begin_next_file();
    void end_entry();
    void end_batch();
    void end_contents();

    std::int64_t entries_shown_;
    std::int64_t entries_ = 0;  // of the current batch
    bool is_begun_ = false, in_contents_ = false, in_batch_ = false;
    bool has_header_ = false, has_next_files_ = false;
    nlohmann::json entry_;  // null: no current entry
    nacha::Masking masking_;
};

}  // namespace drawbridge::cli
