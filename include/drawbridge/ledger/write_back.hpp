// Texts that go into a draw's own fields: the intent is made in the transaction of the fact that they tell of, the
// texts are recorded before they are sent, and each field gets one outcome. They never stand in the way of
// disbursedDate.
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
#include "drawbridge/ledger/ledger.hpp"

namespace drawbridge::ledger {

// From here on the facts of just these events leave an intent. In a transaction.
void enable_write_back(Ledger& ledger, const std::set<disbursement::WriteBackEvent>& events, const Stamp& stamp);

struct WriteBackField {
    std::string field;
    std::string value;
    bool has_outcome = false;
    // What the draw's field may hold without a person having changed it: what it held when the payment was planned, and
    // what an earlier write-back left there. Absent: the service does not show this field.
    std::vector<std::string> expected = {};
};

struct OpenWriteBack {
    std::int64_t write_back_id = 0;
    DrawId draw_id = 0;
    std::int64_t payment_id = 0;
    disbursement::WriteBackEvent event = disbursement::WriteBackEvent::export_;
    bool is_true = true;  // the fact stands; false: a person took it back
    int attempts = 0;
    std::optional<Instant> last_attempt_at;
    std::vector<WriteBackField> fields;  // empty: no texts yet
};
// Of each draw the oldest that is not finished, by age.
[[nodiscard]] std::vector<OpenWriteBack> open_write_backs(Ledger& ledger);
// One of them with its texts as they stand now.
[[nodiscard]] std::vector<WriteBackField> write_back_texts(Ledger& ledger, const OpenWriteBack& open);
[[nodiscard]] disbursement::WriteBackValues write_back_values(Ledger& ledger, const OpenWriteBack& open,
                                                              const TimeZone& zone);

// It has sent that text to that field of the draw, or was about to.
[[nodiscard]] bool knows_write_back(Ledger& ledger, DrawId draw_id, std::string_view field, std::string_view text);

// These in a transaction.
void record_write_back_texts(Ledger& ledger, const OpenWriteBack& open, const std::map<std::string, std::string>& texts,
                             const Stamp& stamp);
enum class FieldOutcome {
    written,        // the service took it
    already_there,  // and showed it before it was sent
    refused,        // it does not take this field, or this text
    overtaken,      // a person changed the field, or the fact was taken back: it was not sent
};
[[nodiscard]] std::string_view to_string(FieldOutcome outcome);
// `shown`: what the service shows of it now, where it shows the field.
void record_field_outcome(Ledger& ledger, const OpenWriteBack& open, const std::string& field, FieldOutcome outcome,
                          std::string_view detail, const std::optional<std::string>& shown, const Stamp& stamp);
void record_write_back_attempt(Ledger& ledger, const OpenWriteBack& open, std::string_view outcome,
                               std::string_view detail, Instant at);
void finish_write_back(Ledger& ledger, const OpenWriteBack& open, const Stamp& stamp);

}  // namespace drawbridge::ledger
