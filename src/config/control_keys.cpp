// The keys of `change_control`.
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

}  // namespace

std::span<const Key> control_keys() {
    return all;
}

}  // namespace drawbridge::config
