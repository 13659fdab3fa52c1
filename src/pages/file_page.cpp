// One payment file: whether I may release it and why, its control totals as the bank's receipt has them, new payees
// first.
#include <algorithm>
#include <set>
#include <vector>

#include "drawbridge/pages/screens.hpp"
#include "frame.hpp"
#include "parts.hpp"

namespace drawbridge::pages {
namespace {

std::set<std::string> new_payees(const Json& answer) {
    std::set<std::string> keys;
    for (const Json& one : list_in(answer, "first_time_payees"))
        keys.insert(one.is_object() ? text_in(one, "payee_key") : text_of(one));
    return keys;
}

Html control_totals(const PageContext& page, const Json& answer) {
    const auto& file = field(answer, "file");
    const auto& control = field(answer, "control");
    Facts facts;
    const auto credits = money_in(file, "total");
    facts.number(text_in(file, "rail") == "ach" ? "Total credits" : "Total", el("b", amount(credits)));
    if (text_in(file, "rail") == "ach") {
        facts.number("Total debits", amount(Money()));
        facts.number(
            "Entries and addenda",
            std::to_string(
                number_in(control, "entry_count").value_or(count_in(file, "payments") + count_in(file, "prenotes"))));
        facts.number("Entry hash", mono(text_in(file, "entry_hash")));
    } else {
        facts.number("Checks", std::to_string(count_in(file, "payments")));
    }
    if (count_in(file, "prenotes") > 0) facts.number("Prenotes among them", std::to_string(count_in(file, "prenotes")));
    const auto& batches = list_in(answer, "batches");
    if (!batches.empty()) facts.number("Batches", std::to_string(batches.size()));
    if (const auto blocks = number_in(control, "block_count")) facts.number("Blocks", std::to_string(*blocks));
    const std::string copied = "total " + text_in(file, "total") + ", payments " + text_in(file, "payments") +
                               ", entry hash " + text_in(file, "entry_hash");
    return card(
        "Control totals", group(facts.html(), el("p", {{"class", "small"}}, "SHA-256 ", hash(text_in(file, "sha256")))),
        Tone::plain,
        el("button",
           {{"type", "button"}, {"class", "quiet copy"}, {"data-copy", copied}, {"data-key", "c"}, {"hidden", true}},
           "Copy", page.has_single_keys ? el("kbd", "c") : Html()));
}

Html hands(const PageContext& page, const Json& answer) {
    const auto& file = field(answer, "file");
    Facts facts;
    facts.text("Made", group(moment_in(page, file, "created_at"), ", by ", person_words(text_in(file, "started_by"))));
    for (const Json& maker : list_in(file, "makers"))
        facts.text(person_words(text_in(maker, "by")), text_in(maker, "hand"));
    const auto released = instant_in(file, "released_at");
    const std::string ordered_by = text_in(file, "release_ordered_by");
    if (!ordered_by.empty()) {
        facts.text("Released", group(released ? moment(page, released) : moment_in(page, file, "release_ordered_at"),
                                     ", by ", person_words(ordered_by)));
    }
    const std::string why_released = text_in(answer, "release_reason");
    if (!why_released.empty()) facts.text("Reason", why_released);
    if (const auto voided = instant_in(file, "voided_at"))
        facts.text("Voided", group(moment(page, voided), ", by ", person_words(text_in(file, "voided_by"))));
    const std::string why_voided = text_in(answer, "void_reason");
    if (!why_voided.empty()) facts.text("Reason", why_voided);
    return card("Who had a hand in it", facts.html());
}

// The file of the same rail before this one: what is usual.
const Json& file_before(const Json& files, const Json& file) {
    static const Json nothing = nullptr;
    bool is_past = false;
    for (const Json& one : list_in(files, "files")) {
        const bool is_this = text_in(one, "name") == text_in(file, "name");
        if (is_past && text_in(one, "rail") == text_in(file, "rail") && text_in(one, "state") == "released") return one;
        is_past = is_past || is_this;
    }
    return nothing;
}

std::string signed_words(std::int64_t difference) {
    return (difference >= 0 ? "+" : "−") + std::to_string(difference >= 0 ? difference : -difference);
}

Html comparison(const PageContext& page, const Json& answer, const Json& files) {
    const auto& file = field(answer, "file");
    Facts facts;
    const auto fresh = new_payees(answer).size();
    if (field(answer, "first_time_payees").is_array()) {
        facts.number("Payees never paid before",
                     fresh == 0 ? tag(Tone::good, "none") : tag(Tone::wait, std::to_string(fresh)));
    }
    Money largest;
    for (const Json& payment : list_in(answer, "payments"))
        largest = std::max(largest, money_in(payment, "amount").value_or(Money()));
    if (!largest.is_zero()) facts.number("Largest payment", amount(largest));
    const auto& before = file_before(files, file);
    if (before.is_object()) {
        const auto more = money_in(file, "total").value_or(Money()) - money_in(before, "total").value_or(Money());
        const std::string change = (more.cents() >= 0 ? "+" : "") + money_words(more);
        facts.number("Payments, against the last file",
                     signed_words(count_in(file, "payments") - count_in(before, "payments")));
        facts.number("Total, against the last file", change);
        facts.text("Last file", group(link_to(file_link(text_in(before, "name")), text_in(before, "name"))));
    }
    for (const Json& batch : list_in(answer, "batches")) {
        const auto date = date_in(batch, "effective_entry_date");
        if (!date) continue;
        facts.number("Settles " + day_words(page, *date),
                     group(std::to_string(count_in(batch, "payments")), " · ", amount_in(batch, "total")));
    }
    return facts.empty() ? Html() : card("Worth a look", facts.html());
}

Html delivery(const PageContext& page, const Json& file) {
    const auto& delivery = field(file, "delivery");
    if (!delivery.is_object()) return {};
    Facts facts;
    facts.text("State", spaced(text_in(delivery, "state")));
    facts.text("Way", text_in(delivery, "by") == "sftp" ? "SFTP " + text_in(delivery, "server") : "outgoing folder");
    if (!text_in(delivery, "encrypted_to").empty()) facts.text("Encrypted to", mono(text_in(delivery, "encrypted_to")));
    if (!text_in(delivery, "last_problem").empty())
        facts.text("Last problem", group(tag(Tone::alarm, "failed"), " ", text_in(delivery, "last_problem")));
    Html steps;
    for (const Json& step : list_in(delivery, "steps")) {
        steps += el("li", el("span", {{"class", "t"}}, moment_in(page, step, "at")), el("span", {{"class", "d"}}),
                    el("div", el("p", capitalized(spaced(text_in(step, "step")))), small(text_in(step, "detail"))));
    }
    for (const Json& one : list_in(file, "evidence")) {
        steps += el("li", {{"class", "good"}}, el("span", {{"class", "t"}}, moment_in(page, one, "at")),
                    el("span", {{"class", "d"}}),
                    el("div", el("p", "The bank has it: ", spaced(text_in(one, "kind"))),
                       small(group(text_in(one, "detail"), ", ", person_words(text_in(one, "by"))))));
    }
    return card("Delivery", group(facts.html(), steps.empty() ? Html() : el("ol", {{"class", "time"}}, steps)));
}

Html approval_words(const Json& payment) {
    const std::string by = text_in(payment, "approved_by"), rule = text_in(payment, "rule");
    if (!by.empty()) return person_words(by);
    return rule.empty() ? none() : Html("rule " + rule);
}

Html payments_card(const PageContext& page, const Json& answer) {
    const auto& file = field(answer, "file");
    const auto fresh = new_payees(answer);
    std::vector<const Json*> payments;
    for (const Json& payment : list_in(answer, "payments"))
        payments.push_back(&payment);
    std::ranges::stable_sort(payments, [&](const Json* a, const Json* b) {
        const bool new_a = fresh.contains(text_in(*a, "payee_key")), new_b = fresh.contains(text_in(*b, "payee_key"));
        if (new_a != new_b) return new_a;
        return money_in(*a, "amount").value_or(Money()) > money_in(*b, "amount").value_or(Money());
    });
    const bool is_check = text_in(file, "rail") == "check";
    Table table("Payments of this file", {{"Payee"},
                                          {"Draw", Cells::fixed},
                                          {"Account", Cells::fixed},
                                          {"Amount", Cells::number},
                                          {"Approved by"},
                                          {is_check ? "Check" : "Trace number", Cells::fixed},
                                          {"Payment", Cells::fixed}});
    for (const Json* payment : payments) {
        const std::string draw = text_in(*payment, "draw_id");
        const bool is_new = fresh.contains(text_in(*payment, "payee_key"));
        table.row(draw_link(draw),
                  {group(text_in(*payment, "payee_name"), is_new ? group(" ", tag(Tone::wait, "new")) : Html()),
                   link_to(draw_link(draw), draw), mono(text_in(*payment, "account")), amount_in(*payment, "amount"),
                   approval_words(*payment), mono(text_in(*payment, is_check ? "check_number" : "trace_number")),
                   mono(text_in(*payment, "payment_id"))});
    }
    const auto shown = static_cast<std::int64_t>(payments.size());
    const auto all = count_in(file, "payments");
    table.foot({counted(all, "payment") + (shown < all ? ", " + std::to_string(shown) + " shown" : ""), "", "",
                amount_in(file, "total"), "", "", ""});
    const std::string order = fresh.empty() ? "largest first" : "new payees first, then the largest";
    return card("Payments", group(table.html(), pager(page, answer, "payments_after")), Tone::plain,
                el("span", {{"class", "small"}}, order));
}

Html file_acts(const PageContext& page, const Json& answer) {
    const auto& file = field(answer, "file");
    const std::string state = text_in(file, "state"), name = text_in(file, "name");
    const std::string base = file_link(name).text();
    const auto& may = field(answer, "may_release");
    Html all;
    if (state == "planned" || state == "staged") {
        if (has_role(page, {"operator"})) {
            all += act(page, {.title = "Void…",
                              .path = base + "/void",
                              .effect = "The file never goes to the bank. Its draws can be paid again in another file.",
                              .button = "Sign and void",
                              .weight = Weight::danger});
        }
        const bool can_sign = flag_in(may, "ok") || (may.is_null() && has_role(page, {"releaser"}));
        if (state == "staged" && can_sign) {
            all += act(
                page,
                {.title = "Release…",
                 .path = base + "/release",
                 .effect = "Every draw is read again from the service, and then the file goes to the bank: " +
                           counted(count_in(file, "payments"), "payment") + ", " +
                           money_words(money_in(file, "total")) + ".",
                 .button = "Sign and release",
                 .key = "r",
                 .weight = Weight::main,
                 .fields = {{.kind = Field::Kind::hidden, .name = "expect.sha256", .value = text_in(file, "sha256")},
                            {.kind = Field::Kind::hidden,
                             .name = "expect.payments:number",
                             .value = text_in(file, "payments")},
                            {.kind = Field::Kind::hidden, .name = "expect.total", .value = text_in(file, "total")}}});
        }
    }
    if (state == "released" && has_role(page, {"operator", "finance"})) {
        all += act(page, {.title = "The bank's receipt…",
                          .path = base + "/acknowledge",
                          .effect = "Compares what the bank says that it has with this file. A difference pauses all "
                                    "payments.",
                          .button = "Sign and compare",
                          .fields = {{.kind = Field::Kind::number,
                                      .name = "payments:number",
                                      .label = "Payments on the receipt",
                                      .is_required = true},
                                     {.kind = Field::Kind::money,
                                      .name = "total",
                                      .label = "Total on the receipt",
                                      .hint = "As a number, like 1234.50",
                                      .is_required = true}}});
    }
    all += el("button", {{"type", "button"}, {"class", "quiet"}, {"data-print", ""}, {"hidden", true}}, icon("print"),
              "Print");
    return all;
}

Html may_words(const PageContext& page, const Json& answer) {
    const auto& may = field(answer, "may_release");
    if (!may.is_object() || text_in(field(answer, "file"), "state") != "staged") return {};
    if (flag_in(may, "ok")) {
        const std::string because = text_in(may, "because");
        return why(group(el("b", "You may release this file. "), because), Tone::good);
    }
    const std::string lead =
        page.me.is_null() || only_reads(page) ? "This session may not release it. " : "You may not release this file. ";
    return why(group(el("b", lead), text_in(may, "because")), Tone::wait);
}

// For the paper that is signed and kept, where an office does that.
Html release_sheet() {
    return el("section", {{"class", "sheet"}, {"aria-hidden", "true"}}, el("p", "Compared with the bank's receipt by"),
              el("p", {{"class", "line"}}, "Name, date"), el("p", "Released by"),
              el("p", {{"class", "line"}}, "Name, date"));
}

}  // namespace

std::string file_page(const PageContext& page, const Json& answer, const Json& files) {
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
    return to_page(
        page, Frame{.title = name,
                    .place = "/files",
                    .crumbs = link_to(Link("/files"), "Files"),
                    .heading = group(name, " ", el("span", {{"class", "beside-title"}}, amount_in(file, "total"))),
                    .under = under,
                    .acts = file_acts(page, answer),
                    .content = group(may_words(page, answer),
                                     el("div", {{"class", "cols"}}, control_totals(page, answer), hands(page, answer),
                                        comparison(page, answer, files)),
                                     payments_card(page, answer), delivery(page, file), release_sheet()),
                    .command = state == "staged" ? "drawbridge release " + name + " --reason \"…\""
                                                 : "drawbridge file " + name,
                    .modules = {"table"}});
}

}  // namespace drawbridge::pages
