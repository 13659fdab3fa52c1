#include "reads.hpp"

#include "drawbridge/ledger/reports/audit_list.hpp"
#include "page.hpp"

namespace drawbridge::admin {
namespace {

json audit_entry_view(AdminContext& context, PeopleNames& names, const ledger::JournalEntry& entry) {
    const auto about = ledger::references_of(context.ledger, entry);
    const std::string& name = names.of(entry.actor);
    return to_json(records::AuditEntry{.seq = entry.seq,
                                       .at = entry.at,
                                       .actor = entry.actor,
                                       .person = if_any(name == entry.actor ? "" : name),
                                       .action = entry.action,
                                       .subject = entry.subject,
                                       .detail = entry.detail,
                                       .draw_id = about.draw_id,
                                       .payment_id = if_any(about.payment_id),
                                       .file = if_any(about.file_name)});
}

}  // namespace

Answer get_audit(AdminContext& context, const Call& call) {
    Page page;
    ledger::AuditFilter filter;
    for (const auto& [key, value] : call.query) {
        if (key == "actor") {
            filter.actor = value;
        } else if (key == "action") {
            filter.action = value;
        } else if (key == "subject") {
            filter.subject = value;
        } else {
            const auto taken = read_page_parameter(page, key, value);
            if (!taken) return std::unexpected(taken.error());
            if (!*taken) return fail(ErrorCode::invalid_input, "unknown parameter '" + key + "'");
        }
    }
    const bool is_filtered = !filter.actor.empty() || !filter.action.empty() || !filter.subject.empty();
    if (page.with_total && is_filtered)
        return fail(ErrorCode::invalid_input, "parameter 'total' counts the whole trail: leave it out, or the filters");
    filter.before = page.after;
    filter.limit = page.limit;
    const auto found = ledger::list_audit(context.ledger, filter);
    json entries = json::array();
    PeopleNames names(context.ledger);
    for (const auto& entry : found.entries)
        entries.push_back(audit_entry_view(context, names, entry));
    json answer = {{"audit", std::move(entries)}, {"next_after", to_json(found.next_before)}};
    if (page.with_total) answer["total"] = ledger::count_audit(context.ledger);
    return answer;
}

}  // namespace drawbridge::admin
