// Files that leave only in their encrypted form.
#include <fstream>

#include "pipeline/deliver_fixture.hpp"

namespace drawbridge::pipeline {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST_F(Delivering, only_the_encrypted_form_of_a_file_goes_out) {
    const test::OpenPgpKey key(folder_.path());
    use_key(key);
    const auto name = release_a_file();
    EXPECT_FALSE(fs::exists(outgoing(name))) << "never unencrypted";
    EXPECT_EQ(files().back().state, ledger::FileState::staged);
    ASSERT_TRUE(files().back().order);
    EXPECT_EQ(files().back().order->waits_for, "encryption");
    run_well({deliver});
    EXPECT_EQ(files().back().state, ledger::FileState::released);
    ASSERT_THAT(bank_.names(), ElementsAre(name + ".pgp"));
    const auto plain = key.decrypt(bank_.content(name + ".pgp"));
    EXPECT_EQ(sha256_hex(plain), files().back().sha256);
    EXPECT_EQ(sha256_hex(bank_.content(name + ".pgp")), delivery(name).encryption->sha256);
    const auto day = (folder_.path() / "state" / delivery(name).archived_as).parent_path();
    EXPECT_EQ(e2e::read_file(day / name), plain);
    EXPECT_TRUE(fs::is_empty(outgoing("").parent_path()));
    EXPECT_TRUE(fs::is_empty(folder_.path() / "state" / "spool" / "staged"));
    expect_clean_ledger();
}

TEST_F(Delivering, files_for_the_outgoing_folder_are_encrypted_too) {
    const test::OpenPgpKey key(folder_.path());
    use_key(key);
    context_->settings.ach_delivery.sftp.reset();
    const auto name = release_a_file();
    EXPECT_TRUE(delivery_due(*context_));
    run_well({deliver});
    EXPECT_EQ(sha256_hex(key.decrypt(e2e::read_file(outgoing(name + ".pgp")))), files().back().sha256);
    EXPECT_FALSE(delivery_due(*context_));
    EXPECT_EQ(ledger::undelivered(*ledger_).count, 0);
    expect_clean_ledger();
}

TEST_F(Delivering, a_file_that_cannot_be_encrypted_is_not_sent_unencrypted) {
    const test::OpenPgpKey key(folder_.path());
    use_key(key);
    const auto name = release_a_file();
    const auto right = *context_->settings.ach_delivery.openpgp;
    context_->settings.ach_delivery.openpgp.reset();
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_THAT(reasons(), ElementsAre("encryption_failed"));
    context_->settings.ach_delivery.openpgp = right;
    context_->settings.ach_delivery.openpgp->fingerprint = std::string(40, 'A');
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_THAT(bank_.names(), IsEmpty());
    EXPECT_FALSE(fs::exists(outgoing(name)));
    context_->settings.ach_delivery.openpgp = right;
    run_well({deliver});
    EXPECT_THAT(bank_.names(), ElementsAre(name + ".pgp"));
    EXPECT_THAT(reasons(), IsEmpty());
}

// The daemon goes on without encryption; nothing may end it.
TEST_F(Delivering, a_key_file_that_cannot_be_read_is_an_exception) {
    const test::OpenPgpKey key(folder_.path());
    use_key(key);
    const auto name = release_a_file();
    fs::rename(key.public_key_file(), folder_.path() / "kept");
    fs::create_directory(key.public_key_file());
    EXPECT_FALSE(run(deliver).ok);
    EXPECT_THAT(reasons(), ElementsAre("encryption_failed"));
    fs::remove(key.public_key_file());
    fs::rename(folder_.path() / "kept", key.public_key_file());
    run_well({deliver});
    EXPECT_THAT(bank_.names(), ElementsAre(name + ".pgp"));
    EXPECT_THAT(reasons(), IsEmpty());
}

}  // namespace
}  // namespace drawbridge::pipeline
