#include <gtest/gtest.h>

#include "drawbridge/nacha/encode.hpp"
#include "drawbridge/nacha/parse.hpp"
#include "drawbridge/nacha/validate.hpp"
#include "nacha/random_files.hpp"
#include "nacha/sample_files.hpp"

namespace drawbridge::nacha {
namespace {

TEST(RoundTrip, valid_payments_read_back_equal) {
    testing::RandomPayments files(20261121);
    for (int i = 0; i < 300; ++i) {
        const File file = files.next();
        const auto bytes =
            encode(file, i % 2 == 0 ? LineEnd::lf : LineEnd::crlf, i % 3 == 0 ? Padding::none : Padding::nines);
        ASSERT_TRUE(bytes) << bytes.error().message;
        const Validation validation = validate(*bytes);
        ASSERT_TRUE(validation.is_valid()) << "file " << i << ": " << validation.summary.problems.front().message;
        ASSERT_EQ(validation.file, file) << "file " << i;
        const FileControl control = control_of(file);
        EXPECT_EQ(validation.summary.total_credit, control.total_credit);
        EXPECT_EQ(validation.summary.entry_hash, control.entry_hash);
    }
}

TEST(RoundTrip, encoded_files_parse_back_equal) {
    testing::RandomFiles files(20261120);
    for (int i = 0; i < 400; ++i) {
        const File file = files.next();
        const auto bytes = encode(file, i % 2 == 0 ? LineEnd::lf : LineEnd::crlf);
        ASSERT_TRUE(bytes) << bytes.error().message;
        const auto read = parse(*bytes);
        ASSERT_TRUE(read) << "file " << i << ", line " << read.error().front().line << ", position "
                          << read.error().front().position << ": " << read.error().front().message;
        ASSERT_EQ(*read, file) << "file " << i;
        EXPECT_EQ(bytes->size() % (i % 2 == 0 ? 950 : 960), 0U);
    }
}

TEST(RoundTrip, returns_and_notifications_of_change_encode_back_to_their_bytes) {
    for (const char* name : {"nacha-return-web.ach", "nacha-noc.ach"}) {
        std::string bytes = testing::read_data(name);
        if (!bytes.ends_with('\n')) bytes += '\n';
        const auto file = parse(bytes);
        ASSERT_TRUE(file);
        const auto again = encode(*file);
        ASSERT_TRUE(again) << again.error().message;
        // A bank wrote two fields differently: a missing date as zeros, and a control's company id after a space.
        std::string expected = bytes;
        const auto respell = [&](std::string_view as, std::string_view ours) {
            for (auto at = expected.find(as); at != std::string::npos; at = expected.find(as, at)) {
                expected.replace(at, as.size(), ours);
            }
        };
        respell("      000000   1", "               1");
        respell("000000000000 123456789 ", "000000000000123456789  ");
        respell("000000004565 123456789 ", "000000004565123456789  ");
        EXPECT_EQ(*again, expected) << name;
    }
}

}  // namespace
}  // namespace drawbridge::nacha
