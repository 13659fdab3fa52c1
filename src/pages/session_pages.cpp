// Before anybody is signed in.
#include "drawbridge/pages/screens.hpp"
#include "frame.hpp"
#include "parts.hpp"

namespace drawbridge::pages {
namespace {

Html error_text() {
    return el("p", {{"class", "error-text"}, {"role", "alert"}, {"hidden", true}});
}

Html needs_script() {
    return el("p", {{"class", "small"}, {"data-needs-script", ""}}, "This step needs JavaScript.");
}

Html door(std::string_view heading, const Html& content) {
    return el("section", {{"class", "door"}}, el("h1", heading), content);
}

}  // namespace

std::string sign_in_page(const PageContext& page, const std::string& next) {
    const std::string target = Link::local(next) ? next : "/";
    const Html form = el(
        "form", {{"method", "post"}, {"action", Link("/sign-in")}, {"data-sign-in", ""}, {"data-next", target}},
        error_text(), el("button", {{"type", "submit"}, {"class", "main wide"}}, icon("key"), "Sign in with a passkey"),
        needs_script());
    return to_page(
        page, Plain{.title = "Sign in",
                    .content = door("Sign in", group(el("p",
                                                        "Use the passkey that you enrolled on this computer "
                                                        "or on a security key."),
                                                     form,
                                                     el("p", {{"class", "small"}}, "Just looking? On the server, run ",
                                                        el("code", "drawbridge console open")),
                                                     el("p", {{"class", "small"}},
                                                        "No passkey yet? Ask an admin for an invitation."))),
                    .modules = {"sign_in"}});
}

std::string open_page(const PageContext& page) {
    return to_page(page,
                   Plain{.title = "Opening",
                         .content = door("Opening a read-only session",
                                         group(el("p", {{"data-open-link", ""}, {"role", "status"}}, "One moment…"),
                                               error_text(), needs_script())),
                         .modules = {"open"}});
}

std::string enroll_page(const PageContext& page) {
    const Html form =
        el("form", {{"method", "post"}, {"action", Link("/enroll")}, {"data-enroll", ""}},
           el("p", {{"data-enroll-person", ""}, {"role", "status"}}, "Reading your invitation…"),
           input({.name = "label",
                  .label = "Name of this key",
                  .value = "",
                  .hint = "For example: office laptop",
                  .is_required = true,
                  .max_length = "60"},
                 "enroll"),
           error_text(), el("button", {{"type", "submit"}, {"class", "main wide"}}, icon("key"), "Make a passkey"),
           needs_script());
    const Html done =
        el("div", {{"data-enrolled", ""}, {"hidden", true}},
           el("p", "Your passkey is made. Read this fingerprint to an admin who did not invite you, who confirms it:"),
           el("p", {{"class", "fingerprint mono"}, {"data-fingerprint", ""}}),
           el("p", {{"class", "small"}}, "They run ",
              el("code", {{"data-confirm-command", ""}}, "drawbridge people confirm FINGERPRINT --reason …"),
              ". Until then you cannot sign in with it."),
           el("a", {{"class", "button main"}, {"href", Link("/sign-in")}}, "Sign in"));
    return to_page(page, Plain{.title = "Make a passkey",
                               .content = door("Make your passkey", group(form, done)),
                               .modules = {"enroll"}});
}

}  // namespace drawbridge::pages
