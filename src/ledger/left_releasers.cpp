// Persons who may release, and whether an act leaves one.
#include <algorithm>

#include "connection.hpp"
#include "drawbridge/ledger/makers.hpp"
#include "persons.hpp"

namespace drawbridge::ledger {
namespace {

using Persons = std::set<std::int64_t>;

// A file that pays it is on its way or gone: nothing of it is left to release.
bool is_out(Ledger& ledger, DrawId id) {
    Query query(ledger,
                "SELECT 1 FROM payment p JOIN payment_file f ON f.file_id = p.file_id WHERE p.draw_id = ? "
                "AND p.ended_at IS NULL AND f.release_ordered_at IS NOT NULL",
                id);
    return query.next();
}

// Of the draw, and of the file that waits with it.
Persons makers_of_draw(Ledger& ledger, DrawId id) {
    Persons persons;
    {
        Query query(ledger,
                    "SELECT DISTINCT ifnull(m.person_id, u.person_id) FROM file_maker m "
                    "LEFT JOIN uid_person u ON u.uid = m.uid WHERE m.draw_id = ?",
                    id);
        while (query.next()) {
            if (!query.is_null(0)) persons.insert(query.integer(0));
        }
    }
    Query query(ledger,
                "SELECT DISTINCT u.person_id FROM payment p JOIN hand h ON h.file_id = p.file_id "
                "JOIN uid_person u ON u.uid = h.uid WHERE p.draw_id = ? AND p.ended_at IS NULL",
                id);
    while (query.next())
        persons.insert(query.integer(0));
    return persons;
}

std::map<std::int64_t, std::string> who_act(Ledger& ledger) {
    Query query(ledger,
                "SELECT DISTINCT p.person_id, p.name FROM person p JOIN person_role r ON r.person_id = p.person_id "
                "WHERE r.role IN ('finance', 'operator') AND r.revoked_at IS NULL AND NOT EXISTS (SELECT 1 "
                "FROM person_lock l WHERE l.person_id = p.person_id AND l.unlocked_at IS NULL)");
    std::map<std::int64_t, std::string> persons;
    while (query.next())
        persons.emplace(query.integer(0), query.text(1));
    return persons;
}

bool leaves_one(const std::map<std::int64_t, std::string>& releasers, const Persons& makers, const Persons& acting) {
    return std::ranges::any_of(releasers, [&](const auto& releaser) {
        return !makers.contains(releaser.first) && !acting.contains(releaser.first);
    });
}

}  // namespace

Persons persons_of(Ledger& ledger, std::int64_t uid) {
    Query query(ledger, "SELECT person_id FROM uid_person WHERE uid = ?", uid);
    Persons persons;
    while (query.next())
        persons.insert(query.integer(0));
    return persons;
}

std::string person_names(Ledger& ledger, std::int64_t uid) {
    Query query(ledger,
                "SELECT p.name FROM uid_person u JOIN person p ON p.person_id = u.person_id WHERE u.uid = ? "
                "ORDER BY p.person_id",
                uid);
    std::string names;
    while (query.next())
        names += (names.empty() ? "" : ", ") + query.text(0);
    return names;
}

std::map<std::int64_t, std::string> releasers_of(Ledger& ledger) {
    Query query(ledger,
                "SELECT DISTINCT p.person_id, p.name FROM person p JOIN person_role r ON r.person_id = p.person_id "
                "JOIN person_uid u ON u.person_id = p.person_id WHERE r.role = 'releaser' AND r.revoked_at IS NULL "
                "AND u.unlinked_at IS NULL AND NOT EXISTS (SELECT 1 FROM person_lock l "
                "WHERE l.person_id = p.person_id AND l.unlocked_at IS NULL)");
    std::map<std::int64_t, std::string> persons;
    while (query.next())
        persons.emplace(query.integer(0), query.text(1));
    return persons;
}

Result<void> check_leaves_releaser(Ledger& ledger, const std::vector<DrawId>& draws, const Stamp& stamp) {
    if (!stamp.uid) return {};
    const auto releasers = releasers_of(ledger);
    const auto acting = persons_of(ledger, *stamp.uid);
    // Who cannot release takes nobody away.
    if (std::ranges::none_of(acting, [&](std::int64_t person) { return releasers.contains(person); })) return {};
    for (const DrawId id : draws) {
        if (is_out(ledger, id)) continue;
        const auto makers = makers_of_draw(ledger, id);
        if (leaves_one(releasers, makers, acting)) continue;
        std::string instead;
        for (const auto& [person, name] : who_act(ledger)) {
            if (leaves_one(releasers, makers, {person})) instead += (instead.empty() ? "" : ", ") + name;
        }
        return fail(ErrorCode::conflict,
                    "nobody would be left to release what pays draw " + std::to_string(id) +
                        ": everyone else with the role releaser had a hand in it: " +
                        (instead.empty() ? "give the role to one more person" : "have it done by " + instead));
    }
    return {};
}

}  // namespace drawbridge::ledger
