#include "drawbridge/pipeline/ingest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "arrivals.hpp"
#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/ledger/facts/arrivals.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/staged_lines.hpp"
#include "drawbridge/ledger/store/engine.hpp"
#include "drawbridge/ledger/store/read_ahead.hpp"
#include "drawbridge/nacha/return_codes.hpp"
#include "drawbridge/pipeline/let_others_run.hpp"
#include "drawbridge/statements/read.hpp"
#include "drawbridge/text/diagnostic.hpp"
#include "drawbridge/text/mask.hpp"
#include "drawbridge/text/sanitize.hpp"
#include "raise_about.hpp"

namespace drawbridge::pipeline {
namespace {

using reconciliation::Match;

// No bank sends more lines than this about one payment, and they would all have to be recorded at once.
constexpr std::int64_t max_lines_per_payment = 1000;

std::vector<std::string> references(const std::vector<Confirmation>& confirmations) {
    std::vector<std::string> all;
    all.reserve(confirmations.size());
    for (const auto& confirmation : confirmations) {
        all.push_back(confirmation.payment_reference);
        if (auto trace_number = reconciliation::with_leading_zero(confirmation.payment_reference))
            all.push_back(*std::move(trace_number));
        for (const auto& reference : confirmation.references)
            all.push_back(reference.text);
    }
    std::ranges::sort(all);
    const auto repeated = std::ranges::unique(all);
    all.erase(repeated.begin(), repeated.end());
    return all;
}

// "2 paid ($101.00)"
std::string in_words(const std::map<ConfirmationKind, Sum>& lines) {
    std::string words;
    for (const auto& [kind, sum] : lines) {
        words += (words.empty() ? "" : ", ") +
                 fmt::format("{} {} ({})", sum.count, to_string(kind), sum.amount.to_display());
    }
    return words.empty() ? "no lines" : words;
}

// A return ends the payment only with a code by which credits are returned. Where a bank has codes of its own, a code
// in the form of Nacha's is no such code either.
Confirmation with_meaning(Confirmation line) {
    if (line.kind != ConfirmationKind::returned || line.reason_code.empty()) return line;
    const auto code = nacha::find_return_code(line.reason_code);
    const bool is_mistyped = line.reason_code.size() == 3 && line.reason_code.starts_with('R');  // RO3
    const bool is_of_nacha = is_mistyped || nacha::has_nacha_form(line.reason_code);
    if (code ? nacha::ends_payment(code->action) : !is_of_nacha) return line;
    line.kind = ConfirmationKind::disputed;
    line.note = line.reason_code + " " + std::string(code ? code->meaning : "is no code of a return") + ": " +
                std::string(nacha::what_to_do(code ? code->action : nacha::ReturnAction::not_for_credits)) +
                (line.note.empty() ? "" : " (" + line.note + ")");
    return line;
}

void count(ledger::AppliedCounts& counts, const Match& match) {
    using reconciliation::MatchOutcome;
    switch (match.outcome) {
        case MatchOutcome::applied:
            ++counts.applied;
            (match.confirmation.kind == ConfirmationKind::paid ? counts.paid : counts.returned) +=
                match.confirmation.amount;
            break;
        case MatchOutcome::duplicate: ++counts.duplicates; break;
        case MatchOutcome::exception: ++counts.exceptions; break;
        case MatchOutcome::recorded: ++counts.recorded; break;
    }
}

std::vector<Match> match_lines(Context& context, const std::vector<Confirmation>& lines, BusinessDate today) {
    const auto& zone = context.settings.plan.zone;
    const auto names = references(lines);
    const auto find = [&] { return ledger::payments_for(context.ledger, names, zone); };
    const ledger::ReadAhead known(context.ledger, [&] { static_cast<void>(find()); });
    const reconciliation::PaymentIndex payments(find());
    return reconciliation::match(lines, payments, today);
}

using Recorded = std::function<void(std::vector<Match>)>;

// Decides what the next lines mean and records their effects, on the same state of the ledger. False: they were the
// last, and the file is complete. In a transaction.
bool record_piece(Context& context, ledger::ConfirmationRecord& record, ledger::StagedLines& lines,
                  const Recorded& recorded) {
    const auto matches = match_lines(context, lines.next(context.settings.lines_per_piece),
                                     context.settings.plan.zone.date_of(record.recorded_at()));
    auto done = record.add(matches);
    lines.forget_returned();
    recorded(std::move(done));
    if (lines.has_more()) return true;
    record.finish();
    return false;
}

// Records the other pieces of a file. Between two of them everything else gets its turn, except other steps and what
// waits for its turn like a step. Only the last piece waits for the disk: nothing outside depends on the others.
asio::awaitable<void> record_rest(Context& context, ledger::ConfirmationRecord& record, ledger::StagedLines& lines,
                                  Recorded recorded) {
    const auto max_piece = static_cast<std::int64_t>(context.settings.lines_per_piece) + max_lines_per_payment;
    const auto piece = [&] { return record_piece(context, record, lines, recorded); };
    for (bool more = true; more;) {
        const auto done = record.counts().lines();
        context.progress("confirm", done, record.line_count());
        co_await let_others_run(context.ledger);
        const bool is_last = record.line_count() - done <= max_piece;
        more = is_last ? context.ledger.transaction(piece) : context.ledger.transaction_deferred_sync(piece);
        if (more) crash_point("confirm.part_committed");
    }
}

// Imports one file, from its bytes to its outcome. Owned by the coroutine that awaits it.
class ConfirmationImport {
  public:
    ConfirmationImport(Context& context, spool::Snapshot snapshot, const std::string& name, std::string profile,
                       std::size_t max_lines)
        : context_(context),
          snapshot_(std::move(snapshot)),
          lines_(context.ledger, context.settings.lines_per_piece, max_lines_per_payment),
          max_lines_(max_lines) {
        outcome_.name = shown_name(name);
        outcome_.sha256 = snapshot_.sha256();
        outcome_.size_bytes = static_cast<std::int64_t>(snapshot_.bytes().size());
        options_ = context_.settings.confirmations;
        std::ranges::move(ledger::accounts_of_checks(context_.ledger),
                          std::back_inserter(options_.office.check_accounts));
        options_.profile = std::move(profile);
        options_.received_on = zone().date_of(context_.clock.now());
        if (ledger::is_applied(context_.ledger, outcome_.sha256)) outcome_.outcome = IngestOutcome::repeated;
    }

    // Reads and stages the lines. Afterwards the outcome is known.
    asio::awaitable<void> read() {
        statements::StatementReader reading(snapshot_.bytes(), outcome_.name, options_,
                                            [this](Confirmation line) { lines_.add(with_meaning(std::move(line))); });
        co_await read_to_end(reading);
        lines_.seal();
        const auto facts = std::move(reading).finish();
        snapshot_.drop_pages();
        if (!facts) {
            refuse(text::mask_quoted_numbers(text::to_string(facts.error())));
        } else {
            note(*facts);
        }
    }

    // For a file that was applied before. A CSV file means what its profile says, and its name or a person chooses
    // another profile this time.
    asio::awaitable<void> compare_with_applied() {
        if (statements::recognize(snapshot_.bytes())) co_return;
        std::map<ConfirmationKind, Sum> says;
        statements::StatementReader reading(snapshot_.bytes(), outcome_.name, options_, [&](Confirmation line) {
            line = with_meaning(std::move(line));
            says[line.kind].add(line.amount);
        });
        co_await read_to_end(reading);
        const auto facts = std::move(reading).finish();
        const auto applied = ledger::applied_lines(context_.ledger, outcome_.sha256);
        if (!facts || says == applied) co_return;
        const auto what =
            fmt::format("the same bytes were applied before with {}, and as {} they say {}", in_words(applied),
                        facts->profile.empty() ? "CSV" : "'" + facts->profile + "'", in_words(says));
        outcome_.remarks.push_back(what);
        raise_about(context_, Step::confirm, outcome_.name, "bank_file_reads_differently",
                    what + ": nothing was changed");
    }

    asio::awaitable<void> apply() {
        crash_point("confirm.staged");
        std::optional<ledger::ConfirmationRecord> record;
        const Recorded recorded = [this](std::vector<Match> matches) { list_lines(std::move(matches)); };
        const bool more = context_.ledger.transaction([&] {
            const auto stamp = context_.stamp();
            record.emplace(context_.ledger, ledger_file(), lines_.size(), lines_.staging_id(), stamp);
            const bool more_lines = record_piece(context_, *record, lines_, recorded);
            const ledger::Stamp who{stamp.at, handed_in_by_, ledger::recorded_uid(handed_in_uid_)};
            for (const auto& acknowledgment : acknowledgments_)
                add_acknowledgment(record_bank_line(context_.ledger, acknowledgment, outcome_.name, who));
            ledger::finish_arrival(context_.ledger, outcome_.sha256, stamp);
            return more_lines;
        });
        if (more) {
            crash_point("confirm.part_committed");
            co_await record_rest(context_, *record, lines_, recorded);
        }
        crash_point("confirm.committed");
        const auto of_acknowledgments = outcome_.counts.exceptions;
        outcome_.counts = record->counts();
        outcome_.counts.exceptions += of_acknowledgments;
    }

    asio::awaitable<void> preview() {
        const auto today = zone().date_of(context_.clock.now());
        for (const auto& acknowledgment : acknowledgments_)
            add_acknowledgment(compare(context_.ledger, acknowledgment, std::nullopt));
        for (auto lines = lines_.next(context_.settings.lines_per_piece); !lines.empty();
             lines = lines_.next(context_.settings.lines_per_piece)) {
            auto matches = match_lines(context_, lines, today);
            for (auto& match : matches) {
                match = ledger::as_recorded(context_.ledger, std::move(match));
                count(outcome_.counts, match);
            }
            list_lines(std::move(matches));
            co_await let_others_run();
        }
    }

    // Records who handed the file in: the person who uploaded it, else the owner of the file in the inbox.
    void handed_in_by(std::int64_t owner_uid) {
        const auto who = hand_of(context_, owner_uid);
        // It may have been handed in on another host.
        const auto arrival = ledger::open_arrival(context_.ledger, outcome_.sha256);
        handed_in_uid_ = arrival ? arrival->uid : who.uid;
        handed_in_by_ = arrival ? arrival->by : who.by;
    }
    // For a file that was applied before. Its bytes change nothing, but the person who brings them is a maker too.
    void record_handed_in_again() {
        const bool is_new = context_.ledger.transaction([&] {
            const ledger::Stamp stamp{context_.clock.now(), handed_in_by_, handed_in_uid_};
            return ledger::record_hand_in_again(context_.ledger, outcome_.sha256, handed_in_uid_, stamp);
        });
        if (is_new) outcome_.remarks.push_back("nothing is applied again; " + handed_in_by_ + " handed it in too");
    }

    [[nodiscard]] ledger::ConfirmationFile ledger_file() const {
        return {outcome_.sha256, outcome_.name, outcome_.size_bytes, handed_in_uid_, handed_in_by_};
    }
    [[nodiscard]] const spool::Snapshot& snapshot() const { return snapshot_; }
    [[nodiscard]] FileOutcome& outcome() { return outcome_; }
    // Sorts the listed lines in the file's order.
    void finish() {
        std::ranges::stable_sort(outcome_.lines, {}, [](const Match& m) { return m.confirmation.line; });
    }

  private:
    [[nodiscard]] const TimeZone& zone() const { return context_.settings.plan.zone; }

    asio::awaitable<void> read_to_end(statements::StatementReader& reading) {
        for (std::size_t slices = 0; reading.advance(); ++slices) {
            constexpr std::size_t slices_in_memory = 16;
            if (slices % slices_in_memory == 0) snapshot_.drop_pages();
            context_.progress("confirm", lines_.size(), 0);
            co_await let_others_run(context_.ledger);
        }
    }

    void refuse(std::string report) {
        outcome_.outcome = IngestOutcome::refused;
        outcome_.report = std::move(report);
    }

    void note(const statements::StatementFacts& facts) {
        outcome_.format = to_string(facts.format);
        outcome_.profile = facts.profile;
        outcome_.recognized_by = facts.recognized_by;
        outcome_.bank_file_id = facts.bank_file_id;
        outcome_.date = facts.date;
        outcome_.line_count = lines_.size();
        acknowledgments_ = facts.acknowledgments;
        outcome_.nothing_came_back = outcome_.line_count == 0 && acknowledgments_.empty();
        outcome_.remarks = facts.remarks;
        for (const auto& account : facts.foreign_accounts) {
            outcome_.remarks.push_back("lines on account " + account + " have no effect: it is not one of ours");
        }
        if (const auto payment = lines_.payment_with_too_many_lines()) {
            refuse(outcome_.name + ": more than " + std::to_string(max_lines_per_payment) +
                   " lines refer to one payment (" + disbursement::format_payment_id(*payment) +
                   "): this is not a bank's file");
        }
    }

    void add_acknowledgment(Comparison found) {
        using enum AcknowledgmentOutcome;
        if (found.outcome == differs || found.outcome == unsent || found.outcome == refused)
            ++outcome_.counts.exceptions;
        outcome_.acknowledgments.push_back(std::move(found));
    }

    // Keeps the first lines, exceptions before all others: a person must see those.
    void list_lines(std::vector<Match> matches) {
        if (max_lines_ == 0) return;
        std::ranges::move(matches, std::back_inserter(outcome_.lines));
        if (outcome_.lines.size() <= max_lines_) return;
        std::ranges::stable_sort(outcome_.lines, {}, [](const Match& m) {
            return std::pair(m.outcome != reconciliation::MatchOutcome::exception, m.confirmation.line);
        });
        outcome_.lines.resize(max_lines_);
    }

    Context& context_;
    spool::Snapshot snapshot_;
    ledger::StagedLines lines_;
    std::size_t max_lines_;
    statements::ReadOptions options_;
    FileOutcome outcome_;
    std::vector<statements::Acknowledgment> acknowledgments_;
    std::int64_t handed_in_uid_ = 0;
    std::string handed_in_by_;
};

// What is recorded of the file stands, even if it cannot be moved.
void archive_or_quarantine(Context& context, const spool::ClaimedFile& claimed, ConfirmationImport& file_import) {
    auto& outcome = file_import.outcome();
    const bool is_refused = outcome.outcome == IngestOutcome::refused;
    const auto moved = is_refused ? context.spool.quarantine(claimed, outcome.sha256, outcome.report)
                                  : context.spool.archive(claimed, file_import.snapshot(),
                                                          context.settings.plan.zone.date_of(context.clock.now()));
    if (moved) {
        outcome.kept_in = moved->string();
    } else if (!is_refused && moved.error().code == ErrorCode::conflict) {
        // The file has changed since: what is there now is another file.
        outcome.remarks.push_back(moved.error().message);
    } else {
        outcome.not_kept = moved.error().message;
    }
}

void record_refusal(Context& context, const ledger::ConfirmationFile& file, const std::string& report) {
    context.ledger.transaction([&] {
        ledger::record_refused(context.ledger, file, report, context.stamp());
        ledger::finish_arrival(context.ledger, file.sha256, context.stamp());
    });
    crash_point("confirm.refused_committed");
}

// A file that cannot be read at all.
Result<FileOutcome> refuse_unread(Context& context, const spool::ClaimedFile& claimed, const std::string& why) {
    FileOutcome outcome;
    outcome.outcome = IngestOutcome::refused;
    outcome.name = shown_name(claimed.original_name);
    outcome.report = why;
    const auto who = hand_of(context, claimed.owner_uid);
    record_refusal(context, {outcome.sha256, outcome.name, 0, who.uid, who.by}, why);
    auto moved = context.spool.quarantine(claimed, "", why);
    if (!moved) return std::unexpected(moved.error());
    outcome.kept_in = moved->string();
    return outcome;
}

}  // namespace

std::string_view to_string(IngestOutcome outcome) {
    switch (outcome) {
        case IngestOutcome::applied: return "applied";
        case IngestOutcome::repeated: return "repeated";
        case IngestOutcome::refused: return "refused";
    }
    return "unknown";
}

std::string shown_name(std::string_view name) {
    return text::for_terminal(name);
}

asio::awaitable<void> finish_recording(Context& context) {
    auto record = ledger::ConfirmationRecord::unfinished(context.ledger, std::string(daemon_actor));
    if (!record) co_return;
    ledger::StagedLines lines(context.ledger, ledger::Staging{record->staging_id()});
    const Recorded recorded = [](const std::vector<Match>&) {};
    co_await record_rest(context, *record, lines, recorded);
    crash_point("confirm.committed");
}

asio::awaitable<Result<FileOutcome>> import_file(Context& context, spool::ClaimedFile file, std::size_t max_lines) {
    co_await finish_recording(context);
    auto snapshot = context.spool.open_snapshot(file, context.config.confirmations.max_file_bytes);
    if (!snapshot) {
        if (snapshot.error().code != ErrorCode::invalid_input) co_return std::unexpected(snapshot.error());
        co_return refuse_unread(context, file, snapshot.error().message);
    }
    co_await keep_arrival(context, *snapshot, file.original_name, file.profile, hand_of(context, file.owner_uid));
    ConfirmationImport file_import(context, std::move(*snapshot), file.original_name, file.profile, max_lines);
    file_import.handed_in_by(file.owner_uid);
    if (file_import.outcome().outcome != IngestOutcome::repeated) co_await file_import.read();
    const IngestOutcome outcome = file_import.outcome().outcome;
    if (outcome == IngestOutcome::repeated) {
        co_await file_import.compare_with_applied();
        file_import.record_handed_in_again();
    }
    if (outcome == IngestOutcome::applied) co_await file_import.apply();
    if (outcome == IngestOutcome::refused)
        record_refusal(context, file_import.ledger_file(), file_import.outcome().report);
    archive_or_quarantine(context, file, file_import);
    file_import.finish();
    co_return std::move(file_import.outcome());
}

asio::awaitable<void> keep_upload(Context& context, std::string upload, std::string name, std::string profile,
                                  std::optional<std::string> seen_sha256) {
    if (!ledger::is_in_postgresql(context.ledger)) co_return;
    const auto snapshot = context.spool.open_upload_snapshot(upload, context.config.confirmations.max_file_bytes);
    if (!snapshot) co_return;                                          // its import will say why
    if (seen_sha256 && snapshot->sha256() != *seen_sha256) co_return;  // it is refused
    auto hand = hand_of(context, 0);
    co_await keep_arrival(context, *snapshot, std::move(name), std::move(profile), std::move(hand));
}

Result<void> check_profile(const Context& context, std::string_view profile) {
    const auto names = statements::profile_names(context.settings.confirmations);
    if (profile.empty() || std::ranges::find(names, profile) != names.end()) return {};
    const auto suggestion = text::closest_match(profile, {names.begin(), names.end()});
    std::string list;
    for (const auto& name : names)
        list += (list.empty() ? "" : ", ") + name;
    return fail(ErrorCode::invalid_input,
                "there is no profile '" + std::string(profile) + "', nothing was imported: " +
                    (suggestion.empty() ? "" : "did you mean '" + std::string(suggestion) + "'? ") + "use one of " +
                    list);
}

asio::awaitable<Result<FileOutcome>> preview_upload(Context& context, std::string upload, std::string name,
                                                    std::string profile, std::size_t max_lines) {
    auto snapshot = context.spool.open_upload_snapshot(upload, context.config.confirmations.max_file_bytes);
    if (!snapshot) {
        if (snapshot.error().code != ErrorCode::invalid_input) co_return std::unexpected(snapshot.error());
        FileOutcome outcome;
        outcome.outcome = IngestOutcome::refused;
        outcome.name = shown_name(name);
        outcome.report = snapshot.error().message;
        co_return outcome;
    }
    ConfirmationImport file_import(context, std::move(*snapshot), name, std::move(profile), max_lines);
    if (file_import.outcome().outcome != IngestOutcome::repeated) co_await file_import.read();
    if (file_import.outcome().outcome == IngestOutcome::applied) co_await file_import.preview();
    file_import.finish();
    co_return std::move(file_import.outcome());
}

}  // namespace drawbridge::pipeline
