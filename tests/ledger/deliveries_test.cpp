// The record of a file's delivery, and what the schema refuses.
#include "drawbridge/ledger/facts/deliveries.hpp"
#include "drawbridge/ledger/facts/release_orders.hpp"

#include <gmock/gmock.h>

#include "drawbridge/ledger/facts/evidence.hpp"
#include "ledger/ledger_fixture.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

using disbursement::DeliveryFact;
using disbursement::DeliveryStep;
using testing::ElementsAre;
using testing::IsEmpty;
using enum DeliveryStep;

class Deliveries : public LedgerFixture {
  protected:
    // A file whose release is ordered to go that way, and carried out.
    FileRow released_file(DeliveryMethod method, bool carry_out = true) {
        read(test::sample_draw(1, DrawStatus::approved));
        pay(/*release=*/false);
        const auto file = payment_files(*ledger, /*unreleased_only=*/true).front();
        ledger->transaction([&] {
            ASSERT_TRUE(make_release_order(*ledger, file, method, "test", stamp("uid 1 (bo)")));
            ASSERT_TRUE(order_release(*ledger, file, "test", stamp("uid 1 (bo)")));
            order_delivery(*ledger, file.file_id, method, stamp());
            if (carry_out) record_released(*ledger, file.file_id, stamp());
        });
        return *find_file(*ledger, file.name);
    }
    void step(FileId file_id, DeliveryStep step) {
        DeliveryFact fact{.step = step, .at = now, .by = "drawbridge", .detail = std::string(to_string(step))};
        if (step == intent) {
            fact.server = "sftp://a@b:22/c";
            fact.temporary_name = "tmp-" + std::to_string(++uploads_);
            fact.size_bytes = 940;
        }
        ledger->transaction([&] { record_delivery_step(*ledger, file_id, fact); });
    }
    // True if the ledger refuses the step.
    bool refuses(FileId file_id, DeliveryStep what) {
        try {
            step(file_id, what);
        } catch (const std::runtime_error&) {
            return true;
        }
        return false;
    }

    int uploads_ = 0;
};

TEST_F(Deliveries, a_plain_file_for_outgoing_has_no_delivery) {
    const auto file = released_file({});
    EXPECT_FALSE(find_delivery(*ledger, file.file_id).has_value());
    EXPECT_THAT(open_deliveries(*ledger), IsEmpty());
    EXPECT_EQ(undelivered(*ledger).count, 0);
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Deliveries, are_open_until_the_copy_is_in_the_archive) {
    const auto file = released_file({.by_sftp = true});
    ASSERT_EQ(open_deliveries(*ledger).size(), 1U);
    EXPECT_EQ(open_deliveries(*ledger).front().sha256, file.sha256);
    EXPECT_EQ(undelivered(*ledger).count, 1);
    EXPECT_EQ(undelivered(*ledger).oldest, now);
    step(file.file_id, intent);
    step(file.file_id, uploaded);
    step(file.file_id, delivered);
    EXPECT_EQ(undelivered(*ledger).count, 0);
    ASSERT_EQ(evidence_of(*ledger, file.file_id).size(), 1U);
    EXPECT_EQ(evidence_of(*ledger, file.file_id)[0].kind, disbursement::EvidenceKind::sftp);
    EXPECT_EQ(open_deliveries(*ledger).size(), 1U);
    ledger->transaction([&] { record_archived(*ledger, file.file_id, "spool/archive/x", stamp()); });
    EXPECT_THAT(open_deliveries(*ledger), IsEmpty());
    EXPECT_EQ(find_delivery(*ledger, file.file_id)->archived_as, "spool/archive/x");
    const auto facts = delivery_steps(*ledger, file.file_id);
    ASSERT_EQ(facts.size(), 3U);
    EXPECT_EQ(facts[0].server, "sftp://a@b:22/c");
    EXPECT_EQ(facts[0].size_bytes, 940U);
    EXPECT_EQ(facts[2].step, delivered);
    EXPECT_THAT(delivery_step_counts(*ledger), ElementsAre(std::pair<std::string, std::int64_t>("delivered", 1),
                                                           std::pair<std::string, std::int64_t>("intent", 1),
                                                           std::pair<std::string, std::int64_t>("uploaded", 1)));
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Deliveries, no_upload_starts_while_the_file_may_be_at_the_bank) {
    const auto file = released_file({.by_sftp = true}).file_id;
    step(file, intent);
    EXPECT_TRUE(refuses(file, intent)) << "the program died, perhaps after the last byte";
    step(file, failed);
    step(file, intent);
    step(file, uploaded);
    EXPECT_TRUE(refuses(file, intent));
    for (const auto after : {unknown, unreachable, refused, conflict, unreachable, uncertain}) {
        step(file, after);
        EXPECT_TRUE(refuses(file, intent)) << to_string(after);
    }
    step(file, again);
    step(file, unreachable);
    EXPECT_FALSE(refuses(file, intent)) << "a person said that the bank does not have it";
    step(file, uploaded);
    step(file, damaged);
    EXPECT_FALSE(refuses(file, intent)) << "it still had its temporary name";
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Deliveries, no_step_follows_the_delivery) {
    const auto file = released_file({.by_sftp = true}).file_id;
    step(file, delivered);  // by hand
    for (const auto after : {intent, failed, uploaded, again, delivered})
        EXPECT_TRUE(refuses(file, after)) << to_string(after);
}

TEST_F(Deliveries, steps_are_never_rewritten_or_deleted) {
    const auto file = released_file({.by_sftp = true}).file_id;
    step(file, intent);
    for (const char* sql : {"UPDATE delivery_step SET step = 'failed'", "DELETE FROM delivery_step",
                            "DELETE FROM file_delivery", "UPDATE file_delivery SET by_sftp = 0, encrypted = 1"}) {
        EXPECT_THROW(ledger->connection().db.exec(sql), std::runtime_error) << sql;
    }
}

TEST_F(Deliveries, evidence_is_for_a_released_file_once_per_kind_and_never_rewritten) {
    const auto file = released_file({}, /*carry_out=*/false).file_id;
    const auto say = [&] {
        ledger->transaction([&] {
            record_evidence(*ledger, file, disbursement::EvidenceKind::by_hand, "the portal shows it", stamp());
        });
    };
    EXPECT_THROW(say(), std::runtime_error);
    ledger->transaction([&] { record_released(*ledger, file, stamp()); });
    say();
    ASSERT_EQ(evidence_of(*ledger, file).size(), 1U);
    EXPECT_EQ(evidence_of(*ledger, file)[0].detail, "the portal shows it");
    auto& db = ledger->connection().db;
    for (const char* sql : {"UPDATE delivery_evidence SET at = 1", "DELETE FROM delivery_evidence",
                            "INSERT INTO delivery_evidence (file_id, kind, at, by, detail, after_run_id) "
                            "SELECT file_id, kind, at, by, detail, after_run_id FROM delivery_evidence",
                            "UPDATE delivery_evidence SET kind = 'gone'"})
        EXPECT_THROW(db.exec(sql), std::runtime_error) << sql;
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Deliveries, verify_finds_what_the_schema_would_have_refused) {
    const auto file = released_file({.by_sftp = true}).file_id;
    step(file, intent);
    step(file, uploaded);
    auto& db = ledger->connection().db;
    db.exec("DROP TRIGGER delivery_step_not_blind; DROP TRIGGER file_delivery_once");
    step(file, intent);
    EXPECT_THAT(violations(), ElementsAre(testing::HasSubstr("10: ")));
    EXPECT_THAT(violations().front(), testing::HasSubstr("uploaded again while it may have been at the bank"));
    db.exec("UPDATE file_delivery SET delivered_at = 1");
    EXPECT_THAT(violations(), testing::Contains(testing::HasSubstr("has no delivered step but counts as delivered")));
}

TEST_F(Deliveries, an_encrypted_delivery_uploads_the_encrypted_file) {
    const auto file = released_file({.by_sftp = true, .encrypted = true}, /*carry_out=*/false);
    ASSERT_EQ(files_to_encrypt(*ledger).size(), 1U);
    EXPECT_EQ(files_to_encrypt(*ledger).front().name, file.name);
    ledger->transaction(
        [&] { record_encryption(*ledger, file.file_id, {file.name + ".pgp", "ABCD", "e0e0", 1200, now}, stamp()); });
    EXPECT_THAT(files_to_encrypt(*ledger), IsEmpty());
    EXPECT_THROW(ledger->transaction([&] {
        record_encryption(*ledger, file.file_id, {file.name + ".pgp", "ABCD", "f0f0", 1200, now}, stamp());
    }),
                 std::runtime_error)
        << "a second ciphertext of the same file";
    ledger->transaction([&] { record_released(*ledger, file.file_id, stamp()); });
    const auto open = open_deliveries(*ledger);
    ASSERT_EQ(open.size(), 1U);
    EXPECT_EQ(open.front().file_name, file.name);
    EXPECT_EQ(open.front().name, file.name + ".pgp");
    EXPECT_EQ(open.front().sha256, "e0e0");
    EXPECT_THAT(violations(), IsEmpty());
}

}  // namespace
}  // namespace drawbridge::ledger
