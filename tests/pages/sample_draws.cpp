#include "pages/sample_answers.hpp"

#include <fmt/format.h>

#include <array>

#include "drawbridge/domain/money.hpp"
#include "pages/sample_values.hpp"

namespace drawbridge::pages::samples {
namespace {

constexpr std::array<const char*, 6> cases = {"Home repair: Ingrid Williams, 4643 Lincoln Way",
                                              "Rent: Mateo Alvarez, Unit 12",
                                              "Utility arrears: J. Okafor",
                                              "Weatherization: Elm Court HOA",
                                              "Rent: Priya Natarajan",
                                              "Emergency: Tran family"};
constexpr std::array<const char*, 9> draw_states = {"pending",  "held",     "approved", "paying",   "paid",
                                                    "reported", "returned", "blocked",  "disbursed"};

std::string case_name(int i, const Words& words) {
    return words.or_else(cases[static_cast<std::size_t>(i) % cases.size()]);
}

}  // namespace

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

}  // namespace drawbridge::pages::samples
