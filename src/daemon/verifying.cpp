#include "drawbridge/daemon/verifying.hpp"

#include <boost/system/system_error.hpp>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "aside.hpp"
#include "drawbridge/daemon/archiving.hpp"
#include "drawbridge/domain/elapsed.hpp"
#include "drawbridge/ledger/reports/invariant_checks.hpp"
#include "ledger_copy.hpp"

namespace drawbridge::daemon {
namespace {

namespace fs = std::filesystem;

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

asio::awaitable<Verified> check_a_copy(Application& app) {
    const auto key = sealing_key(app.config);
    if (!key) co_return std::unexpected(key.error());
    const PartialFile copy(app.config.state_dir / copy_name);
    const auto end = co_await copy_ledger(app, copy.path());
    AsideWork<std::vector<ledger::InvariantResult>> work = [file = copy.path(), end, now = app.clock.now(),
                                                            key = *key](const std::stop_token& stop) {
        return ledger::inspect_copy(file, end, now, key, stop);
    };
    auto results = co_await in_a_thread(std::move(work), "the copy of the ledger");
    if (!results) co_return results;
    if (auto checked = co_await add_archive_check(app, *results); !checked) co_return std::unexpected(checked.error());
    co_return results;
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
    if (auto space = check_space(app); !space) co_return std::unexpected(space.error());
    const Busy busy(app.verifying);
    auto found = co_await try_on_a_copy(app);
    if (!found) co_return found;
    app.ledger.transaction([&] {
        by.at = app.clock.now();
        ledger::record_checks(app.ledger, *found, by);
    });
    co_return found;
}

asio::awaitable<Verified> verify_in_place(Application& app, ledger::Stamp by) {
    auto results = ledger::verify(app.ledger);
    if (auto checked = co_await add_archive_check(app, results); !checked) co_return std::unexpected(checked.error());
    app.ledger.transaction([&] { ledger::record_checks(app.ledger, results, by); });
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
    const PartialFile left(app.config.state_dir / copy_name);
}

}  // namespace drawbridge::daemon
