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
    struct Entry {  // as written
        std::string amount, side, status;
    };

    // Receives each text of the message in order; the summary comes before the entries.
    void read(const XmlPath& path, std::string_view text);
    void add(const Entry& entry, int line);
    // Call at the end of a statement: reports differences and starts over. A summary may leave out pending entries. The
    // summary of a page may be that of the whole statement, so it is not compared.
    void compare(text::DiagnosticReport& report);

  private:
    struct Sum {
        std::int64_t count = 0;
        std::int64_t sum = 0;  // in hundred-thousandths: an amount has at most five decimals
    };
    struct Part {
        std::string stated_count, stated_sum;  // empty: not stated
        Sum whole, without_pending;
        bool has_sum = true;  // false: an amount is not a number, or too large
    };

    Part all_, credits_, debits_;
    int last_line_ = 0;
    bool is_page_ = false;  // of several: by the message's or the statement's pagination
};

}  // namespace drawbridge::statements
