#include <fnmatch.h>

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/domain/digest.hpp"
#include "drawbridge/ledger/confirmations.hpp"
#include "drawbridge/ledger/runs.hpp"
#include "drawbridge/pipeline/stages.hpp"
#include "drawbridge/statements/read.hpp"
#include "run_stage.hpp"

namespace drawbridge::pipeline {
namespace {

struct Tally {
    std::int64_t files = 0, repeated = 0, refused = 0;
    ledger::AppliedCounts lines;
};

// What a person reads must not carry control characters from a file's name.
std::string printable(std::string_view name) {
    std::string text;
    for (const char c : name)
        text += (c >= 0 && c < ' ') || c == 0x7f ? '?' : c;
    return text;
}

bool is_confirmation(const Context& context, const std::string& name) {
    return std::ranges::any_of(context.settings.confirmations.rules, [&](const statements::FileRule& rule) {
        return ::fnmatch(rule.match.c_str(), name.c_str(), FNM_CASEFOLD) == 0;
    });
}

std::vector<std::string> references(const std::vector<Confirmation>& confirmations) {
    std::vector<std::string> all;
    all.reserve(confirmations.size());
    for (const auto& confirmation : confirmations)
        all.push_back(confirmation.payment_reference);
    std::ranges::sort(all);
    const auto repeated = std::ranges::unique(all);
    all.erase(repeated.begin(), repeated.end());
    return all;
}

// Evidence that the ledger has a place for: a dollar amount that was paid, came back or was voided. A file with any
// other line is refused as a whole: what it says must not be lost, and a person sees it in the quarantine.
std::string objection(const Confirmation& line) {
    switch (line.kind) {
        case ConfirmationKind::paid:
        case ConfirmationKind::returned:
        case ConfirmationKind::voided:
            return line.currency == "USD" ? "" : "its amount is in " + line.currency + ", not in US dollars";
        case ConfirmationKind::corrected:
        case ConfirmationKind::pending:
        case ConfirmationKind::disputed:
        case ConfirmationKind::unrelated: break;
    }
    return "it says '" + std::string(to_string(line.kind)) + "'" +
           (line.reason_code.empty() ? "" : " (" + line.reason_code + ")") +
           ": lines that say neither paid, returned nor void are not taken";
}

std::expected<std::vector<Confirmation>, text::Diagnostics> read_file(Context& context, std::string_view bytes,
                                                                      const std::string& name) {
    constexpr std::size_t most_named = 20;
    auto options = context.settings.confirmations;
    options.received_on = context.settings.plan.zone.date_of(context.clock.now());
    std::vector<Confirmation> lines;
    text::Diagnostics problems;
    const auto read = statements::read_statement(bytes, name, options, [&](Confirmation line) {
        if (const auto why = objection(line); !why.empty() && problems.size() < most_named) {
            problems.push_back({name, static_cast<int>(line.line), 0, why,
                                "settle this line by hand, and drop a file of the others as CSV",
                                text::Severity::error});
        }
        lines.push_back(std::move(line));
    });
    if (!read) return std::unexpected(read.error());
    if (!problems.empty()) return std::unexpected(std::move(problems));
    return lines;
}

// R24 says that we paid twice: nothing more goes out until a person has looked.
void act_on_code(Context& context, reconciliation::Match& match, const ledger::Stamp& stamp) {
    const std::string& code = match.confirmation.reason_code;
    if (code.empty()) return;
    match.detail += (match.detail.empty() ? "" : "; ") + ("the bank's reason is " + code);
    if (match.confirmation.kind != ConfirmationKind::returned || code != "R24" || ledger::is_paused(context.ledger))
        return;
    ledger::set_paused(context.ledger, true,
                       "the bank returned " + match.confirmation.payment_reference + " as a duplicate entry (R24)",
                       stamp);
}

Result<void> refuse(Context& context, const spool::ClaimedFile& claimed, const ledger::ConfirmationFile& file,
                    const std::string& report, Tally& tally) {
    context.ledger.transaction([&] { ledger::record_refused(context.ledger, file, report, context.stamp()); });
    crash_point("confirm.refused_committed");
    ++tally.refused;
    auto moved = context.spool.quarantine(claimed, file.sha256, report);
    if (!moved) return std::unexpected(moved.error());
    return {};
}

Result<void> archive(Context& context, const spool::ClaimedFile& claimed, const std::string& sha256) {
    const auto today = context.settings.plan.zone.date_of(context.clock.now());
    auto moved = context.spool.archive(claimed, sha256, today);
    if (!moved) return std::unexpected(moved.error());
    return {};
}

void add(ledger::AppliedCounts& into, const ledger::AppliedCounts& more) {
    into.applied += more.applied;
    into.duplicates += more.duplicates;
    into.exceptions += more.exceptions;
    into.paid += more.paid;
}

// One transaction: what the lines mean is decided on the same state on which their effects are recorded.
void apply(Context& context, const ledger::ConfirmationFile& file, const std::vector<Confirmation>& confirmations,
           Tally& tally) {
    const auto& zone = context.settings.plan.zone;
    context.ledger.transaction([&] {
        const auto stamp = context.stamp();
        const reconciliation::PaymentIndex payments(
            ledger::payments_for(context.ledger, references(confirmations), zone));
        auto matches = reconciliation::match(confirmations, payments, zone.date_of(stamp.at));
        for (auto& match : matches)
            act_on_code(context, match, stamp);
        add(tally.lines, ledger::record_confirmations(context.ledger, file, matches, stamp));
    });
    crash_point("confirm.committed");
}

Result<void> process(Context& context, const spool::ClaimedFile& claimed, Tally& tally) {
    ledger::ConfirmationFile file;
    file.name = printable(claimed.original_name);
    const auto bytes = context.spool.read(claimed, context.settings.max_confirmation_bytes);
    if (!bytes) {
        if (bytes.error().code != ErrorCode::invalid_input) return std::unexpected(bytes.error());
        return refuse(context, claimed, file, bytes.error().message, tally);
    }
    file.sha256 = sha256_hex(*bytes);
    file.size_bytes = static_cast<std::int64_t>(bytes->size());
    if (ledger::is_applied(context.ledger, file.sha256)) {
        ++tally.repeated;
        return archive(context, claimed, file.sha256);
    }
    if (!is_confirmation(context, claimed.original_name)) {
        return refuse(context, claimed, file,
                      file.name +
                          ": no profile under 'confirmations' in drawbridge.yaml matches this name: "
                          "rename the file and drop it again, or have a profile added",
                      tally);
    }
    const auto confirmations = read_file(context, *bytes, claimed.original_name);
    if (!confirmations) return refuse(context, claimed, file, text::to_string(confirmations.error()), tally);
    apply(context, file, *confirmations, tally);
    ++tally.files;
    return archive(context, claimed, file.sha256);
}

bool is_settling(const spool::InboxScan& scan) {
    return std::ranges::any_of(scan.waiting, [](const auto& file) { return file.may_settle; });
}

// Claims what is ready. With wait_for_settling it stays until files that were just dropped have settled, but not for
// ever.
asio::awaitable<std::vector<spool::ClaimedFile>> claim_ready(Context& context, StageRunner& runner) {
    std::vector<spool::ClaimedFile> claimed;
    const auto settle = context.settings.settle;
    asio::steady_timer timer(co_await asio::this_coro::executor);
    const auto give_up = std::chrono::steady_clock::now() + settle * 5 + std::chrono::seconds(1);
    while (true) {
        const auto scan = context.spool.scan_inbox(settle, context.clock.now());
        for (const auto& ready : scan.ready) {
            auto file = context.spool.claim(ready.name, context.clock.now());
            if (file) {
                claimed.push_back(std::move(*file));
            } else if (file.error().code != ErrorCode::not_found) {
                runner.problem(printable(ready.name) + ": " + file.error().message);
            }
        }
        if (!context.settings.wait_for_settling || !is_settling(scan) || std::chrono::steady_clock::now() > give_up) {
            for (const auto& refused : scan.refused) {
                runner.problem("inbox/" + printable(refused.name) + " is left where it is: " + refused.reason);
            }
            co_return claimed;
        }
        timer.expires_after(std::max<std::chrono::milliseconds>(settle / 4, std::chrono::milliseconds(20)));
        co_await timer.async_wait(asio::use_awaitable);
    }
}

std::string summarize(const Tally& tally) {
    std::string text = counted(tally.files, "file") + " applied: " + counted(tally.lines.applied, "confirmation") +
                       " (" + tally.lines.paid.to_display() + " paid)";
    if (tally.lines.duplicates > 0) text += ", " + std::to_string(tally.lines.duplicates) + " known already";
    if (tally.lines.exceptions > 0) text += ", " + counted(tally.lines.exceptions, "exception");
    if (tally.repeated > 0) text += "; " + counted(tally.repeated, "file") + " dropped again";
    if (tally.refused > 0) text += "; " + counted(tally.refused, "file") + " refused, see quarantine/";
    return text;
}

}  // namespace

asio::awaitable<StageReport> confirm(Context& context) {
    StageRunner runner(context, "confirm");
    Tally tally;
    auto files = context.spool.claimed();  // what a crash left behind
    auto fresh = co_await claim_ready(context, runner);
    std::ranges::move(fresh, std::back_inserter(files));
    for (const auto& file : files) {
        if (auto done = process(context, file, tally); !done)
            runner.failed(printable(file.name) + ": " + done.error().message);
        context.progress("confirm", tally.lines.applied, 0);
    }
    co_return runner.finish(summarize(tally));
}

}  // namespace drawbridge::pipeline
