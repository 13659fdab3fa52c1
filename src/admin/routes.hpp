// The route table of the operators' API: each route with its roles, its handler, and whether it makes the caller a
// maker. A route without roles does not compile. Private to this module.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "call.hpp"
#include "drawbridge/ledger/facts/people.hpp"

namespace drawbridge::admin {

using Handler = asio::awaitable<Response> (*)(AdminContext& context, Call call);

// A non-empty set of roles. Any one of them is sufficient.
class Allowed {
  public:
    consteval Allowed(std::initializer_list<ledger::Role> roles) : roles_(roles) {
        if (roles_.empty()) throw "a route needs at least one role";
    }
    [[nodiscard]] constexpr ledger::Roles roles() const { return roles_; }

  private:
    ledger::Roles roles_;
};

enum class Maker : std::uint8_t {
    no,   // the caller becomes no maker: reads, pauses, changes of people, and a release, which makers may not order
    yes,  // the act decides what is paid: refused to root and to the daemon's uid, who identify no particular person
};

// What a request over the console's socket needs before the route is served.
enum class ConsoleAccess : std::uint8_t {
    as_method,   // a session for GET, a signature for POST
    session,     // any session: it only reads
    passkey,     // a session that a passkey opened: it changes nothing about money, or stops it
    signature,   // each act is signed
    not_served,  // it must come past the console
};

struct Route {
    std::string_view method;
    std::string_view pattern;  // "/files/*/release": `*` matches any one segment
    Allowed allowed;
    Maker maker;
    Handler handler;
    ConsoleAccess console = ConsoleAccess::as_method;
};

[[nodiscard]] constexpr ConsoleAccess console_access(const Route& route) {
    if (route.console != ConsoleAccess::as_method) return route.console;
    return route.method == "GET" ? ConsoleAccess::session : ConsoleAccess::signature;
}

// A report: long, or asked often, and nothing is decided by it. It may be read on another server.
[[nodiscard]] bool is_report(const Route& route);

[[nodiscard]] std::span<const Route> routes();
[[nodiscard]] bool matches(std::string_view pattern, const std::vector<std::string>& path);
// nullptr: no such route.
[[nodiscard]] const Route* find_route(const Call& call);

// 404, or 405 if the path has another method.
[[nodiscard]] Response refuse_unrouted(const Call& call);

// Answers a request of a caller whom the kernel, or a session, has named.
[[nodiscard]] asio::awaitable<Response> answer_request(AdminContext& context, Request request);

// Error (forbidden): this caller may not use the route; the message says which roles would do and who grants them.
[[nodiscard]] Result<void> authorize(AdminContext& context, const Route& route, const Call& call);
// The error for an act that needs one of these roles.
[[nodiscard]] std::unexpected<Error> refuse_role(AdminContext& context, ledger::Roles needed, const Call& call);

}  // namespace drawbridge::admin
