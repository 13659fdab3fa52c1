// Whether an act leaves somebody who may release the payment.
#include <algorithm>
#include <set>

#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/people.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

using Persons = std::set<PersonId>;

// A file that pays the draw is released: nothing is left to release.
bool is_out(Ledger& ledger, DrawId id) {
    Query query(ledger,
                R"sql(
        SELECT 1
        FROM payment p
        JOIN payment_file f ON f.file_id = p.file_id
        WHERE p.draw_id = ? AND p.ended_at IS NULL AND f.release_ordered_at IS NOT NULL)sql",
                id);
    return query.next();
}

// The makers of the draw and of the file that waits with it.
Persons makers_of_draw(Ledger& ledger, DrawId id) {
    Persons persons;
    {
        Query query(ledger,
                    R"sql(
            SELECT DISTINCT coalesce(m.person_id, u.person_id)
            FROM draw_maker m
            LEFT JOIN uid_person_ever u ON u.uid = m.uid
            WHERE m.draw_id = ?)sql",
                    id);
        while (query.next()) {
            if (const auto person = query.record<std::optional<PersonId>>()) persons.insert(*person);
        }
    }
    Query query(ledger,
                R"sql(
        SELECT DISTINCT u.person_id
        FROM payment p
        JOIN maker_act h ON h.file_id = p.file_id
        JOIN uid_person_ever u ON u.uid = h.uid
        WHERE p.draw_id = ? AND p.ended_at IS NULL)sql",
                id);
    while (query.next())
        persons.insert(query.record<PersonId>());
    return persons;
}

bool leaves_one(const std::vector<Person>& releasers, const Persons& makers, const Persons& acting) {
    return std::ranges::any_of(releasers, [&](const Person& releaser) {
        return !makers.contains(releaser.person_id) && !acting.contains(releaser.person_id);
    });
}

// "Anna, Bert": who can do it and leave a releaser.
std::string who_can(Ledger& ledger, const std::vector<Person>& releasers, const Persons& makers, Roles may_act) {
    std::set<std::string> names;
    for (const Role role : all_roles) {
        if (!may_act.has(role)) continue;
        for (const auto& person : active_holders(ledger, role)) {
            if (leaves_one(releasers, makers, {person.person_id})) names.insert(person.name);
        }
    }
    std::string text;
    for (const auto& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

// `of_out`: also for draws whose payment is out.
Result<void> check_leaves(Ledger& ledger, const std::vector<DrawId>& draws, bool of_out, Roles may_act,
                          const Stamp& stamp) {
    if (!stamp.uid) return {};
    const auto ever = persons_ever(ledger, *stamp.uid);
    const Persons acting(ever.begin(), ever.end());
    const auto releasers = active_holders(ledger, Role::releaser);
    // Somebody who cannot release anyway takes no releaser away.
    if (std::ranges::none_of(releasers, [&](const Person& one) { return acting.contains(one.person_id); })) return {};
    for (const DrawId id : draws) {
        if (!of_out && is_out(ledger, id)) continue;
        const auto makers = makers_of_draw(ledger, id);
        if (leaves_one(releasers, makers, acting)) continue;
        const std::string instead = who_can(ledger, releasers, makers, may_act);
        return fail(ErrorCode::conflict, "nobody would be left to release what pays draw " + std::to_string(id) +
                                             ": everyone else with the role releaser had a hand in it: " +
                                             (instead.empty() ? "give the role to one more person" : "ask " + instead));
    }
    return {};
}

}  // namespace

Result<void> check_leaves_releaser(Ledger& ledger, const std::vector<DrawId>& draws, const Stamp& stamp,
                                   Roles may_act) {
    return check_leaves(ledger, draws, /*of_out=*/false, may_act, stamp);
}

Result<void> check_leaves_releaser_of_order(Ledger& ledger, DrawId draw, const Stamp& stamp) {
    return check_leaves(ledger, {draw}, /*of_out=*/true, {Role::operate}, stamp);
}

}  // namespace drawbridge::ledger
