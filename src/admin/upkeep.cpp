#include "upkeep.hpp"

#include "call.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/exports.hpp"
#include "drawbridge/ledger/facts/invariant_checks.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/restorations.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/reports/journal.hpp"
#include "drawbridge/ledger/store/backups.hpp"
#include "views.hpp"

namespace drawbridge::admin {
namespace {

// The entry with that number. Empty: the newest entry.
Result<json> entry_of_trail(AdminContext& context, const std::string& number) {
    const auto newest = ledger::journal_end(context.ledger);
    Result<std::int64_t> seq = newest;
    if (!number.empty()) seq = whole_number(number, "the entry of the audit trail", 1, INT64_MAX);
    if (!seq) return std::unexpected(seq.error());
    const auto entry = ledger::trail_entry(context.ledger, *seq);
    if (!entry) {
        return fail(ErrorCode::not_found, "the audit trail has no entry " + number + ": its entries are 1 to " +
                                              std::to_string(newest) +
                                              "; if it had more entries before, the ledger is an older copy");
    }
    return to_json(records::TrailEntry{.entry = entry->seq, .at = entry->at, .hash = entry->hash});
}

records::Backup backup_record(const ledger::Backup& backup) {
    return {.at = backup.at,
            .by = backup.by,
            .file = backup.file,
            .sha256 = backup.sha256,
            .bytes = backup.size_bytes,
            .audit_seq = backup.audit_seq,
            .audit_head = backup.audit_head,
            .scheduled = backup.scheduled};
}

}  // namespace

asio::awaitable<Result<json>> back_up(AdminContext& context, json body, ledger::Stamp by) {
    const auto file = body.find("file");
    if (file != body.end() && !file->is_string()) {
        co_return fail(ErrorCode::invalid_input, "'file' is not a path");
    }
    std::string name;
    if (file != body.end()) name = file->get<std::string>();
    const auto made = co_await context.program.back_up(std::move(name), std::move(by));
    if (!made) co_return std::unexpected(made.error());
    json answer = {{"backup", to_json(backup_record(*made))}};
    co_return Result<json>(std::move(answer));
}

json backups_view(AdminContext& context, const Page& page) {
    json answer = page_view<ledger::Backup>(
        "backups", ledger::backups_before(context.ledger, page.after, page.wanted()), page,
        [](const auto& backup) { return to_json(backup_record(backup)); },
        [](const auto& backup) { return backup.audit_seq; });
    if (page.with_total) answer["total"] = ledger::count_backups(context.ledger);
    return answer;
}

std::optional<records::Backup> last_backup(AdminContext& context) {
    return ledger::last_backup(context.ledger).transform([](const auto& backup) { return backup_record(backup); });
}

asio::awaitable<Result<json>> verify_view(AdminContext& context, ledger::Stamp by, std::string entry) {
    if (const auto known = entry_of_trail(context, entry); !known) co_return std::unexpected(known.error());
    const auto found = co_await context.program.verify(std::move(by));
    if (!found) co_return std::unexpected(found.error());
    json list = json::array();
    bool clean = true;
    for (const auto& result : *found) {
        list.push_back(to_json(record_of(result)));
        clean = clean && result.violations.empty();
    }
    const auto trail = entry_of_trail(context, entry);
    if (!trail) co_return std::unexpected(trail.error());
    json answer = {{"invariants", std::move(list)}, {"clean", clean}, {"trail", *trail}};
    co_return Result<json>(std::move(answer));
}

json exports_view(AdminContext& context) {
    json list = json::array();
    for (const auto& one : ledger::known_exports(context.ledger)) {
        list.push_back({{"export", one.export_no},
                        {"file", one.file},
                        {"sha256", one.sha256},
                        {"line_sha256", one.line_sha256},
                        {"audit_seq", one.audit_seq},
                        {"audit_head", one.audit_head},
                        {"from_manifest", one.from_manifest},
                        {"went_out", one.went_out},
                        {"derived_sha256", one.derived_sha256}});
    }
    return {{"ledger", context.ledger.ledger_id()}, {"exports", std::move(list)}};
}

namespace {

// The exception that caused the pause, or that a restored ledger raised, must be resolved first.
Result<void> may_resume(AdminContext& context, const Resume& how, const ledger::Stamp& stamp) {
    const auto causes = ledger::open_causes_of_pause(context.ledger);
    if (causes.empty()) {
        if (!how.despite_exceptions) return {};
        return fail(ErrorCode::conflict, "resume: no exception prevents it: omit --despite-exceptions");
    }
    const std::string id = std::to_string(causes.front());
    if (!how.despite_exceptions) {
        return fail(ErrorCode::conflict,
                    "resume: exception " + id +
                        ", which must be resolved first, is open: investigate it, 'drawbridge resolve " + id +
                        " --reason …', then resume" +
                        (ledger::open_loss_by_restore(context.ledger)
                             ? ""
                             : "; or a second person resumes with --despite-exceptions"));
    }
    return ledger::check_may_override_pause(context.ledger, stamp);
}

}  // namespace

Result<json> resume(AdminContext& context, const Resume& how, const std::string& reason, const ledger::Stamp& stamp) {
    const bool nothing_else_sent = how.nothing_else_sent;
    const auto resumed = context.ledger.transaction([&]() -> Result<void> {
        if (auto may = may_resume(context, how, stamp); !may) return may;
        const bool is_open = ledger::open_restoration(context.ledger).has_value();
        if (is_open || nothing_else_sent) {
            const auto freed = ledger::draws_freed_by_resolving(context.ledger, nothing_else_sent);
            if (auto left = ledger::check_leaves_releaser(context.ledger, freed, stamp); !left) return left;
        }
        if (how.despite_exceptions) {
            for (const auto id : ledger::open_causes_of_pause(context.ledger))
                ledger::audit(context.ledger, stamp, "movement.resume_overrides", "exception " + std::to_string(id),
                              reason);
        }
        if (is_open) {
            auto settled = ledger::resolve_restoration(context.ledger, nothing_else_sent, reason, stamp);
            if (!settled) return settled;
        } else if (nothing_else_sent && !ledger::record_nothing_else_sent(context.ledger, reason, stamp)) {
            return fail(ErrorCode::conflict, "no draw is held as possibly_paid: omit --nothing-else-sent");
        }
        if (ledger::is_paused(context.ledger)) ledger::set_paused(context.ledger, /*paused=*/false, reason, stamp);
        ledger::close_exceptions_of_subject(context.ledger, "ledger.mark", reason, stamp);
        return {};
    });
    if (!resumed) return std::unexpected(resumed.error());
    // From here on this ledger is the current one.
    ledger::write_high_water_mark(context.ledger);
    return json{{"paused", false}};
}

}  // namespace drawbridge::admin
