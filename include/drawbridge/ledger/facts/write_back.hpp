// Texts written back into a draw's own fields. The intent is recorded in the transaction of the fact, the texts before
// they are sent, and each field gets one outcome. Write-back never delays disbursedDate.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/disbursement/write_back.hpp"
#include "drawbridge/domain/draw.hpp"
#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

// From now on only facts of these events record an intent. In a transaction.
void enable_write_back(Ledger& ledger, const std::set<disbursement::WriteBackEvent>& events, const Stamp& stamp);

struct WriteBackField {
    std::string field;
    std::string value;
    bool has_outcome = false;
    // What the draw's field may contain unless a person changed it: its content when the payment was planned, and what
    // an earlier write-back left there. Empty: the service does not show this field.
    std::vector<std::string> expected = {};
};

struct OpenWriteBack {
    std::int64_t write_back_id = 0;
    DrawId draw_id = 0;
    std::int64_t payment_id = 0;
    disbursement::WriteBackEvent event = disbursement::WriteBackEvent::export_;
    bool is_true = true;  // false: a person undid the fact
    int attempts = 0;
    std::optional<Instant> last_attempt_at;
    std::vector<WriteBackField> fields;  // empty: no texts yet
};
// The oldest unfinished write-back of each draw, oldest first.
[[nodiscard]] std::vector<OpenWriteBack> open_write_backs(Ledger& ledger);
// The texts of one write-back as they are now.
[[nodiscard]] std::vector<WriteBackField> write_back_texts(Ledger& ledger, const OpenWriteBack& open);
[[nodiscard]] disbursement::WriteBackValues write_back_values(Ledger& ledger, const OpenWriteBack& open,
                                                              const TimeZone& zone);

// True: the text was sent to that field of the draw, or was about to be.
[[nodiscard]] bool knows_write_back(Ledger& ledger, DrawId draw_id, std::string_view field, std::string_view text);

// The rest in a transaction.
void record_write_back_texts(Ledger& ledger, const OpenWriteBack& open, const std::map<std::string, std::string>& texts,
                             const Stamp& stamp);
enum class FieldOutcome {
    written,        // the service accepted it
    already_there,  // the service already showed the text
    refused,        // the service does not accept this field or this text
    overtaken,      // not sent: a person changed the field, or the fact was undone
};
[[nodiscard]] std::string_view to_string(FieldOutcome outcome);
// `shown`: what the service shows in the field now, if it shows the field.
void record_field_outcome(Ledger& ledger, const OpenWriteBack& open, const std::string& field, FieldOutcome outcome,
                          std::string_view detail, const std::optional<std::string>& shown, const Stamp& stamp);
void record_write_back_attempt(Ledger& ledger, const OpenWriteBack& open, std::string_view outcome,
                               std::string_view detail, Instant at);
void finish_write_back(Ledger& ledger, const OpenWriteBack& open, const Stamp& stamp);

}  // namespace drawbridge::ledger
