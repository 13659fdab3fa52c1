#include "drawbridge/disbursement/payee_changes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drawbridge::disbursement {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

PayeeDirectory directory(const std::string& lines) {
    return PayeeDirectory::read(
               "key,name,rail,routing_number,account_number,account_type,sec_code,address1,address2,city,state,zip\n" +
                   lines,
               "payees.csv")
        .value();
}

// "changed K account_number ****1 -> ****2"
std::vector<std::string> shown(const std::string& before, const std::string& now) {
    std::vector<std::string> lines;
    for (const auto& change : changes_between(directory(before), directory(now))) {
        for (const auto& field : change.fields) {
            lines.push_back(std::string(to_string(change.kind)) + " " + change.key + " " + field.field + " " +
                            field.from + " -> " + field.to);
        }
    }
    return lines;
}

constexpr const char* acme = "K,Acme,ach,021000021,70318842650,checking,CCD,,,,,\n";

TEST(PayeeChanges, shows_old_and_new_values_with_masked_accounts) {
    EXPECT_THAT(shown(acme, "K,Acme,ach,091000019,60427719338,checking,CCD,,,,,\n"),
                ElementsAre("changed K routing_number 021000021 -> 091000019",
                            "changed K account_number ****2650 -> ****9338"));
    EXPECT_THAT(shown(acme, "K,Acme Inc,check,,,,,1 Main St,,Springfield,IL,62701\n"),
                ElementsAre("changed K name Acme -> Acme Inc", "changed K rail ach -> check",
                            "changed K routing_number 021000021 -> ", "changed K account_number ****2650 -> ",
                            "changed K account_type checking -> ", "changed K sec_code CCD -> ",
                            "changed K address1  -> 1 Main St", "changed K city  -> Springfield",
                            "changed K state  -> IL", "changed K zip  -> 62701"));
}

TEST(PayeeChanges, reports_a_changed_number_that_looks_the_same_when_masked) {
    EXPECT_THAT(shown(acme, "K,Acme,ach,021000021,99918842650,checking,CCD,,,,,\n"),
                ElementsAre("changed K account_number ****2650 -> ****2650 (another number with the same ending)"));
}

TEST(PayeeChanges, marks_names_that_only_look_like_another_payees_name) {
    const std::string other = "L,{},check,,,,,1 Main St,,Springfield,IL,62701\n";
    const auto name_of = [&](const std::string& name) {
        auto line = other;
        line.replace(line.find("{}"), 2, name);
        return shown("K,Acme Co,ach,021000021,70318842650,checking,CCD,,,,,\n",
                     "K,Acme Co,ach,021000021,70318842650,checking,CCD,,,,,\n" + line)
            .front();
    };
    for (const char* alike : {"\u0410cme Co", "Acm\u0435 Co", "Acme C\u03bf", "Ac\u200bme Co", "Acme  Co",
                              "Acme\u00a0Co", "\uff21cme Co"}) {
        EXPECT_EQ(name_of(alike),
                  "added L name  -> " + std::string(alike) + " (only looks like the name of payee 'K')");
    }
    EXPECT_EQ(name_of("Acme Co"), "added L name  -> Acme Co") << "several keys may have one name";
    EXPECT_EQ(name_of("Acne Co"), "added L name  -> Acne Co");
    EXPECT_THAT(shown(acme, "K,\u0410cme,ach,021000021,70318842650,checking,CCD,,,,,\n"),
                ElementsAre("changed K name Acme -> \u0410cme (only looks like the name of payee 'K')"));
}

TEST(PayeeChanges, shows_added_and_removed_payees) {
    EXPECT_THAT(shown("", acme),
                ElementsAre("added K name  -> Acme", "added K rail  -> ach", "added K routing_number  -> 021000021",
                            "added K account_number  -> ****2650", "added K account_type  -> checking",
                            "added K sec_code  -> CCD"));
    EXPECT_THAT(shown("L,Bo,check,,,,,1 Main St,,Springfield,IL,62701\n" + std::string(acme), acme),
                ElementsAre("removed L name Bo -> ", "removed L rail check -> ", "removed L address1 1 Main St -> ",
                            "removed L city Springfield -> ", "removed L state IL -> ", "removed L zip 62701 -> "));
}

TEST(PayeeChanges, ignores_the_order_of_lines) {
    const std::string other = "L,Bo,check,,,,,1 Main St,,Springfield,IL,62701\n";
    EXPECT_THAT(shown(acme + other, other + acme), IsEmpty());
}

}  // namespace
}  // namespace drawbridge::disbursement
