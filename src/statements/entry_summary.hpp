// Compares the entries of a camt statement with its summary (TxsSummry). Private to this module.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "drawbridge/text/diagnostic.hpp"
#include "xml_elements.hpp"

namespace drawbridge::statements {

class EntrySummary {
  public:
    // Receives each text of the statement in order; the summary comes before the entries.
    void read(const XmlPath& path, std::string_view text);
    // Adds an entry: its amount, and CRDT or DBIT, as written.
    void add(std::string_view amount, std::string_view side, int line);
    // Call at the end of a statement: reports differences and starts over.
    void compare(text::DiagnosticReport& report);

  private:
    struct Part {
        std::string stated_count, stated_sum;  // empty: not stated
        std::int64_t count = 0;
        std::int64_t sum = 0;  // in hundred-thousandths: an amount has at most five decimals
    };

    Part all_, credits_, debits_;
    int last_line_ = 0;
    bool is_unreadable_ = false;  // an amount was unreadable: there is no sum
};

}  // namespace drawbridge::statements
