// Account numbers in the ledger are sealed: bound to their row, under a key that the ledger does not contain.
#include "drawbridge/ledger/store/sealing.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "drawbridge/ledger/facts/archive.hpp"
#include "drawbridge/ledger/facts/guards.hpp"
#include "drawbridge/ledger/facts/plans.hpp"
#include "drawbridge/ledger/facts/staged_lines.hpp"
#include "ledger/ledger_fixture.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Strings that occur nowhere else.
constexpr const char* accounts[] = {"70318842650", "60427719338", "50536608117"};
constexpr const char* payees =
    "key,name,rail,routing_number,account_number,account_type,sec_code,address1,address2,city,state,zip\n"
    "PAYEE-1,Ana Alvarez,ach,021000021,70318842650,checking,PPD,,,,,\n"
    "PAYEE-2,Corner Landlord LLC,ach,011401533,60427719338,savings,CCD,,,,,\n"
    "PAYEE-3,Bo Berg,check,,,,,1 Main St,,Springfield,IL,62701\n";

std::string content(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

mode_t mode_of(const fs::path& path) {
    struct stat found{};
    return ::stat(path.c_str(), &found) == 0 ? found.st_mode & 07777U : 0U;
}

SealingKey key_of(char digit) {
    return SealingKey::parse(std::string(64, digit)).value();
}

class Sealing : public LedgerFixture {
  protected:
    // One ACH file of two payments and a prenote, and one check; the check account is the last of `accounts`.
    void plan_payments() {
        auto settings = test::sample_plan_settings();
        settings.check->account = AccountNumber::parse(accounts[2]).value();
        const auto directory = disbursement::PayeeDirectory::read(payees, "payees.csv").value();
        for (DrawId id = 1; id <= 3; ++id) {
            auto draw = test::sample_draw(id, DrawStatus::approved);
            draw.field_a = "PAYEE-" + std::to_string(id);
            read(draw);
        }
        std::vector<disbursement::Payable> payables;
        for (const auto id : draws_to_pay(*ledger)) {
            const auto known = newest_reading(*ledger, id);
            payables.push_back({id, known->reading_id, known->draw.amount_approved, agreed_amount(*ledger, id),
                                known->draw.field_a, ""});
        }
        ledger->transaction([&] {
            observe_payees(*ledger, directory, stamp());
            const auto numbers = number_block(*ledger, disbursement::plan_date(settings, now), 1001);
            auto plan = disbursement::plan(payables, directory, settings, numbers, now);
            auto& ach = plan.files.front();
            ach.prenotes.push_back({"091000010000000", 1, *ach.payments.front().effective_entry_date,
                                    *directory.find("PAYEE-2"),
                                    details_fingerprint(*ledger, *directory.find("PAYEE-2"))});
            record_plan(*ledger, plan, settings, stamp());
        });
    }

    // Everything that the ledger wrote to the disk, except the key.
    [[nodiscard]] std::string on_disk() const {
        std::string bytes;
        for (const auto& entry : fs::directory_iterator(folder.path())) {
            if (entry.path() != key_file()) bytes += content(entry.path());
        }
        return bytes;
    }
    [[nodiscard]] fs::path key_file() const { return folder.path() / default_sealing_key_name; }

    Result<void> open_with(const std::optional<SealingKey>& key) {
        ledger.reset();
        auto opened = try_to_open(key);
        if (!opened) return std::unexpected(opened.error());
        ledger.emplace(std::move(*opened));
        return {};
    }
    std::string text(const std::string& sql) { return ledger->connection().db.text(sql); }

    void expect_readable() {
        const auto file = load_file(*ledger, 1).file;
        ASSERT_EQ(file.payments.size(), 2U);
        EXPECT_EQ(file.payments[0].payee.account_number->reveal(), accounts[0]);
        EXPECT_EQ(file.payments[1].payee.account_number->reveal(), accounts[1]);
        ASSERT_EQ(file.prenotes.size(), 1U);
        EXPECT_EQ(file.prenotes[0].payee.account_number->reveal(), accounts[1]);
        EXPECT_EQ(std::get<disbursement::CheckProfile>(load_file(*ledger, 2).profile).account.reveal(), accounts[2]);
    }
    void expect_none_on_disk() {
        for (const char* account : accounts)
            EXPECT_THAT(on_disk(), Not(HasSubstr(account)));
    }
};

TEST_F(Sealing, account_numbers_are_not_on_the_disk_and_are_read_in_full) {
    plan_payments();
    expect_readable();
    expect_none_on_disk();
    reopen();
    expect_readable();
    ledger.reset();
    expect_none_on_disk();
}

TEST_F(Sealing, the_key_of_the_fingerprints_is_sealed_too) {
    plan_payments();
    EXPECT_THAT(text("SELECT key FROM payee_fingerprint_key"), testing::StartsWith("sealed:1:"));
    const auto payee = disbursement::PayeeDirectory::read(payees, "payees.csv").value().payees().front();
    const auto before = known_details_fingerprint(*ledger, payee);
    reopen();
    EXPECT_EQ(known_details_fingerprint(*ledger, payee), before);
}

TEST_F(Sealing, a_correction_that_waits_to_be_recorded_is_sealed_also_under_a_new_key) {
    Confirmation line;
    line.kind = ConfirmationKind::corrected;
    line.date = parse_date("2026-03-04").value();
    line.corrected_data = accounts[0];
    std::int64_t staging_id = 0;
    {
        StagedLines staged(*ledger, 0);
        staged.add(line);
        staged.seal();
        staging_id = staged.staging_id().value();
        expect_none_on_disk();
    }
    static_cast<void>(change_sealing_key(*ledger, key_of('c'), "yearly", stamp("uid 1 (bo)")));
    StagedLines left(*ledger, Staging{staging_id});
    EXPECT_THAT(left.next(), testing::ElementsAre(testing::Field(&Confirmation::corrected_data, accounts[0])));
}

TEST_F(Sealing, the_schema_refuses_unsealed_values) {
    plan_payments();
    EXPECT_THROW(
        ledger->connection().db.exec("INSERT INTO staged_line VALUES (1, 0, 0, 1, '', 1, 0, '', '', '', 'C01', "
                                     "'in the clear', '', '')"),
        std::runtime_error);
    EXPECT_THROW(
        ledger->connection().db.exec("INSERT INTO payee_fingerprint_key (one_row, key) VALUES (1, 'in the clear')"),
        std::runtime_error);
    EXPECT_THROW(
        ledger->connection().db.exec(
            "INSERT INTO prenote SELECT 9, file_id, 99, '091000010000099', 1, effective_entry_date, payee_key, "
            "fingerprint, payee_name, routing_number, '12345', account_type, sec_code, NULL, NULL FROM prenote"),
        std::runtime_error);
}

TEST_F(Sealing, a_new_ledger_makes_a_key_file_that_only_its_owner_can_read) {
    EXPECT_EQ(mode_of(key_file()), 0600U);
    EXPECT_EQ(content(key_file()).size(), 65U);
    EXPECT_THAT(on_disk(), Not(HasSubstr(content(key_file()).substr(0, 64))));
}

TEST_F(Sealing, a_given_key_is_used_and_none_is_made) {
    ledger.reset();
    const test::TemporaryFolder other;
    const auto opened = Ledger::open(other.path(), now, key_of('a'));
    ASSERT_TRUE(opened) << opened.error().message;
    EXPECT_FALSE(fs::exists(other.path() / default_sealing_key_name));
}

TEST_F(Sealing, a_missing_key_is_an_error_and_is_never_replaced) {
    plan_payments();
    ledger.reset();
    const std::string key = content(key_file());
    fs::remove(key_file());
    const auto opened = open_with(std::nullopt);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::unauthorized);
    EXPECT_THAT(opened.error().message, AllOf(HasSubstr("ledger.db"), HasSubstr("its key is missing"),
                                              HasSubstr("ledger.sealing_key_file"), HasSubstr("sealing_key")));
    EXPECT_FALSE(fs::exists(key_file()));
    std::ofstream(key_file()) << key;
    ASSERT_TRUE(open_with(std::nullopt));
    expect_readable();
}

TEST_F(Sealing, a_wrong_key_is_an_error_and_the_right_one_still_opens) {
    plan_payments();
    const auto opened = open_with(key_of('b'));
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::unauthorized);
    EXPECT_THAT(opened.error().message, AllOf(HasSubstr("is not the one that this ledger was sealed with"),
                                              HasSubstr(key_file().string() + " is the right key: configure it")));
    ASSERT_TRUE(open_with(read_sealing_key(key_file()).value()));
    expect_readable();
}

TEST_F(Sealing, a_ledger_without_its_check_value_accepts_no_key) {
    plan_payments();
    ledger->connection().db.exec("DROP TRIGGER sealing_key_no_delete");
    ledger->connection().db.exec("DELETE FROM sealing_key");
    const auto opened = open_with(key_of('b'));
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::unauthorized);
    EXPECT_THAT(opened.error().message, HasSubstr("the check value of its sealing key was removed"));
}

TEST_F(Sealing, a_value_does_not_open_in_another_row_and_verify_says_which) {
    plan_payments();
    auto& db = ledger->connection().db;
    db.exec("DROP TRIGGER payment_once");
    db.exec(
        "UPDATE payment SET account_number = (SELECT account_number FROM payment WHERE payment_id = 1) "
        "WHERE payment_id = 2");
    EXPECT_THAT(violations(), Contains(HasSubstr("account number of payment 2 does not open")));
    EXPECT_THROW((void)load_file(*ledger, 1), std::runtime_error);
}

TEST_F(Sealing, changing_the_key_seals_everything_again_and_the_old_key_no_longer_opens) {
    plan_payments();
    const auto payee = disbursement::PayeeDirectory::read(payees, "payees.csv").value().payees().front();
    const auto print = known_details_fingerprint(*ledger, payee);
    const std::string before = text("SELECT account_number FROM payment WHERE payment_id = 1");
    EXPECT_EQ(change_sealing_key(*ledger, key_of('c'), "yearly", stamp("uid 1 (bo)")), 2 + 1 + 2 + 1);
    expect_readable();
    EXPECT_THAT(violations(), IsEmpty());
    EXPECT_THAT(on_disk(), Not(HasSubstr(before)));
    EXPECT_FALSE(open_with(std::nullopt));
    ASSERT_TRUE(open_with(key_of('c')));
    expect_readable();
    EXPECT_EQ(known_details_fingerprint(*ledger, payee), print);
    EXPECT_THROW(ledger->connection().db.exec("UPDATE payment SET account_number = 'x'"), std::runtime_error)
        << "the triggers are back";
}

TEST_F(Sealing, the_archive_keys_of_earlier_keys_stay_and_depend_only_on_key_and_ledger) {
    const auto first = archive_keys(*ledger);
    ASSERT_EQ(first.size(), 1U);
    static_cast<void>(change_sealing_key(*ledger, key_of('c'), "yearly", stamp("uid 1 (bo)")));
    static_cast<void>(change_sealing_key(*ledger, key_of('d'), "yearly", stamp("uid 1 (bo)")));
    static_cast<void>(change_sealing_key(*ledger, key_of('c'), "back", stamp("uid 1 (bo)")));
    ASSERT_TRUE(open_with(key_of('c')));
    const auto keys = archive_keys(*ledger);
    EXPECT_EQ(keys.front().id, Sealer(key_of('c'), ledger->ledger_id()).archive_key().id);
    const auto kept = std::ranges::find(keys, first.front().id, &ArchiveKey::id);
    ASSERT_NE(kept, keys.end());
    EXPECT_EQ(kept->key.reveal(), first.front().key.reveal());
    EXPECT_NE(Sealer(key_of('c'), "another ledger").archive_key().key.reveal(), keys.front().key.reveal());
    EXPECT_THAT(violations(), IsEmpty());
    EXPECT_THROW(ledger->connection().db.exec("DELETE FROM archive_key"), std::runtime_error)
        << "the triggers are back";
}

TEST(SealingKeyFile, is_never_overwritten) {
    const test::TemporaryFolder folder;
    const auto path = folder.path() / "key";
    ASSERT_TRUE(write_sealing_key(path, make_sealing_key()));
    const std::string before = content(path);
    const auto again = write_sealing_key(path, make_sealing_key());
    ASSERT_FALSE(again);
    EXPECT_THAT(again.error().message, HasSubstr("never overwritten"));
    EXPECT_EQ(content(path), before);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1) << "nothing else is left behind";
    EXPECT_EQ(mode_of(path), 0600U);
    EXPECT_EQ(read_sealing_key(path).value().to_hex().reveal() + "\n", before);
}

TEST(SealingKeyFile, without_a_key_is_refused_without_showing_its_content) {
    const test::TemporaryFolder folder;
    for (const std::string held :
         {"", "\n", "short", "zz0000000000000000000000000000000000000000000000000000000000zz"}) {
        const auto path = folder.path() / "key";
        std::ofstream(path, std::ios::trunc) << held;
        const auto key = read_sealing_key(path);
        ASSERT_FALSE(key) << held;
        EXPECT_EQ(key.error().code, ErrorCode::unauthorized);
        EXPECT_THAT(key.error().message, HasSubstr(path.string()));
        if (held.size() > 1) {
            EXPECT_THAT(key.error().message, Not(HasSubstr(held)));
        }
    }
    EXPECT_FALSE(read_sealing_key(folder.path() / "none"));
}

}  // namespace
}  // namespace drawbridge::ledger
