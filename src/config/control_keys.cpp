// The keys of `change_control`, and of the wait for the bank's acknowledgment.
#include "payment_keys.hpp"

namespace drawbridge::config {
namespace {

using enum KeyKind;

constexpr Key all[] = {
    {.path = "change_control",
     .kind = section,
     .choices = "off, second_person",
     .meaning =
         "Whether a changed rule file or payee file is in force at once (off), or only after two different "
         "persons accepted exactly these bytes with `drawbridge accept` (second_person). Until then the old ones "
         "stay in force. One word stands for both keys."},
    {.path = "change_control.rules",
     .fallback = "off",
     .sample = "second_person",
     .choices = "off, second_person",
     .meaning = "For rules.file."},
    {.path = "change_control.payees",
     .fallback = "off",
     .sample = "second_person",
     .choices = "off, second_person",
     .meaning = "For payees.file. A nightly feed of payees can stay off while rules need two persons."},
};

constexpr Key acknowledgment[] = {
    {.path = "pay.acknowledge_within",
     .kind = duration,
     .sample = "24h",
     .meaning =
         "So long after a file was released (delivered, where Drawbridge delivers it) the bank must have acknowledged "
         "its count and total: `drawbridge acknowledge`, or the bank's acknowledgment file. Otherwise an exception is "
         "raised and all movement of money is paused. Without it: nobody waits for one."},
};

}  // namespace

std::span<const Key> control_keys() {
    return all;
}

std::span<const Key> acknowledgment_keys() {
    return acknowledgment;
}

}  // namespace drawbridge::config
