// The names of callers in the ledger.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>

namespace drawbridge::admin {

// The login name; nullopt: there is none. May block on a directory server, and so may the next two.
[[nodiscard]] std::optional<std::string> name_of_user(uid_t uid);

// "uid 1000 (anna)", or "uid 1000" without a login name.
[[nodiscard]] std::string describe_user(uid_t uid);

// The uid of the user with this name; nullopt: there is none.
[[nodiscard]] std::optional<std::int64_t> find_user(const std::string& name);

// describe_user() for a server: it asks the system once a minute for each uid, not with each request.
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
