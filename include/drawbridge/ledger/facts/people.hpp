// Persons: who acts (numeric uids), what they may do (roles), who they are in the portal, and changes that wait for a
// second person. This module records facts and answers questions; `admin` decides who may do what and who may confirm a
// change.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawbridge/domain/error.hpp"
#include "drawbridge/ledger/store/ledger.hpp"

namespace drawbridge::ledger {

using PersonId = std::int64_t;

// `operate` is the role "operator".
enum class Role : std::uint8_t { viewer, auditor, finance, operate, releaser, admin };
inline constexpr std::array all_roles{Role::viewer,  Role::auditor,  Role::finance,
                                      Role::operate, Role::releaser, Role::admin};
[[nodiscard]] std::string_view to_string(Role role);
[[nodiscard]] std::optional<Role> parse_role(std::string_view text);

// A set of roles.
class Roles {
  public:
    constexpr Roles() = default;
    constexpr Roles(std::initializer_list<Role> roles) {
        for (const Role role : roles)
            add(role);
    }
    constexpr void add(Role role) { bits_ |= bit(role); }
    constexpr void add(Roles other) { bits_ |= other.bits_; }
    [[nodiscard]] constexpr bool has(Role role) const { return (bits_ & bit(role)) != 0; }
    [[nodiscard]] constexpr bool meets(Roles other) const { return (bits_ & other.bits_) != 0; }
    [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
    friend bool operator==(Roles, Roles) = default;

  private:
    static constexpr unsigned bit(Role role) { return 1U << static_cast<unsigned>(role); }
    unsigned bits_ = 0;
};
// "operator, releaser"
[[nodiscard]] std::string to_string(Roles roles);
// Who may resolve an exception of this step: finance knows what the bank says.
[[nodiscard]] constexpr Roles may_resolve(std::string_view step) {
    return step == "confirm" ? Roles{Role::operate, Role::finance} : Roles{Role::operate};
}

struct Person {
    PersonId person_id = 0;
    std::string name;  // for display only
    bool locked = false;
    Roles roles = {};  // as granted; a locked person has none in effect
    std::vector<std::int64_t> uids = {};
    std::vector<std::string> emails = {};
    std::vector<std::string> approver_ids = {};
};
[[nodiscard]] std::vector<Person> people(Ledger& ledger);
[[nodiscard]] std::optional<Person> find_person(Ledger& ledger, PersonId person_id);

// The person the uid belongs to now; nullopt: none, the uid counts as a person of its own.
[[nodiscard]] std::optional<PersonId> person_of(Ledger& ledger, std::int64_t uid);
// Every person the uid ever belonged to.
[[nodiscard]] std::vector<PersonId> persons_ever(Ledger& ledger, std::int64_t uid);
// Whether the uids are the same, or ever belonged to the same person.
[[nodiscard]] bool share_a_person(Ledger& ledger, std::int64_t uid, std::int64_t other);
// Whether two recorded actors have one login name: "uid 5002 (anna)" on one machine, and "uid 5003 (anna)" on another
// whose users have other uids. False if either has none.
[[nodiscard]] bool share_a_login(std::string_view actor, std::string_view other);
// True once any role was ever granted: from then on roles apply. Revoking the last role does not give the groups of the
// folders their rights back.
[[nodiscard]] bool roles_are_set_up(Ledger& ledger);
// Whether an act by this uid, `at` that time, counts now. Once people are set up, the uid belongs to the person who
// acted, who is not locked and has one of these roles; until then, every uid counts unless its person is locked. Never
// for uid 0 and this program's own.
[[nodiscard]] bool acts_for_a_person(Ledger& ledger, std::int64_t uid, Instant at, Roles one_of);
// Whether the uid's person was locked since, or lost all of these roles that they had then, even if only for a while.
[[nodiscard]] bool was_stopped_since(Ledger& ledger, std::int64_t uid, Instant at, Roles one_of);
// Holders of the role who are not locked and have at least one uid.
[[nodiscard]] std::vector<Person> active_holders(Ledger& ledger, Role role);

enum class Identity : std::uint8_t { uid, email, approver_id };
[[nodiscard]] std::string_view to_string(Identity kind);
// The person with that address or approver id in the portal; not for uids.
[[nodiscard]] std::optional<PersonId> person_at_portal(Ledger& ledger, Identity kind, std::string_view value);

// Adds a person without uids or roles.
PersonId add_person(Ledger& ledger, std::string_view name, std::string_view reason, const Stamp& stamp);

enum class ChangeKind : std::uint8_t { link, unlink, grant, revoke, lock, unlock };
[[nodiscard]] std::string_view to_string(ChangeKind kind);

struct Change {
    PersonId person_id = 0;
    ChangeKind kind = ChangeKind::link;
    std::optional<Role> role = {};          // grant, revoke
    std::optional<Identity> identity = {};  // link, unlink
    std::string value = {};                 // the identity: "5001", "anna@example.gov" (lower case), "1201"
};
// "link uid 5001", "grant operator", "lock"
[[nodiscard]] std::string describe(const Change& change);

// Whether the change can be made now. Errors: no such person; the uid, address or approver id belongs to somebody else;
// nothing would change.
[[nodiscard]] Result<void> check_change(Ledger& ledger, const Change& change);
// Makes the change. Errors: check_change().
[[nodiscard]] Result<void> make_change(Ledger& ledger, const Change& change, std::string_view reason,
                                       const Stamp& stamp);

struct ProposedChange {
    std::int64_t change_id = 0;
    Change what;
    Instant proposed_at;
    std::int64_t proposed_uid = 0;
    std::string proposed_by;
    std::string reason;
};
// Stores the change until it is confirmed or rejected. `stamp` must have a uid. Errors: check_change(); the same change
// is already proposed.
[[nodiscard]] Result<std::int64_t> propose_change(Ledger& ledger, const Change& change, std::string_view reason,
                                                  const Stamp& stamp);
// Proposed changes that are still open, oldest first.
[[nodiscard]] std::vector<ProposedChange> waiting_changes(Ledger& ledger);
[[nodiscard]] std::optional<ProposedChange> find_waiting_change(Ledger& ledger, std::int64_t change_id);
// Makes the change. `stamp` must have a uid other than the proposer's. Errors: check_change(); the proposal then stays
// open.
[[nodiscard]] Result<void> confirm_change(Ledger& ledger, const ProposedChange& change, std::string_view reason,
                                          const Stamp& stamp);
void reject_change(Ledger& ledger, const ProposedChange& change, std::string_view reason, const Stamp& stamp);

}  // namespace drawbridge::ledger
