#include <fnmatch.h>

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "by_time.hpp"
#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/domain/digest.hpp"
#include "drawbridge/ledger/confirmations.hpp"
#include "drawbridge/nacha/return_codes.hpp"
#include "drawbridge/pipeline/stages.hpp"
#include "drawbridge/statements/read.hpp"
#include "drawbridge/text/mask.hpp"
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
    for (const auto& confirmation : confirmations) {
        all.push_back(confirmation.payment_reference);
        for (const auto& reference : confirmation.references)
            all.push_back(reference.text);
    }
    std::ranges::sort(all);
    const auto repeated = std::ranges::unique(all);
    all.erase(repeated.begin(), repeated.end());
    return all;
}

// A return takes money back only with a code with which credits come back.
Confirmation with_meaning(Confirmation line) {
    if (line.kind != ConfirmationKind::returned || line.reason_code.empty()) return line;
    const auto code = nacha::find_return_code(line.reason_code);
    const bool is_of_nacha = line.reason_code.size() == 3 && line.reason_code.starts_with('R');
    if (code ? nacha::ends_payment(code->action) : !is_of_nacha) return line;
    line.kind = ConfirmationKind::disputed;
    line.note = line.reason_code + " " + std::string(code ? code->meaning : "is no code of a return") + ": " +
                std::string(nacha::what_to_do(code ? code->action : nacha::ReturnAction::cannot_happen)) +
                (line.note.empty() ? "" : " (" + line.note + ")");
    return line;
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
    into.recorded += more.recorded;
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
        const auto matches = reconciliation::match(confirmations, payments, zone.date_of(stamp.at));
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
    if (!statements::recognise(*bytes) && !is_confirmation(context, claimed.original_name)) {
        return refuse(context, claimed, file,
                      file.name +
                          ": no profile under 'confirmations' in drawbridge.yaml matches this name: "
                          "rename the file and drop it again, or have a profile added",
                      tally);
    }
    std::vector<Confirmation> confirmations;
    auto options = context.settings.confirmations;
    options.received_on = context.settings.plan.zone.date_of(context.clock.now());
    const auto facts = statements::read_statement(
        *bytes, file.name, options, [&](Confirmation line) { confirmations.push_back(with_meaning(std::move(line))); });
    // The file itself is kept beside its report; the report goes further.
    if (!facts) return refuse(context, claimed, file, text::mask_quoted_numbers(text::to_string(facts.error())), tally);
    apply(context, file, confirmations, tally);
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
    if (tally.lines.recorded > 0) text += ", " + std::to_string(tally.lines.recorded) + " without effect";
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
    // A file that could not be taken may hold a return.
    ByTime by_time;
    if (runner.is_well()) by_time = count_silent_credits(context);
    std::string summary = summarize(tally);
    if (by_time.payments > 0) {
        summary += "; " + counted(by_time.payments, "payment") + " (" + by_time.amount.to_display() +
                   ") paid, nothing came back in time";
    }
    co_return runner.finish(std::move(summary));
}

}  // namespace drawbridge::pipeline
