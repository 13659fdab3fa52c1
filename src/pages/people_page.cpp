// Who may do what, with which keys. It moves no money.
#include "drawbridge/pages/screens.hpp"
#include "frame.hpp"
#include "parts.hpp"

namespace drawbridge::pages {
namespace {

std::string joined(const Json& list) {
    std::string words;
    for (const Json& one : list)
        words += (words.empty() ? "" : ", ") + text_of(one);
    return words;
}

Html role_tags(const Json& roles) {
    Html tags;
    for (const Json& role : roles)
        tags += group(tag(Tone::accent, text_of(role)), " ");
    return tags.empty() ? tag(Tone::plain, "no role") : tags;
}

Html signed_words(const PageContext& page, const Json& key) {
    const auto last = instant_in(key, "last_signed_at");
    return last ? group(", signed last ", moment(page, last)) : Html();
}

std::string inviter_words(const Json& key) {
    const std::string by = text_in(key, "invited_by");
    return by.empty() ? "" : ", invited by " + person_words(by);
}

std::string copy_words(const Json& key) {
    if (!field(key, "backup_eligible").is_boolean()) return {};
    return flag_in(key, "backup_eligible") ? ", may be copied to other devices" : ", says it is bound to one device";
}

Html lock_key_act(const PageContext& page, const Json& key) {
    if (text_in(key, "state") == "locked" || !has_role(page, {"admin"})) return {};
    const std::string fingerprint = text_in(key, "fingerprint");
    return act(page, {.title = "Lock passkey…",
                      .path = (Link("/passkeys") / fingerprint / "lock").text(),
                      .effect = "Locks passkey " + fingerprint + " at once and for good, and ends its sessions.",
                      .button = "Sign and lock",
                      .weight = Weight::danger});
}

Html key_line(const PageContext& page, const Json& key, const Html& acts = {}) {
    const std::string state = text_in(key, "state");
    return el("li", mono(text_in(key, "fingerprint")), " ", text_in(key, "label"), " ",
              tag(state == "confirmed"     ? Tone::good
                  : state == "unconfirmed" ? Tone::wait
                                           : Tone::plain,
                  state),
              small(group("Since ", moment_in(page, key, "enrolled_at"), inviter_words(key), copy_words(key),
                          signed_words(page, key))),
              acts);
}

Html keys_of(const PageContext& page, const Json& passkeys, const std::string& person) {
    Html items;
    for (const Json& key : list_in(passkeys, "passkeys")) {
        if (text_in(key, "person_id") == person) items += key_line(page, key, lock_key_act(page, key));
    }
    return items.empty() ? none() : el("ul", {{"class", "plain-list"}}, items);
}

Html person_acts(const PageContext& page, const Json& person) {
    if (!has_role(page, {"admin"})) return {};
    const std::string base = (Link("/people") / text_in(person, "id")).text();
    const bool locked = flag_in(person, "locked");
    return act(page,
               {.title = locked ? "Unlock…" : "Lock…",
                .path = base + (locked ? "/unlock" : "/lock"),
                .effect = locked ? "Proposes that this person may act again. A second admin confirms it."
                                 : "Proposes that this person may do nothing for now. A second admin confirms it.",
                .button = "Sign",
                .weight = Weight::plain});
}

Html session_acts(const PageContext& page, const Json& session) {
    return act(page, {.title = "End…",
                      .path = (Link("/sessions") / text_in(session, "id") / "end").text(),
                      .effect = "Ends this session at once. The person must sign in again.",
                      .button = "Sign and end",
                      .weight = Weight::danger});
}

// Who looks or may act now. An admin sees everybody's.
Html sessions_card(const PageContext& page, const Json& sessions) {
    Table table("Open sessions", {{"Who"},
                                  {"How", Cells::fixed},
                                  {"Since", Cells::fixed},
                                  {"Last used", Cells::fixed},
                                  {"From", Cells::fixed},
                                  {"", Cells::number}});
    for (const Json& one : list_in(sessions, "sessions")) {
        const bool is_link = text_in(one, "how") == "link";
        const std::string address = text_in(one, "address");
        table.row({group(el("b", person_words(text_in(one, "by"))), " ",
                         flag_in(one, "own") ? tag(Tone::accent, "yours") : Html()),
                   group(is_link ? Html("one-time link") : group("passkey ", mono(text_in(one, "fingerprint"))), " ",
                         flag_in(one, "read_only") ? tag(Tone::plain, "only reads") : Html()),
                   moment_in(page, one, "opened_at"), moment_in(page, one, "last_used_at"),
                   address.empty() ? none() : mono(address), session_acts(page, one)});
    }
    return table.empty() ? Html() : card("Open sessions", table.html());
}

// "person 3, Carla Dubois": names alone may look alike.
std::string person_in(const Json& change) {
    const std::string name = text_in(change, "person");
    return "person " + text_in(change, "person_id") + (name.empty() ? "" : ", " + name);
}

Html waiting_changes_card(const PageContext& page, const Json& people) {
    Html items;
    for (const Json& change : list_in(people, "waiting")) {
        const std::string id = text_in(change, "id");
        const std::string about = text_in(change, "change") + ": " + person_in(change);
        const std::string base = (Link("/people/changes") / id).text();
        Html buttons;
        if (has_role(page, {"admin"})) {
            buttons = el("div", {{"class", "row"}},
                         act(page, {.title = "Reject…",
                                    .path = base + "/reject",
                                    .effect = "Change " + id + " is not made (" + about + ").",
                                    .button = "Sign and reject"}),
                         act(page, {.title = "Confirm…",
                                    .path = base + "/confirm",
                                    .effect = "Change " + id + " is made (" + about +
                                              "). Neither who proposed it nor that person can confirm it.",
                                    .button = "Sign and confirm",
                                    .weight = Weight::main}));
        }
        items += el("li", {{"class", "proposal"}},
                    el("div", el("p", {{"class", "strong"}}, capitalized(about)),
                       small(group("Proposed ", moment_in(page, change, "proposed_at"), " by ",
                                   person_words(text_in(change, "proposed_by")), ": ", text_in(change, "reason")))),
                    buttons);
    }
    return items.empty() ? Html()
                         : card("Waiting for a second admin", el("ul", {{"class", "proposals"}}, items), Tone::wait);
}

}  // namespace

std::string people_page(const PageContext& page, const Json& people, const Json& passkeys, const Json& sessions) {
    Table table("People", {{"Person"}, {"Roles"}, {"Email, user ID"}, {"Passkeys"}, {"", Cells::number}});
    for (const Json& person : list_in(people, "people")) {
        const std::string id = text_in(person, "id"), mails = joined(list_in(person, "emails")),
                          uids = joined(list_in(person, "uids"));
        table.row({group(el("b", text_in(person, "name")), " ",
                         flag_in(person, "locked") ? tag(Tone::alarm, "locked") : Html(), small("person " + id)),
                   role_tags(list_in(person, "roles")), group(mails, uids.empty() ? Html() : small("uid " + uids)),
                   keys_of(page, passkeys, id), person_acts(page, person)});
    }
    const auto count = static_cast<std::int64_t>(list_in(people, "people").size());
    const Html content =
        table.empty()
            ? card("",
                   empty_state("No people are set up yet.",
                               el("p", "Begin with ", el("code", "drawbridge people add \"Anna Berg\" --reason …"))))
            : card("", table.html());
    const Html invite = card("New people and new passkeys",
                             group(el("p", "An admin invites in a terminal on the server: ",
                                      el("code", "drawbridge people invite ID --reason …"),
                                      ". The person opens the link and "
                                      "makes a passkey. Another admin, or root if there is none, compares "
                                      "its fingerprint and confirms it: ",
                                      el("code", "drawbridge people confirm FINGERPRINT --reason …"), "."),
                                   small("Until then nobody can sign in with the passkey.")));
    return to_page(
        page,
        Frame{.title = "People",
              .place = "/people",
              .heading = count > 0 ? Html(number_words(count) + (count == 1 ? " person" : " people")) : Html("People"),
              .under = "Roles say what a person may do. Nobody releases a file that they had a hand in.",
              .content = group(waiting_changes_card(page, people), content, sessions_card(page, sessions), invite),
              .command = "drawbridge people list"});
}

std::string me_page(const PageContext& page, const Json& sessions) {
    const auto& me = page.me;
    Facts facts;
    facts.text("Name", text_in(field(me, "person"), "name"));
    facts.text("Roles", role_tags(list_in(me, "roles")));
    facts.text("Signed in", text_in(me, "how") == "link" ? Html("by a one-time link; this session only reads")
                                                         : Html("with a passkey"));
    facts.text("Ends", moment_in(page, me, "expires"));
    Html keys;
    for (const Json& key : list_in(me, "keys"))
        keys += key_line(page, key);
    const Html preferences =
        el("form", {{"method", "post"}, {"action", Link("/preferences")}},
           el("input", {{"type", "hidden"}, {"name", "next"}, {"value", "/me"}}),
           el("p", "Keyboard shortcuts open pages (g, then t for Today) and start acts. They never sign anything."),
           el("button", {{"type", "submit"}, {"name", "keys"}, {"value", page.has_single_keys ? "off" : "on"}},
              page.has_single_keys ? "Turn shortcuts off" : "Turn shortcuts on"));
    const Html leave =
        el("form", {{"method", "post"}, {"action", Link("/sign-out")}}, el("button", {{"type", "submit"}}, "Sign out"));
    return to_page(
        page, Frame{.title = "You",
                    .place = "/me",
                    .heading = text_in(field(me, "person"), "name"),
                    .acts = leave,
                    .content = group(el("div", {{"class", "cols"}}, card("Session", facts.html()),
                                        card("Your passkeys", keys.empty() ? empty_state("You have no passkey yet.")
                                                                           : el("ul", {{"class", "plain-list"}}, keys)),
                                        card("Keyboard shortcuts", preferences)),
                                     sessions_card(page, sessions)),
                    .command = "drawbridge people sessions"});
}

}  // namespace drawbridge::pages
