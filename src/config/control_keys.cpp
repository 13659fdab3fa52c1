// The keys of `change_control`, and `pay.acknowledge_within`.
#include "payment_keys.hpp"

namespace drawbridge::config {
namespace {

using enum KeyKind;

constexpr Key all[] = {
    {.path = "change_control",
     .kind = section,
     .choices = "off, second_person",
     .meaning = "When a changed rule file or payee file takes effect. off: at once. second_person: after two different "
                "people have accepted exactly these bytes with `drawbridge accept`; until then the old file stays in "
                "effect. A single value sets both keys."},
    {.path = "change_control.rules",
     .fallback = "off",
     .sample = "second_person",
     .choices = "off, second_person",
     .meaning = "For rules.file."},
    {.path = "change_control.payees",
     .fallback = "off",
     .sample = "second_person",
     .choices = "off, second_person",
     .meaning = "For payees.file. A nightly payee feed can stay off while rules need two people."},
};

constexpr Key acknowledgment[] = {
    {.path = "pay.acknowledge_within",
     .kind = duration,
     .low = "1m",
     .high = "60d",
     .sample = "24h",
     .meaning =
         "The bank must acknowledge the count and total of a file within this time after its release (its delivery, if "
         "Drawbridge delivers it), with an acknowledgment file or `drawbridge acknowledge`. Otherwise Drawbridge "
         "raises an exception and pauses all movement of money. Default: no acknowledgment is expected."},
};

}  // namespace

std::span<const Key> control_keys() {
    return all;
}

std::span<const Key> acknowledgment_keys() {
    return acknowledgment;
}

}  // namespace drawbridge::config
