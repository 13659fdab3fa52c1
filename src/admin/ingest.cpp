#include "ingest.hpp"

#include <fmt/format.h>

#include <ranges>
#include <sstream>
#include <utility>

#include "call.hpp"
#include "delivery_view.hpp"
#include "drawbridge/admin/reason.hpp"
#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/ledger/facts/resolutions.hpp"
#include "drawbridge/ledger/facts/staged_lines.hpp"
#include "drawbridge/nacha/return_codes.hpp"
#include "drawbridge/pipeline/ingest.hpp"
#include "drawbridge/pipeline/let_others_run.hpp"
#include "resolutions.hpp"

namespace drawbridge::admin {
namespace {

constexpr std::size_t lines_unless_told = 1000;
constexpr std::size_t max_lines = 20'000;
constexpr std::size_t lines_per_turn = 500;
constexpr std::size_t max_names = 20;

// Adds the meaning of the bank's return code to the match's detail.
std::string detail_of(const reconciliation::Match& match) {
    if (match.outcome != reconciliation::MatchOutcome::applied) return match.detail;
    const auto code = nacha::find_return_code(match.confirmation.reason_code, match.confirmation.note);
    if (!code || match.confirmation.kind != ConfirmationKind::returned) return match.detail;
    return match.detail + (match.detail.empty() ? "" : ": ") + std::string(code->meaning) + ": " +
           std::string(nacha::what_to_do(code->action));
}

// The likeliest payment of a line without an exact match, as in `exceptions`.
std::optional<records::Proposal> proposal_of(AdminContext& context, const reconciliation::Match& match,
                                             int& looked_up) {
    if (match.outcome != reconciliation::MatchOutcome::exception || looked_up == max_looked_up) return std::nullopt;
    ++looked_up;
    ledger::RecordedLine line;
    line.confirmation = match.confirmation;
    line.refused = true;
    const BusinessDate today = context.zone.date_of(context.clock.now());
    const auto found = ledger::proposals_for(context.ledger, line, context.zone, today, max_candidates_per_list);
    return found.empty() ? std::nullopt : std::optional(record_of(found.front()));
}

records::IngestedLine ingested_line(AdminContext& context, const reconciliation::Match& match, int& looked_up) {
    const auto& line = match.confirmation;
    std::optional<DrawId> draw;
    if (match.payment_id) draw = ledger::draw_of_payment(context.ledger, *match.payment_id);
    return {.line = line.line,
            .says = std::string(to_string(line.kind)),
            .payment_reference = line.payment_reference,
            .amount = line.amount,
            .currency = line.currency,
            .date = line.date,
            .bank_code = if_any(line.reason_code),
            .payee_name = if_any(line.payee_name),
            .outcome = std::string(reconciliation::to_string(match.outcome)),
            .reason_code = if_any(match.reason_code),
            .payment_id = payment_name(match.payment_id),
            .draw_id = draw,
            .detail = if_any(detail_of(match)),
            .proposal = proposal_of(context, match, looked_up)};
}

asio::awaitable<Answer> file_view(AdminContext& context, pipeline::FileOutcome outcome) {
    records::IngestedFile file{.fate = std::string(pipeline::to_string(outcome.outcome)),
                               .name = outcome.name,
                               .sha256 = if_any(outcome.sha256),
                               .size_bytes = outcome.size_bytes,
                               .format = if_any(outcome.format),
                               .recognized_by = if_any(outcome.recognized_by),
                               .profile = if_any(outcome.profile),
                               .bank_file_id = if_any(outcome.bank_file_id),
                               .date = outcome.date,
                               .line_count = outcome.line_count,
                               .nothing_came_back = outcome.nothing_came_back,
                               .applied = outcome.counts.applied,
                               .paid = outcome.counts.paid,
                               .returned = outcome.counts.returned,
                               .duplicates = outcome.counts.duplicates,
                               .exceptions = outcome.counts.exceptions,
                               .without_effect = outcome.counts.recorded,
                               .lines_left_out = outcome.line_count - static_cast<std::int64_t>(outcome.lines.size()),
                               .remarks = outcome.remarks,
                               .kept_in = if_any(outcome.kept_in)};
    int looked_up = 0;
    for (const auto& match : outcome.lines) {
        file.lines.push_back(ingested_line(context, match, looked_up));
        if (file.lines.size() % lines_per_turn == 0) co_await pipeline::let_others_run();
    }
    for (const auto& found : outcome.acknowledgments)
        file.acknowledgments.push_back(record_of(found));
    std::istringstream report(outcome.report);
    for (std::string problem; std::getline(report, problem);)
        file.problems.push_back(problem);
    co_return to_json(file);
}

struct IngestRequest {
    std::string name, profile, reason;
    std::size_t lines_wanted = lines_unless_told;
};

Result<IngestRequest> read_body(const json& body) {
    IngestRequest file;
    for (const auto& [key, into] :
         {std::pair("name", &file.name), {"profile", &file.profile}, {"reason", &file.reason}}) {
        const auto found = body.find(key);
        if (found == body.end() || found->is_null()) continue;
        if (!found->is_string()) return fail(ErrorCode::invalid_input, std::string("'") + key + "' must be a string");
        *into = found->get<std::string>();
    }
    if (!file.reason.empty()) {
        if (auto good = check_reason(file.reason); !good) return std::unexpected(good.error());
    }
    if (file.name.empty()) return fail(ErrorCode::invalid_input, "'name' is missing: send the file name");
    if (const auto limit = body.find("limit"); limit != body.end()) {
        if (!limit->is_number_unsigned() || limit->get<std::uint64_t>() > max_lines) {
            return fail(ErrorCode::invalid_input,
                        "'limit' must be a number of lines, at most " + std::to_string(max_lines));
        }
        file.lines_wanted = limit->get<std::size_t>();
    }
    return file;
}

// The hash of the file that was previewed first. A value that is not text matches no file.
std::optional<std::string> seen_sha256(const json& body) {
    const auto seen = body.find("sha256");
    if (seen == body.end()) return std::nullopt;
    return seen->is_string() ? seen->get<std::string>() : std::string();
}

// These are the bytes that were seen.
Result<void> check_seen(AdminContext& context, const std::string& upload, const json& body) {
    const auto seen = seen_sha256(body);
    if (!seen) return {};
    const auto held =
        context.shared.spool.open_upload_snapshot(upload, context.shared.config.confirmations.max_file_bytes);
    if (!held) return std::unexpected(held.error());
    if (*seen == held->sha256()) return {};
    return fail(ErrorCode::conflict, "the file's SHA-256 is " + held->sha256() +
                                         ": it is not the file that was previewed: preview it again");
}

std::vector<records::InboxFile> first_of(const std::vector<spool::UnreadyFile>& files) {
    std::vector<records::InboxFile> first;
    for (const auto& file : files | std::views::take(max_names))
        first.push_back({pipeline::shown_name(file.name), file.reason, file.changed_at});
    return first;
}

}  // namespace

Result<json> begin_upload(AdminContext& context, std::int64_t owner) {
    // A session of the console uploads without a signature: it must not fill the disk, and nobody's uploads may keep
    // another person from handing in a file.
    constexpr std::size_t max_open = 8;
    auto& spool = context.shared.spool;
    const auto open = spool.uploads_of(owner);
    for (std::size_t at = 0; at + max_open <= open.size(); ++at)
        spool.drop_upload(open[at]);
    return json{{"upload", spool.begin_upload(owner, context.clock.now())}};
}

Result<json> append_upload(AdminContext& context, const std::string& upload, std::uint64_t offset,
                           const std::string& bytes) {
    if (offset + bytes.size() > context.shared.config.confirmations.max_file_bytes) {
        context.shared.spool.drop_upload(upload);
        return fail(ErrorCode::invalid_input,
                    "the file has more than " + std::to_string(context.shared.config.confirmations.max_file_bytes) +
                        " bytes (confirmations.max_file_bytes): split it, or raise the limit");
    }
    if (auto appended = context.shared.spool.append_upload(upload, offset, bytes); !appended)
        return std::unexpected(appended.error());
    return json{{"size", offset + bytes.size()}};
}

asio::awaitable<Result<json>> preview(AdminContext& context, std::string upload, json body) {
    auto file = read_body(body);
    if (!file) co_return std::unexpected(file.error());
    pipeline::Context own(context.shared);
    if (auto known = pipeline::check_profile(own, file->profile); !known) co_return std::unexpected(known.error());
    auto outcome = co_await pipeline::preview_upload(own, upload, file->name, file->profile, file->lines_wanted);
    // A file that was taken before is not taken again.
    const bool is_known = outcome && outcome->outcome == pipeline::IngestOutcome::repeated;
    if (!outcome || is_known || !flag_in(body, "keep")) context.shared.spool.drop_upload(upload);
    if (!outcome) co_return std::unexpected(outcome.error());
    co_return co_await file_view(context, std::move(*outcome));
}

asio::awaitable<Result<json>> take(AdminContext& context, std::string upload, json body, ledger::Stamp by) {
    auto file = read_body(body);
    if (!file) co_return std::unexpected(file.error());
    pipeline::Context act(context.shared, by);
    if (auto known = pipeline::check_profile(act, file->profile); !known) {
        context.shared.spool.drop_upload(upload);
        co_return std::unexpected(known.error());
    }
    // Only then it is claimed: the confirm step imports every claimed file that it finds.
    const auto turn = co_await context.turn.take(std::string(to_string(Step::confirm)));
    if (!turn) co_return fail(ErrorCode::cancelled, "the daemon is stopping: hand the file in after its next start");
    co_await pipeline::keep_upload(act, upload, file->name, file->profile, seen_sha256(body));
    if (auto same = check_seen(context, upload, body); !same) co_return std::unexpected(same.error());
    auto claimed = context.shared.spool.claim_upload(upload, file->name, file->profile, by.at);
    if (!claimed) co_return std::unexpected(claimed.error());
    // From here on the file is imported, even if this request fails.
    context.ledger.transaction([&] {
        ledger::audit(context.ledger, by, "confirmation_file.handed_over", "file " + pipeline::shown_name(file->name),
                      file->reason.empty() ? std::string("no reason given") : file->reason);
    });
    auto outcome = co_await pipeline::import_file(act, std::move(*claimed), file->lines_wanted);
    if (!outcome) {
        context.program.log(Program::LogLevel::warning, "ingest: " + outcome.error().message);
        co_return std::unexpected(outcome.error());
    }
    if (!outcome->not_kept.empty()) outcome->remarks.push_back(outcome->not_kept);
    pipeline::Context own(context.shared);
    pipeline::follow_import(own);
    context.program.log(Program::LogLevel::info, fmt::format("ingest: {} by {}: {}", outcome->name, act.actor,
                                                             pipeline::to_string(outcome->outcome)));
    co_return co_await file_view(context, std::move(*outcome));
}

records::Inbox inbox(AdminContext& context) {
    const auto& shared = context.shared;
    const auto scan = shared.spool.scan_inbox(shared.config.confirmations.quiet_period, context.clock.now());
    return {.ready = scan.ready.size(),
            .waiting_count = scan.waiting.size(),
            .waiting = first_of(scan.waiting),
            .left_alone_count = scan.refused.size(),
            .left_alone = first_of(scan.refused),
            .in_hand = shared.spool.claimed().size()};
}

}  // namespace drawbridge::admin
