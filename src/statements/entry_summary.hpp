// What a camt statement says its entries come to (TxsSummry), held against the entries. Private to this module.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "drawbridge/text/diagnostic.hpp"
#include "xml_elements.hpp"

namespace drawbridge::statements {

class EntrySummary {
  public:
    // A text of the statement, as it goes by; the summary stands before the entries.
    void read(const XmlPath& path, std::string_view text);
    // An entry: its amount and CRDT or DBIT, as written.
    void add(std::string_view amount, std::string_view side, int line);
    // At the end of a statement: complains of what does not agree, and begins anew.
    void compare(text::DiagnosticReport& report);

  private:
    struct Part {
        std::string said_count, said_sum;  // empty: not said
        std::int64_t count = 0;
        std::int64_t sum = 0;  // in hundred thousandths: an amount has five decimals at most
    };

    Part all_, credits_, debits_;
    int last_line_ = 0;
    bool is_unreadable_ = false;  // an amount was: no sum can be told
};

}  // namespace drawbridge::statements
