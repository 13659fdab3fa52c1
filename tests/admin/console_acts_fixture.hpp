// Ben, signed in to the console with his passkey, and a staged file that waits for his release.
#pragma once

#include <string>

#include "admin/console_fixture.hpp"

namespace drawbridge::admin {

class ConsoleActs : public ConsoleFixture {
  protected:
    ConsoleActs() {
        give(ben_, key_);
        give(maker_, maker_key_);
        file_ = stage(7);
        token_ = sign_in(key_);
    }
    Reply ask_release() { return challenge(token_, "/files/" + file_ + "/release"); }
    // The file still waits, and nothing was recorded as signed.
    void expect_untouched() {
        EXPECT_EQ(state_of(file_), ledger::FileState::staged);
        EXPECT_FALSE(ledger::find_signed_act(*ledger, 1));
    }

    std::string file_, token_;
};

}  // namespace drawbridge::admin
