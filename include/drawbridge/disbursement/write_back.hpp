// The text written into a draw's own fields when its payment is exported, confirmed or returned: {placeholders} from
// the configuration, for people who look at the draw in the portal.
//
// A template is validated when the configuration is read, so expanding it never fails.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/error.hpp"

namespace re2 {
class RE2;
}

namespace drawbridge::disbursement {

enum class WriteBackEvent { export_, confirmation, return_ };
inline constexpr WriteBackEvent write_back_events[] = {WriteBackEvent::export_, WriteBackEvent::confirmation,
                                                       WriteBackEvent::return_};
[[nodiscard]] std::string_view to_string(WriteBackEvent event);  // "export", "confirmation", "return"
[[nodiscard]] std::optional<WriteBackEvent> parse_write_back_event(std::string_view text);

// The fields that the service lets a client write: description, fieldA … admin_Description.
[[nodiscard]] const std::vector<std::string_view>& write_back_fields();

// Values by placeholder name: trace_number, check_number, payment_id, amount, file_name, effective_date; for a
// confirmation or return also bank_date; for a return also settlement_date (if it counted as paid before), return_code
// and return_reason. A value that the payment lacks expands to nothing.
using WriteBackValues = std::map<std::string, std::string, std::less<>>;

class WriteBackTemplate {
  public:
    // The error names the placeholder that is unknown at that event and suggests the closest known one.
    [[nodiscard]] static Result<WriteBackTemplate> parse(std::string_view text, WriteBackEvent event);
    [[nodiscard]] std::string expand(const WriteBackValues& values) const;
    // Whether this template may have produced the text for some payment. Always false if the template names no payment,
    // check, trace or file, since anybody could have written such text.
    [[nodiscard]] bool may_have_produced(std::string_view text) const;

  private:
    std::string text_;
    std::shared_ptr<const re2::RE2> pattern_;  // empty: the template names no payment
};

// For each event, the template of each field.
using WriteBack = std::map<WriteBackEvent, std::map<std::string, WriteBackTemplate>>;

}  // namespace drawbridge::disbursement
