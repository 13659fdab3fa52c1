#include "resolutions.hpp"

#include <charconv>

#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/domain/exception_catalog.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"

namespace drawbridge::admin {
namespace {

constexpr int max_candidates = 1000;

records::BankLine bank_line(const ledger::RecordedLine& line) {
    const auto& said = line.confirmation;
    records::BankLine record{.file = line.file,
                             .line = said.line,
                             .says = std::string(to_string(said.kind)),
                             .amount = said.amount,
                             .currency = said.currency,
                             .date = said.date,
                             .bank_code = if_any(said.reason_code),
                             .payee_name = if_any(said.payee_name),
                             .note = if_any(said.note),
                             .payment_id = payment_name(line.payment_id),
                             .matched_to = payment_name(line.matched_to)};
    for (const auto& reference : said.references)
        record.references.push_back({.kind = std::string(to_string(reference.kind)), .text = reference.text});
    return record;
}

std::vector<reconciliation::Proposal> proposals(AdminContext& context, const ledger::RecordedLine& line,
                                                int candidates) {
    const BusinessDate today = context.zone.date_of(context.clock.now());
    return ledger::proposals_for(context.ledger, line, context.zone, today, candidates);
}

}  // namespace

Result<std::int64_t> payment_named(const std::string& text) {
    if (const auto id = disbursement::parse_payment_id(text)) return *id;
    std::int64_t id = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
    if (error == std::errc() && end == text.data() + text.size() && id > 0) return id;
    return fail(ErrorCode::invalid_input,
                "'" + text + "' is not a payment id: write it like P0000000123, as in 'drawbridge exception ID'");
}

records::Proposal record_of(const reconciliation::Proposal& proposal) {
    return {.payment_id = proposal.payment_id_text,
            .score = proposal.score,
            .because = proposal.because,
            .obstacle = if_any(proposal.obstacle)};
}

namespace {

// Looks up a limited number of lines, and counts them in `looked_up`.
std::optional<records::Proposal> likeliest_proposal(AdminContext& context, const ledger::ExceptionRow& row,
                                                    int& looked_up) {
    if (row.closed_at || row.what.step != "confirm" || looked_up >= max_looked_up) return std::nullopt;
    const auto line = ledger::line_of_exception(context.ledger, row.exception_id);
    if (!line || !line->refused) return std::nullopt;
    ++looked_up;
    const auto found = proposals(context, *line, max_candidates_per_list);
    return found.empty() ? std::nullopt : std::optional(record_of(found.front()));
}

}  // namespace

json exceptions_view(AdminContext& context, const Page& page, const ExceptionsWanted& wanted) {
    int looked_up = 0;
    const auto with_proposal = [&](const ledger::ExceptionRow& row) {
        auto one = record_of(context.ledger, row);
        one.proposal = likeliest_proposal(context, row, looked_up);
        return to_json(one);
    };
    ledger::ExceptionFilter filter{
        .reason_code = wanted.reason_code, .step = wanted.step, .after = page.after, .limit = page.wanted()};
    if (wanted.closed_on) {
        const auto midnight = std::chrono::minutes(0);
        filter.closed_from = context.zone.to_instant(*wanted.closed_on, midnight);
        filter.closed_before =
            context.zone.to_instant(std::chrono::sys_days(*wanted.closed_on) + std::chrono::days(1), midnight);
    }
    auto rows = wanted.open ? ledger::list_open_exceptions(context.ledger, filter)
                            : ledger::list_closed_exceptions(context.ledger, filter);
    json answer = page_view<ledger::ExceptionRow>("exceptions", std::move(rows), page, with_proposal,
                                                  [](const auto& row) { return row.exception_id; });
    if (page.with_total) answer["total"] = ledger::count_exceptions(context.ledger, wanted.open, filter);
    return answer;
}

Result<json> exception_view(AdminContext& context, std::int64_t exception_id) {
    const auto row = ledger::find_exception(context.ledger, exception_id);
    if (!row) {
        return fail(ErrorCode::not_found,
                    "no exception " + std::to_string(exception_id) + ": 'drawbridge exceptions' lists the open ones");
    }
    auto record = record_of(context.ledger, *row);
    const auto* const kind = find_exception_kind(row->what.reason_code, row->what.step);
    record.meaning = kind != nullptr ? std::optional<std::string>(kind->meaning) : std::nullopt;
    record.resolve_does = kind != nullptr ? std::optional<std::string>(kind->resolve_does) : std::nullopt;
    json answer = {{"exception", to_json(record)}, {"line", nullptr}, {"proposals", json::array()}};
    const auto line = ledger::line_of_exception(context.ledger, exception_id);
    if (!line) return answer;
    answer["line"] = to_json(bank_line(*line));
    if (row->closed_at) return answer;
    for (const auto& proposal : proposals(context, *line, max_candidates))
        answer["proposals"].push_back(to_json(record_of(proposal)));
    return answer;
}

Result<json> resolve(AdminContext& context, const ledger::Resolution& what, const std::string& match,
                     const ledger::Stamp& stamp) {
    Result<ledger::ExceptionRow> closed = fail(ErrorCode::invalid_input, "");
    if (match.empty()) {
        closed = context.ledger.transaction(
            [&] { return ledger::close_exception(context.ledger, what.exception_id, what.reason, stamp); });
    } else {
        const auto payment = payment_named(match);
        if (!payment) return std::unexpected(payment.error());
        closed = context.ledger.transaction(
            [&] { return ledger::match_line(context.ledger, what, *payment, context.zone, stamp); });
    }
    if (!closed) return std::unexpected(closed.error());
    crash_point("resolve.committed");
    return json{{"exception", to_json(record_of(context.ledger, *closed))}};
}

Result<json> undo(AdminContext& context, const ledger::Resolution& what, const ledger::Stamp& stamp) {
    const auto opened =
        context.ledger.transaction([&] { return ledger::undo_resolution(context.ledger, what, stamp); });
    if (!opened) return std::unexpected(opened.error());
    crash_point("resolve.committed");
    return json{{"undone", what.exception_id}, {"exception", to_json(record_of(context.ledger, *opened))}};
}

}  // namespace drawbridge::admin
