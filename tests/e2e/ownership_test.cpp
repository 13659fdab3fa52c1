// Whose files they are: what the service may not read, root's check reports; whoever needs the daemon is told so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>

#include "e2e/office.hpp"

namespace drawbridge::e2e {
namespace {

using testing::HasSubstr;
using testing::Not;

namespace fs = std::filesystem;

constexpr unsigned service = 5000, anna = 5001;

class Ownership : public testing::Test {
  protected:
    void SetUp() override {
        if (::geteuid() != 0) GTEST_SKIP() << "only root can act with other uids";
        fs::permissions(office().folder() / "drawbridge.yaml", fs::perms(0644));
        office().give_to_user(service);
        EXPECT_EQ(to_string(office().run_as(service, {"run", "--once"}).exit), "exit 0");
    }
    [[nodiscard]] const Office& office() const { return house_.office; }
    // Gives it to root alone, as a command that root runs with a strict umask would leave it.
    void give_to_root(const fs::path& path) const {
        EXPECT_EQ(::chown(path.c_str(), 0, 0), 0);
        fs::permissions(path, fs::is_directory(path) ? fs::perms(0700) : fs::perms(0600));
    }
    void expect_check_names(const fs::path& path, const std::string& with) const {
        const auto checked = office().run({"check"});
        EXPECT_EQ(to_string(checked.exit), "exit 78") << path;
        EXPECT_THAT(checked.err, HasSubstr(path.string() + ": " + with));
    }

    House house_;
};

TEST_F(Ownership, without_a_daemon_everybody_but_root_and_the_service_is_told_to_have_it_started) {
    ABOUT_THE_FILE();
    for (const auto& words : {std::vector<std::string>{"status"}, {"pause", "--reason", "x"}}) {
        const auto refused = office().run_as(anna, words, {service});
        EXPECT_EQ(to_string(refused.exit), "exit 1") << refused.out;
        EXPECT_EQ(refused.err, "drawbridge: " + office().state().string() +
                                   ": no daemon runs: ask an administrator to start it (`systemctl start "
                                   "drawbridge`); without it, only root and the service's user can use this ledger\n");
    }
    EXPECT_EQ(to_string(office().run_as(service, {"status"}).exit), "exit 0");
    EXPECT_EQ(to_string(office().run({"status"}).exit), "exit 0");
}

TEST_F(Ownership, of_a_ledger_in_postgresql_people_are_told_what_to_do_where_a_machine_stands_by) {
    ABOUT_THE_FILE();
    const auto file = office().folder() / "drawbridge.yaml";
    auto text = read_file(file);
    const std::string section = "\nledger: {";
    write_file(file, text.insert(text.find(section) + section.size(), "url: \"postgresql:///ledger\", "));
    const auto refused = office().run_as(anna, {"pause", "--reason", "x"}, {service});
    EXPECT_EQ(to_string(refused.exit), "exit 1") << refused.out;
    EXPECT_THAT(refused.err, HasSubstr("no daemon answers here: if this machine stands by, run the command on the "
                                       "machine that writes; if not, ask an administrator to start it"));
}

TEST_F(Ownership, roots_check_reports_what_the_service_cannot_read_or_write) {
    ABOUT_THE_FILE();
    const auto state = office().state();
    const auto good = office().run({"check"});
    EXPECT_EQ(to_string(good.exit), "exit 0") << good.err;
    for (const char* name : {"ledger.db", "lock", "spool/staged", "spool/archive", "spool", "inbox"}) {
        give_to_root(state / name);
        expect_check_names(state / name,
                           "5000 cannot read and write it: Permission denied: if that is the service's "
                           "user, run chown 5000 " +
                               (state / name).string());
        office().give_to_user(service);
    }
    const auto payees = office().folder() / "payees.csv";
    give_to_root(payees);
    expect_check_names(payees, "cannot be read: Permission denied: let the service's user read it: chgrp drawbridge " +
                                   payees.string() + " && chmod 640 " + payees.string());
}

// `drawbridge init` writes into a folder of root.
TEST_F(Ownership, roots_check_of_a_configuration_that_is_not_in_place_yet_says_that_it_tests_as_root) {
    ABOUT_THE_FILE();
    const auto yaml = office().folder() / "drawbridge.yaml";
    give_to_root(yaml);
    const auto checked = office().run({"check"});
    EXPECT_EQ(to_string(checked.exit), "exit 0") << checked.err;
    EXPECT_THAT(checked.err,
                HasSubstr(yaml.string() + ": warning: the service's user, 5000, cannot read this file: put it in place "
                                          "for the service, then check it again: this check was made as root"));
    const auto refused = office().run_as(service, {"check"});
    EXPECT_THAT(refused.err, HasSubstr("cannot be read: Permission denied: let everybody who runs drawbridge read "
                                       "it: chmod 644 " +
                                       yaml.string()));
}

TEST_F(Ownership, a_ledger_that_root_left_behind_is_named_with_its_remedy) {
    ABOUT_THE_FILE();
    give_to_root(office().state() / "ledger.db");
    const auto refused = office().run_as(service, {"run", "--once"});
    EXPECT_EQ(to_string(refused.exit), "exit 74");
    EXPECT_THAT(refused.err, HasSubstr("ledger.db: cannot open the ledger: Permission denied: make the service's user "
                                       "its owner, with chown"));
}

// In a namespace whose /etc has the package's user, group and folder.
TEST(Init, by_root_writes_what_the_service_can_read_and_passes_its_check) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can act with other uids";
    const TemporaryFolder folder;
    write_file(folder.path() / "answers.yaml",
               "service_url: https://draws.example.gov/api\nclient_id: office\nclient_secret: x\napprover_id: 1201\n"
               "day_limit: none\npay_by: check\ncheck_account: \"4400123456\"\nfirst_check_number: 10001\n");
    Command command;
    command.arguments = {"/usr/bin/unshare", "--mount", "/bin/sh", "-c",
                         "cd " + folder.path().string() +
                             " && mkdir new && mount -t tmpfs none new && mkdir new/up new/work &&"
                             " mount -t overlay -o lowerdir=/etc,upperdir=new/up,workdir=new/work none /etc || exit 77;"
                             " echo drawbridge:x:5900: >>/etc/group;"
                             " echo drawbridge:x:5900:5900::/:/usr/sbin/nologin >>/etc/passwd;"
                             " mkdir -p /etc/drawbridge; umask 077;" DRAWBRIDGE_BINARY_DIR
                             "/drawbridge init /etc/drawbridge/no-such-office --answers answers.yaml; code=$?;"
                             " cd /etc/drawbridge/no-such-office;"
                             " stat -c '%n %a %G' . payees.csv credentials credentials/*; exit $code"};
    command.stdout_file = folder.path() / "out";
    command.stderr_file = folder.path() / "err";
    Process process(command);
    const auto exit = process.wait(std::chrono::seconds(20));
    ASSERT_TRUE(exit);
    const auto out = read_file(command.stdout_file), err = read_file(command.stderr_file);
    if (to_string(*exit) == "exit 77") GTEST_SKIP() << "needs mount namespaces and overlays: " << err;
    EXPECT_EQ(to_string(*exit), "exit 0");
    EXPECT_EQ(err, "");
    EXPECT_THAT(out, HasSubstr("\n. 755 root\npayees.csv 640 drawbridge\ncredentials 700 root\n"
                               "credentials/check_account 600 root\n"));
    EXPECT_THAT(out, Not(HasSubstr("chgrp")));
    const auto at = [&](const char* step) { return out.find(step); };
    EXPECT_LT(at(". drawbridge keygen "), at(". drawbridge check --online"));
    EXPECT_LT(at(". drawbridge check --online"), at(". systemctl enable"));
}

}  // namespace
}  // namespace drawbridge::e2e
