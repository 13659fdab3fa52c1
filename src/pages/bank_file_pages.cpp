// What the bank sends: dropped here, shown line by line, and taken only when a person says so.
#include "drawbridge/pages/screens.hpp"
#include "filters.hpp"
#include "frame.hpp"
#include "parts.hpp"

namespace drawbridge::pages {
namespace {

Tone tone_of_outcome(std::string_view outcome) {
    if (outcome == "applied") return Tone::good;
    if (outcome == "exception" || outcome == "refused") return Tone::alarm;
    return Tone::plain;
}

Html fate_tag(std::string_view fate) {
    return tag(fate == "taken" || fate == "applied" ? Tone::good
               : fate == "refused"                  ? Tone::alarm
                                                    : Tone::plain,
               spaced(fate));
}

// For an imported file, the lines with this outcome; for a preview, its own count.
std::int64_t lines_with(const Json& file, std::string_view outcome, std::string_view key) {
    const auto& outcomes = field(file, "outcomes");
    return outcomes.is_object() ? count_in(field(outcomes, outcome), "lines") : count_in(file, key);
}

bool returns_money(const Json& file) {
    return !money_in(file, "returned").value_or(Money()).is_zero();
}

Html drop_zone(const PageContext& page) {
    if (!has_role(page, {"finance"}) && !page.me.is_null() && !only_reads(page)) {
        return why("Handing in a bank file needs the role finance. You can read what was handed in.");
    }
    if (only_reads(page)) return sign_in_first(page, "to hand in a bank file.");
    return el("form",
              {{"class", "drop"},
               {"method", "post"},
               {"action", Link("/bank-files/preview")},
               {"enctype", "multipart/form-data"},
               {"data-drop", ""}},
              icon("bank"), el("p", {{"class", "strong"}}, "Drop the bank's file here, or choose it."),
              el("p", {{"class", "small"}}, "Nothing is recorded until you have seen it."),
              el("div", {{"class", "field"}}, el("label", {{"for", "bank-file"}}, "Bank file"),
                 el("input", {{"id", "bank-file"}, {"type", "file"}, {"name", "file"}, {"required", true}})),
              el("p", {{"class", "error-text"}, {"role", "alert"}, {"hidden", true}}),
              el("progress", {{"max", "1"}, {"value", "0"}, {"aria-label", "Upload"}, {"hidden", true}}),
              el("button", {{"type", "submit"}, {"class", "main"}}, "Preview"));
}

Html inbox_card(const Json& inbox) {
    if (!inbox.is_object()) return {};
    const auto waiting = count_in(inbox, "waiting_count"), left = count_in(inbox, "left_alone_count");
    Facts facts;
    facts.number("Ready to read", grouped(count_in(inbox, "ready")));
    if (waiting > 0) facts.number("Still being written", grouped(waiting));
    for (const Json& one : list_in(inbox, "left_alone"))
        facts.text(text_in(one, "name"), group(tag(Tone::wait, "ignored"), " ", text_in(one, "reason")));
    if (left == 0 && waiting == 0 && count_in(inbox, "ready") == 0) return {};
    return card("In the inbox folder", facts.html());
}

Html references(const Json& line) {
    const std::string draw = text_in(line, "draw_id"), payment = text_in(line, "payment_id");
    if (draw.empty() && payment.empty()) return none();
    return group(draw.empty() ? Html() : group(link_to(draw_link(draw), "draw " + draw), " "), mono(payment));
}

Html lines_table(const PageContext& page, const Json& lines) {
    Table table("Lines of the bank's file", {{"Line", Cells::fixed},
                                             {"Outcome", Cells::fixed},
                                             {"Says", Cells::fixed},
                                             {"Amount", Cells::number},
                                             {"Date", Cells::fixed},
                                             {"Reference", Cells::fixed},
                                             {"Payment", Cells::fixed},
                                             {"Note"}});
    for (const Json& line : lines) {
        const std::string outcome = text_in(line, "outcome");
        const auto& proposal = field(line, "proposal");
        Html detail = text_in(line, "detail");
        if (proposal.is_object()) {
            detail +=
                small(group("Likely ", mono(text_in(proposal, "payment_id")), ": ", text_in(proposal, "because")));
        }
        table.row({text_in(line, "line"), tag(tone_of_outcome(outcome), outcome == "recorded" ? "no effect" : outcome),
                   spaced(text_in(line, "says")), amount_in(line, "amount"), day_in(page, line, "date"),
                   mono(text_in(line, "payment_reference")), references(line), detail});
    }
    return table.empty() ? Html() : table.html();
}

Html file_facts(const PageContext& page, const Json& file) {
    Facts facts;
    if (!text_in(file, "format").empty()) facts.text("Format", spaced(text_in(file, "format")));
    if (!text_in(file, "recognized_by").empty()) facts.text("Recognized by", text_in(file, "recognized_by"));
    if (!text_in(file, "profile").empty()) facts.text("Profile", text_in(file, "profile"));
    if (const auto date = date_in(file, "date")) facts.text("Date in the file", day(page, date));
    if (!text_in(file, "bank_file_id").empty()) facts.text("The bank's number", mono(text_in(file, "bank_file_id")));
    const std::string who = people_words(list_in(file, "handed_in_by"));
    if (!who.empty()) facts.text("Handed in by", who);
    facts.text("SHA-256", hash(text_in(file, "sha256")));
    return facts.html();
}

Html counts(const Json& file) {
    Facts facts;
    facts.number("Lines", grouped(count_in(file, "line_count")));
    facts.number("Applied", grouped(lines_with(file, "applied", "applied")));
    facts.number("Paid", el("b", amount_in(file, "paid")));
    facts.number("Returned or voided", amount_in(file, "returned"));
    const auto exceptions = lines_with(file, "exception", "exceptions");
    facts.number("Exceptions", exceptions > 0 ? tag(Tone::alarm, grouped(exceptions)) : Html("0"));
    facts.number("Duplicates", grouped(lines_with(file, "duplicate", "duplicates")));
    facts.number("No effect", grouped(lines_with(file, "recorded", "without_effect")));
    return facts.html();
}

Html refusal_card(const Json& problems, bool is_preview) {
    Html items;
    for (const Json& problem : problems)
        items += el("li", text_of(problem));
    if (items.empty()) return {};
    return card(
        "Why it is refused",
        group(el("ol", {{"class", "diagnostics"}}, items),
              small(is_preview
                        ? "Nothing is recorded until you quarantine it. Ask the bank for a corrected file, or read it "
                          "another way below."
                        : "The file is kept byte for byte. Ask the bank for a corrected file, or choose another "
                          "profile.")),
        Tone::alarm);
}

Html remarks(const Json& file) {
    Html items;
    for (const Json& remark : list_in(file, "remarks"))
        items += el("li", text_of(remark));
    for (const Json& one : list_in(file, "acknowledgments")) {
        const std::string outcome = text_in(one, "outcome");
        items += el("li", tag(outcome == "differs" || outcome == "unsent" ? Tone::alarm : Tone::good, spaced(outcome)),
                    " ", "The bank acknowledges ", text_in(one, "file"), ": ", text_in(one, "payments"), " payments, ",
                    amount_in(one, "total"), ". ", text_in(one, "detail"));
    }
    return items.empty() ? Html() : card("Also in this file", el("ul", {{"class", "plain-list"}}, items));
}

Html file_content(const PageContext& page, const Json& file, const Json& lines, const Json& problems, bool is_preview) {
    const auto left_out = count_in(file, "lines_left_out");
    const Html table = lines_table(page, lines);
    const Html refusal = refusal_card(list_in(problems, "problems"), is_preview);
    return group(refusal,
                 el("div", {{"class", "cols"}}, refusal.empty() ? card("What it does", counts(file)) : Html(),
                    card("The file", file_facts(page, file)), remarks(file)),
                 table.empty() ? Html()
                               : card("Line by line", table, Tone::plain,
                                      left_out > 0 ? small(grouped(left_out) + " more lines are not shown") : Html()));
}

// Where the file was read wrongly, or not at all.
Html other_profile(const PageContext& page, const std::string& upload, const std::string& profile,
                   const Json& preview) {
    if (only_reads(page)) return {};
    return el("details", {{"class", "card fold"}}, el("summary", el("h2", "Read it another way")),
              filter_form("/bank-files/preview",
                          {{.name = "profile",
                            .label = "Format or profile",
                            .value = profile,
                            .hint = "csv, nacha, bai2, camt053, camt054, pain002, acknowledgment, or a profile of the "
                                    "office; empty: recognized automatically"}},
                          {{"upload", upload}, {"name", text_in(preview, "name")}}));
}

}  // namespace

std::string bank_files_page(const PageContext& page, const Json& confirmations, const Json& inbox) {
    Table table("Bank files, newest first", {{"File", Cells::fixed},
                                             {"Taken", Cells::fixed},
                                             {"Result", Cells::fixed},
                                             {"Lines", Cells::number},
                                             {"Paid", Cells::number},
                                             {"Returned or voided", Cells::number},
                                             {"Exceptions", Cells::number},
                                             {"Handed in by"}});
    for (const Json& file : list_in(confirmations, "confirmations")) {
        const std::string sha256 = text_in(file, "sha256");
        const bool is_read = !sha256.empty();  // a file that is too large has no hash and no page
        const Link target = is_read ? Link("/bank-files") / sha256 : Link("/bank-files");
        const auto exceptions = lines_with(file, "exception", "exceptions");
        table.row(target,
                  {is_read ? link_to(target, text_in(file, "name")) : Html(text_in(file, "name") + " (not read)"),
                   moment_in(page, file, "recorded_at"), fate_tag(text_in(file, "outcome")),
                   grouped(count_in(file, "line_count")), amount_in(file, "paid"), amount_in(file, "returned"),
                   exceptions > 0 ? tag(Tone::alarm, grouped(exceptions)) : Html("0"),
                   people_words(list_in(file, "handed_in_by"))});
    }
    const Html list = table.empty() ? empty_state("No bank file has been taken yet.",
                                                  small("Drop one above, or put it into the inbox folder."))
                                    : table.html();
    return to_page(page, Frame{.title = "Bank files",
                               .place = "/bank-files",
                               .under = "What the bank reports about payments: paid, returned, corrected.",
                               .content = group(drop_zone(page), inbox_card(inbox), card("Taken", list),
                                                pager(page, confirmations)),
                               .command = "drawbridge confirmations",
                               .modules = {"drop", "table"}});
}

std::string bank_preview_page(const PageContext& page, const std::string& upload, const std::string& asked_profile,
                              const Json& preview) {
    // A format that was asked for is no profile, and the file is taken as it was previewed.
    const std::string profile = asked_profile.empty() ? text_in(preview, "profile") : asked_profile;
    const std::string name = text_in(preview, "name"), fate = text_in(preview, "fate");
    const bool is_refused = fate == "refused", is_known = fate == "repeated";
    const std::string path = (Link("/ingest") / upload / "take").text();
    const Query of_upload = {{"upload", upload}, {"name", name}, {"profile", profile}};
    Html acts;
    if (is_known) {
        acts = el("a", {{"class", "button main"}, {"href", Link("/bank-files") / text_in(preview, "sha256")}},
                  "Open the taken file");
    } else {
        acts = group(download_button("/bank-files/preview.csv", of_upload, "Download report"),
                     el("a", {{"class", "button"}, {"href", Link("/bank-files")}}, "Discard"));
        acts += act(page,
                    {.title = is_refused ? "Quarantine…" : "Take…",
                     .path = path,
                     .effect = is_refused ? "The file is kept as refused, and an exception opens."
                                          : "What you see becomes part of the ledger: " +
                                                counted(count_in(preview, "applied"), "line") + " applied, " +
                                                money_words(money_in(preview, "paid")) + " paid, " +
                                                money_words(money_in(preview, "returned")) + " returned or voided.",
                     .button = "Sign and take",
                     .next = "/bank-files",
                     .weight = is_refused ? Weight::plain : Weight::main,
                     .fields = {{.kind = Field::Kind::hidden, .name = "name", .value = name},
                                {.kind = Field::Kind::hidden, .name = "profile", .value = profile},
                                {.kind = Field::Kind::hidden, .name = "sha256", .value = text_in(preview, "sha256")}}});
    }
    const Html heading =
        is_refused ? Html("This file would be refused.")
        : is_known
            ? Html("This file was taken before.")
            : group("This file would confirm ", amount_in(preview, "paid"),
                    returns_money(preview) ? group(" and return or void ", amount_in(preview, "returned")) : Html(),
                    ".");
    return to_page(
        page,
        Frame{.title = name,
              .place = "/bank-files",
              .crumbs = group(link_to(Link("/bank-files"), "Bank files"), " / ", name),
              .heading = heading,
              .under = is_known ? "The same bytes are in the archive. Taking them again would do nothing."
                                : "A preview: nothing is recorded until you take it.",
              .acts = acts,
              .content = group(file_content(page, preview, list_in(preview, "lines"), preview, /*is_preview=*/true),
                               is_known ? Html() : other_profile(page, upload, profile, preview)),
              .command = "drawbridge ingest --dry-run FILE",
              .modules = {"table"}});
}

std::string bank_file_page(const PageContext& page, const Json& answer) {
    const auto& file = field(answer, "confirmation");
    const std::string name = text_in(file, "name");
    return to_page(
        page, Frame{.title = name,
                    .place = "/bank-files",
                    .crumbs = group(link_to(Link("/bank-files"), "Bank files"), " / ", name),
                    .under = group(fate_tag(text_in(file, "outcome")), " Taken ", moment_in(page, file, "recorded_at")),
                    .acts = el("a",
                               {{"class", "button"},
                                {"href", Link("/bank-files") / text_in(file, "sha256") / "report.csv"},
                                {"download", ""}},
                               "Download report"),
                    .content = group(file_content(page, file, list_in(answer, "lines"), answer, /*is_preview=*/false),
                                     pager(page, answer)),
                    .command = "drawbridge confirmation " + text_in(file, "sha256").substr(0, 12),
                    .modules = {"table"}});
}

}  // namespace drawbridge::pages
