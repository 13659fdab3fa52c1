// What is written into a draw's own fields when its payment goes out, is confirmed, or comes back: texts with
// {placeholders} from the configuration, for people who look at the draw in the portal.
//
// A template is checked when the configuration is read; expanding it then never fails.
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

// By the placeholder's name: trace_number, check_number, payment_id, amount, file_name, effective_date; of a
// confirmation or return also bank_date; of a return also settlement_date (when it counted as paid before), return_code
// and return_reason. What a payment does not have is nothing.
using WriteBackValues = std::map<std::string, std::string, std::less<>>;

class WriteBackTemplate {
  public:
    // The error says which placeholder is not known at that event, and what was probably meant.
    [[nodiscard]] static Result<WriteBackTemplate> parse(std::string_view text, WriteBackEvent event);
    [[nodiscard]] std::string expand(const WriteBackValues& values) const;
    // A text that this template can have made for some payment. False for every text where the template names no
    // payment, check, trace or file: anybody can have written that.
    [[nodiscard]] bool could_have_made(std::string_view text) const;

  private:
    std::string text_;
    std::shared_ptr<const re2::RE2> made_by_it_;  // empty: the template names no payment
};

// For each event, the template of each field.
using WriteBack = std::map<WriteBackEvent, std::map<std::string, WriteBackTemplate>>;

}  // namespace drawbridge::disbursement
