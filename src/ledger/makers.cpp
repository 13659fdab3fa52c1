#include "drawbridge/ledger/makers.hpp"

#include "connection.hpp"

namespace drawbridge::ledger {
namespace {

// Of what is in the file, this person ordered something.
bool ordered_in(Ledger& ledger, FileId file_id, const std::string& actor) {
    Query query(ledger,
                "SELECT 1 FROM check_order_line l JOIN check_order o ON o.order_id = l.order_id "
                "WHERE l.file_id = ? AND o.ordered_by = ?",
                file_id, actor);
    return query.next();
}

}  // namespace

Result<void> check_may_release(Ledger& ledger, const FileRow& file, const Stamp& stamp) {
    if (!stamp.actor.starts_with("uid ")) return {};
    if (stamp.actor == file.started_by) {
        return fail(ErrorCode::forbidden,
                    file.name + " was started by " + file.started_by + ": a second person must release it");
    }
    if (ordered_in(ledger, file.file_id, stamp.actor)) {
        return fail(ErrorCode::forbidden, file.name + " carries what you ordered: a second person must release it");
    }
    return {};
}

}  // namespace drawbridge::ledger
