// The names of callers in the ledger.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>
#include <unordered_map>

namespace drawbridge::admin {

// "uid 1000 (anna)", or "uid 1000" without a login name. May block on a directory server.
[[nodiscard]] std::string describe_user(uid_t uid);

// The same with a cache: asks the system at most once a minute per uid.
class UserNames {
  public:
    using SteadyTime = std::chrono::steady_clock::time_point;
    explicit UserNames(std::function<std::string(uid_t)> look_up = describe_user) : look_up_(std::move(look_up)) {}
    [[nodiscard]] std::string describe(uid_t uid, SteadyTime now);

  private:
    struct Known {
        std::string text;
        SteadyTime until;
    };
    std::function<std::string(uid_t)> look_up_;
    std::unordered_map<uid_t, Known> known_;
};

}  // namespace drawbridge::admin
