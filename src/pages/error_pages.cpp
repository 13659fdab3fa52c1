// What went wrong, and what to do: never a dead end.
#include "drawbridge/pages/screens.hpp"
#include "drawbridge/text/show.hpp"
#include "frame.hpp"
#include "parts.hpp"

namespace drawbridge::pages {
namespace {

struct ErrorWords {
    std::string_view heading, what_to_do;
};

ErrorWords words_for(int status) {
    switch (status) {
        case 400: return {"That request is not valid", "Go back, correct it and try again. Nothing was changed."};
        case 401: return {"Your session has ended", "Sign in again. Nothing was changed."};
        case 403: return {"You may not do that", "Someone with the right role can. Nothing was changed."};
        case 404:
            return {"There is nothing here",
                    "The number may be mistyped, or the link is old. Find searches everything."};
        case 409: return {"It changed since you opened it", "Look at it again. Nothing was changed."};
        case 413: return {"That is too large", "Split the file, or hand it in on the server."};
        case 503: return {"Drawbridge cannot do that right now", "Try again in a moment."};
        case 504: return {"That took too long", "Check whether it was done before you try again."};
        default: return {"Something went wrong", "Check whether it was done before you try again, and report it."};
    }
}

}  // namespace

std::string away_page(const PageContext& page) {
    return to_page(
        page,
        Plain{.title = "The daemon does not answer",
              .content = el("section", {{"class", "door"}}, icon("exception"), el("h1", "The daemon does not answer"),
                            el("p",
                               "The console works, but Drawbridge itself does not answer on its socket. "
                               "Payments that were released are with the bank; nothing new moves."),
                            el("p", {{"class", "small"}}, "On the server: ", el("code", "systemctl status drawbridge")),
                            el("a", {{"class", "button main"}, {"href", Link::local(page.path).value_or(Link("/"))}},
                               "Try again")),
              .modules = {"retry"}});
}

std::string error_page(const PageContext& page, int status, const Json& error) {
    const auto words = words_for(status);
    const std::string message = text::without_route(text_in(field(error, "error"), "message"));
    const Html said =
        message.empty() ? Html()
                        : why(with_code(sentence(message)), status == 403 || status == 409 ? Tone::wait : Tone::alarm);
    const Html go =
        status == 401
            ? el("a", {{"class", "button main"}, {"href", Link("/sign-in").with("next", page.path)}}, "Sign in")
            : el("a", {{"class", "button main"}, {"href", Link("/")}}, "Today");
    const Html content = el("section", {{"class", "door"}}, el("h1", words.heading), said, el("p", words.what_to_do),
                            el("div", {{"class", "row"}}, go));
    return to_page(page, Plain{.title = std::string(words.heading), .content = content});
}

}  // namespace drawbridge::pages
