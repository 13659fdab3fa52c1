#include "pages/sample_answers.hpp"

#include <fmt/format.h>

#include <array>

#include "drawbridge/domain/money.hpp"

namespace drawbridge::pages::samples {
namespace {

constexpr std::array<const char*, 8> payees = {
    "Harbor Drive Apartments",  "Peña Roofing Inc",   "Łukasz Dvořák",
    "Maple Street Rentals LLC", "City Light & Power", "Northside Property Management and Maintenance Group",
    "Eastlake Water District",  "O'Neill Plumbing"};
constexpr std::array<const char*, 6> cases = {"Home repair: Ingrid Williams, 4643 Lincoln Way",
                                              "Rent: Mateo Alvarez, Unit 12",
                                              "Utility arrears: J. Okafor",
                                              "Weatherization: Elm Court HOA",
                                              "Rent: Priya Natarajan",
                                              "Emergency: Tran family"};
constexpr std::array<const char*, 9> draw_states = {"pending",  "held",     "approved", "paying",   "paid",
                                                    "reported", "returned", "blocked",  "disbursed"};
constexpr const char* sha = "c0b00d86a5169f3e77a1e2d4b5c6f70812ab34cd56ef78901234567890abcdef";

std::string payee(int i, const Words& words) {
    return words.or_else(payees[static_cast<std::size_t>(i) % payees.size()]);
}
std::string case_name(int i, const Words& words) {
    return words.or_else(cases[static_cast<std::size_t>(i) % cases.size()]);
}
std::string some_amount(int i) {
    return Money::from_cents(61'240 + static_cast<std::int64_t>(i) * 7'919 % 2'400'000).to_string();
}

}  // namespace

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

Json files(int count, const Words& words) {
    Json list = Json::array();
    for (int i = 0; i < count; ++i) {
        const bool is_check = i % 5 == 1;
        const std::string state = i < 2 ? "staged" : i % 17 == 9 ? "voided" : "released";
        list.push_back(
            {{"name", is_check ? fmt::format("CHK-202611{:02}-{:04}.csv", 23 - i / 3 % 23, count - i)
                               : fmt::format("ACH-202611{:02}-{:c}.ach", 23 - i / 3 % 23, 'A' + i % 3)},
             {"kind", i % 11 == 7 ? "check_orders" : "payments"},
             {"rail", is_check ? "check" : "ach"},
             {"state", state},
             {"started_by", i % 4 == 2 ? words.or_else("uid 1001 (anna)") : "schedule"},
             {"created_at", "2026-11-23T15:00:00.000Z"},
             {"payments", i == 0   ? 130
                          : i == 1 ? 34
                                   : 126 - i % 90},
             {"prenotes", 0},
             {"total", i == 0   ? "1223986.08"
                       : i == 1 ? "145671.32"
                                : Money::from_cents(98'123'456 + i * 1'317'911).to_string()},
             {"entry_hash", "0008412207"},
             {"sha256", sha},
             {"staged_at", "2026-11-23T15:00:04.000Z"},
             {"settlement_deadline", "2026-11-23T21:00:00.000Z"},
             {"released_at", state == "released" ? Json("2026-11-20T20:40:00.000Z") : Json(nullptr)},
             {"makers",
              Json::array(
                  {{{"by", words.or_else("uid 1001 (anna)")}, {"hand", "approved draw 100023"}, {"draws", 1}}})},
             {"delivery",
              state == "released"
                  ? Json{{"state", "delivered"}, {"by", "sftp"}, {"delivered_at", "2026-11-20T20:41:10.000Z"}}
                  : Json{{"state", "not_released"}}}});
    }
    return {{"files", list}, {"next_after", count >= 200 ? Json(200) : Json(nullptr)}, {"total", count}};
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

Json file(const std::string& state, int count, const Words& words) {
    Json one = files(1, words)["files"][0];
    one["name"] = "ACH-20261123-A.ach";
    one["state"] = state;
    one["payments"] = count;
    Json payments = Json::array();
    Money total;
    for (int i = 0; i < count && i < 500; ++i) {
        const auto amount = some_amount(i * 37 + 5);
        total += Money::parse(amount).value();
        payments.push_back(
            {{"payment_id", fmt::format("P{:010}", 131 + i)},
             {"draw_id", 100002 + i * 7},
             {"amount", amount},
             {"payee_key", fmt::format("V{:04}", 100 + i)},
             {"payee_name", payee(i, words)},
             {"account", fmt::format("****{:04}", 172 + i * 31 % 9000)},
             {"trace_number", fmt::format("0910000100{:05}", 17 + i)},
             {"check_number", nullptr},
             {"approved_by", i % 9 == 3 ? Json(words.or_else("uid 1001 (anna)")) : Json("rule 'rent-and-repair'")},
             {"first_time", i < 3}});
    }
    one["total"] = total.to_string();
    if (state == "released") {
        one["released_at"] = "2026-11-23T18:40:00.000Z";
        one["release_ordered_by"] = "uid 1002 (ben)";
        one["delivery"] = {
            {"state", "delivered"},
            {"by", "sftp"},
            {"server", "sftp.bank.example"},
            {"delivered_at", "2026-11-23T18:41:00.000Z"},
            {"steps", Json::array({{{"at", "2026-11-23T18:40:02.000Z"}, {"step", "begun"}, {"detail", "upload 1"}},
                                   {{"at", "2026-11-23T18:41:00.000Z"},
                                    {"step", "delivered"},
                                    {"detail", words.or_else("sftp.bank.example")}}})}};
    }
    return {{"file", one},
            {"batches", Json::array({{{"number", 1},
                                      {"sec_code", "PPD"},
                                      {"effective_entry_date", "2026-11-24"},
                                      {"payments", count},
                                      {"prenotes", 0},
                                      {"addenda", 0},
                                      {"credits", one["total"]},
                                      {"debits", "0.00"}}})},
            {"control",
             {{"batch_count", 1},
              {"block_count", 15},
              {"entry_addenda_count", count},
              {"debits", "0.00"},
              {"credits", one["total"]}}},
            {"effective_entry_dates", Json::array({"2026-11-24"})},
            {"largest_payment", "24870.15"},
            {"earlier_file",
             {{"name", "ACH-20261120-C.ach"}, {"payments", 126}, {"total", "1192765.58"}, {"largest", "24870.15"}}},
            {"settlement_deadline", "2026-11-23T21:00:00.000Z"},
            {"may_release",
             {{"ok", true}, {"because", words.or_else("Anna Lindqvist may not: she approved draw 100023.")}}},
            {"first_time_payees", {{"count", 3}, {"amount", "28330.22"}}},
            {"payments", payments},
            {"next_payments_after", count > 500 ? Json(500) : Json(nullptr)}};
}

Json exceptions(int count, const Words& words) {
    struct Kind {
        const char *code, *step, *title, *what, *detail;
    };
    constexpr std::array<Kind, 4> kinds = {
        {{"payee_unknown", "pay", "No payee for this draw",
          "Add the payee to the directory, or have the draw corrected. Then it is paid at the next cut-off.",
          "payee 'Harbor Drive Apts' is not in payees.csv: add it, or correct the draw"},
         {"returned", "confirm", "The bank returned the payment",
          "Ask the payee for new bank details. Then pay the draw again.",
          "R03: no account, or the number is not the payee's"},
         {"payee_changed", "pay", "Bank details changed lately",
          "Call the payee at a number that you knew before. Then resolve.",
          "the account of V0101 changed on 2026-11-21: payments to it wait until 2026-11-24"},
         {"unmatched", "confirm", "A line of the bank fits no payment",
          "Run `drawbridge exception ID`, and choose the payment that it means. Or resolve it with a reason.",
          "line 17: no payment of ours has the trace number 091000010000071"}}};
    Json list = Json::array();
    for (int i = 0; i < count && i < 200; ++i) {
        const auto& kind = kinds[static_cast<std::size_t>(i) % kinds.size()];
        list.push_back(
            {{"id", 12 + i},
             {"opened_at", fmt::format("2026-11-{:02}T14:1{}:00.000Z", 23 - i % 20, i % 10)},
             {"step", kind.step},
             {"reason_code", kind.code},
             {"title", kind.title},
             {"what_to_do", kind.what},
             {"acts", Json::array({"resolve", "match", "reissue"})},
             {"draw_id", i % 4 == 3 ? Json(nullptr) : Json(100041 + i)},
             {"payment_id", nullptr},
             {"subject", i % 4 == 3 ? Json(std::string(64, 'c')) : Json(nullptr)},
             {"amount", some_amount(i * 91)},
             {"detail", words.or_else(kind.detail)},
             {"closed_at", nullptr},
             {"proposal", i % 4 == 3
                              ? Json{{"payment_id", "P0000000131"},
                                     {"score", 84},
                                     {"because", words.or_else("same amount, one digit of the trace number differs")},
                                     {"obstacle", nullptr}}
                              : Json(nullptr)}});
    }
    return {{"exceptions", list}, {"next_after", count > 200 ? Json(212) : Json(nullptr)}, {"total", count}};
}

Json closed(int count, const Words& words) {
    Json answer = exceptions(count, words);
    for (Json& one : answer["exceptions"]) {
        one["closed_at"] = "2026-11-23T15:12:00.000Z";
        one["closed_by"] = words.or_else("uid 1003 (carla)");
        one["closed_reason"] = words.or_else("called the payee, the number on file is right");
    }
    return answer;
}

Json exception(const Words& words) {
    Json one = exceptions(4, words)["exceptions"][3];
    return {
        {"exception", one},
        {"line",
         {{"file", words.or_else("bank-20261123.csv")},
          {"line", 17},
          {"says", "paid"},
          {"amount", "19513.82"},
          {"currency", "USD"},
          {"date", "2026-11-23"},
          {"references", Json::array({{{"kind", "trace_number"}, {"text", words.or_else("091000010000071")}}})},
          {"bank_code", nullptr},
          {"payee_name", words.or_else("HARBOR DRIVE APTS")},
          {"note", words.or_else("ref 4643 Lincoln Way")}}},
        {"proposals",
         Json::array(
             {{{"payment_id", "P0000000131"},
               {"score", 84},
               {"because",
                words.or_else("same amount; the payee's name is alike; two digits of the trace number are swapped")},
               {"obstacle", nullptr}},
              {{"payment_id", "P0000000144"},
               {"score", 41},
               {"because", "the payee's name is alike"},
               {"obstacle", words.or_else("its amount is $8,204.00, and the line says $19,513.82")}}})}};
}

Json draws(int count, const Words& words) {
    Json list = Json::array();
    for (int i = 0; i < count && i < 200; ++i) {
        const std::string state = draw_states[static_cast<std::size_t>(i) % draw_states.size()];
        list.push_back(
            {{"id", 100002 + i},
             {"state", state},
             {"status", 3},
             {"status_name", "Pending Approval"},
             {"amount", some_amount(i * 53)},
             {"payee", words.or_else(fmt::format("PAYEE-{:04}", i % 40 + 1))},
             {"workflow_id", 12},
             {"case_name", case_name(i, words)},
             {"description", words.or_else("Roof repair, second draw")},
             {"seen", std::string(32, 'a')},
             {"since", fmt::format("2026-11-{:02}T14:00:00.000Z", 23 - i % 22)},
             {"why", state == "held" ? Json(words.or_else("rule 'large-amounts': needs a second pair of eyes"))
                                     : Json(nullptr)}});
    }
    return {{"draws", list},
            {"next_after", count > 200 ? Json(100201) : Json(nullptr)},
            {"total", count},
            {"sum", Money::from_cents(static_cast<std::int64_t>(count) * 481'213).to_string()},
            {"without_amount", 0}};
}

Json draw(const Words& words) {
    const auto entry = [&](const char* at, const char* what, const char* event, const std::string& detail,
                           Json by = nullptr, Json payment = nullptr, Json file = nullptr) {
        return Json{{"at", at},
                    {"what", what},
                    {"event", event},
                    {"by", std::move(by)},
                    {"detail", words.or_else(detail)},
                    {"payment_id", std::move(payment)},
                    {"file", std::move(file)},
                    {"exception_id", nullptr}};
    };
    Json row = draws(2, words)["draws"][1];
    row["id"] = 100041;
    row["state"] = "paying";
    row["amount"] = "19513.82";
    row["why"] = words.or_else("in ACH-20261123-A.ach, which waits for its release");
    return {{"draw", row},
            {"payee_name", words.or_else("Harbor Drive Apartments")},
            {"fields",
             {{"amountRequested", "19513.82"},
              {"amountApproved", "19513.82"},
              {"amountDisbursed", nullptr},
              {"requestedBy", words.or_else("ingrid.williams44@participants.example.org")},
              {"description", words.or_else("Roof repair, second draw")},
              {"workflowId", 12}}},
            {"forecast",
             {{"run_at", "2026-11-23T20:30:00.000Z"},
              {"effective_entry_date", "2026-11-24"},
              {"because",
               words.or_else("Thursday, November 26 is Thanksgiving: released after 16:00 it settles on Wednesday.")}}},
            {"exceptions", Json::array({exceptions(1, words)["exceptions"][0]})},
            {"timeline",
             Json::array(
                 {entry("2026-11-20T14:15:00.000Z", "reading", "draw_read",
                        "Pending Approval, requested 19513.82, modified by ingrid at 2026-11-20T14:14:40.000Z"),
                  entry("2026-11-20T14:15:04.000Z", "decision", "decided_hold",
                        "hold by rule 'large-amounts': needs a second pair of eyes"),
                  entry("2026-11-23T13:52:00.000Z", "decision", "decided_approve",
                        "approve: site visit report attached to the case", "uid 1001 (anna)"),
                  entry("2026-11-23T13:52:20.000Z", "approval", "approval_approved", "batch 311: approved (answer)"),
                  entry("2026-11-23T15:00:00.000Z", "payment", "payment_planned",
                        "P0000000131: 19513.82 to Harbor Drive Apartments by ACH, trace number "
                        "091000010000017, effective 2026-11-24",
                        nullptr, "P0000000131", "ACH-20261123-A.ach"),
                  entry("2026-11-23T15:00:04.000Z", "payment", "file_staged", "ACH-20261123-A.ach staged", nullptr,
                        nullptr, "ACH-20261123-A.ach")})}};
}

Json explanation(const Words& words) {
    return {
        {"draw_id", 100041},
        {"decision",
         {{"outcome", "hold"},
          {"rule", "large-amounts"},
          {"reason", words.or_else("needs a second pair of eyes")},
          {"rules",
           Json::array({{{"rule", "large-amounts"},
                         {"matched", true},
                         {"conditions", Json::array({{{"field", "amountRequested"},
                                                      {"operator", "greater_than"},
                                                      {"wanted", "15000.00"},
                                                      {"found", "19513.82"},
                                                      {"passed", true}}})}},
                        {{"rule", words.or_else("rent-and-repair")},
                         {"matched", false},
                         {"conditions", Json::array({{{"operator", "any"},
                                                      {"passed", false},
                                                      {"parts", Json::array({{{"field", "description"},
                                                                              {"operator", "contains"},
                                                                              {"wanted", "rent"},
                                                                              {"found", words.or_else("Roof repair")},
                                                                              {"passed", false}}})}}})}}})}}}};
}

Json confirmations(int count, const Words& words) {
    Json list = Json::array();
    for (int i = 0; i < count && i < 200; ++i) {
        list.push_back(
            {{"sha256", fmt::format("{:08x}a5169f3e77a1e2d4b5c6f70812ab34cd56ef78901234567890abcdef", i + 77)},
             {"name", words.or_else(fmt::format("bank-202611{:02}.csv", 23 - i % 22))},
             {"recorded_at", "2026-11-23T14:05:00.000Z"},
             {"outcome", i % 13 == 5 ? "refused" : "applied"},
             {"line_count", 118 + i},
             {"paid", some_amount(i * 700)},
             {"returned", i % 3 == 2 ? some_amount(i * 7) : "0.00"},
             {"handed_in_by", {words.or_else("Carla Meyer (uid 1003)")}},
             {"outcomes",
              {{"applied", {{"lines", 116 + i}, {"amount", some_amount(i * 700)}}},
               {"exception", {{"lines", i % 6 == 1 ? 2 : 0}, {"amount", "0.00"}}}}}});
    }
    return {{"confirmations", list}, {"next_after", count > 200 ? Json(3) : Json(nullptr)}};
}

Json preview(int count, const Words& words) {
    Json lines = Json::array();
    for (int i = 0; i < count && i < 500; ++i) {
        const std::string outcome = i % 11 == 4 ? "exception" : i % 7 == 5 ? "duplicate" : "applied";
        lines.push_back(
            {{"line", i + 2},
             {"says", i % 13 == 6 ? "returned" : "paid"},
             {"payment_reference", words.or_else(fmt::format("0910000100{:05}", 17 + i))},
             {"amount", some_amount(i * 37)},
             {"currency", "USD"},
             {"date", "2026-11-20"},
             {"bank_code", nullptr},
             {"payee_name", payee(i, words)},
             {"outcome", outcome},
             {"payment_id", outcome == "exception" ? Json(nullptr) : Json(fmt::format("P{:010}", 131 + i))},
             {"draw_id", outcome == "exception" ? Json(nullptr) : Json(100002 + i)},
             {"detail", outcome == "applied"
                            ? Json(nullptr)
                            : Json(words.or_else(outcome == "duplicate" ? "said before, in bank-20261120.csv line 4"
                                                                        : "no payment has this trace number"))},
             {"proposal", outcome == "exception"
                              ? Json{{"payment_id", "P0000000131"}, {"because", words.or_else("same amount and day")}}
                              : Json(nullptr)}});
    }
    return {{"fate", "applied"},
            {"name", words.or_else("bank-20261123.csv")},
            {"sha256", sha},
            {"size_bytes", 18211},
            {"format", "csv"},
            {"recognized_by", words.or_else("its header")},
            {"profile", words.or_else("first-bank")},
            {"bank_file_id", nullptr},
            {"date", "2026-11-23"},
            {"line_count", count},
            {"applied", count - 2},
            {"paid", "402880.00"},
            {"duplicates", 1},
            {"exceptions", 1},
            {"without_effect", 0},
            {"lines", lines},
            {"lines_left_out", count > 500 ? count - 500 : 0},
            {"acknowledgments", Json::array()},
            {"remarks", Json::array()},
            {"problems", Json::array()}};
}

Json refused_preview(const Words& words) {
    Json answer = preview(0, words);
    answer["fate"] = "refused";
    answer["problems"] = Json::array(
        {words.or_else("bank-20261123.csv:3:18: the amount '12.345' has a third decimal"),
         words.or_else("bank-20261123.csv:9:1: the total 402,880.00 differs from the lines' sum 402,868.00")});
    return answer;
}

Json checks(int count, const Words& words) {
    constexpr std::array<const char*, 6> states = {"issued", "paid", "stale", "stop_requested", "never_used", "paid"};
    Json list = Json::array();
    for (int i = 0; i < count && i < 200; ++i) {
        const std::string state = states[static_cast<std::size_t>(i) % states.size()];
        const bool gap = state == "never_used";
        list.push_back({{"number", 10021 + i * 2},
                        {"last_number", 10021 + i * 2 + (gap ? 1 : 0)},
                        {"state", state},
                        {"payment_id", gap ? Json(nullptr) : Json("P0000000311")},
                        {"draw_id", gap ? Json(nullptr) : Json(100100 + i)},
                        {"payee_name", gap ? Json(nullptr) : Json(payee(i, words))},
                        {"amount", gap ? Json(nullptr) : Json(some_amount(i * 17))},
                        {"check_date", "2026-11-02"},
                        {"file", "CHK-20261102-0003.csv"},
                        {"settled_on", state == "paid" ? Json("2026-11-12") : Json(nullptr)},
                        {"order", state == "stop_requested" ? Json{{"action", "stop"},
                                                                   {"ordered_at", "2026-11-22T15:00:00.000Z"},
                                                                   {"ordered_by", "uid 1001 (anna)"},
                                                                   {"reason", words.or_else("lost in the mail")},
                                                                   {"file", nullptr},
                                                                   {"transmitted_at", nullptr}}
                                                            : Json(nullptr)}});
    }
    return {{"checks", list}, {"next_after", count > 200 ? Json(10421) : Json(nullptr)}, {"total", count}};
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

Json sessions(const Words& words) {
    const auto session = [&](const char* id, const char* by, bool is_link, bool own) {
        return Json{{"id", id},
                    {"by", words.or_else(by)},
                    {"person_id", 2},
                    {"how", is_link ? "link" : "passkey"},
                    {"fingerprint", is_link ? Json(nullptr) : Json("0f3a5c7e9b1d2f4a6c8e")},
                    {"address", is_link ? Json(nullptr) : Json(words.or_else("192.0.2.17"))},
                    {"opened_at", "2026-11-23T14:02:00.000Z"},
                    {"last_used_at", "2026-11-23T18:11:00.000Z"},
                    {"expires", "2026-11-23T18:26:00.000Z"},
                    {"read_only", is_link},
                    {"own", own}};
    };
    return {{"sessions", Json::array({session("c2Vzc2lv", "Ben Ortiz (console)", false, false),
                                      session("bi1vbmU_", "uid 1003 (carla)", true, false),
                                      session("eW91cnM0", "Erin Walsh (console)", false, true)})}};
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

Json rules(const Words& words) {
    return {
        {"sha256", sha},
        {"rules",
         Json::array(
             {{{"name", "large-amounts"},
               {"action", "hold"},
               {"text", "when:\n  amountRequested: {greater_than: 15000.00}\nhold: " +
                            words.or_else("needs a second pair of eyes")},
               {"draws", 31},
               {"amount", "711023.10"},
               {"last_hit", "2026-11-23T14:15:00.000Z"}},
              {{"name", words.or_else("rent-and-repair")},
               {"action", "approve"},
               {"text", "when:\n  workflowId: {in: [12, 14]}\n  description: {contains: [rent, repair]}\napprove: {}"},
               {"draws", 1610},
               {"amount", "6920144.00"},
               {"last_hit", "2026-11-23T18:02:00.000Z"}},
              {{"name", "utility-arrears"},
               {"action", "approve"},
               {"text", "when:\n  workflowId: {equals: 15}\n  amountRequested: {at_most: 1500.00}\napprove: {}"},
               {"draws", 0},
               {"amount", "0.00"},
               {"last_hit", nullptr}}})},
        {"never_matched", Json::array({"utility-arrears"})},
        {"problems", Json::array()}};
}

Json changes(const Words& words) {
    return {{"control", Json::object()},
            {"changes", Json::array({{{"kind", "payees"},
                                      {"sha256", "77aa0d86a5169f3e77a1e2d4b5c6f70812ab34cd56ef78901234567890abcdef"},
                                      {"state", "waiting"},
                                      {"in_force", false},
                                      {"proposed_at", "2026-11-23T12:00:00.000Z"},
                                      {"accepted", Json::array()}},
                                     {{"kind", "rules"},
                                      {"sha256", sha},
                                      {"state", "accepted"},
                                      {"in_force", true},
                                      {"proposed_at", "2026-11-02T12:00:00.000Z"},
                                      {"accepted", Json::array({{{"at", "2026-11-02T13:00:00.000Z"},
                                                                 {"by", words.or_else("uid 1001 (anna)")},
                                                                 {"reason", words.or_else("as agreed")},
                                                                 {"counts", true}}})}}})}};
}

Json change(const Words& words) {
    return {
        {"change", changes(words)["changes"][0]},
        {"payees",
         Json::array({{{"key", words.or_else("V0102")},
                       {"what", "changed"},
                       {"fields", Json::array({{{"field", "account_number"}, {"from", "****0172"}, {"to", "****9021"}},
                                               {{"field", "name"},
                                                {"from", words.or_else("Harbor Drive")},
                                                {"to", words.or_else("Harbor Drive Apartments")}}})}}})}};
}

Json rules_check(const Words& words) {
    return {
        {"ok", false},
        {"diagnostics",
         Json::array(
             {{{"file", words.or_else("new.yaml")},
               {"line", 14},
               {"column", 5},
               {"message", words.or_else("there is no field 'ammountRequested': did you mean 'amountRequested'?")}}})}};
}

Json backtest(int count, const Words& words) {
    Json list = Json::array();
    for (int i = 0; i < count; ++i)
        list.push_back({{"draw_id", 100002 + i},
                        {"decided_at", "2026-11-20T14:15:00.000Z"},
                        {"amount", some_amount(i * 31)},
                        {"base", {{"outcome", "hold"}, {"rule", words.or_else("large-amounts")}}},
                        {"candidate", {{"outcome", "approve"}, {"rule", words.or_else("rent-and-repair")}}}});
    return {{"draws", 1641}, {"amount", "7631167.10"}, {"changes", list}};
}

Json audit(int count, const Words& words) {
    constexpr std::array<const char*, 5> actions = {"file.release_ordered", "draw.decided", "exception.closed",
                                                    "confirmation_file.handed_over", "pay.run"};
    Json list = Json::array();
    for (int i = 0; i < count && i < 200; ++i)
        list.push_back({{"seq", 48211 - i},
                        {"at", "2026-11-23T18:02:00.000Z"},
                        {"actor", words.or_else(i % 3 == 0 ? "uid 1002 (ben)" : "daemon")},
                        {"action", actions[static_cast<std::size_t>(i) % actions.size()]},
                        {"subject", words.or_else(fmt::format("draw {}", 100002 + i))},
                        {"detail", words.or_else("compared with the bank's receipt")},
                        {"draw_id", i % 2 == 0 ? Json(100002 + i) : Json(nullptr)}});
    return {{"audit", list}, {"next_after", count > 200 ? Json(48011) : Json(nullptr)}};
}

Json verification(bool clean, const Words& words) {
    return {{"clean", clean},
            {"invariants",
             Json::array(
                 {{{"number", 1},
                   {"title", "at most one live payment for a draw"},
                   {"checked", 2164},
                   {"ok", true},
                   {"violations", Json::array()}},
                  {{"number", 5},
                   {"title", "the audit trail covers every fact"},
                   {"checked", 48211},
                   {"ok", clean},
                   {"violations",
                    clean ? Json::array() : Json::array({words.or_else("entry 31077 does not follow from 31076")})}}})},
            {"trail", {{"entry", 48211}, {"at", "2026-11-23T18:02:00.000Z"}, {"hash", sha}}}};
}

Json signed_act(const Words& words) {
    return {{"act_id", 12},
            {"at", "2026-11-23T18:02:00.000Z"},
            {"person_id", 2},
            {"request", words.or_else("POST /files/ACH-20261123-A.ach/release")},
            {"text", challenge(words)["text"]},
            {"passkey",
             {{"fingerprint", "4F1C-09D2-A7B3-55E1"},
              {"label", words.or_else("office laptop")},
              {"public_key", "pQECAyYgASFYIJ0"}}},
            {"client_data", "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0"},
            {"authenticator_data", "SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ"},
            {"signature", "MEUCIQDx0f3n4n8t0pY1c7r0b1l1z0m5d0l0r1p4o1s1u1m8AIgd0l0r-s1t_4m3t"},
            {"verifies", words.stranger.empty()},
            {"fault", words.stranger.empty() ? Json(nullptr) : Json(words.stranger)}};
}

Json people(int count, const Words& words) {
    constexpr std::array<const char*, 4> names = {"Anna Lindqvist", "Ben Ortiz", "Carla Dubois", "Dev Raman"};
    constexpr std::array<const char*, 4> roles = {"operator", "releaser", "finance", "auditor"};
    Json list = Json::array();
    for (int i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(i) % names.size();
        list.push_back({{"id", i + 1},
                        {"name", words.or_else(names[at])},
                        {"locked", i == 3},
                        {"roles", Json::array({roles[at]})},
                        {"uids", Json::array({1001 + i})},
                        {"emails", Json::array({words.or_else("person@example.gov")})},
                        {"approver_ids", Json::array()}});
    }
    return {{"people", list},
            {"waiting", count == 0 ? Json::array()
                                   : Json::array({{{"id", 4},
                                                   {"person_id", 3},
                                                   {"person", words.or_else("Carla Dubois")},
                                                   {"change", words.or_else("grant finance")},
                                                   {"proposed_at", "2026-11-23T12:00:00.000Z"},
                                                   {"proposed_by", "uid 1001 (anna)"},
                                                   {"reason", words.or_else("new in the office")}}})}};
}

Json passkeys(const Words& words) {
    return {{"passkeys", Json::array({{{"fingerprint", "4F1C-09D2-A7B3-55E1"},
                                       {"person_id", 2},
                                       {"label", words.or_else("office laptop")},
                                       {"invited_by", words.or_else("uid 1003 (erin)")},
                                       {"state", "confirmed"},
                                       {"enrolled_at", "2026-10-02T14:00:00.000Z"}},
                                      {{"fingerprint", "90AA-17C4-0B1D-E2F3"},
                                       {"person_id", 1},
                                       {"label", words.or_else("security key")},
                                       {"invited_by", words.or_else("uid 1003 (erin)")},
                                       {"state", "unconfirmed"},
                                       {"enrolled_at", "2026-11-23T14:00:00.000Z"}}})}};
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
