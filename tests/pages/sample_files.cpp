#include "pages/sample_answers.hpp"

#include <fmt/format.h>

#include <array>

#include "drawbridge/domain/money.hpp"
#include "pages/sample_values.hpp"

namespace drawbridge::pages::samples {
namespace {

constexpr std::array<const char*, 8> payees = {
    "Harbor Drive Apartments",  "Peña Roofing Inc",   "Łukasz Dvořák",
    "Maple Street Rentals LLC", "City Light & Power", "Northside Property Management and Maintenance Group",
    "Eastlake Water District",  "O'Neill Plumbing"};

std::string payee(int i, const Words& words) {
    return words.or_else(payees[static_cast<std::size_t>(i) % payees.size()]);
}

}  // namespace

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

}  // namespace drawbridge::pages::samples
