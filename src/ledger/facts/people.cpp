#include "drawbridge/ledger/facts/people.hpp"

#include <algorithm>
#include <charconv>

#include "drawbridge/ledger/facts/makers.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

constexpr std::array<std::string_view, all_roles.size()> role_names{"viewer",   "auditor",  "finance",
                                                                    "operator", "releaser", "admin"};
constexpr std::array<std::string_view, 3> identity_names{"uid", "email", "approver_id"};
constexpr std::array<std::string_view, 6> kind_names{"link", "unlink", "grant", "revoke", "lock", "unlock"};

template <class Enum, std::size_t size>
std::optional<Enum> find_name(const std::array<std::string_view, size>& names, std::string_view text) {
    const auto found = std::ranges::find(names, text);
    if (found == names.end()) return std::nullopt;
    return static_cast<Enum>(found - names.begin());
}

std::int64_t uid_of(const Change& change) {
    std::int64_t uid = 0;
    std::from_chars(change.value.data(), change.value.data() + change.value.size(), uid);
    return uid;
}

// The text of person_change.detail.
std::string detail_of(const Change& change) {
    if (change.role) return std::string(to_string(*change.role));
    if (change.identity) return std::string(to_string(*change.identity)) + " " + change.value;
    return {};
}

Change parse_change(PersonId person_id, std::string_view kind, const std::string& detail) {
    Change change{person_id, *find_name<ChangeKind>(kind_names, kind)};
    if (const auto space = detail.find(' '); space != std::string::npos) {
        change.identity = find_name<Identity>(identity_names, std::string_view(detail).substr(0, space));
        change.value = detail.substr(space + 1);
    } else {
        change.role = parse_role(detail);
    }
    return change;
}

std::string subject_of(Ledger& ledger, PersonId person_id) {
    const auto person = find_person(ledger, person_id);
    return "person " + std::to_string(person_id) + (person ? " (" + person->name + ")" : std::string());
}

std::optional<PersonId> holder_of(Ledger& ledger, const Change& change) {
    if (*change.identity == Identity::uid) return person_of(ledger, uid_of(change));
    return person_at_portal(ledger, *change.identity, change.value);
}

Result<void> check_link(Ledger& ledger, const Person& person, const Change& change) {
    const auto holder = holder_of(ledger, change);
    const std::string what = detail_of(change);
    if (change.kind == ChangeKind::unlink) {
        if (holder == person.person_id) return {};
        return fail(ErrorCode::conflict, what + " is not linked to " + subject_of(ledger, person.person_id));
    }
    if (!holder) return {};
    return fail(ErrorCode::conflict, what + " is linked to " + subject_of(ledger, *holder) +
                                         (holder == person.person_id ? " already" : ": unlink it there first"));
}

void link(Ledger& ledger, const Change& change, const Stamp& stamp) {
    if (*change.identity == Identity::uid) {
        Query(ledger, "INSERT INTO person_uid (person_id, uid, linked_at) VALUES (?, ?, ?)", change.person_id,
              uid_of(change), stamp.at)
            .run();
    } else {
        Query(ledger, "INSERT INTO person_portal (person_id, kind, value, linked_at) VALUES (?, ?, ?, ?)",
              change.person_id, to_string(*change.identity), change.value, stamp.at)
            .run();
    }
}

void unlink(Ledger& ledger, const Change& change, const Stamp& stamp) {
    if (*change.identity == Identity::uid) {
        Query(ledger, "UPDATE person_uid SET unlinked_at = ? WHERE uid = ? AND unlinked_at IS NULL", stamp.at,
              uid_of(change))
            .run();
    } else {
        Query(ledger, "UPDATE person_portal SET unlinked_at = ? WHERE kind = ? AND value = ? AND unlinked_at IS NULL",
              stamp.at, to_string(*change.identity), change.value)
            .run();
    }
}

void apply(Ledger& ledger, const Change& change, const Stamp& stamp) {
    switch (change.kind) {
        case ChangeKind::link: link(ledger, change, stamp); break;
        case ChangeKind::unlink: unlink(ledger, change, stamp); break;
        case ChangeKind::grant:
            Query(ledger, "INSERT INTO person_role (person_id, role, granted_at) VALUES (?, ?, ?)", change.person_id,
                  to_string(*change.role), stamp.at)
                .run();
            break;
        case ChangeKind::revoke:
            Query(ledger,
                  "UPDATE person_role SET revoked_at = ? WHERE person_id = ? AND role = ? AND revoked_at IS NULL",
                  stamp.at, change.person_id, to_string(*change.role))
                .run();
            break;
        case ChangeKind::lock:
            Query(ledger, "INSERT INTO person_lock (person_id, locked_at) VALUES (?, ?)", change.person_id, stamp.at)
                .run();
            break;
        case ChangeKind::unlock:
            Query(ledger, "UPDATE person_lock SET unlocked_at = ? WHERE person_id = ? AND unlocked_at IS NULL",
                  stamp.at, change.person_id)
                .run();
            break;
    }
}

// The person with everything linked to them now.
Person read_person(Ledger& ledger, PersonId person_id, std::string name) {
    Person person{person_id, std::move(name)};
    Query lock(ledger, "SELECT 1 FROM person_lock WHERE person_id = ? AND unlocked_at IS NULL", person_id);
    person.locked = lock.next();
    Query roles(ledger, "SELECT role FROM person_role WHERE person_id = ? AND revoked_at IS NULL", person_id);
    while (roles.next())
        person.roles.add(*parse_role(roles.record<std::string>()));
    Query uids(ledger, "SELECT uid FROM person_uid WHERE person_id = ? AND unlinked_at IS NULL ORDER BY uid",
               person_id);
    person.uids = uids.records<std::int64_t>();
    Query portal(ledger,
                 "SELECT kind, value FROM person_portal WHERE person_id = ? AND unlinked_at IS NULL ORDER BY link_id",
                 person_id);
    while (portal.next()) {
        const auto [kind, value] = portal.row<std::string, std::string>();
        (kind == "email" ? person.emails : person.approver_ids).push_back(value);
    }
    return person;
}

void close_change(Ledger& ledger, const ProposedChange& change, std::string_view outcome, std::string_view reason,
                  const Stamp& stamp) {
    assert_in_transaction(ledger);
    DRAWBRIDGE_ASSERT(stamp.uid.has_value(), "a change is closed by a person");
    Query(ledger,
          R"sql(
        UPDATE person_change
        SET closed_at = ?, closed_uid = ?, closed_by = ?, closed_reason = ?, outcome = ?,
            links_until = (SELECT coalesce(max(link_id), 0) FROM person_uid)
        WHERE change_id = ?)sql",
          stamp.at, *stamp.uid, stamp.actor, reason, outcome, change.change_id)
        .run();
    audit(ledger, stamp, "person.change_" + std::string(outcome), subject_of(ledger, change.what.person_id),
          "change " + std::to_string(change.change_id) + ", " + describe(change.what) + ", proposed by " +
              change.proposed_by + ": " + std::string(reason));
}

}  // namespace

std::string_view to_string(Role role) {
    return role_names[static_cast<std::size_t>(role)];
}
std::string_view to_string(Identity kind) {
    return identity_names[static_cast<std::size_t>(kind)];
}
std::string_view to_string(ChangeKind kind) {
    return kind_names[static_cast<std::size_t>(kind)];
}

std::optional<Role> parse_role(std::string_view text) {
    return find_name<Role>(role_names, text);
}

std::string to_string(Roles roles) {
    std::string text;
    for (const Role role : all_roles) {
        if (roles.has(role)) text += (text.empty() ? "" : ", ") + std::string(to_string(role));
    }
    return text;
}

std::vector<Person> people(Ledger& ledger) {
    struct Named {
        PersonId person_id = 0;
        std::string name;
    };
    std::vector<Named> names;
    {
        Query query(ledger, "SELECT person_id, name FROM person ORDER BY person_id");
        names = query.records<Named>();
    }
    std::vector<Person> all;
    all.reserve(names.size());
    for (auto& [person_id, name] : names)
        all.push_back(read_person(ledger, person_id, std::move(name)));
    return all;
}

std::optional<Person> find_person(Ledger& ledger, PersonId person_id) {
    Query query(ledger, "SELECT name FROM person WHERE person_id = ?", person_id);
    auto name = query.first<std::string>();
    if (!name) return std::nullopt;
    return read_person(ledger, person_id, *std::move(name));
}

std::optional<PersonId> person_of(Ledger& ledger, std::int64_t uid) {
    Query query(ledger, "SELECT person_id FROM person_uid WHERE uid = ? AND unlinked_at IS NULL", uid);
    return query.first<std::int64_t>();
}

std::vector<PersonId> persons_ever(Ledger& ledger, std::int64_t uid) {
    std::vector<PersonId> persons;
    Query query(ledger, "SELECT person_id FROM uid_person_ever WHERE uid = ? ORDER BY person_id", uid);
    persons = query.records<PersonId>();
    return persons;
}

bool share_a_person(Ledger& ledger, std::int64_t uid, std::int64_t other) {
    if (uid == other) return true;
    Query query(ledger,
                R"sql(
        SELECT 1
        FROM uid_person_ever x
        JOIN uid_person_ever y ON y.person_id = x.person_id
        WHERE x.uid = ? AND y.uid = ?)sql",
                uid, other);
    return query.next();
}

// Of "uid 5002 (anna)"; empty: the actor is not a user of a machine, or the machine does not know the uid.
static std::string_view login_in(std::string_view actor) {
    const auto begin = actor.find(" (");
    if (!actor.starts_with("uid ") || begin == std::string_view::npos || !actor.ends_with(')')) return {};
    return actor.substr(begin + 2, actor.size() - begin - 3);
}

bool share_a_login(std::string_view actor, std::string_view other) {
    const auto login = login_in(actor);
    return !login.empty() && login == login_in(other);
}

bool roles_are_set_up(Ledger& ledger) {
    Query query(ledger, "SELECT 1 FROM person_role LIMIT 1");
    return query.next();
}

// Whether the uid belonged to somebody else than now when it acted `at` that time.
static bool has_changed_hands(Ledger& ledger, std::int64_t uid, Instant at) {
    if (persons_ever(ledger, uid).size() < 2) return false;
    Query query(ledger, "SELECT 1 FROM person_uid WHERE uid = ? AND unlinked_at IS NULL AND linked_at > ?", uid, at);
    return query.next();
}

bool acts_for_a_person(Ledger& ledger, std::int64_t uid, Instant at, Roles one_of) {
    if (is_nobody(uid) || has_changed_hands(ledger, uid, at)) return false;
    const auto person_id = person_of(ledger, uid);
    const auto person = person_id ? find_person(ledger, *person_id) : std::nullopt;
    if (person && person->locked) return false;
    return !roles_are_set_up(ledger) || (person && person->roles.meets(one_of));
}

bool was_stopped_since(Ledger& ledger, std::int64_t uid, Instant at, Roles one_of) {
    const auto person_id = person_of(ledger, uid);
    if (!person_id) return false;
    Query locks(ledger, "SELECT 1 FROM person_lock WHERE person_id = ? AND locked_at >= ?", *person_id, at);
    if (locks.next()) return true;
    Query grants(ledger, "SELECT role, granted_at, revoked_at FROM person_role WHERE person_id = ?", *person_id);
    bool is_lost = false;
    while (grants.next()) {
        std::string role;
        Instant granted_at;
        std::optional<Instant> revoked_at;
        grants.read(role, granted_at, revoked_at);
        if (!one_of.has(*parse_role(role))) continue;
        if (!revoked_at && granted_at <= at) return false;
        is_lost = is_lost || (revoked_at && *revoked_at >= at);
    }
    return is_lost;
}

std::vector<Person> active_holders(Ledger& ledger, Role role) {
    auto all = people(ledger);
    std::erase_if(
        all, [&](const Person& person) { return person.locked || person.uids.empty() || !person.roles.has(role); });
    return all;
}

std::optional<PersonId> person_at_portal(Ledger& ledger, Identity kind, std::string_view value) {
    Query query(ledger, "SELECT person_id FROM person_portal WHERE kind = ? AND value = ? AND unlinked_at IS NULL",
                to_string(kind), value);
    return query.first<std::int64_t>();
}

PersonId add_person(Ledger& ledger, std::string_view name, std::string_view reason, const Stamp& stamp) {
    assert_in_transaction(ledger);
    const PersonId person_id = new_row(ledger, "SELECT max(person_id) FROM person");
    Query(ledger, "INSERT INTO person (person_id, name, added_at, added_by) VALUES (?, ?, ?, ?)", person_id, name,
          stamp.at, stamp.actor)
        .run();
    audit(ledger, stamp, "person.added", subject_of(ledger, person_id), reason);
    return person_id;
}

std::string describe(const Change& change) {
    const std::string detail = detail_of(change);
    return std::string(to_string(change.kind)) + (detail.empty() ? "" : " ") + detail;
}

Result<void> check_change(Ledger& ledger, const Change& change) {
    const auto person = find_person(ledger, change.person_id);
    if (!person) {
        return fail(ErrorCode::not_found, "there is no person " + std::to_string(change.person_id) +
                                              ": `drawbridge people list` shows everyone");
    }
    const auto refuse = [&](const std::string& why) {
        return fail(ErrorCode::conflict, subject_of(ledger, change.person_id) + " " + why);
    };
    switch (change.kind) {
        case ChangeKind::link:
        case ChangeKind::unlink: return check_link(ledger, *person, change);
        case ChangeKind::grant:
            if (person->roles.has(*change.role)) return refuse("is " + detail_of(change) + " already");
            return {};
        case ChangeKind::revoke:
            if (!person->roles.has(*change.role)) return refuse("is not " + detail_of(change));
            return {};
        case ChangeKind::lock:
            if (person->locked) return refuse("is locked already");
            return {};
        case ChangeKind::unlock:
            if (!person->locked) return refuse("is not locked");
            return {};
    }
    return {};
}

Result<void> make_change(Ledger& ledger, const Change& change, std::string_view reason, const Stamp& stamp) {
    assert_in_transaction(ledger);
    if (auto possible = check_change(ledger, change); !possible) return possible;
    apply(ledger, change, stamp);
    audit(ledger, stamp, "person.changed", subject_of(ledger, change.person_id),
          describe(change) + ": " + std::string(reason));
    return {};
}

Result<std::int64_t> propose_change(Ledger& ledger, const Change& change, std::string_view reason, const Stamp& stamp) {
    assert_in_transaction(ledger);
    DRAWBRIDGE_ASSERT(stamp.uid.has_value(), "a change is proposed by a person");
    if (auto possible = check_change(ledger, change); !possible) return std::unexpected(possible.error());
    for (const auto& other : waiting_changes(ledger)) {
        if (other.what.person_id != change.person_id || describe(other.what) != describe(change)) continue;
        return fail(ErrorCode::conflict,
                    "this change is already proposed: it is change " + std::to_string(other.change_id));
    }
    const auto change_id = new_row(ledger, "SELECT max(change_id) FROM person_change");
    Query(ledger,
          R"sql(
        INSERT INTO person_change (change_id, person_id, kind, detail, proposed_at, proposed_uid, proposed_by, reason)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?))sql",
          change_id, change.person_id, to_string(change.kind), detail_of(change), stamp.at, *stamp.uid, stamp.actor,
          reason)
        .run();
    audit(ledger, stamp, "person.change_proposed", subject_of(ledger, change.person_id),
          "change " + std::to_string(change_id) + ", " + describe(change) + ": " + std::string(reason));
    return change_id;
}

std::vector<ProposedChange> waiting_changes(Ledger& ledger) {
    std::vector<ProposedChange> waiting;
    Query query(ledger,
                R"sql(
        SELECT change_id, person_id, kind, detail, proposed_at, proposed_uid, proposed_by, reason
        FROM person_change
        WHERE closed_at IS NULL
        ORDER BY change_id)sql");
    while (query.next()) {
        auto& change = waiting.emplace_back();
        PersonId person_id = 0;
        std::string kind, detail;
        query.read(change.change_id, person_id, kind, detail, change.proposed_at, change.proposed_uid,
                   change.proposed_by, change.reason);
        change.what = parse_change(person_id, kind, detail);
    }
    return waiting;
}

std::optional<ProposedChange> find_waiting_change(Ledger& ledger, std::int64_t change_id) {
    for (auto& change : waiting_changes(ledger)) {
        if (change.change_id == change_id) return std::move(change);
    }
    return std::nullopt;
}

Result<void> confirm_change(Ledger& ledger, const ProposedChange& change, std::string_view reason, const Stamp& stamp) {
    if (auto possible = check_change(ledger, change.what); !possible) return possible;
    apply(ledger, change.what, stamp);
    close_change(ledger, change, "confirmed", reason, stamp);
    return {};
}

void reject_change(Ledger& ledger, const ProposedChange& change, std::string_view reason, const Stamp& stamp) {
    close_change(ledger, change, "rejected", reason, stamp);
}

}  // namespace drawbridge::ledger
