#include "pages/screen_list.hpp"

#include "drawbridge/pages/screens.hpp"
#include "drawbridge/reconciliation/document.hpp"

namespace drawbridge::pages::samples {
namespace {

PageContext themed(const std::string& path, Theme theme) {
    PageContext page = context(path);
    page.theme = theme;
    return page;
}

PageContext quiet(const std::string& path, Theme theme) {
    PageContext page = themed(path, theme);
    page.pulse["open_exceptions"] = 0;
    page.pulse["files_waiting"] = 0;
    return page;
}

PageContext reading(const std::string& path, Theme theme) {
    PageContext page = themed(path, theme);
    page.me = me("Dev Raman", "link", {"auditor"});
    return page;
}

reconciliation::Report report(bool clean, const Words& words) {
    using reconciliation::Line;
    using reconciliation::LineClass;
    const auto day = [](const char* text) { return parse_date(text).value(); };
    reconciliation::Report report;
    report.head = {"3f9c2a71", "America/New_York", {day("2026-11-01"), day("2026-11-23"), context("/").now}, 10, {},
                   {}};
    report.totals.payments.made = {1877, Money::parse("8214006.55").value()};
    report.totals.payments.confirmed = {1713, Money::parse("6844349.15").value()};
    const auto add = [&](LineClass line_class, const char* amount, const std::string& why, int count) {
        auto& total = report.totals.classes[line_class];
        for (int i = 0; i < count; ++i) {
            Line line;
            line.line_class = line_class;
            line.draw_id = 100041 + i;
            line.payment_id_text = "P0000000131";
            line.name = words.or_else("Harbor Drive Apartments");
            line.amount = Money::parse(amount).value();
            line.since = day("2026-11-12");
            line.age_days = 11;
            line.why = words.or_else(why);
            report.lines.push_back(line);
            total.lines += 1;
            total.amount += line.amount;
            total.sides.ledger += line.amount;
        }
    };
    if (!clean) {
        add(LineClass::paid_never_disbursed, "2310.00",
            "the bank paid it on 2026-11-12; the portal still says Approved", 2);
        add(LineClass::returned, "612.40", "R03, no account", 1);
    }
    add(LineClass::staged, "19513.82", "", 3);
    add(LineClass::reported, "4376.12", "", 5);
    report.controls = {{"Every draw is on one line", "2,164 = 2,164", true},
                       {"Payments, by their files", "1,877 = 1,877", true}};
    return report;
}

}  // namespace

std::vector<Screen> screens() {
    const Json none = nullptr;
    std::vector<Screen> all;
    const auto add = [&](std::string name, std::function<std::string(Theme, const Words&)> make) {
        all.push_back({std::move(name), std::move(make)});
    };
    add("today", [](Theme t, const Words& w) {
        return today_page(themed("/", t), status(2, 5, w), exceptions(5, w), forecast(w));
    });
    add("today-quiet", [](Theme t, const Words& w) {
        return today_page(quiet("/", t), status(0, 0, w), exceptions(0, w), forecast(w));
    });
    add("today-paused", [](Theme t, const Words& w) {
        PageContext page = themed("/", t);
        page.pulse["paused"] = {{"since", "2026-11-23T17:58:00.000Z"},
                                {"by", w.or_else("uid 1003 (carla)")},
                                {"reason", w.or_else("the bank called about a file that we do not know")}};
        return today_page(page, status(2, 9, w), exceptions(9, w), forecast(w));
    });
    add("files-breach", [](Theme t, const Words& w) {
        PageContext page = themed("/files", t);
        page.pulse["breach"] = {{"invariant", 3}, {"found_at", "2026-11-23T14:00:00.000Z"}};
        return files_page(page, files(3, w), {});
    });
    add("rules-partial", [](Theme t, const Words& w) {
        Json partial = backtest(40, w);
        partial["next_after"] = 1641;
        return rules_page(themed("/rules", t), rules(w), changes(w), {{"ok", true}}, partial);
    });
    add("today-away", [](Theme t, const Words& w) {
        PageContext page = themed("/", t);
        page.known_at = parse_instant("2026-11-23T18:05:00Z").value();
        return today_page(page, status(2, 5, w), exceptions(5, w), forecast(w));
    });
    add("today-hosts", [](Theme t, const Words& w) {
        Json answer = status(0, 0, w);
        answer["ledger"]["hosts"] = hosts(w);
        return today_page(quiet("/", t), answer, exceptions(0, w), forecast(w));
    });
    add("files", [](Theme t, const Words& w) { return files_page(themed("/files", t), files(3, w), {}); });
    add("files-many", [](Theme t, const Words& w) { return files_page(themed("/files", t), files(200, w), {}); });
    add("files-empty", [](Theme t, const Words& w) {
        return files_page(quiet("/files?state=staged", t), files(0, w), {{"state", "staged"}});
    });
    add("file", [](Theme t, const Words& w) {
        return file_page(themed("/files/ACH-20261123-A.ach", t), file("staged", 6, w));
    });
    add("file-many", [](Theme t, const Words& w) {
        return file_page(themed("/files/ACH-20261123-A.ach", t), file("staged", 3000, w));
    });
    add("file-released", [](Theme t, const Words& w) {
        return file_page(themed("/files/ACH-20261123-A.ach", t), file("released", 4, w));
    });
    add("file-refused", [](Theme t, const Words& w) {
        Json answer = file("staged", 4, w);
        answer["may_release"] = {{"ok", false},
                                 {"because", w.or_else("you approved draw 100023. Ben Ortiz or Carla Dubois may.")}};
        return file_page(themed("/files/ACH-20261123-A.ach", t), answer);
    });
    add("file-reading", [](Theme t, const Words& w) {
        Json answer = file("staged", 4, w);
        answer["may_release"] = {{"ok", false}, {"because", w.or_else("it needs the role releaser.")}};
        return file_page(reading("/files/ACH-20261123-A.ach", t), answer);
    });
    add("exceptions", [](Theme t, const Words& w) {
        return exceptions_page(themed("/exceptions", t), exceptions(5, w), closed(3, w), {});
    });
    add("exceptions-many", [](Theme t, const Words& w) {
        return exceptions_page(themed("/exceptions", t), exceptions(3000, w), nullptr, {});
    });
    add("exceptions-empty", [](Theme t, const Words& w) {
        return exceptions_page(quiet("/exceptions", t), exceptions(0, w), nullptr, {});
    });
    add("exceptions-closed", [](Theme t, const Words& w) {
        return exceptions_page(themed("/exceptions?closed_on=2026-11-23", t), closed(12, w), nullptr,
                               {{"closed_on", "2026-11-23"}});
    });
    add("exception",
        [](Theme t, const Words& w) { return exception_page(themed("/exceptions/15", t), exception(w), draw(w)); });
    add("draws", [](Theme t, const Words& w) { return draws_page(themed("/draws", t), draws(9, w), {}); });
    add("draws-many", [](Theme t, const Words& w) {
        return draws_page(themed("/draws?state=held", t), draws(3000, w), {{"state", "held"}});
    });
    add("draws-empty", [](Theme t, const Words& w) {
        return draws_page(themed("/draws?state=held", t), draws(0, w), {{"state", "held"}, {"text", w.stranger}});
    });
    add("draw", [](Theme t, const Words& w) { return draw_page(themed("/draws/100041", t), draw(w), nullptr); });
    add("draw-explained", [](Theme t, const Words& w) {
        return draw_page(themed("/draws/100041?explain=true", t), draw(w), explanation(w));
    });
    add("draw-tried", [](Theme t, const Words& w) {
        const Json valid = {{"ok", true}, {"diagnostics", Json::array()}};
        return draw_page(themed("/draws/100041", t), draw(w), explanation(w),
                         {{"file", w.or_else("new.yaml")}, {"check", valid}, {"explanation", explanation(w)}});
    });
    add("draw-tried-wrong", [](Theme t, const Words& w) {
        return draw_page(themed("/draws/100041", t), draw(w), explanation(w),
                         {{"file", ""}, {"text", w.or_else("rules:\n  - name: rent")}, {"check", rules_check(w)}});
    });
    add("bank-files", [](Theme t, const Words& w) {
        return bank_files_page(themed("/bank-files", t), confirmations(4, w), status(0, 0, w)["inbox"]);
    });
    add("bank-files-many", [](Theme t, const Words& w) {
        return bank_files_page(themed("/bank-files", t), confirmations(3000, w), nullptr);
    });
    add("bank-files-empty", [](Theme t, const Words& w) {
        return bank_files_page(reading("/bank-files", t), confirmations(0, w), nullptr);
    });
    add("bank-preview", [](Theme t, const Words& w) {
        return bank_preview_page(themed("/bank-files/preview", t), w.or_else("u1"), w.or_else("csv"), preview(12, w));
    });
    add("bank-refused", [](Theme t, const Words& w) {
        return bank_preview_page(themed("/bank-files/preview", t), "u1", "", refused_preview(w));
    });
    add("bank-file", [](Theme t, const Words& w) {
        return bank_file_page(themed("/bank-files/77", t), {{"confirmation", confirmations(1, w)["confirmations"][0]},
                                                            {"lines", preview(8, w)["lines"]}});
    });
    add("checks", [](Theme t, const Words& w) {
        return checks_page(themed("/checks", t), checks(6, w), status(0, 0)["checks"], {});
    });
    add("checks-many", [](Theme t, const Words& w) {
        return checks_page(themed("/checks", t), checks(3000, w), status(0, 0)["checks"], {});
    });
    add("check",
        [](Theme t, const Words& w) { return check_page(themed("/checks/10027", t), checks(6, w)["checks"][3]); });
    add("checks-empty",
        [](Theme t, const Words& w) { return checks_page(themed("/checks", t), checks(0, w), nullptr, {}); });
    add("calendar",
        [](Theme t, const Words& w) { return calendar_page(themed("/calendar", t), calendar(w), forecast(w)); });
    add("calendar-day", [](Theme t, const Words& w) {
        return calendar_day_page(themed("/calendar/2026-11-23", t), calendar_day(w), forecast(w));
    });
    add("calendar-empty", [](Theme t, const Words&) {
        return calendar_page(themed("/calendar", t), Json{{"days", Json::array()}}, nullptr);
    });
    add("reconciliation",
        [](Theme t, const Words& w) { return reconciliation_page(themed("/reconciliation", t), report(false, w)); });
    add("reconciliation-agrees",
        [](Theme t, const Words& w) { return reconciliation_page(themed("/reconciliation", t), report(true, w)); });
    add("rules", [](Theme t, const Words& w) {
        return rules_page(themed("/rules", t), rules(w), changes(w), nullptr, nullptr);
    });
    add("rules-tried", [](Theme t, const Words& w) {
        return rules_page(themed("/rules", t), rules(w), changes(w), rules_check(w), backtest(4, w));
    });
    add("rules-empty",
        [](Theme t, const Words&) { return rules_page(themed("/rules", t), nullptr, nullptr, nullptr, nullptr); });
    add("change", [](Theme t, const Words& w) { return change_page(themed("/changes/77aa", t), change(w)); });
    add("audit", [](Theme t, const Words& w) { return audit_page(themed("/audit", t), audit(9, w), nullptr, {}); });
    add("audit-many", [](Theme t, const Words& w) {
        return audit_page(themed("/audit", t), audit(3000, w), verification(true, w), {{"actor", w.stranger}});
    });
    add("audit-broken", [](Theme t, const Words& w) {
        return audit_page(themed("/audit", t), audit(3, w), verification(false, w), {});
    });
    add("signed-act", [](Theme t, const Words& w) { return signed_act_page(themed("/acts/a1b2", t), signed_act(w)); });
    add("people", [](Theme t, const Words& w) {
        PageContext page = themed("/people", t);
        page.me = me("Erin Walsh", "passkey", {"admin"});
        return people_page(page, people(4, w), passkeys(w), sessions(w));
    });
    add("people-empty",
        [](Theme t, const Words& w) { return people_page(themed("/people", t), people(0, w), nullptr, nullptr); });
    add("me", [](Theme t, const Words& w) {
        PageContext page = themed("/me", t);
        page.me["person"]["name"] = w.or_else("Ben Ortiz");
        return me_page(page, sessions(w));
    });
    add("find", [](Theme t, const Words& w) {
        return find_page(themed("/find?q=19513.82", t), w.or_else("19513.82"), found(3, w));
    });
    add("find-empty",
        [](Theme t, const Words& w) { return find_page(themed("/find?q=x", t), w.or_else("x"), found(0, w)); });
    add("sign",
        [](Theme t, const Words& w) { return sign_page(themed("/sign", t), challenge(w), w.or_else("/files")); });
    add("sign-in", [](Theme t, const Words& w) { return sign_in_page(themed("/sign-in", t), w.or_else("/files")); });
    add("open", [](Theme t, const Words&) { return open_page(themed("/open", t)); });
    add("enroll", [](Theme t, const Words&) { return enroll_page(themed("/enroll", t)); });
    add("away", [](Theme t, const Words&) { return away_page(themed("/files", t)); });
    const auto error = [](const Words& w, const char* harmless) {
        return Json{{"error", {{"code", "conflict"}, {"message", w.or_else(harmless)}}}};
    };
    add("error-403", [error](Theme t, const Words& w) {
        return error_page(
            themed("/files", t), 403,
            error(w, "this needs the role releaser, and you have auditor: ask an admin (person 5, Erin Walsh)"));
    });
    add("error-404", [error](Theme t, const Words& w) {
        return error_page(themed("/files", t), 404, error(w, "there is no payment file named ACH-20261199-A.ach"));
    });
    add("error-409", [error](Theme t, const Words& w) {
        return error_page(themed("/files", t), 409,
                          error(w, "ACH-20261123-A.ach was released already, by uid 1003 (carla)"));
    });
    return all;
}

}  // namespace drawbridge::pages::samples
