#include "drawbridge/ledger/facts/draws.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "drawbridge/ledger/facts/makers.hpp"
#include "facts/draw_row.hpp"
#include "store/connection.hpp"
#include "store/id_list.hpp"

namespace drawbridge::ledger {
namespace {

const char* to_text(ReadingSource source) {
    switch (source) {
        case ReadingSource::poll: return "poll";
        case ReadingSource::approve: return "approve";
        case ReadingSource::pay: return "pay";
        case ReadingSource::report: return "report";
    }
    return "poll";
}

// Few people approve, disburse and modify draws, so most names are known.
std::int64_t portal_name_id(Ledger& ledger, const std::string& name) {
    return id_of_text(ledger, ledger.connection().portal_names,
                      {.find = "SELECT name_id FROM portal_name WHERE name = ?",
                       .greatest = "SELECT max(name_id) FROM portal_name",
                       .insert = "INSERT INTO portal_name (name_id, name) VALUES (?, ?)"},
                      name);
}

std::optional<std::int64_t> portal_name_id(Ledger& ledger, const std::optional<std::string>& name) {
    return name ? std::optional(portal_name_id(ledger, *name)) : std::nullopt;
}

// Whether the reading shows the same request, regardless of its status.
bool same_content(const Draw& a, const Draw& b) {
    const auto content = [](const Draw& draw) {
        return std::tie(draw.case_id, draw.case_name, draw.requested_by, draw.requested_date, draw.amount_requested,
                        draw.description, draw.field_a, draw.field_b, draw.field_c, draw.field_d, draw.field_e,
                        draw.config_draw_approver_group_id, draw.workflow_id);
    };
    return content(a) == content(b);
}

std::int64_t insert_content(Ledger& ledger, const Draw& draw) {
    const auto content_id = new_row(ledger, "SELECT max(content_id) FROM draw_content");
    Query(ledger,
          R"sql(
        INSERT INTO draw_content (content_id, draw_id, case_id, case_name, requested_by, requested_date,
            amount_requested_cents, description, field_a, field_b, field_c, field_d, field_e,
            config_draw_approver_group_id, workflow_id)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?))sql",
          content_id, draw.id, draw.case_id, borrowed(draw.case_name), borrowed(draw.requested_by), draw.requested_date,
          draw.amount_requested, borrowed(draw.description), borrowed(draw.field_a), borrowed(draw.field_b),
          borrowed(draw.field_c), borrowed(draw.field_d), borrowed(draw.field_e), draw.config_draw_approver_group_id,
          draw.workflow_id)
        .run_in_bulk();
    return content_id;
}

ReadingId insert_reading(Ledger& ledger, const Draw& draw, std::int64_t content_id, ReadingSource source, Instant at) {
    const auto reading_id = new_row(ledger, "SELECT max(reading_id) FROM reading");
    std::optional<std::int64_t> modified_by;
    if (draw.modified_by != draw.requested_by) modified_by = portal_name_id(ledger, draw.modified_by);
    Query(ledger,
          R"sql(
        INSERT INTO reading (reading_id, draw_id, content_id, read_at, source, status, approved_by, approved_date,
            amount_approved_cents, disbursed_by, disbursed_date, amount_disbursed_cents, modified_by, modified_date)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?))sql",
          reading_id, draw.id, content_id, at, to_text(source), static_cast<int>(draw.status),
          portal_name_id(ledger, draw.approved_by), draw.approved_date, draw.amount_approved,
          portal_name_id(ledger, draw.disbursed_by), draw.disbursed_date, draw.amount_disbursed, modified_by,
          draw.modified_date)
        .run_in_bulk();
    return reading_id;
}

std::optional<Sweep> read_sweep(Query& query) {
    if (!query.next()) return std::nullopt;
    return Sweep{query.instant(0), query.instant(1), query.text(2) == "full",
                 query.integer(3), query.integer(4), query.optional_instant(5)};
}

}  // namespace

std::optional<std::string> service_address(Ledger& ledger) {
    Query query(ledger, "SELECT url FROM service_address ORDER BY address_id DESC LIMIT 1");
    return query.first<std::string>();
}

void record_service_address(Ledger& ledger, std::string_view url, const Stamp& stamp) {
    assert_in_transaction(ledger);
    Query(ledger, "INSERT INTO service_address (at, url) VALUES (?, ?)", stamp.at, url).run();
    audit(ledger, stamp, "service.recorded", "ledger", url);
}

// Draw ids grow, so most new draws are above all known ones and need no lookup.
static bool is_above_all_known(Ledger& ledger, DrawId id) {
    auto& greatest = ledger.connection().greatest_draw_id;
    if (!greatest) {
        const auto known = Query(ledger, "SELECT max(draw_id) FROM draw").only<std::optional<std::int64_t>>();
        greatest = known.value_or(std::numeric_limits<DrawId>::min());
    }
    return id > *greatest;
}

KnownDraw read_known_draw(const Query& row, int at) {
    KnownDraw known;
    Draw& draw = known.draw;
    known.reading_id = row.integer(at);
    draw.id = row.integer(at + 1);
    draw.status = static_cast<DrawStatus>(row.integer(at + 2));
    draw.case_id = row.optional_integer(at + 3);
    draw.case_name = row.optional_text(at + 4);
    draw.requested_by = row.text(at + 5);
    draw.requested_date = row.instant(at + 6);
    draw.amount_requested = row.optional_money(at + 7);
    draw.approved_by = row.optional_text(at + 8);
    draw.approved_date = row.optional_instant(at + 9);
    draw.amount_approved = row.optional_money(at + 10);
    draw.disbursed_by = row.optional_text(at + 11);
    draw.disbursed_date = row.optional_instant(at + 12);
    draw.amount_disbursed = row.optional_money(at + 13);
    draw.description = row.optional_text(at + 14);
    draw.modified_by = row.text(at + 15);
    draw.modified_date = row.instant(at + 16);
    draw.field_a = row.optional_text(at + 17);
    draw.field_b = row.optional_text(at + 18);
    draw.field_c = row.optional_text(at + 19);
    draw.field_d = row.optional_text(at + 20);
    draw.field_e = row.optional_text(at + 21);
    draw.config_draw_approver_group_id = row.integer(at + 22);
    draw.workflow_id = row.integer(at + 23);
    known.content_id = row.integer(at + 24);
    return known;
}

// Whoever requested, changed, brought back or approved a draw in the portal, or changed its approved amount, is a maker
// of the file that pays it, if the address is linked to a person.
static bool may_have_new_maker(Ledger& ledger, const Draw& before, const Draw& now) {
    if (!is_anybody_linked(ledger)) return false;
    if (same_content(before, now) && before.approved_by == now.approved_by && before.modified_by == now.modified_by &&
        before.amount_approved == now.amount_approved && before.status == now.status) {
        return false;
    }
    return is_linked_address(ledger, now.requested_by) ||
           (now.approved_by && is_linked_address(ledger, *now.approved_by)) ||
           is_linked_address(ledger, now.modified_by);
}

void ask_before_reading(Ledger& ledger, const Draw& draw) {
    if (is_above_all_known(ledger, draw.id)) return;
    const auto known = newest_reading(ledger, draw.id);
    if (!known || known->draw == draw) return;
    static_cast<void>(live_payment(ledger, draw.id));
}

RecordedReading record_reading(Ledger& ledger, const Draw& draw, ReadingSource source, Instant at) {
    assert_in_transaction(ledger);
    const bool is_new = is_above_all_known(ledger, draw.id);
    auto known = is_new ? std::nullopt : newest_reading(ledger, draw.id);
    RecordedReading recorded;
    if (known && known->draw == draw) {
        recorded.reading_id = known->reading_id;
        return recorded;
    }
    recorded.changed = true;
    recorded.first = !known;
    ledger.connection().newest_act_at = at;
    const bool shows_the_same = known && same_content(known->draw, draw);
    const auto content_id = shows_the_same ? known->content_id : insert_content(ledger, draw);
    recorded.reading_id = insert_reading(ledger, draw, content_id, source, at);
    if (known) {
        if (may_have_new_maker(ledger, known->draw, draw)) record_portal_acts(ledger, draw.id);
        recorded.before = std::move(known->draw);
        if (recorded.before->status == draw.status) {  // spares a write to the index by status
            Query(ledger, "UPDATE draw SET reading_id = ? WHERE draw_id = ?", recorded.reading_id, draw.id)
                .run_in_bulk();
        } else {
            Query(ledger, "UPDATE draw SET reading_id = ?, status = ? WHERE draw_id = ?", recorded.reading_id,
                  static_cast<int>(draw.status), draw.id)
                .run_in_bulk();
        }
    } else {
        Query(ledger, "INSERT INTO draw (draw_id, first_seen_at, reading_id, status) VALUES (?, ?, ?, ?)", draw.id, at,
              recorded.reading_id, static_cast<int>(draw.status))
            .run_in_bulk();
        if (is_new) ledger.connection().greatest_draw_id = draw.id;
        count_new_draw(ledger, draw, recorded.reading_id, at);
    }
    return recorded;
}

std::optional<KnownDraw> newest_reading(Ledger& ledger, DrawId id) {
    Query query(ledger,
                "SELECT " DRAW_COLUMNS
                " FROM draw d JOIN draw_reading r ON r.reading_id = d.reading_id WHERE d.draw_id = ?",
                id);
    if (!query.next()) return std::nullopt;
    return read_known_draw(query, 0);
}

std::unordered_map<DrawId, KnownDraw> newest_readings(Ledger& ledger, const std::vector<DrawId>& ids) {
    Query query(ledger,
                "SELECT " DRAW_COLUMNS
                " FROM draw d JOIN draw_reading r ON r.reading_id = d.reading_id WHERE d.draw_id IN " LISTED_IDS,
                id_list(ids));
    std::unordered_map<DrawId, KnownDraw> known;
    while (query.next()) {
        auto reading = read_known_draw(query, 0);
        const DrawId id = reading.draw.id;
        known.emplace(id, std::move(reading));
    }
    return known;
}

std::optional<KnownDraw> find_reading(Ledger& ledger, ReadingId reading_id) {
    Query query(ledger, "SELECT " DRAW_COLUMNS " FROM draw_reading r WHERE r.reading_id = ?", reading_id);
    if (!query.next()) return std::nullopt;
    return read_known_draw(query, 0);
}

std::vector<DrawId> unfinished_draws(Ledger& ledger, DrawId after, int limit) {
    std::vector<DrawId> ids;
    for (const auto status : {DrawStatus::pending_approval, DrawStatus::approved}) {
        Query waiting(ledger, "SELECT draw_id FROM draw WHERE status = ? AND draw_id > ? ORDER BY draw_id LIMIT ?",
                      static_cast<int>(status), after, limit);
        while (waiting.next())
            ids.push_back(waiting.integer(0));
    }
    {
        Query paid(ledger,
                   "SELECT draw_id FROM payment WHERE finished_at IS NULL AND draw_id > ? ORDER BY draw_id LIMIT ?",
                   after, limit);
        while (paid.next())
            ids.push_back(paid.integer(0));
    }
    std::ranges::sort(ids);
    const auto repeated = std::ranges::unique(ids);
    ids.erase(repeated.begin(), repeated.end());
    if (std::cmp_greater(ids.size(), limit)) ids.resize(static_cast<std::size_t>(limit));
    return ids;
}

std::optional<DrawId> unfinished_up_to(Ledger& ledger, DrawId after, int payments) {
    Query query(ledger,
                R"sql(
        SELECT max(draw_id)
        FROM (SELECT draw_id FROM payment WHERE finished_at IS NULL AND draw_id > ? ORDER BY draw_id LIMIT ?) part)sql",
                after, payments);
    return query.only<std::optional<DrawId>>();
}

std::vector<DrawId> draws_waiting_for_portal(Ledger& ledger, DrawId after, DrawId up_to) {
    Query query(ledger,
                R"sql(
        SELECT p.draw_id
        FROM payment p
        WHERE p.finished_at IS NULL AND p.draw_id > ? AND p.draw_id <= ? AND p.ended_at IS NULL
            AND (SELECT d.status FROM draw d WHERE d.draw_id = p.draw_id) = 4
            AND EXISTS (SELECT 1 FROM payment_settlement s WHERE s.payment_id = p.payment_id AND s.kind = 'paid')
        ORDER BY p.draw_id)sql",
                after, up_to);
    return query.records<DrawId>();
}

void record_sweep(Ledger& ledger, const Sweep& sweep) {
    assert_in_transaction(ledger);
    Query(ledger,
          R"sql(
        INSERT INTO poll_sweep (started_at, completed_at, kind, draws_read, draws_changed, newest_modified_date)
        VALUES (?, ?, ?, ?, ?, ?))sql",
          sweep.started_at, sweep.completed_at, sweep.full ? "full" : "incremental", sweep.draws_read,
          sweep.draws_changed, sweep.newest_modified_date)
        .run();
    ++ledger.connection().rows_about_runs;
}

std::optional<Sweep> last_full_sweep(Ledger& ledger) {
    Query query(ledger,
                R"sql(
        SELECT started_at, completed_at, kind, draws_read, draws_changed, newest_modified_date
        FROM poll_sweep
        WHERE kind = 'full'
        ORDER BY sweep_id DESC
        LIMIT 1)sql");
    return read_sweep(query);
}

std::optional<Sweep> last_sweep(Ledger& ledger) {
    Query query(ledger,
                R"sql(
        SELECT started_at, completed_at, kind, draws_read, draws_changed, newest_modified_date
        FROM poll_sweep
        ORDER BY sweep_id DESC
        LIMIT 1)sql");
    return read_sweep(query);
}

std::optional<Instant> newest_modified_date(Ledger& ledger, Instant until) {
    Query query(ledger,
                R"sql(
        SELECT newest_modified_date
        FROM poll_sweep
        WHERE newest_modified_date <= ?
        ORDER BY newest_modified_date DESC
        LIMIT 1)sql",
                until);
    return query.first<Instant>();
}

std::optional<LivePayment> live_payment(Ledger& ledger, DrawId id) {
    Query query(ledger,
                R"sql(
        SELECT p.payment_id, p.amount_cents, f.name, f.release_ordered_at IS NOT NULL,
            (SELECT o.disbursed_date FROM outbox o WHERE o.draw_id = p.draw_id AND o.withdrawn_at IS NULL
                AND o.outcome IS NOT NULL),
            p.reading_id, r.content_id = n.content_id
        FROM payment p
        JOIN payment_file f ON f.file_id = p.file_id
        JOIN reading r ON r.reading_id = p.reading_id
        JOIN draw d ON d.draw_id = p.draw_id
        JOIN reading n ON n.reading_id = d.reading_id
        WHERE p.draw_id = ? AND p.ended_at IS NULL)sql",
                id);
    return query.first<LivePayment>();
}

std::vector<DrawId> disbursed_draws_of_file(Ledger& ledger, std::int64_t file_id) {
    Query query(ledger,
                "SELECT p.draw_id FROM payment p JOIN draw d ON d.draw_id = p.draw_id "
                "WHERE p.file_id = ? AND d.status = 5 ORDER BY p.draw_id",
                file_id);
    return query.records<DrawId>();
}

bool is_disbursed_unpaid(Ledger& ledger, DrawId id) {
    Query query(ledger,
                R"sql(
        SELECT 1
        FROM draw d
        WHERE d.draw_id = ?1 AND d.status = 5
            AND EXISTS (SELECT 1 FROM reading r WHERE r.draw_id = ?1 AND r.status = 4)
            AND NOT EXISTS (SELECT 1 FROM payment p JOIN payment_file f ON f.file_id = p.file_id
                WHERE p.draw_id = ?1 AND f.voided_at IS NULL)
            AND NOT EXISTS (SELECT 1 FROM sent_payment s WHERE s.draw_id = ?1))sql",
                id);
    return query.next();
}

}  // namespace drawbridge::ledger
