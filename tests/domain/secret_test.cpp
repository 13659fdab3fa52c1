#include "drawbridge/domain/secret.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <new>
#include <string_view>

namespace drawbridge {
namespace {

TEST(Secret, copies_and_moves_its_value) {
    Secret first(std::string("hunter2"));
    Secret copy(first);
    EXPECT_EQ(copy.reveal(), "hunter2");
    Secret moved(std::move(first));
    EXPECT_EQ(moved.reveal(), "hunter2");
    Secret assigned;
    EXPECT_TRUE(assigned.empty());
    assigned = copy;
    EXPECT_EQ(assigned.reveal(), "hunter2");
    assigned = Secret(std::string("other"));
    EXPECT_EQ(assigned.reveal(), "other");
    const Secret& itself = assigned;
    assigned = itself;
    EXPECT_EQ(assigned.reveal(), "other");
}

// The object itself stores a short value, so the test can inspect that memory.
class SecretStorage {
  public:
    Secret* make() { return new (storage_.data()) Secret(std::string("hunter2")); }
    [[nodiscard]] bool holds_value() const {
        const std::string_view bytes(reinterpret_cast<const char*>(storage_.data()), storage_.size());
        return bytes.find("unter2") != std::string_view::npos;
    }

  private:
    alignas(Secret) std::array<std::byte, sizeof(Secret)> storage_{};
};

TEST(Secret, is_wiped_on_destruction) {
    SecretStorage storage;
    Secret* secret = storage.make();
    ASSERT_TRUE(storage.holds_value());
    secret->~Secret();
    EXPECT_FALSE(storage.holds_value());
}

TEST(Secret, is_wiped_after_a_move) {
    SecretStorage storage;
    Secret* secret = storage.make();
    const Secret moved(std::move(*secret));
    EXPECT_EQ(moved.reveal(), "hunter2");
    EXPECT_FALSE(storage.holds_value());
    secret->~Secret();
}

}  // namespace
}  // namespace drawbridge
