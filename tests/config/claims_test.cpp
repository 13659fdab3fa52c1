// Two instances that pay the same draws or use the same numbers conflict.
#include "drawbridge/config/claims.hpp"

#include <gmock/gmock.h>

#include "config_fixture.hpp"

namespace drawbridge::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Instance {
    std::string service = "https://draws.example.gov/api", workflows = "", state_dir = "a", ach = "", checks = "",
                pay = "";
};

class ClaimsTest : public ConfigTest {
  protected:
    [[nodiscard]] Claims claims(const std::string& name, const Instance& of) const {
        const auto file =
            write(name, "service: {base_url: \"" + of.service + "\"" +
                            (of.workflows.empty() ? "" : ", workflows: " + of.workflows) +
                            "}\nstate_dir: " + of.state_dir + "\n" + (of.pay.empty() ? "" : "pay: {" + of.pay + "}\n") +
                            (of.ach.empty() ? "" : "ach: {" + of.ach + "}\n") +
                            (of.checks.empty() ? "" : "checks: {" + of.checks + "}\n"));
        const auto read = claims_in(file);
        EXPECT_TRUE(read);
        return *read;
    }
    [[nodiscard]] std::string conflict_of(const Instance& one, Instance other) const {
        other.state_dir = "b";
        const auto ours = claims("one.yaml", one);
        const auto theirs = claims("other.yaml", other);
        EXPECT_EQ(conflict(ours, theirs).empty(), conflict(theirs, ours).empty()) << "a conflict is symmetric";
        return conflict(ours, theirs);
    }
};

const std::string low_ids = "payment_ids: {to: 4999999999}", high_ids = "payment_ids: {from: 5000000000}";
const std::string odfi = "odfi: {routing_number: \"091000019\"}, origin: {id: \"1123456789\"}";

TEST_F(ClaimsTest, two_instances_that_pay_the_same_draw_conflict) {
    EXPECT_THAT(conflict_of({}, {}), HasSubstr("the draws of all workflows"));
    EXPECT_THAT(conflict_of({}, {.workflows = "[14]"}), HasSubstr("the draws of workflow 14"));
    EXPECT_THAT(conflict_of({.workflows = "[12, 14]"}, {.workflows = "[14, 21]"}), HasSubstr("workflow 14"));
    EXPECT_THAT(conflict_of({.service = "https://Draws.Example.gov:443/api/"}, {}), HasSubstr("service.workflows"));
    EXPECT_THAT(conflict_of({.workflows = "[12]"}, {.workflows = "[14]"}), IsEmpty());
    EXPECT_THAT(conflict_of({.service = "https://draws.example.gov/other"}, {}), IsEmpty());
}

TEST_F(ClaimsTest, two_configurations_of_one_ledger_do_not_conflict) {
    EXPECT_THAT(conflict(claims("one.yaml", {}), claims("other.yaml", {})), IsEmpty());
}

TEST_F(ClaimsTest, instances_that_share_an_odfi_need_separate_trace_numbers_and_modifiers) {
    Instance a{.workflows = "[12]", .ach = odfi};
    Instance b{.workflows = "[14]", .ach = odfi};
    EXPECT_THAT(conflict_of(a, b), HasSubstr("both use trace numbers 1 to 9999999 of ODFI 09100001"));
    a.ach += ", trace_numbers: {to: 4999999}";
    b.ach += ", trace_numbers: {from: 4999999}";
    EXPECT_THAT(conflict_of(a, b), HasSubstr("trace numbers 4999999 to 4999999"));
    b.ach = odfi + ", trace_numbers: {from: 5000000}";
    EXPECT_THAT(conflict_of(a, b), HasSubstr("both use file ID modifier A of origin 1123456789"));
    a.ach += ", file_id_modifiers: ABC";
    b.ach += ", file_id_modifiers: DEF";
    EXPECT_THAT(conflict_of(a, b), HasSubstr("both use payment ids 1 to 9999999999 at one bank"));
    a.pay = low_ids;
    b.pay = high_ids;
    EXPECT_THAT(conflict_of(a, b), IsEmpty());
    a.ach += ", file_name: \"ACH-{sequence}.ach\"";
    b.ach += ", file_name: \"ACH-{sequence}.ach\"";
    EXPECT_THAT(conflict_of(a, b), HasSubstr("both name files ACH-{sequence}.ach"));
    a.pay += ", file_numbers: {to: 499999999}";
    b.pay += ", file_numbers: {from: 500000000}";
    EXPECT_THAT(conflict_of(a, b), IsEmpty());
}

TEST_F(ClaimsTest, instances_that_share_a_checking_account_need_separate_check_and_file_numbers) {
    Instance a{.workflows = "[12]", .checks = "account_number_file: check_account, first_number: 1"};
    Instance b{.workflows = "[14]", .checks = "account_number_file: check_account, first_number: 5001"};
    EXPECT_THAT(conflict_of(a, b), HasSubstr("both use check numbers 5001 to 9999999999 of one account"));
    a.checks += ", last_number: 5000";
    EXPECT_THAT(conflict_of(a, b), HasSubstr("pay.file_numbers"));
    a.pay = "file_numbers: {to: 9}";
    b.pay = "file_numbers: {from: 10}";
    EXPECT_THAT(conflict_of(a, b), HasSubstr("pay.payment_ids"));
    a.pay += ", " + low_ids;
    b.pay += ", " + high_ids;
    EXPECT_THAT(conflict_of(a, b), IsEmpty());
    write("other_account", "777\n");
    b.checks = "account_number_file: other_account, first_number: 1";
    b.pay = "";
    EXPECT_THAT(conflict_of(a, b), IsEmpty());
}

TEST_F(ClaimsTest, trials_at_different_local_services_do_not_conflict) {
    Instance a{.service = "http://127.0.0.1:8001", .ach = odfi};
    Instance b{.service = "http://localhost:8002", .ach = odfi};
    EXPECT_THAT(conflict_of(a, b), IsEmpty());
    b.service = "http://localhost:8001";
    EXPECT_THAT(conflict_of(a, b), HasSubstr("all workflows"));
}

TEST_F(ClaimsTest, finds_sibling_configurations_in_both_folders_of_the_layout) {
    const auto main = write("drawbridge.yaml", minimal);
    write("rules.yaml", "version: 1\n");
    const auto named = write("rental/drawbridge.yaml", minimal);
    const auto other = write("energy/drawbridge.yaml", minimal);
    const auto rules = folder_ / "rules.yaml";
    EXPECT_THAT(sibling_configurations(main), ElementsAre(other, named, rules));
    EXPECT_THAT(sibling_configurations(named), ElementsAre(main, other, rules));
    EXPECT_FALSE(claims_in(rules)) << "not a configuration";
    std::filesystem::permissions(folder_, std::filesystem::perms(0777));
    EXPECT_THAT(sibling_configurations(named), IsEmpty()) << "a world-writable folder is skipped";
}

}  // namespace
}  // namespace drawbridge::config
