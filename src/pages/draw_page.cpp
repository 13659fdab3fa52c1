// One draw: what happened to it, day by day, and where its money is.
#include "drawbridge/domain/timeline_event.hpp"
#include "drawbridge/pages/screens.hpp"
#include "explanation.hpp"
#include "frame.hpp"
#include "parts.hpp"

namespace drawbridge::pages {
namespace {

// How an entry of the timeline begins on the page.
struct Headline {
    std::string_view words;
    Tone tone = Tone::plain;
};

Headline headline(TimelineEvent event) {
    switch (event) {
        using enum TimelineEvent;
        case draw_read: return {"Read from the service"};
        case decided_approve: return {"Approved", Tone::good};
        case decided_hold: return {"Held", Tone::wait};
        case approval_submitted: return {"Approval sent to the service"};
        case approval_approved: return {"The service accepted the approval", Tone::good};
        case approval_refused: return {"The service refused the approval", Tone::alarm};
        case approval_not_applied: return {"The service did not apply the approval", Tone::wait};
        case approval_abandoned: return {"Approval given up", Tone::wait};
        case payment_planned: return {"Payment planned", Tone::good};
        case payment_voided: return {"Payment voided", Tone::alarm};
        case file_staged: return {"Payment file written, waiting for release", Tone::wait};
        case file_voided: return {"Payment file voided", Tone::alarm};
        case file_released: return {"Released to the bank", Tone::good};
        case file_delivered: return {"Delivered to the bank", Tone::good};
        case file_at_bank: return {"At the bank", Tone::good};
        case check_ordered: return {"Check order", Tone::wait};
        case check_order_withdrawn: return {"Check order withdrawn"};
        case check_order_transmitted: return {"Check order sent to the bank", Tone::wait};
        case reissue_ordered: return {"To be paid again", Tone::wait};
        case line_paid: return {"Confirmed by the bank", Tone::good};
        case line_returned: return {"Returned by the bank", Tone::alarm};
        case line_void: return {"Voided by the bank", Tone::alarm};
        case line_duplicate: return {"A line of the bank that was read before"};
        case line_exception: return {"A line of the bank that decided nothing", Tone::alarm};
        case line_recorded: return {"A line of the bank, recorded"};
        case match_paid: return {"Matched by a person: paid", Tone::good};
        case match_returned: return {"Matched by a person: returned", Tone::alarm};
        case match_void: return {"Matched by a person: voided", Tone::alarm};
        case match_undone: return {"Match undone", Tone::wait};
        case settled_by_time: return {"Counts as paid", Tone::good};
        case report_queued: return {"Report to the service queued"};
        case report_failed: return {"Report to the service failed", Tone::alarm};
        case report_accepted: return {"Reported to the service", Tone::good};
        case report_already_there: return {"The service had the date already", Tone::good};
        case report_withdrawn: return {"Report withdrawn"};
        case text_queued: return {"Text for the service queued"};
        case text_failed: return {"Text for the service failed", Tone::alarm};
        case text_written: return {"Text written at the service", Tone::good};
        case text_already_there: return {"The service had the text already", Tone::good};
        case text_refused: return {"The service refused the text", Tone::alarm};
        case text_overtaken: return {"Text not written"};
        case exception_opened: return {"Exception", Tone::alarm};
        case exception_closed: return {"Exception closed"};
    }
    return {};
}

// What the ledger says, the file in it as a link.
Html said(const PageContext& page, const Json& entry) {
    const std::string detail = with_local_times(page, sentence(text_in(entry, "detail"))),
                      file = text_in(entry, "file");
    const auto at = file.empty() ? std::string::npos : detail.find(file);
    if (at == std::string::npos) return detail;
    return group(detail.substr(0, at), link_to(file_link(file), file), detail.substr(at + file.size()));
}

// What it is about and does not say itself.
Html about(const Json& entry) {
    Html links;
    const std::string detail = text_in(entry, "detail"), payment = text_in(entry, "payment_id"),
                      file = text_in(entry, "file"), exception = text_in(entry, "exception_id");
    const auto is_unsaid = [&](const std::string& name) {
        return !name.empty() && detail.find(name) == std::string::npos;
    };
    if (is_unsaid(payment)) links += group(mono(payment), " ");
    if (is_unsaid(file)) links += group(link_to(file_link(file), file), " ");
    if (!exception.empty()) links += link_to(exception_link(exception), "exception " + exception);
    return links.empty() ? Html() : el("p", {{"class", "about"}}, links);
}

// The day stands where it changes.
Html when(const PageContext& page, Instant at, std::optional<BusinessDate>& day_before) {
    const auto date = page.zone.date_of(at);
    const bool is_new = day_before != date;
    day_before = date;
    return el("time", {{"class", "t"}, {"datetime", format_instant(at)}},
              is_new ? group(el("span", {{"class", "day"}}, day_words(page, date)), " ") : Html(),
              time_words(page, at));
}

Html timeline(const PageContext& page, const Json& answer) {
    Html items;
    std::optional<BusinessDate> day_before;
    for (const Json& entry : list_in(answer, "timeline")) {
        const auto at = instant_in(entry, "at");
        const std::string by = person_words(text_in(entry, "by"));
        const auto event = parse_timeline_event(text_in(entry, "event"));  // none: of a daemon of another version
        const auto [known, tone] = event ? headline(*event) : Headline();
        const std::string words = event ? std::string(known) : capitalized(spaced(text_in(entry, "what")));
        items += el("li", {{"class", class_of(tone)}}, at ? when(page, *at, day_before) : el("span", {{"class", "t"}}),
                    el("span", {{"class", "d"}}),
                    el("div", el("p", words, by.empty() ? Html() : group(" by ", el("b", by))),
                       small(said(page, entry)), about(entry)));
    }
    const auto& forecast = field(answer, "forecast");
    if (forecast.is_object()) {
        const auto date = date_in(forecast, "effective_entry_date");
        Html next = group("Will be paid ", moment_in(page, forecast, "run_at"));
        if (date) next += group(", settles ", el("b", long_day_words(page, *date)));
        items += el("li", {{"class", "next"}}, el("span", {{"class", "t"}}, "next"), el("span", {{"class", "d"}}),
                    el("div", el("p", next), small(text_in(forecast, "because"))));
    }
    if (items.empty()) return card("What happened", empty_state("Nothing yet."));
    return card("What happened", el("ol", {{"class", "time"}}, items));
}

// "Maple Street Housing (MAPLE-1)"; the key alone where the directory has no such payee.
std::string payee_words(const Json& answer) {
    const std::string key = text_in(field(answer, "draw"), "payee"), name = text_in(answer, "payee_name");
    if (key.empty()) return "no payee";
    return name.empty() ? key : name + " (" + key + ")";
}

std::optional<Money> money_field(const Json& answer, std::string_view key) {
    return money_in(field(answer, "fields"), key);
}

Html money_card(const PageContext& page, const Json& answer) {
    Facts facts;
    facts.text("Payee", payee_words(answer));
    facts.number("Requested", amount(money_field(answer, "amountRequested")));
    facts.number("Approved", amount(money_field(answer, "amountApproved")));
    facts.number("Disbursed", amount(money_field(answer, "amountDisbursed")));
    const auto& forecast = field(answer, "forecast");
    if (const auto date = date_in(forecast, "effective_entry_date"))
        facts.number("Expected to settle", el("b", long_day_words(page, *date)));
    return card("Money", facts.html());
}

Html exceptions_card(const PageContext& page, const Json& answer) {
    Html items;
    for (const Json& one : list_in(answer, "exceptions")) {
        const bool is_open = text_in(one, "closed_at").empty();
        const std::string id = text_in(one, "id");
        items += el("li", link_to(exception_link(id), exception_title(one)), " ",
                    is_open ? tag(Tone::alarm, "open") : tag(Tone::plain, "closed"),
                    small(group(text_in(one, "detail"), ", ", moment_in(page, one, "opened_at"))));
    }
    return items.empty() ? Html() : card("Exceptions", el("ul", {{"class", "plain-list"}}, items));
}

Html fields_card(const Json& answer) {
    Facts facts;
    for (const auto& [key, value] : field(answer, "fields").items()) {
        const std::string text = text_of(value);
        if (text.empty()) continue;
        facts.text(key, text);
    }
    if (facts.empty()) return {};
    return el("details", {{"class", "card fold"}}, el("summary", el("h2", "Fields from the Draws Service")),
              facts.html());
}

// A rule file of the reader's own. Nothing comes into force.
Html other_rules(const Json& answer, const Json& trial) {
    const std::string text = text_in(trial, "text");
    return el("details", {{"class", "card fold"}, {"open", trial.is_object()}},
              el("summary", el("h2", "Try other rules on this draw")),
              el("form",
                 {{"class", "trial"},
                  {"method", "post"},
                  {"action", draw_link(text_in(field(answer, "draw"), "id")) / "explain"},
                  {"enctype", "multipart/form-data"}},
                 small("Choose a rule file or paste its text. Nothing takes effect, and the draw stays as it is."),
                 el("div", {{"class", "field"}}, el("label", {{"for", "rule-file"}}, "Rule file"),
                    el("input", {{"id", "rule-file"}, {"type", "file"}, {"name", "rules"}, {"accept", ".yaml,.yml"}})),
                 el("div", {{"class", "field wide"}}, el("label", {{"for", "rule-text"}}, "Or its text"),
                    el("textarea",
                       {{"id", "rule-text"},
                        {"class", "mono"},
                        {"name", "text"},
                        {"rows", "8"},
                        {"spellcheck", "false"},
                        {"autocomplete", "off"}},
                       Html::with_lines(text))),
                 el("button", {{"type", "submit"}}, "Explain with these rules")));
}

Html draw_acts(const PageContext& page, const Json& answer) {
    const auto& row = field(answer, "draw");
    const std::string id = text_in(row, "id"), state = text_in(row, "state");
    Html all = el("a", {{"class", "button"}, {"href", draw_link(id).with("explain", "true")}}, "Explain decision");
    if (may_refresh(page)) {
        all += el("form", {{"method", "post"}, {"action", draw_link(id) / "refresh"}},
                  el("button", {{"type", "submit"}}, "Refresh"));
    }
    if (!has_role(page, {"operator"})) return all;
    if (state == "held" || state == "pending") {
        all += act(
            page,
            {.title = "Approve…",
             .path = "/draws/approve",
             .effect = "You approve this draw yourself, in place of a rule: " + money_words(money_in(row, "amount")) +
                       " to " + payee_words(answer) + ". You can then not release the file that pays it.",
             .button = "Sign and approve",
             .key = "a",
             .weight = Weight::main,
             .fields = {{.kind = Field::Kind::hidden, .name = "ids:numbers", .value = id},
                        {.kind = Field::Kind::hidden, .name = "expect.draws:number", .value = "1"},
                        {.kind = Field::Kind::hidden,
                         .name = "expect.total",
                         .value = money_in(row, "amount").value_or(Money()).to_string()},
                        {.kind = Field::Kind::hidden, .name = "expect.seen:texts", .value = text_in(row, "seen")}},
             .is_one_line_reason = true});
    }
    if (state == "returned" || state == "blocked") {
        all += act(page, {.title = "Pay again…",
                          .path = draw_link(id).text() + "/reissue",
                          .effect = "The draw is paid once more at the next cut-off, to the payee as the directory has "
                                    "it then.",
                          .button = "Sign and pay again",
                          .weight = Weight::main});
    }
    return all;
}

}  // namespace

std::string draw_page(const PageContext& page, const Json& answer, const Json& explained, const Json& trial) {
    const auto& row = field(answer, "draw");
    const std::string id = text_in(row, "id");
    const std::string case_name = text_in(row, "case_name"), reason = text_in(row, "why");
    Html under = group(state_tag(text_in(row, "state")), " ", case_name);
    if (const auto since = instant_in(row, "since")) {
        const bool is_new = page.now - *since < std::chrono::minutes(1);  // "just now"
        under += group(is_new ? ", " : ", for ", age(page, since));
    }
    Html content = reason.empty() ? Html() : why(sentence(reason), tone_of_state(text_in(row, "state")));
    if (trial.is_object()) {
        const std::string file = text_in(trial, "file");
        content += rule_file_check(field(trial, "check"));
        content += explanation_card("What " + (file.empty() ? "the pasted rules" : file) + " would decide now",
                                    field(trial, "explanation"));
    }
    content += explanation_card("Why, by the rules in force now", explained);
    content += el("div", {{"class", "two"}}, timeline(page, answer),
                  el("div", money_card(page, answer), exceptions_card(page, answer), fields_card(answer)));
    if (number_in(row, "id")) content += other_rules(answer, trial);
    return to_page(
        page,
        Frame{.title = "Draw " + id,
              .place = "/draws",
              .crumbs = group(link_to(Link("/draws"), "Draws"), " / ", id),
              .heading = group("Draw " + id, " ", el("span", {{"class", "beside-title"}}, amount_in(row, "amount"))),
              .under = under,
              .acts = draw_acts(page, answer),
              .content = content,
              .command = trial.is_object() ? "drawbridge rules explain --draw " + id + " --rules NEW.yaml"
                                           : "drawbridge draw " + id,
              .modules = {"table"}});
}

}  // namespace drawbridge::pages
