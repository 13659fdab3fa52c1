#include "drawbridge/pages/screens.hpp"
#include "filters.hpp"
#include "frame.hpp"
#include "parts.hpp"

namespace drawbridge::pages {
namespace {

constexpr FilterChoice file_filters[] = {
    {"", "All"}, {"staged", "Waiting for release"}, {"released", "Released"}, {"voided", "Voided"}};

Html delivery_words(const PageContext& page, const Json& file) {
    const auto& delivery = field(file, "delivery");
    const std::string state = text_in(delivery, "state");
    if (state == "delivered")
        return group("at the bank", small(el("span", {{"class", "fix"}}, moment_in(page, delivery, "delivered_at"))));
    if (state == "outgoing") return "in the outgoing folder";
    const bool says_more = !state.empty() && state != "not_released" && state != "voided";
    if (says_more) return spaced(state);
    return none();
}

std::string makers_words(const Json& file) {
    std::string words;
    for (const Json& maker : list_in(file, "makers")) {
        const std::string name = person_words(text_in(maker, "by"));
        if (!name.empty() && words.find(name) == std::string::npos) words += (words.empty() ? "" : ", ") + name;
    }
    return words.empty() ? person_words(text_in(file, "started_by")) : words;
}

}  // namespace

std::string files_page(const PageContext& page, const Json& files, const Query& query) {
    Table table("Payment files, newest first", {{"File", Cells::fixed},
                                                {"State", Cells::fixed},
                                                {"Payments", Cells::number},
                                                {"Total", Cells::number},
                                                {"Made", Cells::fixed},
                                                {"Makers"},
                                                {"Delivery"}});
    std::int64_t payments = 0, waiting = 0, rows = 0, left_out = 0;
    Money total;
    for (const Json& file : list_in(files, "files")) {
        const std::string name = text_in(file, "name");
        ++rows;
        if (text_in(file, "state") == "staged") ++waiting;
        const bool is_orders = has_check_orders(file);
        if (is_orders || text_in(file, "state") == "voided") {
            ++left_out;
        } else {
            payments += count_in(file, "payments");
            total += money_in(file, "total").value_or(Money());
        }
        const Html kind = is_orders ? group(" ", tag(Tone::plain, "check orders")) : Html();
        table.row(file_link(name),
                  {group(link_to(file_link(name), name), kind), file_state_tag(text_in(file, "state")),
                   grouped(count_in(file, "payments")), amount_in(file, "total"), moment_in(page, file, "created_at"),
                   makers_words(file), delivery_words(page, file)});
    }
    table.foot({counted(rows, "file") + " shown", "", grouped(payments), amount(total),
                left_out > 0 ? "without voided files and check orders" : "", "", ""});
    const std::string state = query_value(query, "state");
    const Html content =
        table.empty() ? card("", empty_state(state == "staged" ? "No file is waiting for release."
                                                               : "No payment files match this filter.",
                                             small("Files are written at each cut-off. The calendar shows when.")))
                      : card("", table.html());
    return to_page(
        page, Frame{.title = "Files",
                    .place = "/files",
                    .heading = waiting > 0 ? Html(number_words(waiting) + (waiting == 1 ? " file is" : " files are") +
                                                  " waiting for release.")
                                           : Html("Payment files"),
                    .under = "A file goes to the bank when someone who is not one of its makers releases it.",
                    .content = group(filter_tabs(Link("/files"), "state", file_filters, state, "State"), content,
                                     pager(page, files)),
                    .command = command_with("drawbridge files", query, {"state"}),
                    .modules = {"table"}});
}

}  // namespace drawbridge::pages
