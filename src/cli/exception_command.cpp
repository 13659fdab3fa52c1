// `exception` and `resolve`: shows an exception, resolves it, or undoes the resolution.
#include "call_api.hpp"
#include "commands.hpp"
#include "drawbridge/app/programs.hpp"
#include "show.hpp"
#include "table.hpp"

namespace drawbridge::cli {
namespace {

void show_line(const records::BankLine& line) {
    print_line("");
    print_line("  the line:   " + plain(line.says) + " " + money(line.amount) +
               (line.currency == "USD" ? "" : " " + plain(line.currency)) + " on " + plain(line.date) + ", " +
               plain(line.file) + " line " + plain(line.line));
    for (const auto& reference : line.references)
        print_line("  reference:  " + plain(reference.text) + " (" + plain(reference.kind) + ")");
    if (line.payee_name) print_line("  payee:      " + plain(line.payee_name));
    if (line.bank_code) print_line("  code:       " + plain(line.bank_code));
    if (line.note) print_line("  note:       " + plain(line.note));
    if (line.matched_to) print_line("  matched to: " + plain(line.matched_to) + ", by a person");
}

void show_proposals(const std::vector<records::Proposal>& proposals, const std::string& id) {
    if (proposals.empty()) return;
    print_line("");
    Table table({{"MAY BE", Align::left}, {"SCORE", Align::right}, {"BECAUSE", Align::left}});
    bool any = false;
    for (const auto& proposal : proposals) {
        std::string because;
        for (const auto& reason : proposal.because)
            because += (because.empty() ? "" : "; ") + plain(reason);
        if (proposal.obstacle) because += "; but it cannot be applied: " + plain(proposal.obstacle);
        any = any || !proposal.obstacle;
        table.add({plain(proposal.payment_id), plain(proposal.score), because});
    }
    table.print();
    if (any) print_line("\nto apply the line: drawbridge resolve " + id + " --match PAYMENT --reason …");
}

}  // namespace

int exception_command(const Options& options) {
    const auto answer = call_api(options, "GET", "/exceptions/" + std::to_string(options.id));
    if (!answer) return answer.error();
    if (options.json) {
        print_json(*answer);
        return app::exit_ok;
    }
    const auto row = api::from_json<records::Exception>((*answer)["exception"]);
    const std::string id = plain(row.id);
    const bool is_known = row.title.has_value();
    print_line("exception " + id + ": " + (is_known ? plain(row.title) + ": " : "") + plain(row.reason_code) + " (" +
               plain(row.step) + "), opened " + moment(row.opened_at));
    if (row.draw_id) print_line("  draw:       " + plain(row.draw_id));
    if (row.amount) print_line("  amount:     " + money(row.amount));
    if (row.subject) print_line("  about:      " + plain(row.subject));
    print_line("  " + plain(row.detail));
    if (row.closed_at) {
        print_line("  closed " + moment(row.closed_at) + " by " + plain(row.closed_by) + ": " +
                   plain(row.closed_reason));
    }
    if (is_known) {
        print_line("");
        print_line("  means:      " + plain(row.meaning.value()));
        print_line("  what to do: " + plain(row.what_to_do));
        print_line("  resolve:    " + plain(row.resolve_does.value()));
    }
    if (const auto line = api::from_json<std::optional<records::BankLine>>((*answer)["line"])) show_line(*line);
    show_proposals(records_in<records::Proposal>((*answer)["proposals"]), id);
    return app::exit_ok;
}

namespace {

int resolve_together(const Options& options) {
    std::vector<std::int64_t> ids = options.ids;
    ids.insert(ids.begin(), options.id);
    const auto message = [&](const json&) {
        return std::to_string(ids.size()) + " exceptions closed: " + options.reason;
    };
    return act(options, "/exceptions/resolve", message, {{"ids", ids}});
}

}  // namespace

int resolve_command(const Options& options) {
    if (!options.ids.empty()) return resolve_together(options);
    if (options.reissue) return reissue_command(options);
    if (options.by_hand || options.again) return deliver_command(options);
    const std::string target = "/exceptions/" + std::to_string(options.id);
    if (options.undo) {
        return act(options, target + "/undo", [&](const json& answer) {
            return "exception " + std::to_string(options.id) + ": the resolution is undone; it is open again as " +
                   plain(answer["exception"]["id"]);
        });
    }
    const auto message = [](const json& answer) {
        const auto& closed = answer["exception"];
        return "exception " + plain(closed["id"]) + " closed by " + plain(closed["closed_by"]) + ": " +
               plain(closed["closed_reason"]);
    };
    return act(options, target + "/resolve", message,
               options.match.empty() ? json::object() : json{{"match", options.match}});
}

}  // namespace drawbridge::cli
