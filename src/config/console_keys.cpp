// The keys of `console`.
#include "payment_keys.hpp"

namespace drawbridge::config {
namespace {

using enum KeyKind;

constexpr Key of_console[] = {
    {.path = "console",
     .kind = section,
     .meaning = "The web console, drawbridge-console, which is a separate process. `drawbridge console open` prints a "
                "link to it. See docs/console.md."},
    {.path = "console.socket",
     .kind = file,
     .sample = "/run/drawbridge/console.sock",
     .meaning = "Where the daemon listens for the console. Default: console.sock next to admin.socket."},
    {.path = "console.user",
     .sample = "drawbridge-console",
     .meaning = "The user whose process may connect there: a user name or a number. Default: the daemon's own user."},
    {.path = "console.origin",
     .fallback = "http://localhost:8080",
     .sample = "https://drawbridge.example.gov",
     .meaning =
         "The console's address in the browser: scheme, host and port, without a path. Passkeys are bound to its host "
         "name, so a new host name invalidates all of them. Plain http is accepted for localhost only."},
    {.path = "console.site",
     .sample = "drawbridge.example.gov",
     .meaning = "The host that passkeys are for (WebAuthn's relying party id): the host of console.origin or a parent "
                "domain of it. Default: the host of console.origin."},
    {.path = "console.release",
     .fallback = "any",
     .choices = "any, signed",
     .meaning = "signed: a file is released, or sent again, only in the console, signed with a passkey; `drawbridge "
                "release` and `drawbridge deliver NAME --again` are refused."},
    {.path = "console.keys",
     .fallback = "any",
     .choices = "any, device_bound",
     .meaning = "device_bound: only passkeys that stay on one device can be enrolled, such as security keys and a "
                "computer's security chip. Passkeys that can be copied to their owner's other devices, as password "
                "managers and phones do, are refused. This is what the key claims about itself: Drawbridge asks for no "
                "attestation."},
    {.path = "console.release_code",
     .kind = section,
     .meaning = "For large files: the release in the console, or an order to send one again, needs a code that "
                "Drawbridge sends by mail, bypassing the console."},
    {.path = "console.release_code.above",
     .kind = amount,
     .sample = "50000.00",
     .meaning = "A file with a larger total needs the code. This requires alerts.email. Default: no code."},
};

}  // namespace

std::span<const Key> console_keys() {
    return of_console;
}

}  // namespace drawbridge::config
