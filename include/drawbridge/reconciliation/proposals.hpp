// Which payments a line that fits none exactly may mean: for a person to look at, with a score and the reasons for it.
// Nothing is ever applied on a score.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/confirmation.hpp"
#include "drawbridge/reconciliation/match.hpp"

namespace drawbridge::reconciliation {

struct NearPayment {
    OpenPayment payment;
    std::string payee_name;
    std::optional<BusinessDate> due_on;  // effective entry date or check date
};

struct Proposal {
    std::int64_t payment_id = 0;
    std::string payment_id_text;
    int score = 0;                     // 0 to 100
    std::vector<std::string> because;  // "the amount is the same"
    std::string obstacle;              // why it can't be applied to this payment all the same; empty: it can
    friend bool operator==(const Proposal&, const Proposal&) = default;
};

inline constexpr int least_score = 40;
inline constexpr std::size_t max_proposals = 10;

// How near two references are, 0 (not at all) to 35, and why in words. Public for its table of cases.
struct Nearness {
    int score = 0;
    std::string because;
    friend bool operator==(const Nearness&, const Nearness&) = default;
};
[[nodiscard]] Nearness reference_nearness(std::string_view written, std::string_view ours);
// The same for names, 0 to 10: case, punctuation and the order of words aside.
[[nodiscard]] Nearness name_nearness(std::string_view written, std::string_view ours);

// Of `least_score` at least, the best first, at most `max_proposals`; for one score the older payment first.
[[nodiscard]] std::vector<Proposal> propose(const Confirmation& line, const std::vector<NearPayment>& candidates,
                                            BusinessDate today);

// What the line would do if a person said that it means this payment: match() with every check, but for the reference.
[[nodiscard]] Match match_to(const Confirmation& line, const OpenPayment& payment, BusinessDate today);

}  // namespace drawbridge::reconciliation
