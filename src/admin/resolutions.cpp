#include "resolutions.hpp"

#include <charconv>

#include "drawbridge/domain/crash_point.hpp"
#include "drawbridge/domain/exception_catalog.hpp"
#include "drawbridge/ledger/reports/lists.hpp"

namespace drawbridge::admin {
namespace {

constexpr int max_candidates = 1000;

json line_view(const ledger::RecordedLine& line) {
    const auto& said = line.confirmation;
    json references = json::array();
    for (const auto& reference : said.references)
        references.push_back({{"kind", to_string(reference.kind)}, {"text", reference.text}});
    const auto payment = [](const std::optional<std::int64_t>& id) {
        return id ? json(disbursement::format_payment_id(*id)) : json(nullptr);
    };
    const auto text = [](const std::string& value) { return value.empty() ? json(nullptr) : json(value); };
    return {{"file", line.file},
            {"line", said.line},
            {"says", to_string(said.kind)},
            {"amount", said.amount.to_string()},
            {"currency", said.currency},
            {"date", format_date(said.date)},
            {"references", references},
            {"bank_code", text(said.reason_code)},
            {"payee_name", text(said.payee_name)},
            {"note", text(said.note)},
            {"payment_id", payment(line.payment_id)},
            {"matched_to", payment(line.matched_to)}};
}

std::vector<reconciliation::Proposal> proposals(AdminContext& context, const ledger::RecordedLine& line,
                                                int candidates) {
    const BusinessDate today = context.zone.date_of(context.clock.now());
    return ledger::proposals_for(context.ledger, line, context.zone, today, candidates);
}

Result<std::int64_t> payment_named(const std::string& text) {
    if (const auto id = disbursement::parse_payment_id(text)) return *id;
    std::int64_t id = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
    if (error == std::errc() && end == text.data() + text.size() && id > 0) return id;
    return fail(ErrorCode::invalid_input,
                "'" + text + "' is not a payment id: write it like P0000000123, as in 'drawbridge exception ID'");
}

}  // namespace

json proposal_view(const reconciliation::Proposal& proposal) {
    return {{"payment_id", proposal.payment_id_text},
            {"score", proposal.score},
            {"because", proposal.because},
            {"obstacle", proposal.obstacle.empty() ? json(nullptr) : json(proposal.obstacle)}};
}

json exceptions_view(AdminContext& context, const Page& page, const ExceptionsWanted& wanted) {
    int looked_up = 0;
    const auto with_proposal = [&](const ledger::ExceptionRow& row) {
        json one = view(context.ledger, row);
        one["proposal"] = nullptr;
        if (row.closed_at || row.what.step != "confirm" || looked_up >= max_looked_up) return one;
        const auto line = ledger::line_of_exception(context.ledger, row.exception_id);
        if (!line || !line->refused) return one;
        ++looked_up;
        const auto found = proposals(context, *line, max_candidates_per_list);
        if (!found.empty()) one["proposal"] = proposal_view(found.front());
        return one;
    };
    const ledger::ExceptionFilter filter{wanted.reason_code, wanted.step, page.after, page.wanted()};
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
    json answer = {{"exception", view(context.ledger, *row)}, {"line", nullptr}, {"proposals", json::array()}};
    const auto* const kind = find_exception_kind(row->what.reason_code, row->what.step);
    answer["exception"]["meaning"] = kind != nullptr ? json(kind->meaning) : json(nullptr);
    answer["exception"]["resolve_does"] = kind != nullptr ? json(kind->resolve_does) : json(nullptr);
    const auto line = ledger::line_of_exception(context.ledger, exception_id);
    if (!line) return answer;
    answer["line"] = line_view(*line);
    if (row->closed_at) return answer;
    for (const auto& proposal : proposals(context, *line, max_candidates))
        answer["proposals"].push_back(proposal_view(proposal));
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
    return json{{"exception", view(context.ledger, *closed)}};
}

Result<json> undo(AdminContext& context, const ledger::Resolution& what, const ledger::Stamp& stamp) {
    const auto opened =
        context.ledger.transaction([&] { return ledger::undo_resolution(context.ledger, what, stamp); });
    if (!opened) return std::unexpected(opened.error());
    crash_point("resolve.committed");
    return json{{"undone", what.exception_id}, {"exception", view(context.ledger, *opened)}};
}

}  // namespace drawbridge::admin
