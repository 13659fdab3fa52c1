// Encryption to a generated key, decrypted with gpg.
#include "drawbridge/delivery/openpgp.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "delivery/openpgp_keys.hpp"
#include "support/temporary_folder.hpp"

namespace drawbridge::delivery {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class OpenPgp : public testing::Test {
  protected:
    OpenPgp() : bank_(folder_.path()) {}
    [[nodiscard]] OpenPgpOptions options() const {
        OpenPgpOptions options;
        options.public_key_file = bank_.public_key_file();
        options.fingerprint = bank_.fingerprint();
        return options;
    }

    test::TemporaryFolder folder_;
    test::OpenPgpKey bank_;
};

TEST_F(OpenPgp, only_the_owner_of_the_key_can_decrypt) {
    const std::string text = "101 094000001" + std::string(200'000, '7') + "\n";
    const auto cipher = encrypt(options(), "ACH.ach", text);
    ASSERT_TRUE(cipher) << cipher.error().message;
    EXPECT_THAT(*cipher, Not(HasSubstr("094000001")));
    EXPECT_EQ(bank_.decrypt(*cipher), text);
    EXPECT_NE(encrypt(options(), "ACH.ach", text).value(), *cipher) << "the same text gives different bytes";
}

TEST_F(OpenPgp, armor_writes_ascii) {
    auto armored = options();
    armored.armor = true;
    const auto cipher = encrypt(armored, "ACH.ach", "101\n");
    ASSERT_TRUE(cipher) << cipher.error().message;
    EXPECT_THAT(*cipher, StartsWith("-----BEGIN PGP MESSAGE-----"));
    EXPECT_EQ(bank_.decrypt(*cipher), "101\n");
}

TEST_F(OpenPgp, only_the_pinned_key_is_accepted) {
    EXPECT_TRUE(check_key(options()));
    auto other = options();
    other.fingerprint.front() = other.fingerprint.front() == 'A' ? 'B' : 'A';
    EXPECT_EQ(check_key(other).error().code, ErrorCode::invalid_input);
    EXPECT_EQ(encrypt(other, "ACH.ach", "101\n").error().code, ErrorCode::invalid_input);
    // Nor one of its subkeys.
    other.fingerprint = bank_.subkey_fingerprint();
    EXPECT_EQ(check_key(other).error().code, ErrorCode::invalid_input);
}

TEST_F(OpenPgp, an_expired_key_is_refused) {
    const test::TemporaryFolder other;
    const test::OpenPgpKey old(other.path(), test::OpenPgpKey::Validity::expired);
    OpenPgpOptions expired;
    expired.public_key_file = old.public_key_file();
    expired.fingerprint = old.fingerprint();
    const auto checked = check_key(expired);
    ASSERT_FALSE(checked);
    EXPECT_THAT(checked.error().message, HasSubstr("has expired"));
}

TEST_F(OpenPgp, a_file_without_a_key_is_refused) {
    auto wrong = options();
    wrong.public_key_file = folder_.path() / "absent.asc";
    EXPECT_EQ(check_key(wrong).error().code, ErrorCode::invalid_input);
    wrong.public_key_file = folder_.path() / "text";
    e2e::write_file(wrong.public_key_file, "no key\n");
    EXPECT_EQ(check_key(wrong).error().code, ErrorCode::invalid_input);
}

TEST_F(OpenPgp, a_folder_in_place_of_the_key_is_refused) {
    auto wrong = options();
    wrong.public_key_file = folder_.path();
    for (const auto& error : {check_key(wrong).error(), encrypt(wrong, "ACH.ach", "101\n").error()}) {
        EXPECT_EQ(error.code, ErrorCode::invalid_input);
        EXPECT_THAT(error.message, HasSubstr(folder_.path().string() + " cannot be read"));
    }
}

TEST_F(OpenPgp, a_missing_temporary_folder_is_named) {
    const std::string absent = folder_.path() / "absent";
    ::setenv("TMPDIR", absent.c_str(), 1);
    const auto checked = check_key(options());
    const auto encrypted = encrypt(options(), "ACH.ach", "101\n");
    ::unsetenv("TMPDIR");
    for (const auto& error : {checked.error(), encrypted.error()}) {
        EXPECT_EQ(error.code, ErrorCode::unavailable);
        EXPECT_THAT(error.message, HasSubstr(absent));
    }
}

TEST_F(OpenPgp, a_file_with_a_secret_key_is_refused_and_leaves_nothing) {
    auto secret = options();
    secret.public_key_file = folder_.path() / "secret.asc";
    e2e::write_file(secret.public_key_file, bank_.secret_key());
    const std::string temporary = folder_.path() / "temporary";
    std::filesystem::create_directory(temporary);
    ::setenv("TMPDIR", temporary.c_str(), 1);
    const auto checked = check_key(secret);
    ::unsetenv("TMPDIR");
    ASSERT_FALSE(checked);
    EXPECT_THAT(checked.error().message, HasSubstr("has a secret key"));
    EXPECT_TRUE(std::filesystem::is_empty(temporary));
}

}  // namespace
}  // namespace drawbridge::delivery
