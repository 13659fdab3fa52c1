#include "pages/sample_answers.hpp"

#include <fmt/format.h>

#include <array>

#include "pages/sample_values.hpp"

namespace drawbridge::pages::samples {

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

}  // namespace drawbridge::pages::samples
