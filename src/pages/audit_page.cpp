// The audit trail and its seal; each act that a person signed, with the proof.
#include "drawbridge/pages/screens.hpp"
#include "filters.hpp"
#include "frame.hpp"
#include "parts.hpp"

namespace drawbridge::pages {
namespace {

Html verification_card(const PageContext& page, const Json& verification) {
    if (!verification.is_object()) {
        return card("Proof", el("form", {{"class", "row"}, {"method", "get"}, {"action", Link("/audit")}},
                                el("input", {{"type", "hidden"}, {"name", "verify"}, {"value", "true"}}),
                                el("p", "Checks every money-safety invariant, the hash chain and the manifests."),
                                el("button", {{"type", "submit"}}, icon("audit"), "Verify now")));
    }
    Html broken;
    std::int64_t checked = 0;
    for (const Json& one : list_in(verification, "invariants")) {
        checked += count_in(one, "checked");
        if (flag_in(one, "ok")) continue;
        Html violations;
        for (const Json& violation : list_in(one, "violations"))
            violations += el("li", text_of(violation));
        broken += el("li", el("b", text_in(one, "number"), ". ", text_in(one, "title")), el("ul", violations));
    }
    const auto& trail = field(verification, "trail");
    const bool is_clean = flag_in(verification, "clean");
    const Html until = group(is_clean ? "The chain is verified to entry " : "The trail now ends at entry ",
                             el("b", text_in(trail, "entry")), ", ", moment_in(page, trail, "at"), ", hash ",
                             hash(text_in(trail, "hash")), ".");
    if (is_clean) {
        return card("Proof",
                    group(el("p", {{"class", "lead"}}, tag(Tone::good, "verified"), " ",
                             std::to_string(list_in(verification, "invariants").size()), " invariants hold over ",
                             counted(checked, "fact"), "."),
                          small(until)),
                    Tone::good);
    }
    return card("Do not rely on this ledger until this is explained",
                group(el("ol", {{"class", "diagnostics"}}, broken), small(until)), Tone::alarm);
}

Html about_entry(const Json& entry) {
    const std::string subject = text_in(entry, "subject"), draw = text_in(entry, "draw_id"),
                      file = text_in(entry, "file");
    constexpr std::string_view act_words = "act ";
    if (text_in(entry, "action") == "act.signed" && subject.starts_with(act_words))
        return group(link_to(Link("/acts") / subject.substr(act_words.size()), subject), " ",
                     tag(Tone::good, "signed"));
    if (!draw.empty()) return link_to(draw_link(draw), subject);
    if (!file.empty()) return link_to(file_link(file), subject);
    return subject;
}

}  // namespace

std::string audit_page(const PageContext& page, const Json& audit, const Json& verification, const Query& query) {
    const Json& entries = list_in(audit, "audit");
    Table table("Audit trail, newest first", {{"Entry", Cells::number},
                                              {"When", Cells::fixed},
                                              {"Who", Cells::fixed},
                                              {"Action", Cells::fixed},
                                              {"About"},
                                              {"Detail"}});
    for (const Json& entry : entries) {
        const std::string person = text_in(entry, "person");
        const std::string who = person.empty() ? text_in(entry, "actor") : person;
        table.row({text_in(entry, "seq"), moment_in(page, entry, "at"), person_words(who),
                   el("code", text_in(entry, "action")), about_entry(entry),
                   el("span", {{"class", "small"}}, text_in(entry, "detail"))});
    }
    const std::vector<Field> fields = {{.name = "actor", .label = "Who", .value = query_value(query, "actor")},
                                       {.name = "action", .label = "Action", .value = query_value(query, "action")},
                                       {.name = "subject", .label = "About", .value = query_value(query, "subject")}};
    const bool is_broken = verification.is_object() && !flag_in(verification, "clean");
    return to_page(
        page,
        Frame{.title = "Audit",
              .place = "/audit",
              .heading = is_broken ? Html("The ledger does not verify.") : Html("Audit trail"),
              .under = "Every act, newest first. Entries are only added, and each one seals those "
                       "before it.",
              .acts = group(download_button("/audit.csv", query),
                            download_button("/signed-acts.json", {}, "Download signed acts")),
              .content = group(verification_card(page, verification), filter_form("/audit", fields),
                               card("", table.empty() ? empty_state("No entries match these filters.") : table.html()),
                               pager(page, audit)),
              .command = verification.is_object()
                             ? "drawbridge verify"
                             : command_with("drawbridge audit", query, {"actor", "action", "subject"}),
              .modules = {"table"}});
}

std::string signed_act_page(const PageContext& page, const Json& act) {
    const std::string id = text_in(act, "act_id"), fault = text_in(act, "fault");
    const auto& passkey = field(act, "passkey");
    Facts facts;
    facts.text("Person", group("person ", text_in(act, "person_id")));
    facts.text("When", moment_in(page, act, "at"));
    facts.text("Request", el("code", {{"class", "wrap"}}, text_in(act, "request")));
    facts.text("Passkey", group(mono(text_in(passkey, "fingerprint")), " ", text_in(passkey, "label")));
    facts.text("Public key", el("code", {{"class", "wrap"}}, text_in(act, "public_key")));
    facts.text("Client data", el("code", {{"class", "wrap"}}, text_in(act, "client_data")));
    facts.text("Authenticator data", el("code", {{"class", "wrap"}}, text_in(act, "authenticator_data")));
    facts.text("Signature", el("code", {{"class", "wrap"}}, text_in(act, "signature")));
    const Html verdict =
        flag_in(act, "verifies")
            ? why(group(el("b", "The signature verifies. "), "This person's key signed exactly the text below."),
                  Tone::good)
            : why(group(el("b", "The signature does not verify. "), sentence(fault),
                        " Do not rely on this act until it is explained."),
                  Tone::alarm);
    return to_page(page, Frame{.title = "Signed act " + id,
                               .place = "/audit",
                               .crumbs = group(link_to(Link("/audit"), "Audit"), " / ", id),
                               .content = group(verdict,
                                                card("Signed text", el("pre", {{"class", "signed-text"}},
                                                                       Html::with_lines(text_in(act, "text")))),
                                                card("Proof", facts.html())),
                               .command = "drawbridge acts --json"});
}

}  // namespace drawbridge::pages
