// The one table of the operators' API: each route, the roles that may use it, whether it is an act of a maker, and what
// answers it. A route without roles does not compile. Private to this module.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "call.hpp"
#include "drawbridge/ledger/people.hpp"

namespace drawbridge::admin {

using Handler = asio::awaitable<Response> (*)(AdminContext& context, Call call);

// The non-empty set of roles any one of which will do.
class Allowed {
  public:
    consteval Allowed(std::initializer_list<ledger::Role> roles) : roles_(roles) {
        if (roles_.empty()) throw "a route needs at least one role";
    }
    [[nodiscard]] constexpr ledger::Roles roles() const { return roles_; }

  private:
    ledger::Roles roles_;
};

enum class Act : std::uint8_t {
    question,  // changes nothing, or nothing about money
    of_maker,  // decides what is paid: nobody in particular (root, the daemon's own uid) may do it
};

struct Route {
    std::string_view method;
    std::string_view pattern;  // "/files/*/release": `*` stands for any one segment
    Allowed allowed;
    Act act;
    Handler handler;
};

[[nodiscard]] std::span<const Route> routes();
[[nodiscard]] bool matches(std::string_view pattern, const std::vector<std::string>& path);
// nullptr: there is none.
[[nodiscard]] const Route* find_route(const Call& call);

// Error (forbidden): this caller may not use the route; the message says which roles would do and who grants them.
[[nodiscard]] Result<void> authorize(AdminContext& context, const Route& route, const Call& call);
// The same for an act that one of these roles may do.
[[nodiscard]] std::unexpected<Error> refuse_role(AdminContext& context, ledger::Roles needed, const Call& call);

}  // namespace drawbridge::admin
