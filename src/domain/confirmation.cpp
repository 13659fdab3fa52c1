#include "drawbridge/domain/confirmation.hpp"

namespace drawbridge {

std::string_view to_string(ConfirmationKind kind) {
    switch (kind) {
        case ConfirmationKind::paid: return "paid";
        case ConfirmationKind::returned: return "returned";
        case ConfirmationKind::voided: return "void";
    }
    return "unknown";
}

}  // namespace drawbridge
