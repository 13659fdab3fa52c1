#include "drawbridge/domain/digest.hpp"

#include <gtest/gtest.h>

namespace drawbridge {
namespace {

// FIPS 180-2, appendix B.
TEST(Sha256, matches_the_published_digests) {
    struct Case {
        std::string bytes;
        std::string_view hex;
    };
    const Case cases[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {std::string(1'000'000, 'a'), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    };
    for (const Case& c : cases) {
        EXPECT_EQ(sha256_hex(c.bytes), c.hex);
        Sha256 in_pieces;
        for (std::size_t at = 0; at < c.bytes.size(); at += 1000)
            in_pieces.update(std::string_view(c.bytes).substr(at, 1000));
        EXPECT_EQ(in_pieces.hex(), c.hex);
    }
}

TEST(HashPrefix, is_8_to_64_hexadecimal_digits_in_lower_case) {
    const std::string hash = sha256_hex("abc");
    EXPECT_TRUE(is_hash_prefix(hash));
    EXPECT_TRUE(is_hash_prefix(hash.substr(0, 8)));
    EXPECT_FALSE(is_hash_prefix(hash.substr(0, 7)));
    EXPECT_FALSE(is_hash_prefix(hash + "0"));
    EXPECT_FALSE(is_hash_prefix("BA7816BF"));
    EXPECT_FALSE(is_hash_prefix("ba7816bg"));
}

}  // namespace
}  // namespace drawbridge
