#include "drawbridge/pages/screens.hpp"
#include "frame.hpp"
#include "parts.hpp"

namespace drawbridge::pages {
namespace {

// The page that shows what the API has at `path`.
Link page_of(const Json& match) {
    const std::string kind = text_in(match, "kind"), id = text_in(match, "id");
    if (kind == "draw") return draw_link(id);
    if (kind == "file") return file_link(id);
    if (kind == "exception") return exception_link(id);
    if (kind == "confirmation") return Link("/bank-files") / id;
    if (kind == "check") return Link("/checks") / id;
    return Link::local(text_in(match, "path")).value_or(Link("/find").with("q", id));
}

}  // namespace

std::string find_page(const PageContext& page, const std::string& wanted, const Json& found) {
    Table table("What was found", {{"Kind", Cells::fixed}, {"Which", Cells::fixed}, {"What"}});
    for (const Json& match : list_in(found, "matches")) {
        const Link target = page_of(match);
        table.row(target, {capitalized(text_in(match, "kind")), link_to(target, text_in(match, "id")),
                           text_in(match, "title")});
    }
    const auto count = static_cast<std::int64_t>(list_in(found, "matches").size());
    const Html content =
        table.empty() ? card("", empty_state("No matches.", small("Try a draw number, a trace or check number, a "
                                                                  "payment like P0000000123, a file name, at least "
                                                                  "three letters of a payee's name, an amount, or "
                                                                  "words like state:held amount:>5000.")))
                      : card("", table.html());
    return to_page(page, Frame{.title = "Find",
                               .place = "/find",
                               .heading = group(count == 0 ? std::string("No matches") : counted(count, "match"),
                                                " for ", el("q", wanted)),
                               .content = content,
                               .command = "drawbridge find TEXT",
                               .modules = {"table"}});
}

}  // namespace drawbridge::pages
