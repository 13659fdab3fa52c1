// One payment file: whether I may release it and why, its control totals as the bank's receipt has them, new payees
// first.
#include <algorithm>
#include <utility>
#include <vector>

#include "drawbridge/pages/screens.hpp"
#include "frame.hpp"
#include "parts.hpp"

namespace drawbridge::pages {
namespace {

bool is_new(const Json& payment) {
    return flag_in(payment, "first_time");
}

// The parts of the page, each with the key that leads to it. All of them are shown: paper has no tabs.
class Parts {
  public:
    void add(std::string_view id, std::string_view name, const Html& content) {
        if (content.empty()) return;
        const std::string key = std::to_string(++count_);
        tabs_ += el("li", el("a", {{"href", Link::here(id)}, {"data-key", key}}, name, key_hint(page_, key)));
        parts_ += el("div", {{"id", id}}, content);
    }
    explicit Parts(const PageContext& page) : page_(page) {}
    [[nodiscard]] Html html() const {
        return group(el("nav", {{"class", "tabs"}, {"aria-label", "Parts of this page"}}, el("ul", tabs_)), parts_);
    }

  private:
    const PageContext& page_;
    Html tabs_, parts_;
    int count_ = 0;
};

Html control_totals(const PageContext& page, const Json& answer) {
    const auto& file = field(answer, "file");
    const auto& control = field(answer, "control");
    const bool is_ach = text_in(file, "rail") == "ach";
    const auto credits = money_in(control, "credits");
    Facts facts;
    facts.number(is_ach ? "Total credits" : "Total", el("b", amount(credits ? credits : money_in(file, "total"))));
    if (is_ach) {
        facts.number("Total debits", amount(money_in(control, "debits").value_or(Money())));
        facts.number("Entries and addenda",
                     grouped(number_in(control, "entry_addenda_count")
                                 .value_or(count_in(file, "payments") + count_in(file, "prenotes"))));
        facts.number("Entry hash", mono(text_in(file, "entry_hash")));
        if (control.is_object()) {
            facts.number("Batches", text_in(control, "batch_count"));
            facts.number("Blocks", text_in(control, "block_count"));
        }
    } else {
        facts.number(has_check_orders(file) ? "Check orders" : "Checks", grouped(count_in(file, "payments")));
    }
    if (count_in(file, "prenotes") > 0) facts.number("Of these, prenotes", std::to_string(count_in(file, "prenotes")));
    facts.number("SHA-256", hash(text_in(file, "sha256")));
    const std::string copied = "total " + text_in(file, "total") + ", payments " + text_in(file, "payments") +
                               ", entry hash " + text_in(file, "entry_hash");
    return card(
        "Control totals", facts.html(), Tone::plain,
        el("button",
           {{"type", "button"}, {"class", "quiet copy"}, {"data-copy", copied}, {"data-key", "c"}, {"hidden", true}},
           "Copy", key_hint(page, "c")));
}

Html hands(const PageContext& page, const Json& answer) {
    const auto& file = field(answer, "file");
    Facts facts;
    facts.text("Created",
               group(moment_in(page, file, "created_at"), " by ", person_words(text_in(file, "started_by"))));
    for (const Json& maker : list_in(file, "makers"))
        facts.text(person_words(text_in(maker, "by")), text_in(maker, "hand"));
    const auto released = instant_in(file, "released_at");
    const std::string ordered_by = text_in(file, "release_ordered_by");
    if (!ordered_by.empty()) {
        facts.text(released ? "Released" : "Release ordered",
                   group(released ? moment(page, released) : moment_in(page, file, "release_ordered_at"), " by ",
                         person_words(ordered_by)));
    }
    const std::string why_released = text_in(file, "release_reason");
    if (!why_released.empty()) facts.text("Reason", why_released);
    if (const auto voided = instant_in(file, "voided_at"))
        facts.text("Voided", group(moment(page, voided), " by ", person_words(text_in(file, "voided_by"))));
    const std::string why_voided = text_in(file, "void_reason");
    if (!why_voided.empty()) facts.text("Reason", why_voided);
    return card("Makers", facts.html());
}

std::string difference_words(std::int64_t difference) {
    return (difference >= 0 ? "+" : "−") + std::to_string(difference >= 0 ? difference : -difference);
}

Html comparison(const PageContext& page, const Json& answer) {
    const auto& file = field(answer, "file");
    if (has_check_orders(file)) return {};  // it pays nobody
    const auto& fresh = field(answer, "first_time_payees");
    Facts facts;
    if (fresh.is_object()) {
        const auto count = count_in(fresh, "count");
        facts.number("New payees",
                     count == 0 ? tag(Tone::good, "none")
                                : group(tag(Tone::wait, std::to_string(count)), " ", amount_in(fresh, "amount")));
    }
    if (const auto largest = money_in(answer, "largest_payment")) facts.number("Largest payment", amount(largest));
    const auto& before = field(answer, "earlier_file");
    if (before.is_object()) {
        const auto more = money_in(file, "total").value_or(Money()) - money_in(before, "total").value_or(Money());
        const std::string change = (more.cents() >= 0 ? "+" : "") + money_words(more);
        facts.number("Previous file", link_to(file_link(text_in(before, "name")), text_in(before, "name")));
        facts.number("Payments, compared", difference_words(count_in(file, "payments") - count_in(before, "payments")));
        facts.number("Total, compared", change);
        facts.number("Largest there", amount_in(before, "largest"));
    }
    for (const Json& date : list_in(answer, "effective_entry_dates")) {
        if (const auto settles = parse_date(text_of(date))) facts.number("Settles", day(page, *settles));
    }
    return facts.empty() ? Html() : card("Compared with the previous file", facts.html());
}

Html batches_card(const PageContext& page, const Json& answer) {
    Table table("Batches of this file", {{"Batch", Cells::fixed},
                                         {"Class", Cells::fixed},
                                         {"Settles", Cells::fixed},
                                         {"Payments", Cells::number},
                                         {"Prenotes", Cells::number},
                                         {"Addenda", Cells::number},
                                         {"Debits", Cells::number},
                                         {"Credits", Cells::number}});
    for (const Json& batch : list_in(answer, "batches")) {
        table.row({text_in(batch, "number"), text_in(batch, "sec_code"), day_in(page, batch, "effective_entry_date"),
                   grouped(count_in(batch, "payments")), grouped(count_in(batch, "prenotes")),
                   grouped(count_in(batch, "addenda")), amount_in(batch, "debits"), amount_in(batch, "credits")});
    }
    return table.empty() ? Html() : card("Batches", table.html());
}

Html delivery(const PageContext& page, const Json& file) {
    const auto& delivery = field(file, "delivery");
    if (!delivery.is_object() || text_in(delivery, "state") == "not_released") return {};
    Facts facts;
    facts.text("State", spaced(text_in(delivery, "state")));
    facts.text("Method", text_in(delivery, "by") == "sftp" ? "SFTP " + text_in(delivery, "server") : "outgoing folder");
    if (!text_in(delivery, "encrypted_to").empty()) facts.text("Encrypted to", mono(text_in(delivery, "encrypted_to")));
    if (!text_in(delivery, "last_problem").empty())
        facts.text("Last problem", group(tag(Tone::alarm, "failed"), " ", text_in(delivery, "last_problem")));
    Html steps;
    for (const Json& step : list_in(delivery, "steps")) {
        const std::string what = text_in(step, "step") == "again"
                                     ? "Upload again ordered by " + person_words(text_in(step, "by"))
                                     : capitalized(spaced(text_in(step, "step")));
        steps += el("li", el("span", {{"class", "t"}}, moment_in(page, step, "at")), el("span", {{"class", "d"}}),
                    el("div", el("p", what), small(text_in(step, "detail"))));
    }
    for (const Json& one : list_in(file, "evidence")) {
        steps += el("li", {{"class", "good"}}, el("span", {{"class", "t"}}, moment_in(page, one, "at")),
                    el("span", {{"class", "d"}}),
                    el("div", el("p", "Received by the bank: ", spaced(text_in(one, "kind"))),
                       small(group(text_in(one, "detail"), ", ", person_words(text_in(one, "by"))))));
    }
    return card("Delivery", group(facts.html(), steps.empty() ? Html() : el("ol", {{"class", "time"}}, steps)));
}

Html take_out_act(const PageContext& page, const Json& file) {
    const std::string state = text_in(file, "state");
    const bool can =
        (state == "planned" || state == "staged") && count_in(file, "payments") > 1 && !has_check_orders(file);
    if (!can || !has_role(page, {"operator"})) return {};
    ActForm form{.title = "Remove a payment…",
                 .path = "/payments/{payment}/void",
                 .effect =
                     "The whole file is voided, and the draw of that payment is held. The other payments go into "
                     "the next file.",
                 .button = "Sign and void"};
    form.fields.push_back({.name = "path.payment",
                           .label = "Payment",
                           .hint = "From the last column, like P0000000131",
                           .is_required = true});
    return act(page, form);
}

Html payments_card(const PageContext& page, const Json& answer) {
    const auto& file = field(answer, "file");
    std::vector<const Json*> payments;
    for (const Json& payment : list_in(answer, "payments"))
        payments.push_back(&payment);
    const bool has_new = std::ranges::any_of(payments, [](const Json* payment) { return is_new(*payment); });
    std::ranges::stable_sort(payments, [](const Json* a, const Json* b) {
        if (is_new(*a) != is_new(*b)) return is_new(*a);
        return money_in(*a, "amount").value_or(Money()) > money_in(*b, "amount").value_or(Money());
    });
    const bool is_check = text_in(file, "rail") == "check", is_orders = has_check_orders(file);
    const std::string_view title = is_orders ? "Check orders" : "Payments";
    Table table(is_orders ? "Checks that this file voids or stops" : "Payments of this file",
                {{"Payee"},
                 {"Draw", Cells::fixed},
                 {"Account", Cells::fixed},
                 {"Amount", Cells::number},
                 {"Approved by", Cells::fixed},
                 {is_check ? "Check" : "Trace number", Cells::fixed},
                 {"Payment", Cells::fixed}});
    for (const Json* payment : payments) {
        const std::string draw = text_in(*payment, "draw_id"), by = text_in(*payment, "approved_by");
        table.row(
            draw_link(draw),
            {group(text_in(*payment, "payee_name"), is_new(*payment) ? group(" ", tag(Tone::wait, "new")) : Html()),
             link_to(draw_link(draw), draw), mono(text_in(*payment, "account")), amount_in(*payment, "amount"),
             is_orders    ? none()
             : by.empty() ? Html("the portal")
                          : Html(person_words(by)),
             mono(text_in(*payment, is_check ? "check_number" : "trace_number")),
             mono(text_in(*payment, "payment_id"))});
    }
    const auto shown = static_cast<std::int64_t>(payments.size());
    const auto all = count_in(file, "payments");
    table.foot({items_words(file) + (shown < all ? ", " + std::to_string(shown) + " shown" : ""), "", "",
                amount_in(file, "total"), "", "", ""});
    const std::string order = (shown < all ? "of these " + std::to_string(shown) + ": " : "") +
                              (has_new ? "new payees first, then the largest" : "largest first");
    return card(title, group(table.html(), pager(page, answer, "payments_after")), Tone::plain,
                group(el("span", {{"class", "small"}}, order), take_out_act(page, file)));
}

Html void_act(const PageContext& page, const std::string& base) {
    if (!has_role(page, {"operator"})) return {};
    const ActForm form{.title = "Void…",
                       .path = base + "/void",
                       .effect = "The file never goes to the bank. Its draws can be paid again in another file.",
                       .button = "Sign and void",
                       .weight = Weight::danger};
    return act(page, form);
}

Html release_act(const PageContext& page, const Json& file, const std::string& base) {
    ActForm form{.title = "Release…",
                 .path = base + "/release",
                 .effect = "Drawbridge reads every draw again from the service, then sends the file to the bank: " +
                           items_words(file) + ", " + money_words(money_in(file, "total")) + ".",
                 .button = "Sign and release",
                 .key = "r",
                 .weight = Weight::main};
    for (const auto& [name, key] :
         {std::pair("expect.sha256", "sha256"), {"expect.payments:number", "payments"}, {"expect.total", "total"}})
        form.fields.push_back({.kind = Field::Kind::hidden, .name = name, .value = text_in(file, key)});
    return act(page, form);
}

Html receipt_act(const PageContext& page, const std::string& base) {
    ActForm form{.title = "The bank's receipt…",
                 .path = base + "/acknowledge",
                 .effect = "Compares the bank's receipt with this file. A difference pauses all payments.",
                 .button = "Sign and compare"};
    form.fields.push_back({.kind = Field::Kind::number,
                           .name = "payments:number",
                           .label = "Payments on the receipt",
                           .is_required = true});
    form.fields.push_back({.kind = Field::Kind::money,
                           .name = "total:amount",
                           .label = "Total on the receipt",
                           .hint = "Like 1234.50 or $1,234.50",
                           .is_required = true});
    return act(page, form);
}

Html file_acts(const PageContext& page, const Json& answer) {
    const auto& file = field(answer, "file");
    const std::string state = text_in(file, "state");
    const std::string base = file_link(text_in(file, "name")).text();
    const auto& may = field(answer, "may_release");
    Html all =
        el("button", {{"type", "button"}, {"class", "quiet"}, {"data-print", ""}, {"data-key", "s"}, {"hidden", true}},
           icon("print"), "Print", key_hint(page, "s"));
    if (state == "planned" || state == "staged") all += void_act(page, base);
    // In a read-only session, the form leads to the sign-in; the daemon then decides again.
    const bool can_sign = flag_in(may, "ok") || (only_reads(page) && has_role(page, {"releaser"}));
    if (state == "staged" && can_sign) all += release_act(page, file, base);
    if (state == "released" && has_role(page, {"operator", "finance"})) all += receipt_act(page, base);
    return all;
}

Html may_words(const PageContext& page, const Json& answer) {
    const auto& may = field(answer, "may_release");
    if (!may.is_object() || text_in(field(answer, "file"), "state") != "staged") return {};
    std::string because = text_in(may, "because");
    const std::string name = text_in(field(answer, "file"), "name") + ": ";  // the page's own heading
    if (because.starts_with(name)) because.erase(0, name.size());
    because = sentence(because);
    if (!because.empty() && !because.ends_with('.')) because += '.';
    if (flag_in(may, "ok")) {
        return why(group(el("b", "You may release this file. "), because), Tone::good);
    }
    const std::string lead =
        page.me.is_null() || only_reads(page) ? "This session may not release it. " : "You may not release this file. ";
    return why(group(el("b", lead), because), Tone::wait);
}

// For the paper that is signed and kept, where an office does that.
Html release_sheet() {
    return el("section", {{"class", "sheet"}, {"aria-hidden", "true"}}, el("p", "Compared with the bank's receipt by"),
              el("p", {{"class", "line"}}, "Name, date"), el("p", "Released by"),
              el("p", {{"class", "line"}}, "Name, date"));
}

}  // namespace

std::string file_page(const PageContext& page, const Json& answer) {
    const auto& file = field(answer, "file");
    const std::string name = text_in(file, "name"), state = text_in(file, "state");
    Html under = file_state_tag(state);
    const auto deadline = instant_in(answer, "settlement_deadline");
    if (state == "staged" && deadline) {
        under += group(" Release by ", el("b", moment(page, deadline)), " (", countdown(page, *deadline),
                       ") to settle in time");
    }
    const std::string waits = text_in(file, "release_waits_for");
    if (!waits.empty()) under += group(" ", tag(Tone::wait, "release waits"), " ", waits);
    Parts parts(page);
    parts.add("totals", "Totals",
              el("div", {{"class", "cols three"}}, control_totals(page, answer), hands(page, answer),
                 comparison(page, answer)));
    parts.add("batches", "Batches", batches_card(page, answer));
    parts.add("payments", has_check_orders(file) ? "Check orders" : "Payments", payments_card(page, answer));
    parts.add("delivery", "Delivery", delivery(page, file));
    return to_page(page, Frame{.title = name,
                               .place = "/files",
                               .crumbs = link_to(Link("/files"), "Files"),
                               .heading = group(el("span", {{"class", "fix"}}, name), " ",
                                                el("span", {{"class", "beside-title"}}, amount_in(file, "total"))),
                               .under = under,
                               .acts = file_acts(page, answer),
                               .content = group(may_words(page, answer), parts.html(), release_sheet()),
                               .command = state == "staged" ? "drawbridge release " + name + " --reason \"…\""
                                                            : "drawbridge file " + name,
                               .modules = {"table"}});
}

}  // namespace drawbridge::pages
