// Whether CBOR may be handed to a reader that allocates what a head declares: libcbor, inside libfido2, takes memory
// for every element of an array before it has seen one. Private to this module.
#pragma once

#include <string_view>

namespace drawbridge::passkeys {

// Exactly so many items, each of a definite length or count that fits into the bytes that follow, nested 8 deep at
// most.
[[nodiscard]] bool is_bounded_cbor(std::string_view bytes, int items);

}  // namespace drawbridge::passkeys
