// Bytes that the ledger keeps for another host.
#include "drawbridge/ledger/facts/arrivals.hpp"

#include <gmock/gmock.h>

#include "ledger/ledger_fixture.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

class Arrivals : public LedgerFixture {
  protected:
    static std::string bytes_of(std::size_t size) {
        std::string bytes(size, '\0');
        for (std::size_t at = 0; at < size; ++at)
            bytes[at] = static_cast<char>(at * 31 % 256);
        return bytes;
    }
    std::string keep(const std::string& bytes) {
        const auto sha256 = sha256_hex(bytes);
        ledger->transaction([&] { store_bytes(*ledger, sha256, bytes); });
        return sha256;
    }
};

TEST_F(Arrivals, give_the_bytes_back) {
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, piece_size, 2 * piece_size + 7}) {
        const auto bytes = bytes_of(size);
        EXPECT_EQ(stored_bytes(*ledger, keep(bytes)), bytes) << size;
    }
    EXPECT_EQ(stored_bytes(*ledger, sha256_hex("others")), std::nullopt);
}

TEST_F(Arrivals, do_not_give_incomplete_bytes) {
    const auto bytes = bytes_of(piece_size + 1);
    const auto sha256 = sha256_hex(bytes);
    ledger->transaction([&] { store_piece(*ledger, sha256, 0, bytes.substr(0, piece_size)); });
    EXPECT_EQ(stored_bytes(*ledger, sha256), std::nullopt);
    keep(bytes);
    EXPECT_EQ(stored_bytes(*ledger, sha256), bytes);
}

TEST_F(Arrivals, are_sealed_also_with_the_next_key) {
    const auto sha256 = keep("account 770011");
    static_cast<void>(change_sealing_key(*ledger, make_sealing_key(), "yearly", stamp()));
    EXPECT_EQ(stored_bytes(*ledger, sha256), "account 770011");
    EXPECT_THAT(Query(*ledger, "SELECT bytes FROM stored_piece").only<std::string>(),
                testing::Not(testing::HasSubstr("770011")));
    ledger->transaction([&] { delete_stored_bytes(*ledger, sha256); });
    EXPECT_EQ(stored_bytes(*ledger, sha256), std::nullopt);
}

TEST_F(Arrivals, are_open_once_until_they_are_finished) {
    const Arrival file{sha256_hex("paid"), "paid.csv", "bank", 5102, "uid 5102"};
    for (int time = 0; time < 2; ++time)
        ledger->transaction([&] { record_arrival(*ledger, file, stamp()); });
    ASSERT_THAT(open_arrivals(*ledger), SizeIs(1));
    const auto open = open_arrival(*ledger, file.sha256);
    ASSERT_TRUE(open);
    EXPECT_EQ(open->name, "paid.csv");
    EXPECT_EQ(open->profile, "bank");
    EXPECT_EQ(open->uid, 5102);
    ledger->transaction([&] { finish_arrival(*ledger, file.sha256, stamp()); });
    EXPECT_THAT(open_arrivals(*ledger), IsEmpty());
    ledger->transaction([&] { record_arrival(*ledger, file, stamp()); });
    EXPECT_THAT(open_arrivals(*ledger), SizeIs(1)) << "handed in again after it was refused";
}

}  // namespace
}  // namespace drawbridge::ledger
