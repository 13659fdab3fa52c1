#include "drawbridge/domain/confirmation.hpp"

#include <array>

namespace drawbridge {

std::string_view to_string(ConfirmationKind kind) {
    switch (kind) {
        case ConfirmationKind::paid: return "paid";
        case ConfirmationKind::returned: return "returned";
        case ConfirmationKind::voided: return "void";
        case ConfirmationKind::corrected: return "corrected";
        case ConfirmationKind::pending: return "pending";
        case ConfirmationKind::disputed: return "disputed";
        case ConfirmationKind::unrelated: return "unrelated";
    }
    return "unknown";
}

std::optional<ConfirmationKind> parse_confirmation_kind(std::string_view text) {
    using enum ConfirmationKind;
    constexpr std::array all{paid, returned, voided, corrected, pending, disputed, unrelated};
    for (const auto kind : all) {
        if (to_string(kind) == text) return kind;
    }
    return std::nullopt;
}

std::string_view to_string(ReferenceKind kind) {
    switch (kind) {
        case ReferenceKind::any: return "reference";
        case ReferenceKind::trace_number: return "trace number";
        case ReferenceKind::check_number: return "check number";
        case ReferenceKind::end_to_end_id: return "end-to-end id";
        case ReferenceKind::payment_id: return "payment id";
        case ReferenceKind::bank_reference: return "bank reference";
        case ReferenceKind::possible_check: return "possible check number";
    }
    return "unknown";
}

}  // namespace drawbridge
