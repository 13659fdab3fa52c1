// The keys of `console`.
#include "payment_keys.hpp"

namespace drawbridge::config {
namespace {

using enum KeyKind;

constexpr Key of_console[] = {
    {.path = "console",
     .kind = section,
     .meaning = "The web console, drawbridge-console, a process of its own. `drawbridge console open` prints a link to "
                "it. See docs/console.md."},
    {.path = "console.socket",
     .kind = file,
     .sample = "/run/drawbridge/console.sock",
     .meaning = "Where the daemon listens for the console. Without the key: console.sock beside admin.socket."},
    {.path = "console.user",
     .sample = "drawbridge-console",
     .meaning = "The user whose process may connect there; a user name or a number. Without the key: the daemon's own "
                "user."},
    {.path = "console.origin",
     .fallback = "http://localhost:8080",
     .sample = "https://drawbridge.example.gov",
     .meaning = "What browsers show for the console: scheme, host and port, without a path. Passkeys sign for it, so a "
                "new host name voids them all. Plain http is accepted for localhost only."},
    {.path = "console.site",
     .sample = "drawbridge.example.gov",
     .meaning = "The host that passkeys are for (WebAuthn's relying party id): the host of console.origin or a domain "
                "above it. Without the key: the host of console.origin."},
    {.path = "console.release",
     .fallback = "any",
     .choices = "any, signed",
     .meaning = "signed: a file is released only in the console, signed with a passkey; `drawbridge release` is "
                "refused."},
    {.path = "console.keys",
     .fallback = "any",
     .choices = "any, device_bound",
     .meaning = "device_bound: a passkey that can be copied to other devices of its owner, as password managers and "
                "phones do, is not enrolled; security keys and those in a computer's chip are."},
    {.path = "console.release_code",
     .kind = section,
     .meaning = "For large files: the release in the console needs a code that goes by mail, past the console."},
    {.path = "console.release_code.above",
     .kind = amount,
     .sample = "50000.00",
     .meaning = "A file with a larger total needs the code. Without the key: no code. It needs alerts.email."},
};

}  // namespace

std::span<const Key> console_keys() {
    return of_console;
}

}  // namespace drawbridge::config
