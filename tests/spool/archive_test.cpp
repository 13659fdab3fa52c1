// Sealed files on a real disk: which files open, and which do not.
#include "drawbridge/spool/archive.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "drawbridge/domain/digest.hpp"
#include "spool/temporary_folder.hpp"

namespace drawbridge::spool {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Key;
using testing::SizeIs;

namespace fs = std::filesystem;

constexpr std::size_t head_bytes = 100, chunk_bytes = 64UL * 1024 + 17;

ArchiveKey key(char letter) {
    return {std::string(16, letter), Secret(std::string(32, letter))};
}

std::string sample(std::size_t size) {
    std::string bytes(size, '\0');
    for (std::size_t at = 0; at < size; ++at)
        bytes[at] = static_cast<char>(at * 31 + at / 251);
    return bytes;
}

class ArchiveTest : public testing::Test {
  protected:
    ArchiveTest() {
        for (const auto* folder : {"spool/archive/2026/03/04", "spool/claimed", "quarantine"})
            fs::create_directories(state() / folder);
    }
    [[nodiscard]] fs::path state() const { return folder_.path(); }
    [[nodiscard]] fs::path file(const std::string& name) const { return state() / "spool/archive/2026/03/04" / name; }
    [[nodiscard]] static std::string path(const std::string& name) { return "2026/03/04/" + name; }
    void sealed(const std::string& name, const std::string& bytes) const {
        write_file(file(name), bytes);
        const auto facts = archive_.seal(path(name));
        ASSERT_TRUE(facts) << facts.error().message;
        EXPECT_EQ(*facts, (FileFacts{sha256_hex(bytes), bytes.size()}));
        archive_.remove_plain(path(name));
        ASSERT_FALSE(fs::exists(file(name)));
    }
    [[nodiscard]] std::string why(const std::string& name) const {
        const auto facts = archive_.sealed_facts(path(name));
        return facts ? "it opens" : facts.error().message;
    }
    [[nodiscard]] std::string bytes_of(const std::string& name) const { return read_file(file(name + ".sealed")); }
    void replace(const std::string& name, const std::string& bytes) const { write_file(file(name + ".sealed"), bytes); }

    TemporaryFolder folder_;
    Archive archive_{folder_.path(), {key('a')}};
};

TEST_F(ArchiveTest, a_sealed_file_of_any_size_opens_byte_for_byte_and_reveals_nothing) {
    for (const std::size_t size : {0UL, 1UL, 65'535UL, 65'536UL, 65'537UL, 131'072UL, 300'000UL}) {
        const auto bytes = "account 123456789\n" + sample(size);
        const auto name = std::to_string(size);
        sealed(name, size == 0 ? "" : bytes);
        const auto read = archive_.read(path(name), 0, 1'000'000);
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(*read, size == 0 ? "" : bytes);
        EXPECT_THAT(bytes_of(name), testing::Not(HasSubstr("123456789")));
    }
    EXPECT_THAT(archive_.list(), SizeIs(7));
}

TEST_F(ArchiveTest, plain_and_sealed_files_are_read_in_pieces) {
    const auto bytes = sample(200'000);
    write_file(file("plain"), bytes);
    sealed("sealed", bytes);
    for (const std::string name : {"plain", "sealed"}) {
        std::string read;
        for (std::size_t offset = 0; offset < bytes.size(); offset += 70'000)
            read += archive_.read(path(name), offset, 70'000).value();
        EXPECT_EQ(read, bytes);
        EXPECT_EQ(archive_.read(path(name), 200'000, 10).value(), "");
    }
}

TEST_F(ArchiveTest, a_file_with_a_changed_byte_does_not_open) {
    sealed("bank.csv", sample(150'000));
    const auto good = bytes_of("bank.csv");
    for (std::size_t at = 0; at < good.size(); at += at < 120 ? 1 : 997) {
        auto bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 1);
        replace("bank.csv", bad);
        EXPECT_THAT(why("bank.csv"), HasSubstr("does not open")) << at;
    }
    replace("bank.csv", good);
    EXPECT_EQ(why("bank.csv"), "it opens");
}

TEST_F(ArchiveTest, a_truncated_or_extended_file_does_not_open) {
    sealed("bank.csv", sample(131'072));
    const auto good = bytes_of("bank.csv");
    for (const std::size_t size : {0UL, 10UL, head_bytes - 1, head_bytes, head_bytes + chunk_bytes, good.size() - 1}) {
        replace("bank.csv", good.substr(0, size));
        EXPECT_THAT(why("bank.csv"), HasSubstr("does not open")) << size;
    }
    replace("bank.csv", good + "x");
    EXPECT_THAT(why("bank.csv"), HasSubstr("extra bytes at its end"));
}

TEST_F(ArchiveTest, chunks_cannot_move_within_or_between_files) {
    sealed("a", sample(196'608));
    sealed("b", sample(196'607));
    const auto a = bytes_of("a"), b = bytes_of("b");
    auto exchanged = a;
    exchanged.replace(head_bytes, chunk_bytes, a, head_bytes + chunk_bytes, chunk_bytes);
    exchanged.replace(head_bytes + chunk_bytes, chunk_bytes, a, head_bytes, chunk_bytes);
    replace("a", exchanged);
    EXPECT_THAT(why("a"), HasSubstr("it was changed"));
    replace("a", a.substr(0, head_bytes) + b.substr(head_bytes, chunk_bytes) + a.substr(head_bytes + chunk_bytes));
    EXPECT_THAT(why("a"), HasSubstr("it was changed"));
}

TEST_F(ArchiveTest, an_unknown_key_opens_nothing_and_any_earlier_key_opens_its_files) {
    const auto bytes = sample(70'000);
    sealed("bank.csv", bytes);
    const auto unknown = Archive(state(), {key('b')}).sealed_facts(path("bank.csv"));
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, ErrorCode::unauthorized);
    EXPECT_THAT(unknown.error().message, HasSubstr("a key that this ledger does not have"));
    const ArchiveKey same_id{std::string(16, 'a'), Secret(std::string(32, 'z'))};
    EXPECT_FALSE(Archive(state(), {same_id}).sealed_facts(path("bank.csv")));
    EXPECT_EQ(Archive(state(), {key('b'), key('a')}).read(path("bank.csv"), 0, 100'000).value(), bytes);
}

TEST_F(ArchiveTest, sealing_again_after_a_crash_reads_the_sealed_file_and_never_replaces_it) {
    const std::string bytes = "confirmations";
    write_file(file("bank.csv"), bytes);
    write_file(file(".sealing.tmp"), "left by a crash");
    ASSERT_TRUE(archive_.seal(path("bank.csv")));
    const auto first = bytes_of("bank.csv");
    EXPECT_EQ(archive_.seal(path("bank.csv")).value().sha256, sha256_hex(bytes));
    EXPECT_EQ(bytes_of("bank.csv"), first);
    EXPECT_THAT(names_in(file("").parent_path()), ElementsAre("bank.csv", "bank.csv.sealed"));
    write_file(file("bank.csv"), "other bytes");
    const auto other = archive_.seal(path("bank.csv"));
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().code, ErrorCode::conflict);
    EXPECT_EQ(bytes_of("bank.csv"), first);
    EXPECT_EQ(read_file(file("bank.csv")), "other bytes");
}

TEST_F(ArchiveTest, a_new_day_belongs_to_the_group_of_the_archive) {
    if (::geteuid() != 0) GTEST_SKIP() << "not run: only root can change a folder's group";
    constexpr gid_t finance = 5001;
    ASSERT_EQ(::chown((state() / "spool/archive").c_str(), 0, finance), 0);
    ASSERT_EQ(::chmod((state() / "spool/archive").c_str(), 02750), 0);
    static_cast<void>(archive_.plain_facts("2027/01/02/bank.csv"));
    for (const auto* folder : {"2027", "2027/01", "2027/01/02"}) {
        struct stat status{};
        ASSERT_EQ(::stat((state() / "spool/archive" / folder).c_str(), &status), 0) << folder;
        EXPECT_EQ(status.st_gid, finance) << folder;
    }
}

TEST_F(ArchiveTest, read_all_names_files_that_do_not_open) {
    write_file(file("plain"), "plain");
    sealed("good", "good");
    sealed("bad", "bad");
    replace("bad", "nonsense");
    write_file(state() / "spool/claimed/on-its-way", "claimed");
    write_file(state() / "quarantine/refused", "refused");
    write_file(state() / "quarantine/large", "");
    fs::resize_file(state() / "quarantine/large", 8ULL << 40);  // sparse
    const auto content = archive_.read_all(/*max_bytes=*/1000, {});
    ASSERT_TRUE(content);
    EXPECT_THAT(content->sealed, ElementsAre(Key(path("good"))));
    EXPECT_THAT(content->damaged, ElementsAre(HasSubstr("bad.sealed does not open: it is not a sealed file")));
    for (const std::string bytes : {"plain", "good", "claimed", "refused"})
        EXPECT_TRUE(content->hashes.contains(sha256_hex(bytes))) << bytes;
    EXPECT_FALSE(content->hashes.contains(sha256_hex("bad")));
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(archive_.read_all(1000, stop.get_token()));
}

}  // namespace
}  // namespace drawbridge::spool
