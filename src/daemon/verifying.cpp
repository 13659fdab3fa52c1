#include "drawbridge/daemon/verifying.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/system/system_error.hpp>
#include <filesystem>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "aside.hpp"
#include "drawbridge/daemon/archiving.hpp"
#include "drawbridge/domain/elapsed.hpp"
#include "drawbridge/ledger/facts/exports.hpp"
#include "drawbridge/ledger/facts/invariant_checks.hpp"
#include "drawbridge/pipeline/high_water.hpp"
#include "drawbridge/reconciliation/manifest.hpp"
#include "ledger_copy.hpp"

namespace drawbridge::daemon {
namespace {

namespace fs = std::filesystem;

using reconciliation::ManifestEntry;

constexpr std::string_view copy_name = "ledger.verify";
constexpr std::chrono::milliseconds poll_interval{50};

// The copy is as large as the ledger, and the daemon needs space too.
Result<void> check_space(const Application& app) {
    const auto& folder = app.config.state_dir;
    std::error_code error;
    const auto size = fs::file_size(folder / "ledger.db", error);
    if (error) return {};
    const auto space = fs::space(folder, error);
    if (error || space.available >= size + size / 4) return {};
    constexpr std::uintmax_t mebibyte = 1024UL * 1024;
    return fail(ErrorCode::unavailable,
                folder.string() + ": no space for the copy that `verify` checks (" +
                    std::to_string((size + size / 4) / mebibyte + 1) +
                    " MiB): free some space, or stop the daemon and then run `drawbridge verify`");
}

ledger::InvariantResult compare_manifests(const reconciliation::ManifestContents& manifests,
                                          const std::vector<reconciliation::KnownExport>& known,
                                          std::string_view ledger_id) {
    return {ledger::manifests_invariant, "the manifests agree with the ledger", static_cast<std::int64_t>(known.size()),
            reconciliation::compare_manifests(manifests, known, ledger_id, reconciliation::Manifests::beside_ledger)};
}

// Lines that were written since the ledger was copied. After a restore, lines from before it may have higher numbers
// than the audit trail; the comparison has recorded those.
std::vector<ManifestEntry> take_later_lines(reconciliation::ManifestContents& manifests,
                                            const std::vector<reconciliation::KnownExport>& known,
                                            std::string_view ledger_id, const ledger::AuditEnd& copied_at) {
    std::set<std::string_view> from_manifest;
    for (const auto& one : known) {
        if (one.from_manifest) from_manifest.insert(one.line_sha256);
    }
    const auto later = std::ranges::stable_partition(manifests.entries, [&](const ManifestEntry& entry) {
        return entry.line.ledger_id != ledger_id || entry.line.audit_seq <= copied_at.seq ||
               from_manifest.contains(entry.hash);
    });
    std::vector<ManifestEntry> taken(std::move_iterator(later.begin()), std::move_iterator(later.end()));
    manifests.entries.erase(later.begin(), later.end());
    return taken;
}

struct CopyCheck {
    std::vector<ledger::InvariantResult> results;
    std::vector<ManifestEntry> later_lines;  // not compared
};

CopyCheck with_manifests(ledger::CopyInspection found, const ledger::AuditEnd& end,
                         const std::filesystem::path& state_dir, std::string_view id) {
    auto manifests = pipeline::read_manifests(spool::Spool(state_dir), reconciliation::WithPayments::no);
    auto later = take_later_lines(manifests, found.exports, id, end);
    found.results.push_back(compare_manifests(manifests, found.exports, id));
    return CopyCheck{std::move(found.results), std::move(later)};
}

// What a standby of the server has. Error: it cannot be checked there.
asio::awaitable<Result<CopyCheck>> check_standby_aside(Application& app, SealingKey key) {
    AsideWork<CopyCheck> work = [server = *app.read_server, written = ledger::position_of(app.ledger),
                                 now = app.clock.now(), key = std::move(key), state_dir = app.config.state_dir,
                                 id = app.ledger.ledger_id()](const std::stop_token& stop) -> Result<CopyCheck> {
        ledger::AuditEnd end;
        auto found = ledger::inspect_on_read_server(state_dir, server, written, now, key, stop, end);
        if (!found) return std::unexpected(found.error());
        return with_manifests(std::move(*found), end, state_dir, id);
    };
    auto found = co_await in_a_thread(std::move(work), "ledger.read_url");
    co_return found;
}

asio::awaitable<Result<CopyCheck>> check_copy_aside(Application& app) {
    const auto key = sealing_key(app.config);
    if (!key) co_return std::unexpected(key.error());
    if (app.read_server) {
        auto found = co_await check_standby_aside(app, *key);
        if (found || found.error().code == ErrorCode::cancelled) co_return found;
        app.reports_read = "read where the ledger is written: " + found.error().message;
    }
    if (auto space = check_space(app); !space) co_return std::unexpected(space.error());
    const ledger::PartialFile copy(app.config.state_dir / copy_name);
    const auto end = co_await copy_ledger(app, copy.path());
    AsideWork<CopyCheck> work = [file = copy.path(), end, now = app.clock.now(), key = *key,
                                 state_dir = app.config.state_dir,
                                 id = app.ledger.ledger_id()](const std::stop_token& stop) -> Result<CopyCheck> {
        auto found = ledger::inspect_copy(file, end, now, key, stop);
        if (!found) return std::unexpected(found.error());
        return with_manifests(std::move(*found), end, state_dir, id);
    };
    auto found = co_await in_a_thread(std::move(work), "the copy of the ledger");
    co_return found;
}

asio::awaitable<Verified> check_a_copy(Application& app) {
    auto found = co_await check_copy_aside(app);
    if (!found) co_return std::unexpected(found.error());
    auto& results = found->results;
    for (const auto& [place, hash, line] : found->later_lines) {
        if (ledger::knows_export(app.ledger, line.export_no, hash)) continue;
        results.back().violations.push_back(
            fmt::format("{}: export {} ({}) is not in the ledger: it is an older copy, or the export was removed",
                        place, line.export_no, line.file));
    }
    std::ranges::sort(results, {}, &ledger::InvariantResult::number);
    if (auto checked = co_await add_archive_check(app, results); !checked) co_return std::unexpected(checked.error());
    co_return Verified(std::move(results));
}

// File system failures become errors.
asio::awaitable<Verified> try_on_a_copy(Application& app) {
    Verified found = fail(ErrorCode::cancelled, "not checked");
    try {
        found = co_await check_a_copy(app);
    } catch (const boost::system::system_error& stopped) {
        found = fail(ErrorCode::cancelled, std::string("the check was canceled: ") + stopped.what());
    } catch (const std::runtime_error& failure) {
        found = fail(ErrorCode::unavailable, (app.config.state_dir / copy_name).string() + ": " + failure.what());
    }
    co_return found;
}

}  // namespace

asio::awaitable<Verified> verify_copy_of_ledger(Application& app, ledger::Stamp by) {
    while (app.verifying)
        co_await pause_for(poll_interval);
    const Busy busy(app.verifying);
    auto found = co_await try_on_a_copy(app);
    if (!found) co_return found;
    app.ledger.transaction([&] {
        by.at = app.clock.now();
        ledger::record_checks(app.ledger, *found, by);
    });
    co_return found;
}

asio::awaitable<Verified> verify_in_place(Application& app, std::optional<ledger::Stamp> by) {
    auto results = ledger::verify(app.ledger);
    auto manifests = pipeline::read_manifests(app.spool, reconciliation::WithPayments::no);
    const auto known = ledger::known_exports(app.ledger);
    if (!by) {
        // A machine that only reads has no files, or it has more manifests than it can read of the ledger.
        if (manifests.entries.empty()) co_return Verified(std::move(results));
        static_cast<void>(take_later_lines(manifests, known, app.ledger.ledger_id(), ledger::audit_end(app.ledger)));
    }
    results.push_back(compare_manifests(manifests, known, app.ledger.ledger_id()));
    std::ranges::sort(results, {}, &ledger::InvariantResult::number);
    if (auto checked = co_await add_archive_check(app, results); !checked) co_return std::unexpected(checked.error());
    if (by) app.ledger.transaction([&] { ledger::record_checks(app.ledger, results, *by); });
    co_return Verified(std::move(results));
}

asio::awaitable<std::optional<Verified>> verify_if_due(Application& app) {
    const auto every = app.config.verify.every;
    if (every.count() == 0 || app.verifying || app.backing_up) co_return std::nullopt;
    const auto last = ledger::last_checked(app.ledger).value_or(app.ledger.created_at());
    if (!has_elapsed(last, every, app.clock.now())) co_return std::nullopt;
    auto by = app.context->stamp();
    auto found = co_await verify_copy_of_ledger(app, std::move(by));
    co_return std::optional<Verified>(std::move(found));
}

void remove_unfinished_copy(const Application& app) {
    const ledger::PartialFile left(app.config.state_dir / copy_name);
}

}  // namespace drawbridge::daemon
