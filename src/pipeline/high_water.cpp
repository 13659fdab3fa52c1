#include "drawbridge/pipeline/high_water.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/exports.hpp"
#include "drawbridge/ledger/store/traces.hpp"
#include "drawbridge/ledger/store/witness.hpp"
#include "drawbridge/pipeline/let_others_run.hpp"
#include "drawbridge/pipeline/worker.hpp"
#include "drawbridge/reconciliation/manifest.hpp"

namespace drawbridge::pipeline {
namespace {

namespace fs = std::filesystem;

constexpr const char* ledger_file = "ledger.db";
constexpr std::string_view witness_subject = "ledger.witness";

struct Backup {
    std::string file;
    ledger::HighWaterMark position;
};

// Those that are readable, and of this ledger.
std::vector<Backup> backups_of(const std::vector<fs::path>& files, const std::string& ledger_id) {
    std::vector<Backup> backups;
    for (const auto& file : files) {
        if (auto position = ledger::position_of_backup(file, ledger_id))
            backups.push_back({file, *std::move(position)});
    }
    return backups;
}

// Starts a restoration if the ledger lacks the recorded position.
void check_trace(Context& context, const std::string& source, const ledger::HighWaterMark& mark) {
    if (ledger::knows_position(context.ledger, mark)) return;
    context.ledger.transaction(
        [&] { ledger::begin_restoration_by_trace(context.ledger, source, mark, context.stamp()); });
}

// The ledgers of the folders beside it: the state folder may have been copied and used there, and this is the one that
// was left behind.
std::vector<fs::path> ledgers_beside(const fs::path& state_dir) {
    std::vector<fs::path> files;
    std::error_code unreadable;
    for (const auto& folder : ledger::folders_beside(state_dir)) {
        auto file = folder / ledger_file;
        if (!fs::equivalent(folder, state_dir, unreadable) && fs::is_regular_file(file, unreadable))
            files.push_back(std::move(file));
    }
    return files;
}

std::string source_of(const Backup& found) {
    const bool is_ledger = fs::path(found.file).filename() == ledger_file;
    return (is_ledger ? "the ledger " : "the backup ") + found.file;
}

// All of them: a name says nothing about what a backup holds, because people choose names, and clocks jump.
asio::awaitable<void> check_backups(Context& context) {
    if (context.disk == nullptr) co_return;
    const auto timeout = context.config.ledger.witness.timeout;
    // A thread of their own: a folder that never answers must not keep the witness waiting.
    Worker worker(Worker::AtEnd::leave);
    std::function<std::vector<fs::path>()> list = [folder = context.config.backup.folder,
                                                   state_dir = context.config.state_dir] {
        auto files = ledgers_beside(state_dir);
        if (!folder.empty()) std::ranges::move(ledger::possible_backups(folder), std::back_inserter(files));
        return files;
    };
    // The backup step reports a folder that does not answer. A backup is a trace only if it can be read.
    const auto files = co_await worker.call(std::move(list), timeout);
    if (!files) co_return;
    constexpr std::size_t files_at_once = 10;
    std::vector<Backup> lost;
    for (std::size_t from = 0; from < files->size(); from += files_at_once) {
        const auto end = std::min(files->size(), from + files_at_once);
        std::function<std::vector<Backup>()> read =
            [some = std::vector(files->begin() + static_cast<std::ptrdiff_t>(from),
                                files->begin() + static_cast<std::ptrdiff_t>(end)),
             ledger_id = context.ledger.ledger_id()] { return backups_of(some, ledger_id); };
        auto found = co_await worker.call(std::move(read), timeout);
        if (!found) break;
        for (auto& backup : *found) {
            if (!ledger::knows_position(context.ledger, backup.position)) lost.push_back(std::move(backup));
        }
    }
    // The restoration names the newest.
    std::ranges::sort(lost, std::ranges::greater{}, [](const Backup& one) { return one.position.audit_seq; });
    for (const auto& backup : lost)
        check_trace(context, source_of(backup), backup.position);
}

std::optional<reconciliation::ManifestEntry> newest_of(std::vector<reconciliation::ManifestEntry> entries,
                                                       const std::string& ledger_id) {
    std::erase_if(entries,
                  [&](const reconciliation::ManifestEntry& entry) { return entry.line.ledger_id != ledger_id; });
    if (entries.empty()) return std::nullopt;
    return *std::ranges::max_element(entries, {},
                                     [](const reconciliation::ManifestEntry& entry) { return entry.line.export_no; });
}

// Reads only the lines that the ledger does not know: a line may have 50,000 payments.
asio::awaitable<void> check_manifests(Context& context) {
    std::unordered_set<std::string> known;
    for (auto& sent : ledger::sent_exports(context.ledger))
        known.insert(std::move(sent.line_sha256));
    reconciliation::ManifestContents unknown;
    auto lines = context.spool.manifest_lines();
    while (auto line = lines.next()) {
        if (!known.contains(reconciliation::line_hash(line->text))) {
            reconciliation::read_manifest_line(std::move(line->place), line->text, reconciliation::WithPayments::no,
                                               unknown);
        }
        co_await let_others_run();
    }
    // Whatever its number: since a rollback, this ledger may have released as many files of its own.
    const auto newest = newest_of(std::move(unknown.entries), context.ledger.ledger_id());
    if (!newest) co_return;
    ledger::HighWaterMark mark;
    mark.audit_seq = newest->line.audit_seq;
    mark.audit_head = newest->line.audit_head;
    mark.export_no = newest->line.export_no;
    mark.next = newest->line.next;
    check_trace(context, "the manifest " + newest->place, mark);
}

// Once per start, because it reads every manifest.
asio::awaitable<void> check_once(Context& context) {
    if (context.memory.traces_checked) co_return;
    co_await check_manifests(context);
    co_await check_backups(context);
    context.memory.traces_checked = true;
}

// Where one is configured.
const std::filesystem::path& witness_of(const Context& context) {
    return *context.config.ledger.witness.folder;
}

Error witness_failed(Context& context, const Error& why) {
    const std::string detail = "the witness cannot be used: " + why.message + ". Nothing is sent until it can";
    context.ledger.transaction([&] {
        ledger::raise_exception(
            context.ledger,
            {"pay", "witness_unreachable", std::nullopt, std::nullopt, std::string(witness_subject), detail},
            context.stamp());
    });
    return {ErrorCode::unavailable, detail};
}

asio::awaitable<Result<std::string>> read_witness(Context& context) {
    std::function<Result<std::string>()> work = [folder = witness_of(context), ledger_id = context.ledger.ledger_id()] {
        return ledger::read_witness(folder, ledger_id);
    };
    const auto read = co_await context.disk->call(std::move(work), context.config.ledger.witness.timeout);
    if (read) co_return *read;
    co_return fail(read.error().code, witness_of(context).string() + ": " + read.error().message);
}

asio::awaitable<Result<void>> write_witness(Context& context, std::string text) {
    std::function<Result<void>()> work = [folder = witness_of(context), ledger_id = context.ledger.ledger_id(),
                                          text = std::move(text)] {
        return ledger::write_witness(folder, ledger_id, text);
    };
    const auto written = co_await context.disk->call(std::move(work), context.config.ledger.witness.timeout);
    if (written) co_return *written;
    co_return fail(written.error().code, witness_of(context).string() + ": " + written.error().message);
}

void close_witness_exception(Context& context) {
    context.ledger.transaction([&] {
        ledger::close_exceptions_of_subject(context.ledger, witness_subject, "the witness can be used again",
                                            context.stamp());
    });
}

Result<void> require_comparison(Context& context) {
    const auto restoration = ledger::open_restoration(context.ledger);
    if (!restoration || restoration->compared_at) return {};
    return fail(ErrorCode::conflict, "the ledger may be an older copy: " + restoration->detail +
                                         ": nothing is sent until it is compared and a person runs 'drawbridge "
                                         "resume --reason …'");
}

// The position in the witness must be in the audit trail before it is overwritten.
asio::awaitable<Result<void>> update_witness(Context& context) {
    const auto seen = co_await read_witness(context);
    if (!seen) co_return std::unexpected(witness_failed(context, seen.error()));
    const auto mark = ledger::parse_high_water_mark(*seen);
    if (!mark) {
        Error unreadable = mark.error();
        unreadable.message = witness_of(context).string() + ": its mark cannot be read: " + unreadable.message +
                             ": remove it and run 'drawbridge witness init'";
        co_return std::unexpected(witness_failed(context, unreadable));
    }
    check_trace(context, "the witness " + witness_of(context).string(), *mark);
    auto compared = require_comparison(context);
    if (!compared) co_return compared;
    auto text = ledger::high_water_mark_text(context.ledger);
    if (*seen != text) {
        const auto written = co_await write_witness(context, std::move(text));
        if (!written) co_return std::unexpected(witness_failed(context, written.error()));
        if (mark->audit_seq == 0) {
            context.ledger.transaction([&] {
                ledger::audit(context.ledger, context.stamp(), "witness.begun", "witness",
                              witness_of(context).string());
            });
        }
        crash_point("keep.witness_written");
    }
    close_witness_exception(context);
    co_return Result<void>();
}

}  // namespace

reconciliation::ManifestContents read_manifests(const spool::Spool& spool, reconciliation::WithPayments with) {
    reconciliation::ManifestContents contents;
    auto lines = spool.manifest_lines();
    while (auto line = lines.next())
        reconciliation::read_manifest_line(std::move(line->place), line->text, with, contents);
    return contents;
}

std::optional<reconciliation::ManifestEntry> newest_manifest_entry(const spool::Spool& spool,
                                                                   const std::string& ledger_id) {
    auto reading = read_manifests(spool, reconciliation::WithPayments::no);
    return newest_of(std::move(reading.entries), ledger_id);
}

asio::awaitable<Result<void>> check_traces(Context& context) {
    co_await check_once(context);
    if (context.config.ledger.witness.folder) co_return co_await update_witness(context);
    co_return require_comparison(context);
}

asio::awaitable<Result<void>> record_high_water_mark(Context& context) {
    const auto checked = co_await check_traces(context);
    if (!checked) co_return checked;
    ledger::write_high_water_mark(context.ledger);
    co_return Result<void>();
}

}  // namespace drawbridge::pipeline
