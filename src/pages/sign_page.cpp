// The last look before a signature. The text is the daemon's, word for word: it is what the passkey signs.
#include "drawbridge/pages/screens.hpp"
#include "frame.hpp"
#include "parts.hpp"

namespace drawbridge::pages {

namespace {

Html code_field() {
    return input({.kind = Field::Kind::number,
                  .name = "release_code",
                  .label = "Release code",
                  .hint = "From the email with the totals.",
                  .is_required = true},
                 "sign");
}

}  // namespace

std::string sign_page(const PageContext& page, const Json& challenge, const std::string& next) {
    const auto expires = instant_in(challenge, "expires");
    const Html valid =
        expires ? small(group("Valid until ", time_words(page, *expires), ", ", countdown(page, *expires), "."))
                : Html();
    const Html form = el(
        "form",
        {{"method", "post"},
         {"action", Link("/sign")},
         {"data-sign", text_in(challenge, "act_id")},
         {"data-challenge", text_in(challenge, "challenge")},
         {"data-rp-id", text_in(challenge, "rp_id")},
         {"data-credentials", list_in(challenge, "credentials").dump(-1, ' ', false, Json::error_handler_t::replace)},
         {"data-next", next}},
        flag_in(challenge, "release_code_wanted") ? code_field() : Html(),
        el("p", {{"class", "error-text"}, {"role", "alert"}, {"hidden", true}}),
        el("div", {{"class", "row"}},
           el("a", {{"class", "button"}, {"href", Link::local(next).value_or(Link("/"))}}, "Do not sign"),
           el("button", {{"type", "submit"}, {"class", "main"}, {"data-sign-now", ""}, {"hidden", true}}, icon("key"),
              "Sign with your passkey")),
        el("p", {{"class", "small"}, {"data-needs-script", ""}},
           "Passkeys need JavaScript. Turn it on for this address, or use the command line."));
    return to_page(page, Frame{.title = "Sign",
                               .place = "",
                               .heading = "Review what you sign.",
                               .under = "Your passkey signs this text and nothing else.",
                               .content = card("", group(el("pre", {{"class", "signed-text"}},
                                                            Html::with_lines(text_in(challenge, "text"))),
                                                         valid, form))});
}

}  // namespace drawbridge::pages
