#include "pages/sample_answers.hpp"

#include <fmt/format.h>

#include <array>

#include "drawbridge/domain/money.hpp"
#include "pages/sample_values.hpp"

namespace drawbridge::pages::samples {

Json me(const std::string& name, const std::string& how, std::initializer_list<const char*> roles) {
    Json list = Json::array();
    for (const char* role : roles)
        list.push_back(role);
    return {{"person", {{"id", 2}, {"name", name}}},
            {"roles", list},
            {"how", how},
            {"expires", "2026-11-23T19:52:00.000Z"},
            {"read_only", how == "link"},
            {"timezone", "America/New_York"},
            {"closures", {"2026-11-27"}},
            {"keys", Json::array({{{"fingerprint", "4F1C-09D2-A7B3-55E1"},
                                   {"label", "office laptop"},
                                   {"state", "confirmed"},
                                   {"enrolled_at", "2026-10-02T14:00:00.000Z"}}})}};
}

PageContext context(const std::string& path) {
    PageContext page{.now = parse_instant("2026-11-23T18:19:00Z").value()};
    page.path = path;
    set_reader(page, me("Ben Ortiz", "passkey", {"releaser", "operator", "finance"}));
    page.pulse = {
        {"audit_seq", 48211}, {"paused", false}, {"open_exceptions", 5}, {"files_waiting", 2}, {"doing", "waiting"}};
    return page;
}

Json status(int file_count, int exception_count, const Words& words) {
    Json waiting = Json::array(), by_reason = Json::array(), states = Json::array();
    const Json all_files = files(file_count, words);
    for (const Json& one : all_files["files"]) {
        if (one["state"] == "staged") waiting.push_back(one);
    }
    if (exception_count > 0) {
        by_reason.push_back({{"step", "pay"}, {"reason_code", "payee_unknown"}, {"count", 2}});
        by_reason.push_back({{"step", "confirm"}, {"reason_code", "returned"}, {"count", 2}});
        by_reason.push_back({{"step", "pay"}, {"reason_code", "payee_changed"}, {"count", exception_count - 4}});
    }
    const auto state = [&](const char* name, int count, const char* amount) {
        states.push_back({{"state", name},
                          {"count", count},
                          {"amount", amount},
                          {"without_amount", 0},
                          {"oldest", "2026-11-21T18:00:00.000Z"}});
    };
    state("pending", 41, "182340.10");
    state("held", 7, "94115.00");
    state("approved", 18, "61204.77");
    state("paying", file_count == 0 ? 0 : 164, file_count == 0 ? "0.00" : "1369657.40");
    state("paid", 52, "402880.00");
    state("disbursed", 3, "9100.00");
    state("reported", 1877, "8214006.55");
    state("returned", 2, "3117.50");
    Json runs = Json::array({{{"step", "poll"},
                              {"ok", exception_count != 9},
                              {"summary", words.or_else("the Draws Service answers 503")}}});
    return {
        {"at", "2026-11-23T18:18:58.000Z"},
        {"needs_attention",
         {{"paused", nullptr},
          {"restoration", nullptr},
          {"open_exceptions", exception_count},
          {"exceptions_by_reason", by_reason},
          {"files_waiting_for_release", waiting}}},
        {"states", states},
        {"runs", runs},
        {"waiting_for_portal", {{"count", 52}, {"amount", "402880.00"}, {"oldest", "2026-11-20T18:00:00.000Z"}}},
        {"checks",
         {{"outstanding", 34},
          {"amount", "145671.32"},
          {"stale", 1},
          {"stale_amount", "812.00"},
          {"orders_not_transmitted", 0}}},
        {"backup", {{"at", "2026-11-23T07:00:00.000Z"}}},
        {"controls",
         Json::array({{{"key", "pay.payee_hold"}, {"on", true}, {"state", "2 days"}},
                      {{"key", "pay.return_limit"}, {"on", false}, {"state", "a rise in returns is not noticed"}}})},
        {"return_rates", Json::array({{{"kind", "unauthorized"},
                                       {"returned", 4},
                                       {"entries", 1290},
                                       {"rate", 0.0031},
                                       {"limit", 0.005},
                                       {"text", "0.31 % of 1,290 (limit 0.5 %)"}}})},
        {"change_control", {{"waiting", Json::array()}}},
        {"undelivered", {{"files", 0}, {"oldest", nullptr}}},
        {"inbox",
         {{"ready", 0}, {"waiting_count", 0}, {"left_alone_count", 0}, {"left_alone", Json::array()}, {"in_hand", 0}}},
        {"daemon", {{"running", true}, {"doing", "waiting"}, {"next_cutoff", "2026-11-23T20:30:00.000Z"}}},
        {"service",
         {{"circuit", exception_count == 9 ? "open" : "closed"}, {"last_error", words.or_else("connection refused")}}},
        {"ledger", {{"id", "3f9c2a71"}, {"hosts", nullptr}}},
        {"reload_problems", Json::array()},
        {"reconciliation", {{"line", "seen 2,164"}, {"adds_up", exception_count != 9}}}};
}

Json hosts(const Words& words) {
    return {{"writer", words.or_else("hall-1 812")},
            {"since", "2026-11-21T15:04:00.000Z"},
            {"takeovers", 3},
            {"standbys", Json::array({{{"host", words.or_else("hall-2")},
                                       {"seen_at", "2026-11-23T18:18:56.000Z"},
                                       {"entries_behind", 0},
                                       {"differs", {words.or_else("rules")}}},
                                      {{"host", words.or_else("annex-1")},
                                       {"seen_at", "2026-11-22T18:18:56.000Z"},
                                       {"entries_behind", 4211},
                                       {"differs", Json::array()}}})},
            {"server_standbys",
             Json::array(
                 {{{"name", words.or_else("db-2")}, {"state", "streaming"}, {"sync", "sync"}, {"lag_ms", 12}},
                  {{"name", words.or_else("db-3")}, {"state", "streaming"}, {"sync", "async"}, {"lag_ms", 48211}}})},
            {"owns_tables", true}};
}

Json calendar(const Words& words) {
    Json days = Json::array();
    for (int day = 1; day <= 30; ++day) {
        const int weekday = (day + 6) % 7;  // November 1, 2026 is a Sunday
        const bool is_holiday = day == 26 || day == 11;
        const bool is_open = weekday != 0 && weekday != 6 && !is_holiday;
        Json one = {{"date", fmt::format("2026-11-{:02}", day)},
                    {"banking_day", is_open},
                    {"closed_for", nullptr},
                    {"cutoffs", Json::array()},
                    {"files", Json::array()},
                    {"settles", nullptr}};
        if (day == 26) one["closed_for"] = words.or_else("Thanksgiving Day");
        if (day == 11) one["closed_for"] = "Veterans Day";
        if (is_open)
            one["cutoffs"] = Json::array(
                {fmt::format("2026-11-{:02}T15:00:00.000Z", day), fmt::format("2026-11-{:02}T20:30:00.000Z", day)});
        if (is_open && day < 25) one["settles"] = {{"count", 130}, {"amount", some_amount(day * 971)}};
        if (day == 23 || day == 20)
            one["files"] = Json::array({fmt::format("ACH-202611{:02}-A.ach", day), "CHK-20261123-0001.csv"});
        days.push_back(one);
    }
    return {{"days", days}};
}

Json calendar_day(const Words& words) {
    const auto file = [&](const char* name, bool went_out, int count, const char* amount) {
        return Json{{"name", words.or_else(name)}, {"went_out", went_out}, {"count", count}, {"amount", amount}};
    };
    return {{"today", "2026-11-23"},
            {"days", Json::array({{{"date", "2026-11-23"},
                                   {"banking_day", true},
                                   {"closed_for", nullptr},
                                   {"cutoffs", {"2026-11-23T15:00:00.000Z", "2026-11-23T20:30:00.000Z"}},
                                   {"settles", {{"count", 164}, {"amount", "1369657.40"}}},
                                   {"files",
                                    {file("ACH-20261120-A.ach", true, 130, "1223986.08"),
                                     file("CHK-20261123-0001.csv", false, 34, "145671.32")}}}})}};
}

Json forecast(const Words& /*words*/) {
    Json days = Json::array();
    const auto part = [](int count, const std::string& amount) { return Json{{"count", count}, {"amount", amount}}; };
    constexpr std::array<int, 8> dates = {23, 24, 25, 27, 30, 31, 32, 33};
    for (std::size_t i = 0; i < dates.size(); ++i) {
        const int n = static_cast<int>(i);
        const auto date =
            dates[i] > 30 ? fmt::format("2026-12-{:02}", dates[i] - 30) : fmt::format("2026-11-{:02}", dates[i]);
        days.push_back({{"date", date},
                        {"released", part(120, i < 2 ? "402880.00" : "0.00")},
                        {"waiting", part(164, i == 1 ? "1369657.40" : "0.00")},
                        {"approved", part(18, i == 2 ? "61204.77" : "0.00")},
                        {"possible", part(41, Money::from_cents(18'234'010 - n * 1'700'000).to_string())}});
    }
    return {{"days", days}};
}

Json found(int count, const Words& words) {
    Json list = Json::array();
    for (int i = 0; i < count; ++i)
        list.push_back({{"kind", i % 2 == 0 ? "draw" : "payment"},
                        {"id", fmt::format("{}", 100041 + i)},
                        {"title", words.or_else("Harbor Drive Apartments, $19,513.82")},
                        {"path", words.or_else("/draws/100041")}});
    return {{"matches", list}};
}

Json challenge(const Words& words) {
    return {
        {"act_id", "a1b2c3d4"},
        {"text",
         words.or_else(
             "Drawbridge ledger 3f9c2a71\nhttps://drawbridge.example.gov\nperson 2, Ben Ortiz\nreleases the payment "
             "file ACH-20261123-A.ach\n  SHA-256 c0b00d86a5169f3e77a1e2d4b5c6f70812ab34cd56ef78901234567890abcdef\n  "
             "130 payments, $1,223,986.08\nreason: compared with the bank's receipt\nnonce "
             "8f14e45fceea167a5a36dedd4bea2543\nvalid until 2026-11-23T18:21:00Z")},
        {"challenge", "Y2hhbGxlbmdl"},
        {"rp_id", "drawbridge.example.gov"},
        {"credentials", Json::array({"k3yk3y"})},
        {"expires", "2026-11-23T18:21:00.000Z"}};
}

}  // namespace drawbridge::pages::samples
