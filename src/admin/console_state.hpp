// What the console's sessions consist of, in memory. Private to this module.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/admin/console.hpp"
#include "drawbridge/domain/elapsed.hpp"
#include "drawbridge/ledger/facts/passkeys.hpp"
#include "heavy_requests.hpp"

namespace drawbridge::admin {

inline constexpr std::chrono::minutes session_idle{15};
inline constexpr std::chrono::hours session_longest{12};
inline constexpr std::chrono::hours link_session_longest{8};
inline constexpr std::chrono::minutes link_code_lives{5};
inline constexpr std::chrono::hours invitation_lives{24};
inline constexpr std::chrono::minutes challenge_lives{5};
inline constexpr std::chrono::minutes act_lives{2};

// `count` random bytes as base64url.
[[nodiscard]] std::string random_text(std::size_t count);

// In whose name a session asks.
struct Principal {
    std::string actor;  // for display
    std::optional<std::int64_t> uid;
    std::vector<std::int64_t> groups = {};
    std::optional<ledger::PersonId> person = {};  // of a passkey session
    // Whose limits count, as an owner of Kept.
    [[nodiscard]] std::string owner() const;
};

struct Session {
    Principal who;
    std::string credential_id = {};  // of a passkey session; empty: by a link, it is read-only
    Instant last_used, ends;
    std::string id = {};       // names it to people; opens nothing
    std::string address = {};  // of the browser, as the console says; empty: unknown
    Instant opened = {};
    [[nodiscard]] bool by_link() const { return credential_id.empty(); }
};

// Values behind secrets that are kept as hashes, each until an instant, at most so many of one owner: a new one pushes
// out that owner's that ends first, so nobody pushes out another's. Owners are people and local users with a role, so
// there are few. A clock that is set back ends what was made later than it shows: nothing lives longer for it.
template <class Value>
class Kept {
  public:
    explicit Kept(std::size_t most_of_an_owner) : most_(most_of_an_owner) {}

    void put(const std::string& owner, std::string_view secret, Value value, Instant now, Instant ends) {
        std::size_t count = 0;
        auto first = entries_.end();
        for (auto at = entries_.begin(); at != entries_.end(); ++at) {
            if (at->second.owner != owner) continue;
            ++count;
            if (first == entries_.end() || at->second.ends < first->second.ends) first = at;
        }
        if (count >= most_) entries_.erase(first);
        entries_.insert_or_assign(key_of(secret), Entry{owner, std::move(value), now, ends});
    }
    // nullptr: unknown, or over.
    [[nodiscard]] Value* find(std::string_view secret, Instant now) {
        const auto found = entries_.find(key_of(secret));
        if (found == entries_.end()) return nullptr;
        if (found->second.ends > now && !is_from_clock_ahead(found->second.made, now)) return &found->second.value;
        entries_.erase(found);
        return nullptr;
    }
    // Once: it is gone afterwards.
    [[nodiscard]] std::optional<Value> take(std::string_view secret, Instant now) {
        Value* found = find(secret, now);
        if (found == nullptr) return std::nullopt;
        std::optional<Value> value(std::move(*found));
        drop(secret);
        return value;
    }
    void drop(std::string_view secret) { entries_.erase(key_of(secret)); }
    // How many of those that are not over are so.
    template <class Is>
    [[nodiscard]] std::ptrdiff_t count(Instant now, Is is) const {
        return std::ranges::count_if(
            entries_, [&](const auto& entry) { return entry.second.ends > now && is(entry.second.value); });
    }

    // Those that are not over.
    template <class Use>
    void for_each(Instant now, Use use) const {
        for (const auto& [key, entry] : entries_) {
            if (entry.ends > now) use(entry.value);
        }
    }
    template <class Is>
    void drop_if(Is is) {
        std::erase_if(entries_, [&](const auto& entry) { return is(entry.second.value); });
    }

  private:
    struct Entry {
        std::string owner;
        Value value;
        Instant made, ends;
    };
    [[nodiscard]] static std::string key_of(std::string_view secret);

    std::size_t most_;
    std::map<std::string, Entry, std::less<>> entries_;
};

[[nodiscard]] std::string hash_of_secret(std::string_view secret);

template <class Value>
std::string Kept<Value>::key_of(std::string_view secret) {
    return hash_of_secret(secret);
}

// An act that waits for its signature.
struct PendingAct {
    std::string session;  // the hash of the token that asked for it
    ledger::PersonId person = 0;
    std::string method, target, body;
    std::string text;          // what is signed
    std::string release_code;  // the hash of the one that was mailed; empty: none is asked for
    std::string request;       // "POST /files/ACH-20260304-A.ach/release"
    int wrong_codes = 0;
};

// A code that lets a person enroll one passkey.
struct Invitation {
    ledger::PersonId person = 0;
    ledger::Inviter by;
    std::string challenge;  // of the newest /enroll/begin
};

// Challenges of sign-ins. Anybody may ask for one, so none is kept: each carries its time and a seal. What is kept are
// those that somebody signed with an enrolled passkey, so that each serves once.
class SignInChallenges {
  public:
    SignInChallenges();
    [[nodiscard]] std::string make(Instant now) const;
    // One of ours, not too old, not used.
    [[nodiscard]] bool is_good(const std::string& challenge, Instant now);
    void use(const std::string& owner, const std::string& challenge, Instant now) {
        used_.put(owner, challenge, true, now, now + challenge_lives);
    }

  private:
    [[nodiscard]] std::string seal_of(std::string_view text) const;

    std::string key_;
    Kept<bool> used_{10'000};
};

struct Console::State {
    Kept<Session> sessions{20};
    Kept<Principal> links{20};
    Kept<Invitation> invitations{100};
    SignInChallenges challenges;
    Kept<PendingAct> acts{16};
    HeavyRequests heavy;
};

// The site as passkeys see it.
[[nodiscard]] passkeys::RelyingParty site_of(const AdminContext& context);

// The session behind the token, unless it is over, its person or its passkey is locked. Error (unauthorized). It
// prolongs the session, unless a page asks by itself while nobody is there.
[[nodiscard]] Result<Session> find_session(AdminContext& context, const std::string& token, bool by_itself = false);

// {"credential_id", "client_data", "authenticator_data", "signature"}.
struct SignedBody {
    std::string credential_id;
    passkeys::Assertion assertion;
};
[[nodiscard]] Result<SignedBody> read_signed_body(const nlohmann::json& body);
// Whether only one device has the key, as far as its counter tells; record each verified signature after it. Error
// (forbidden): the counter does not grow, or did not before and exception passkey_cloned is open; it is backup-eligible
// and was not at its enrollment, or the other way round.
[[nodiscard]] Result<void> check_not_cloned(AdminContext& context, const ledger::Passkey& passkey,
                                            const passkeys::Assertion& assertion, const ledger::Stamp& by);
// A text of the body; empty: it is missing or no text.
[[nodiscard]] std::string text_in(const nlohmann::json& body, const char* key);
// The bytes behind a base64url text of the body. Error (invalid_input).
[[nodiscard]] Result<std::string> bytes_in(const nlohmann::json& body, const char* key);

}  // namespace drawbridge::admin
