// pain.002: the status of a whole file, of a batch in it, and of each transaction. Private to this module.
#pragma once

#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <unordered_map>

#include "drawbridge/domain/confirmation.hpp"
#include "drawbridge/domain/time.hpp"
#include "line_sink.hpp"
#include "xml_elements.hpp"

namespace drawbridge::statements {

// `created` is the day of the message.
class PaymentStatuses {
  public:
    explicit PaymentStatuses(LineSink& sink) : sink_(sink) {}

    // Receives each text above the transactions in order.
    void read_text(const XmlPath& path, std::string_view text);
    // Receives the end of each element above the transactions.
    void read_end(const XmlPath& path, const std::optional<BusinessDate>& created);
    // OrgnlGrpInfAndSts, which comes before the transactions.
    void read_file(const pugi::xml_node& group, int line, const std::optional<BusinessDate>& created);
    void read_transaction(const pugi::xml_node& one, int line, const std::optional<BusinessDate>& created);

  private:
    // Of a file or a batch.
    struct Whole {
        std::string_view what;
        std::string id, status, reason;
    };

    // Such a status names no payment, so it applies to none. A rejection becomes a line of its own, so that nobody
    // misses it.
    void add_whole(int line, const Whole& whole, const std::optional<BusinessDate>& created);

    [[nodiscard]] bool contradicts_itself(const Confirmation& c);

    LineSink& sink_;
    std::unordered_map<std::string, ConfirmationKind> said_;  // of each payment of ours: paid, or returned
    Whole file_{.what = "file", .id = {}, .status = {}, .reason = {}};
    Whole batch_{.what = "batch", .id = {}, .status = {}, .reason = {}};
    bool batch_had_transactions_ = false;
};

}  // namespace drawbridge::statements
