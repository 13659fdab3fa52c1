// Candidate payments for a bank line that matches none exactly, with a score and reasons, for a person to review.
// Nothing is ever applied because of a score.
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
    std::string obstacle;              // why the line still cannot be applied to this payment; empty: it can
    friend bool operator==(const Proposal&, const Proposal&) = default;
};

inline constexpr int min_score = 40;
inline constexpr std::size_t max_proposals = 10;

// How similar two references are, from 0 (not at all) to 35, and the reason. Public for its table-driven test.
struct Similarity {
    int score = 0;
    std::string because;
    friend bool operator==(const Similarity&, const Similarity&) = default;
};
[[nodiscard]] Similarity reference_similarity(std::string_view written, std::string_view ours);
// How similar two names are, from 0 to 10, ignoring case, punctuation and word order.
[[nodiscard]] Similarity name_similarity(std::string_view written, std::string_view ours);

// Proposals with at least `min_score`, best first, at most `max_proposals`. With equal scores, the older payment comes
// first.
[[nodiscard]] std::vector<Proposal> propose(const Confirmation& line, const std::vector<NearPayment>& candidates,
                                            BusinessDate today);

// What the line would do if a person assigned it to this payment: match() with every check except the reference. A
// check may be paid although it was voided or stopped by our order, and a line that names the payment may be dated
// before its release.
[[nodiscard]] Match match_to(const Confirmation& line, const OpenPayment& payment, BusinessDate today);

}  // namespace drawbridge::reconciliation
