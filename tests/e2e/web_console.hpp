// The web console of a house: the daemon with people set up, the console beside it, and a browser that speaks bytes.
//
// Anna (person 1) is operator and finance, Ben (person 2) releaser, Erin (person 3) the admin. The test must be root.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "e2e/office.hpp"

namespace drawbridge::e2e {

struct WebAnswer {
    int status = 0;
    std::string head, body;
    // The first header of that name; empty: there is none.
    [[nodiscard]] std::string header(const std::string& name) const;
    [[nodiscard]] Json json() const { return Json::parse(body, nullptr, /*allow_exceptions=*/false); }
};

class WebConsole {
  public:
    // Files wait for release, what else is in the office happened before.
    explicit WebConsole(const Office& office);

    [[nodiscard]] const std::string& origin() const { return origin_; }
    [[nodiscard]] std::filesystem::path socket() const { return office_.state() / "console.sock"; }
    // Without a word, as a power loss ends it.
    void kill_daemon() { daemon_.reset(); }
    // Answers on return. It dies at that crash point, if one is named.
    void start_daemon(const std::string& crash_at = {});
    // Whether the daemon ended by itself.
    [[nodiscard]] bool daemon_died() const;

    // What `drawbridge console open` and `people invite` print.
    [[nodiscard]] std::string open_link() const;
    [[nodiscard]] std::string invitation(int person, unsigned inviter = 0) const;
    // As Erin.
    void confirm_key(const std::string& fingerprint) const;
    [[nodiscard]] Outcome act(unsigned uid, std::vector<std::string> words) const;
    [[nodiscard]] std::string log() const;

    // As a browser without scripts would: with its cookie, and as one of our own pages where it posts.
    [[nodiscard]] WebAnswer get(const std::string& target, const std::string& cookie = {}) const;
    [[nodiscard]] WebAnswer post(const std::string& target, const std::string& body, const std::string& cookie = {},
                                 const std::string& content_type = "application/json") const;
    // The cookie of a read-only session.
    [[nodiscard]] std::string look() const;

    // As whoever holds the console's uid: a request straight to the daemon's socket for consoles.
    [[nodiscard]] WebAnswer ask_daemon(const std::string& method, const std::string& target, const Json& body,
                                       const std::string& token = {}) const;

    static constexpr unsigned service = 5100, erin = 5104;

  private:
    void set_up_people() const;

    const Office& office_;
    std::uint16_t port_ = 0;
    std::string origin_;
    mutable std::optional<Process> daemon_;
    std::optional<Process> console_;
};

}  // namespace drawbridge::e2e
