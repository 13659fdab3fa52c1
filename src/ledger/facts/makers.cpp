#include "drawbridge/ledger/facts/makers.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>

#include "drawbridge/domain/ascii.hpp"
#include "drawbridge/ledger/facts/passkeys.hpp"
#include "drawbridge/ledger/facts/people.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {
namespace {

struct ActWords {
    MakerAct act;
    std::string_view name;    // in the ledger
    std::string_view before;  // the text before the draws
    std::string_view after;
};
constexpr std::array act_words = {
    ActWords{MakerAct::started, "started", "started the run", ""},
    ActWords{MakerAct::approved, "approved", "approved ", " by hand"},
    ActWords{MakerAct::lifted, "lifted", "lifted the hold of ", ""},
    ActWords{MakerAct::handed_in, "handed_in", "handed in what the bank returned of ", ""},
    ActWords{MakerAct::matched, "matched", "matched the bank's line that ended a payment of ", ""},
    ActWords{MakerAct::reissued, "reissued", "ordered that ", " be paid again"},
    ActWords{MakerAct::ordered_check, "ordered_check", "ordered a void or stop of the check of ", ""},
    ActWords{MakerAct::said_at_bank, "said_at_bank", "said that the bank has the void or stop of the check of ", ""},
    ActWords{MakerAct::nothing_else_sent, "nothing_else_sent", "said after a restore that nothing had paid ", ""},
    ActWords{MakerAct::voided, "voided", "voided a file of which there may be a copy, with ", ""},
    ActWords{MakerAct::requested_in_portal, "requested_in_portal", "requested ", " in the portal"},
    ActWords{MakerAct::changed_in_portal, "changed_in_portal", "changed ", " in the portal"},
    ActWords{MakerAct::approved_in_portal, "approved_in_portal", "approved ", " in the portal"},
};

const ActWords& words_of(MakerAct act) {
    for (const auto& words : act_words) {
        if (words.act == act) return words;
    }
    DRAWBRIDGE_ASSERT(false, "every act has its text");
    return act_words.front();
}

MakerAct parse_act(std::string_view name) {
    for (const auto& words : act_words) {
        if (words.name == name) return words.act;
    }
    DRAWBRIDGE_ASSERT(false, "the ledger contains only known acts");
    return MakerAct::started;
}

std::string join(const std::vector<std::string>& parts, std::string_view between) {
    std::string text;
    for (const auto& part : parts)
        text += (text.empty() ? std::string() : std::string(between)) + part;
    return text;
}

bool contains(const std::vector<PersonId>& persons, PersonId person) {
    return std::ranges::find(persons, person) != persons.end();
}

// "Anna Berg (uid 5001)": everyone the uid ever belonged to; empty: no person.
std::string named(Ledger& ledger, std::int64_t uid) {
    std::vector<std::string> names;
    for (const PersonId id : persons_ever(ledger, uid)) {
        if (const auto person = find_person(ledger, id)) names.push_back(person->name);
    }
    if (names.empty()) return {};
    return join(names, ", ") + (is_console_uid(uid) ? " (console)" : " (uid " + std::to_string(uid) + ")");
}

using MakerRow = Connection::MakerRow;

bool is_same(Ledger& ledger, const MakerRow& row, std::int64_t uid, const std::vector<PersonId>& persons) {
    if (row.maker.uid == uid || (row.person && contains(persons, *row.person))) return true;
    if (!row.maker.uid) return false;
    const auto theirs = persons_ever(ledger, *row.maker.uid);
    return std::ranges::any_of(theirs, [&](PersonId person) { return contains(persons, person); });
}

MakerRow read_maker(const Query& query) {
    MakerRow row;
    std::string act;
    query.read(row.maker.uid, row.person, row.maker.by, act, row.maker.draw, row.maker.draws);
    row.maker.act = parse_act(act);
    return row;
}

std::vector<MakerRow> makers_now(Ledger& ledger, FileId file_id) {
    Query query(ledger,
                R"sql(
        SELECT uid, person_id, max(by), act, min(draw_id), count(DISTINCT draw_id)
        FROM file_maker m
        WHERE file_id = ?1 AND NOT EXISTS (SELECT 1 FROM maker_act a JOIN payment_file f ON f.file_id = ?1
            WHERE a.maker_act_id = m.maker_act_id AND a.at > f.voided_at)  -- of what pays the draw since
        GROUP BY uid, person_id, act
        ORDER BY min(maker_act_id) IS NULL, min(maker_act_id), person_id)sql",
                file_id);
    std::vector<MakerRow> rows;
    while (query.next())
        rows.push_back(read_maker(query));
    return rows;
}

// A uid that belonged to several people has one row for each.
std::vector<MakerRow> makers_fixed(Ledger& ledger, FileId file_id) {
    Query query(ledger,
                R"sql(
        SELECT uid, CASE WHEN uid IS NULL THEN person_id END, by, act, draw_id, draws
        FROM release_maker m
        WHERE m.file_id = ? AND m.maker_id = (SELECT min(f.maker_id) FROM release_maker f WHERE f.file_id = m.file_id
            AND f.uid IS NOT DISTINCT FROM m.uid AND (m.uid IS NOT NULL OR f.person_id = m.person_id) AND f.act = m.act)
        ORDER BY m.maker_id)sql",
                file_id);
    std::vector<MakerRow> rows;
    while (query.next())
        rows.push_back(read_maker(query));
    return rows;
}

// How the makers of a file are known. nullopt: it is being planned, or another copy of this ledger released it, and
// nobody asks for its makers.
enum class MakersAre { fixed, current };
std::optional<MakersAre> makers_are(Ledger& ledger, FileId file_id) {
    Query query(ledger,
                R"sql(
        SELECT makers_until IS NOT NULL
        FROM payment_file
        WHERE file_id = ? AND (makers_until IS NOT NULL
            OR (planned_at IS NOT NULL AND release_ordered_at IS NULL)))sql",
                file_id);
    const auto is_fixed = query.first<bool>();
    if (!is_fixed) return std::nullopt;
    return *is_fixed ? MakersAre::fixed : MakersAre::current;
}

std::vector<Maker> named_makers(Ledger& ledger, const std::vector<MakerRow>& rows) {
    std::vector<Maker> makers;
    makers.reserve(rows.size());
    for (const auto& row : rows) {
        makers.push_back(row.maker);
        if (!row.maker.uid) continue;
        if (auto name = named(ledger, *row.maker.uid); !name.empty()) makers.back().by = std::move(name);
    }
    return makers;
}

// What the makers of a complete file follow from, besides its payments.
std::vector<TableDigest> sources_of_makers(const Connection& connection) {
    std::vector<TableDigest> sources;
    for (const char* table : {"maker_act", "file_draw_act", "file_portal_act", "person", "person_uid", "restoration",
                              "restored_hold", "possibly_paid_draw", "case_stop", "payee_detail"})
        sources.push_back(connection.facts.current(table));
    return sources;
}

std::string who_may(Ledger& ledger, const std::vector<MakerRow>& rows) {
    const auto releasers = active_holders(ledger, Role::releaser);
    if (releasers.empty()) return "another operator must release it in their own name";
    std::vector<std::string> names;
    for (const auto& person : releasers) {
        const bool made_it = std::ranges::any_of(
            rows, [&](const MakerRow& row) { return is_same(ledger, row, -1, {person.person_id}); });
        if (!made_it) names.push_back(person.name);
    }
    if (names.empty()) return "everyone with the role releaser had a hand in it: give the role to one more person";
    return "it may be released by " + join(names, ", ");
}

// Root and the daemon's own user have no role: they release only what nobody had a hand in.
Result<void> check_is_releaser(Ledger& ledger, const FileRow& file, const Stamp& stamp) {
    if (is_nobody(*stamp.uid) || acts_for_a_person(ledger, *stamp.uid, stamp.at, {Role::releaser})) return {};
    return fail(ErrorCode::forbidden, file.name + ": " + stamp.actor +
                                          " is locked or does not have the role releaser: another releaser must "
                                          "release it");
}

// On whose word the file leaves.
struct Releaser {
    std::optional<std::int64_t> uid;  // nullopt: the daemon by itself
    std::string by;
};
Releaser releaser_of(Ledger& ledger, FileId file_id) {
    Query query(ledger, "SELECT uid, by FROM file_releaser WHERE file_id = ?", file_id);
    return query.first<Releaser>().value();
}

}  // namespace

bool is_nobody(std::int64_t uid) {
    return uid == 0 || uid == static_cast<std::int64_t>(::geteuid());
}

std::int64_t recorded_uid(std::int64_t uid) {
    return is_nobody(uid) ? 0 : uid;
}

void record_maker_act(Ledger& ledger, MakerAct act, const ActTarget& target, const Stamp& stamp) {
    assert_in_transaction(ledger);
    if (!stamp.uid) return;
    Query(ledger, "INSERT INTO maker_act (at, uid, by, act, file_id, draw_id, payment_id) VALUES (?, ?, ?, ?, ?, ?, ?)",
          stamp.at, recorded_uid(*stamp.uid), stamp.actor, words_of(act).name, target.file, target.draw, target.payment)
        .run();
}

void record_maker_of_draws(Ledger& ledger, MakerAct act, FileId file_id, const Stamp& stamp) {
    assert_in_transaction(ledger);
    if (!stamp.uid) return;
    Query(ledger,
          R"sql(
        INSERT INTO maker_act (at, uid, by, act, draw_id)
        SELECT ?, ?, ?, ?, draw_id
        FROM payment
        WHERE file_id = ?)sql",
          stamp.at, recorded_uid(*stamp.uid), stamp.actor, words_of(act).name, file_id)
        .run();
}

bool is_anybody_linked(Ledger& ledger) {
    return ledger.connection().facts.current("person_portal").rows > 0;
}

bool is_linked_address(Ledger& ledger, std::string_view address) {
    auto& connection = ledger.connection();
    auto& linked = connection.linked;
    if (const auto& current = connection.facts.current("person_portal"); linked.found_with != current) {
        linked.addresses.clear();
        Query query(ledger, "SELECT value FROM person_portal WHERE kind = 'email'");
        while (query.next())
            linked.addresses.insert(query.text(0));
        linked.found_with = current;
    }
    return linked.addresses.contains(lowercase(trimmed(address)));
}

// Without the `+`, SQLite would look at all payments of the file for each part of it.
void record_makers_of_payments(Ledger& ledger, FileId file_id, std::int64_t first, std::int64_t last) {
    assert_in_transaction(ledger);
    Query(ledger,
          R"sql(
        INSERT INTO file_draw_act (file_id, maker_act_id)
        SELECT p.file_id, h.maker_act_id
        FROM payment p
        CROSS JOIN maker_act h ON h.draw_id = p.draw_id
        WHERE p.payment_id BETWEEN ? AND ? AND +p.file_id = ?
        ON CONFLICT DO NOTHING)sql",
          first, last, file_id)
        .run();
    if (!is_anybody_linked(ledger)) return;
    Query(ledger,
          R"sql(
        INSERT INTO file_portal_act (file_id, person_id, act, draw_id)
        SELECT p.file_id, a.person_id, a.act, a.draw_id
        FROM payment p
        CROSS JOIN draw_portal_act a ON a.draw_id = p.draw_id
        WHERE p.payment_id BETWEEN ? AND ? AND +p.file_id = ?
        ON CONFLICT DO NOTHING)sql",
          first, last, file_id)
        .run();
    Query(ledger,
          R"sql(
        INSERT INTO file_portal_act (file_id, person_id, act, draw_id)
        SELECT p.file_id, a.person_id, a.act, a.draw_id
        FROM payment p
        CROSS JOIN draw_approver a ON a.draw_id = p.draw_id
        WHERE p.payment_id BETWEEN ? AND ? AND +p.file_id = ?
        ON CONFLICT DO NOTHING)sql",
          first, last, file_id)
        .run();
}

void record_makers_of_check_orders(Ledger& ledger, FileId file_id) {
    assert_in_transaction(ledger);
    Query(ledger,
          R"sql(
        INSERT INTO file_draw_act (file_id, maker_act_id)
        SELECT t.file_id, h.maker_act_id
        FROM file_draw t
        CROSS JOIN maker_act h ON h.draw_id = t.draw_id
        WHERE t.file_id = ?
        ON CONFLICT DO NOTHING)sql",
          file_id)
        .run();
    for (const DrawId draw_id : draws_of_check_orders(ledger, file_id))
        record_portal_acts(ledger, draw_id);
}

void record_portal_acts(Ledger& ledger, DrawId draw_id) {
    assert_in_transaction(ledger);
    if (!is_anybody_linked(ledger)) return;
    Query(ledger,
          R"sql(
        INSERT INTO file_portal_act (file_id, person_id, act, draw_id)
        SELECT t.file_id, a.person_id, a.act, a.draw_id
        FROM file_draw t
        CROSS JOIN draw_portal_act a ON a.draw_id = t.draw_id
        WHERE t.draw_id = ?1 AND a.draw_id = ?1
        ON CONFLICT DO NOTHING)sql",
          draw_id)
        .run();
    Query(ledger,
          R"sql(
        INSERT INTO file_portal_act (file_id, person_id, act, draw_id)
        SELECT t.file_id, a.person_id, a.act, a.draw_id
        FROM file_draw t
        CROSS JOIN draw_approver a ON a.draw_id = t.draw_id
        WHERE t.draw_id = ?1 AND a.draw_id = ?1
        ON CONFLICT DO NOTHING)sql",
          draw_id)
        .run();
}

std::string describe(const Maker& maker) {
    const auto& words = words_of(maker.act);
    std::string text(words.before);
    if (maker.draw) text += "draw " + std::to_string(*maker.draw);
    if (maker.draws > 1) text += " and " + std::to_string(maker.draws - 1) + " more";
    return text + std::string(words.after);
}

std::string describe(const std::vector<Maker>& makers) {
    std::vector<std::string> names, acts;
    for (const auto& maker : makers) {
        const auto at = static_cast<std::size_t>(std::ranges::find(names, maker.by) - names.begin());
        if (at == names.size()) {
            names.push_back(maker.by);
            acts.push_back(maker.by + " " + describe(maker));
        } else {
            acts[at] += ", " + describe(maker);
        }
    }
    return join(acts, "; ");
}

// `status` and each check before a release ask, and the answer looks at every act on the file's draws: it is kept until
// something changes. What a transaction finds is not kept, because it may be rolled back.
static std::vector<MakerRow> current_makers(Ledger& ledger, FileId file_id) {
    auto& connection = ledger.connection();
    // PostgreSQL tells what a transaction changes only before its commit.
    if (connection.in_transaction && connection.db.is_postgresql()) return makers_now(ledger, file_id);
    constexpr std::size_t max_files = 100;
    if (connection.makers.size() > max_files) connection.makers.clear();
    auto sources = sources_of_makers(connection);
    auto& known = connection.makers[file_id];
    if (known.found_with == sources) return known.rows;
    auto rows = makers_now(ledger, file_id);
    if (!connection.in_transaction) known = {std::move(sources), rows};
    return rows;
}

std::vector<Maker> makers_of(Ledger& ledger, FileId file_id) {
    const auto are = makers_are(ledger, file_id);
    if (!are) return {};
    return named_makers(ledger,
                        *are == MakersAre::current ? current_makers(ledger, file_id) : makers_fixed(ledger, file_id));
}

std::string releaser_named(Ledger& ledger, FileId file_id) {
    Query query(ledger,
                R"sql(
        SELECT coalesce(f.release_uid, o.ordered_uid), coalesce(f.release_ordered_by, o.ordered_by, '')
        FROM payment_file f
        LEFT JOIN release_order o ON o.file_id = f.file_id AND o.ended_at IS NULL
        WHERE f.file_id = ?)sql",
                file_id);
    const auto releaser = query.first<Releaser>().value();
    const std::string name = releaser.uid ? named(ledger, *releaser.uid) : std::string();
    return name.empty() ? releaser.by : name;
}

std::string actor_named(Ledger& ledger, std::string actor) {
    constexpr std::string_view prefix = "uid ";
    if (!actor.starts_with(prefix)) return actor;
    std::int64_t uid = 0;
    const char* const first = actor.data() + prefix.size();
    const auto [end, error] = std::from_chars(first, actor.data() + actor.size(), uid);
    const std::string_view rest(end, actor.data() + actor.size());
    if (error != std::errc() || !(rest.empty() || rest.starts_with(" ("))) return actor;
    auto name = named(ledger, uid);
    return name.empty() ? actor : name;
}

std::string with_makers(Ledger& ledger, FileId file_id, std::string_view reason) {
    const std::string hands = describe(makers_of(ledger, file_id));
    return std::string(reason) + (hands.empty() ? "" : " [made by: " + hands + "]");
}

// On two machines whose users have other uids, one login is two uids. The actor of a maker with this login and another
// uid; nullopt: there is none.
static std::optional<std::string> maker_with_login(Ledger& ledger, FileId file_id, const Stamp& stamp) {
    if (!share_a_login(stamp.actor, stamp.actor)) return std::nullopt;  // it has none
    Query query(ledger,
                R"sql(
        SELECT by
        FROM file_maker
        WHERE file_id = ? AND uid <> ?
        GROUP BY by)sql",
                file_id, *stamp.uid);
    while (query.next()) {
        if (auto by = query.record<std::string>(); share_a_login(by, stamp.actor)) return by;
    }
    return std::nullopt;
}

// `who`: the person, for messages.
static Result<void> check_may_let_out(Ledger& ledger, const FileRow& file, const Stamp& stamp, std::string_view who) {
    if (stamp.uid) {
        if (auto may = check_is_releaser(ledger, file, stamp); !may) return may;
    }
    const auto rows =
        makers_are(ledger, file.file_id) ? current_makers(ledger, file.file_id) : makers_now(ledger, file.file_id);
    if (rows.empty()) return {};
    const auto forbid = [&](const std::string& why) {
        return fail(ErrorCode::forbidden, file.name + ": " + why + ": " + who_may(ledger, rows));
    };
    if (!stamp.uid || is_nobody(*stamp.uid)) {
        const std::string hands = describe(named_makers(ledger, rows));
        return forbid((stamp.uid ? stamp.actor + " identifies no particular person, and "
                                 : "it is not released automatically: ") +
                      hands);
    }
    const auto persons = persons_ever(ledger, *stamp.uid);
    std::vector<std::string> own;
    for (const auto& row : rows) {
        if (is_same(ledger, row, *stamp.uid, persons)) own.push_back(describe(row.maker));
    }
    if (!own.empty()) return forbid(std::string(who) + " had a hand in it (" + join(own, ", ") + ")");
    if (const auto maker = maker_with_login(ledger, file.file_id, stamp)) {
        return forbid(*maker + " had a hand in it, and " + stamp.actor +
                      " has the same login name: give each user the same uid on every machine");
    }
    return {};
}

Result<void> check_may_release(Ledger& ledger, const FileRow& file, const Stamp& stamp) {
    return check_may_let_out(ledger, file, stamp, "you");
}

Result<void> check_may_send_again(Ledger& ledger, const FileRow& file, const Stamp& stamp) {
    if (auto may = check_may_release(ledger, file, stamp); !may) return may;
    // Whoever ordered the release, and whoever let it be sent again since.
    Query query(ledger,
                R"sql(
        SELECT uid, by
        FROM (SELECT release_uid AS uid, release_ordered_by AS by FROM payment_file WHERE file_id = ?1
            UNION SELECT uid, by FROM delivery_step WHERE file_id = ?1 AND step = 'again') releasers
        WHERE uid IS NOT NULL)sql",
                file.file_id);
    const auto releasers = query.records<Releaser>();
    const bool is_one =
        stamp.uid && std::ranges::any_of(releasers, [&](const Releaser& releaser) {
            return share_a_person(ledger, *releaser.uid, *stamp.uid) || share_a_login(releaser.by, stamp.actor);
        });
    if (!is_one) return {};
    return fail(ErrorCode::forbidden, file.name +
                                          ": you released it or ordered an earlier upload of it, so another person "
                                          "with the role releaser must say that the bank does not have it and send it "
                                          "again");
}

// In the console, people let a file out by signing that. Somebody else may have had the passkey.
static Result<void> check_signature_stands(Ledger& ledger, const FileRow& file, const Stamp& ordered) {
    if (!ordered.uid || !is_console_uid(*ordered.uid)) return {};
    Query query(ledger,
                R"sql(
        SELECT k.label
        FROM passkey k
        JOIN passkey_lock l ON l.passkey_id = k.passkey_id
        WHERE k.passkey_id = (SELECT s.passkey_id FROM signed_act s WHERE s.person_id = ?1
            AND s.request IN (SELECT 'POST /files/' || ?2 || '/release' UNION ALL SELECT 'POST /files/' || ?2 || '/deliver'
                UNION ALL SELECT 'POST /exceptions/' || e.exception_id || '/deliver' FROM exception e
                    WHERE e.subject = ?2 AND e.subject <> '')
            ORDER BY s.act_id DESC LIMIT 1))sql",
                *ordered.uid - first_console_uid, file.name);
    const auto label = query.first<std::string>();
    if (!label) return {};
    return fail(ErrorCode::forbidden, file.name + ": " + ordered.actor + " signed it with the passkey '" + *label +
                                          "', which has been locked since: another release must be signed");
}

Result<void> check_orderer_may_still(Ledger& ledger, const FileRow& file) {
    const auto& ordered = file.order.value().ordered;
    if (auto may = check_may_let_out(ledger, file, ordered, actor_named(ledger, ordered.actor)); !may) return may;
    return check_signature_stands(ledger, file, ordered);
}

Result<void> check_releaser_may_still(Ledger& ledger, const FileRow& file) {
    if (!makers_are(ledger, file.file_id)) return {};  // another copy of this ledger released it
    const auto releaser = releaser_of(ledger, file.file_id);
    const Stamp ordered{file.release_ordered_at.value(), releaser.by, releaser.uid};
    if (auto may = check_may_let_out(ledger, file, ordered, releaser.by); !may) return may;
    return check_signature_stands(ledger, file, ordered);
}

std::int64_t fix_makers(Ledger& ledger, FileId file_id, const Stamp& stamp) {
    assert_in_transaction(ledger);
    for (const auto& [maker, person] : current_makers(ledger, file_id)) {
        std::vector<std::optional<PersonId>> persons;
        if (maker.uid) std::ranges::copy(persons_ever(ledger, *maker.uid), std::back_inserter(persons));
        if (persons.empty()) persons.push_back(person);  // nobody in particular, or somebody in the portal
        for (const auto& one : persons) {
            Query(ledger,
                  R"sql(
                INSERT INTO release_maker (file_id, uid, person_id, by, act, draw_id, draws)
                VALUES (?, ?, ?, ?, ?, ?, ?))sql",
                  file_id, maker.uid, one, maker.by, words_of(maker.act).name, maker.draw, maker.draws)
                .run();
        }
    }
    if (stamp.uid && !is_nobody(*stamp.uid)) {
        Query(ledger,
              "INSERT INTO releaser_person (file_id, person_id) SELECT ?, person_id FROM uid_person_ever WHERE uid = ?",
              file_id, *stamp.uid)
            .run();
    }
    Query newest(ledger, "SELECT coalesce(max(maker_act_id), 0) FROM maker_act");
    return newest.only<std::int64_t>();
}

}  // namespace drawbridge::ledger
