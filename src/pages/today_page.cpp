// Today: one sentence that says whether a person is needed, then where the money is.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "drawbridge/pages/screens.hpp"
#include "frame.hpp"
#include "parts.hpp"
#include "system_card.hpp"

namespace drawbridge::pages {
namespace {

struct Stop {
    std::string_view title, state;
    bool waits_for_person = false;
};
// The way of the money, from left to right. Each stop counts what its link lists; the other states are beside the way.
constexpr Stop stops[] = {{"Pending", "pending"}, {"Held", "held", true}, {"Approved", "approved"},
                          {"Paying", "paying"},   {"Paid", "paid"},       {"Reported", "reported"}};

struct StateSum {
    std::int64_t count = 0;
    Money amount;
    std::optional<Instant> oldest;
};

StateSum sum_of(const Json& status, std::string_view state) {
    StateSum sum;
    for (const Json& total : list_in(status, "states")) {
        if (text_in(total, "state") != state) continue;
        sum.count += count_in(total, "count");
        sum.amount += money_in(total, "amount").value_or(Money());
        const auto oldest = instant_in(total, "oldest");
        if (oldest && (!sum.oldest || *oldest < *sum.oldest)) sum.oldest = oldest;
    }
    return sum;
}

const Json& attention(const Json& status) {
    return field(status, "needs_attention");
}

std::string are_or_is(std::int64_t count, std::string_view what) {
    return number_words(count) + " " + std::string(what) + (count == 1 ? " is" : "s are");
}

// "Two files are waiting for release. Five exceptions are open."
std::string what_waits(const Json& status) {
    const auto& needs = attention(status);
    const auto files = static_cast<std::int64_t>(list_in(needs, "files_waiting_for_release").size());
    const auto exceptions = count_in(needs, "open_exceptions");
    const auto changes = static_cast<std::int64_t>(list_in(field(status, "change_control"), "waiting").size());
    std::string words;
    if (field(needs, "restoration").is_object()) words += "The ledger was restored and must be reconciled. ";
    if (files > 0) {
        words += are_or_is(files, "file") + " waiting for release. ";
    }
    if (exceptions > 0) words += are_or_is(exceptions, "exception") + " open. ";
    if (changes > 0) words += are_or_is(changes, "change") + " waiting for two people. ";
    if (words.empty()) return "Nothing needs a person.";
    words.pop_back();
    return words;
}

Html next_cutoff(const PageContext& page, const Json& status) {
    const auto at = instant_in(field(status, "daemon"), "next_cutoff");
    if (!at) return {};
    return group(" · next cut-off ", el("b", moment(page, at)), ", ", countdown(page, *at));
}

Html flow(const PageContext& page, const Json& status) {
    Html items;
    for (const auto& stop : stops) {
        const StateSum sum = sum_of(status, stop.state);
        std::string under = counted(sum.count, "draw");
        if (stop.state == "paying") {
            const auto files = list_in(attention(status), "files_waiting_for_release").size();
            if (files > 0) under += ", " + counted(static_cast<std::int64_t>(files), "file");
        }
        Html oldest;
        if (stop.waits_for_person && sum.oldest) oldest = group(", oldest ", age(page, sum.oldest));
        const bool is_on = sum.count > 0 && stop.waits_for_person;
        items +=
            el("li", {{"class", is_on ? "on" : ""}},
               el("a", {{"href", Link("/draws").with("state", stop.state)}}, el("span", {{"class", "k"}}, stop.title),
                  el("span", {{"class", "v"}}, large_amount(sum.amount)), el("span", {{"class", "c"}}, under, oldest)));
    }
    return el("ol", {{"class", "flow"}, {"aria-label", "Where the money is"}}, items);
}

// What is between two stops, or has left the way.
Html beside_flow(const Json& status) {
    Html words;
    for (const std::string_view state : {"approving", "blocked", "disbursed", "returned", "cancelled", "external"}) {
        const StateSum sum = sum_of(status, state);
        if (sum.count == 0) continue;
        words += el("a", {{"href", Link("/draws").with("state", state)}}, capitalized(std::string(state)), " ",
                    money_words(sum.amount), " (", grouped(sum.count), ")");
    }
    const auto& balance = field(status, "reconciliation");
    if (balance.is_object()) {
        words +=
            flag_in(balance, "adds_up")
                ? group(tag(Tone::good, "adds up"), " ", el("span", "Every draw is in exactly one place, to the cent."))
                : group(tag(Tone::alarm, "does not add up"), " ", el("span", text_in(balance, "line")));
    }
    return words.empty() ? Html() : el("div", {{"class", "beside"}}, words);
}

Html release_by(const PageContext& page, const Json& file) {
    const auto deadline = instant_in(file, "settlement_deadline");
    if (!deadline) return none();
    return group(moment(page, deadline), " ", el("span", {{"class", "tag wait"}}, countdown(page, *deadline)));
}

Html waiting_files(const PageContext& page, const Json& status) {
    const auto& files = list_in(attention(status), "files_waiting_for_release");
    if (files.empty()) return {};
    Table table("Files waiting for release", {{"File", Cells::fixed},
                                              {"Payments", Cells::number},
                                              {"Total", Cells::number},
                                              {"Release by", Cells::fixed},
                                              {"Waiting", Cells::fixed},
                                              {"Made by"},
                                              {"", Cells::number}});
    std::int64_t payments = 0;
    Money total;
    for (const Json& file : files) {
        const std::string name = text_in(file, "name");
        if (!has_check_orders(file)) {
            payments += count_in(file, "payments");
            total += money_in(file, "total").value_or(Money());
        }
        const std::string items = has_check_orders(file) ? items_words(file) : grouped(count_in(file, "payments"));
        table.row(file_link(name),
                  {link_to(file_link(name), name), items, amount_in(file, "total"), release_by(page, file),
                   age(page, instant_in(file, "staged_at")), person_words(text_in(file, "started_by")),
                   el("a", {{"class", "button"}, {"href", file_link(name)}}, "Review")});
    }
    if (files.size() > 1) {
        table.foot({counted(static_cast<std::int64_t>(files.size()), "file"), grouped(payments), amount(total), "", "",
                    "", ""});
    }
    return card("Waiting for release", table.html(), Tone::wait);
}

struct Reason {
    std::string title, what_to_do;
    std::int64_t counted = 0;  // of the exceptions that the list has, those with an amount
    Money amount;
};

std::map<std::string, Reason> reasons_in(const Json& exceptions) {
    std::map<std::string, Reason> reasons;
    for (const Json& one : list_in(exceptions, "exceptions")) {
        Reason& reason = reasons[text_in(one, "reason_code")];
        reason.title = text_in(one, "title");
        reason.what_to_do = text_in(one, "what_to_do");
        const auto amount = money_in(one, "amount");
        if (!amount) continue;
        ++reason.counted;
        reason.amount += *amount;
    }
    return reasons;
}

Html exceptions_card(const Json& status, const Json& exceptions) {
    const auto& by_reason = list_in(attention(status), "exceptions_by_reason");
    if (by_reason.empty()) return card("Exceptions", empty_state("No exception is open."));
    auto reasons = reasons_in(exceptions);
    Table table("Open exceptions by reason", {{"Reason"}, {"Open", Cells::number}, {"Amount", Cells::number}});
    for (const Json& one : by_reason) {
        const std::string code = text_in(one, "reason_code");
        const auto count = count_in(one, "count");
        const Reason& known = reasons[code];
        const std::string title = known.title.empty() ? capitalized(spaced(code)) : known.title;
        const Link target = Link("/exceptions").with("reason", code);
        // The first sentence tells which way to go; the exception's page says the rest.
        const std::string first = known.what_to_do.substr(0, known.what_to_do.find(". "));
        table.row(target, {group(link_to(target, title), first.empty() ? Html() : small(with_code(first))),
                           grouped(count), known.counted == count ? amount(known.amount) : none()});
    }
    return card("Exceptions", table.html(), Tone::alarm, link_to(Link("/exceptions"), "View all"));
}

Html bank_card(const PageContext& page, const Json& status) {
    Facts facts;
    const auto& portal = field(status, "waiting_for_portal");
    if (count_in(portal, "count") > 0) {
        facts.number("Paid, not yet Disbursed in the portal",
                     group(counted(count_in(portal, "count"), "draw"), " · ", amount_in(portal, "amount")));
    }
    const auto& checks = field(status, "checks");
    if (checks.is_object()) {
        facts.number("Checks outstanding",
                     group(grouped(count_in(checks, "outstanding")), " · ", amount_in(checks, "amount")));
        if (count_in(checks, "stale") > 0) {
            facts.number("Stale checks", group(tag(Tone::wait, std::to_string(count_in(checks, "stale"))), " ",
                                               amount_in(checks, "stale_amount")));
        }
    }
    const auto& undelivered = field(status, "undelivered");
    if (count_in(undelivered, "files") > 0) {
        facts.number("Released, not at the bank yet", group(counted(count_in(undelivered, "files"), "file"),
                                                            ", oldest ", age(page, instant_in(undelivered, "oldest"))));
    }
    const auto& inbox = field(status, "inbox");
    if (inbox.is_object()) {
        const auto ready = count_in(inbox, "ready") + count_in(inbox, "waiting_count");
        facts.number("Bank files in the inbox", ready == 0 ? Html("none") : Html(grouped(ready)));
    }
    for (const Json& rate : list_in(status, "return_rates")) {
        const auto& value = field(rate, "rate");
        const auto& limit = field(rate, "limit");
        if (!value.is_number() || !limit.is_number() || count_in(rate, "entries") == 0) continue;
        const bool is_over = value.get<double>() >= limit.get<double>();
        const std::string percent = fmt::format("{:.2f} %", value.get<double>() * 100);
        facts.number(fmt::format("Returns, {} (limit {} %)", spaced(text_in(rate, "kind")), limit.get<double>() * 100),
                     is_over ? tag(Tone::alarm, percent) : Html(percent));
    }
    return facts.empty() ? Html() : card("At the bank", facts.html());
}

Html cutoff_card(const PageContext& page, const Json& status, const Json& forecast) {
    const auto at = instant_in(field(status, "daemon"), "next_cutoff");
    const StateSum approved = sum_of(status, "approved");
    Facts facts;
    if (at) facts.number("Next cut-off", moment(page, at));
    facts.number("Would pay now", group(counted(approved.count, "draw"), " · ", amount(approved.amount)));
    for (const Json& one : list_in(forecast, "days")) {
        const auto date = date_in(one, "date");
        Money sum;
        for (const std::string_view part : {"released", "waiting"})
            sum += money_in(field(one, part), "amount").value_or(Money());
        if (!date || sum.is_zero()) continue;
        facts.number("Settles " + day_words(page, *date), amount(sum));
        if (facts.empty()) break;
    }
    return card("Next payments", facts.html(), Tone::plain, link_to(Link("/calendar"), "Calendar"));
}

Html restoration(const PageContext& page, const Json& status) {
    const auto& restored = field(attention(status), "restoration");
    if (!restored.is_object()) return {};
    return el(
        "div", {{"class", "banner alarm"}}, icon("exception"),
        el("div", el("p", {{"class", "strong"}}, "This ledger is an older copy."),
           el("p", "Restored ", moment_in(page, restored, "at"), " by ", person_words(text_in(restored, "by")),
              ". No money moves until it is reconciled and an operator resumes. ", text_in(restored, "summary"))));
}

}  // namespace

std::string today_page(const PageContext& context, const Json& status, const Json& exceptions, const Json& forecast) {
    // The status says who paused it and why; the pulse only that somebody did.
    PageContext page = context;
    const auto& paused = field(attention(status), "paused");
    if (paused.is_object()) page.pulse["paused"] = paused;
    const auto at = instant_in(status, "at");
    const std::string headline = what_waits(status);
    const Html under = group(
        long_day_words(page, page.zone.date_of(page.now)), next_cutoff(page, status), " · as of ",
        el("time", {{"datetime", format_instant(at.value_or(page.now))}}, time_words(page, at.value_or(page.now))));
    return to_page(page,
                   Frame{.title = "Today",
                         .place = "/",
                         .heading = headline,
                         .under = under,
                         .content = group(restoration(page, status), flow(page, status), beside_flow(status),
                                          waiting_files(page, status),
                                          el("div", {{"class", "cols"}},
                                             el("div", exceptions_card(status, exceptions), system_card(page, status)),
                                             el("div", cutoff_card(page, status, forecast), bank_card(page, status)))),
                         .command = "drawbridge status",
                         .is_live = true});
}

}  // namespace drawbridge::pages
