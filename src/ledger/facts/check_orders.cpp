#include "drawbridge/ledger/facts/check_orders.hpp"

#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/sent_before.hpp"
#include "facts/payment_row.hpp"
#include "facts/settle.hpp"

namespace drawbridge::ledger {
namespace {

using checks::CheckAction;

std::string check_name(std::int64_t check_number) {
    return "check " + std::to_string(check_number);
}

std::string payment_subject(std::int64_t payment_id) {
    return "payment " + disbursement::format_payment_id(payment_id);
}

// The outcome that the payment already has, at the bank or here: "it was paid on 2026-03-04"; empty: none.
std::string end_of(Ledger& ledger, std::int64_t payment_id) {
    {
        Query query(ledger, "SELECT kind, confirmed_on FROM payment_settlement WHERE payment_id = ? ORDER BY kind",
                    payment_id);
        if (query.next()) {
            const auto [kind, on] = query.row<std::string, std::string>();
            return "the bank reports it as " + kind + " on " + on;
        }
    }
    Query query(ledger, "SELECT 1 FROM payment WHERE payment_id = ? AND ended_at IS NOT NULL", payment_id);
    return query.next() ? "its payment has ended" : "";
}

struct FoundCheck {
    std::int64_t payment_id = 0, file_id = 0;
    std::string file_name;
    bool sent = false, voided = false;
};

Result<FoundCheck> find_check(Ledger& ledger, std::int64_t check_number) {
    Query query(ledger,
                R"sql(
        SELECT p.payment_id, f.file_id, f.name, NOT EXISTS (SELECT 1 FROM unsent_file u WHERE u.file_id = f.file_id),
            f.voided_at IS NOT NULL
        FROM payment p
        JOIN payment_file f ON f.file_id = p.file_id
        WHERE p.check_number = ?)sql",
                check_number);
    auto found = query.first<FoundCheck>();
    if (!found) return fail(ErrorCode::not_found, no_check_named(ledger, check_number));
    return *std::move(found);
}

struct LiveOrder {
    std::int64_t order_id = 0;
    std::string action, ordered_by, file_name;  // of a file that is not voided; empty: none
    bool transmitted = false;
};

std::optional<LiveOrder> live_order(Ledger& ledger, std::int64_t payment_id) {
    Query query(ledger,
                R"sql(
        SELECT o.order_id, o.action, o.ordered_by, (SELECT f.name FROM check_order_line l
            JOIN payment_file f ON f.file_id = l.file_id WHERE l.order_id = o.order_id AND f.voided_at IS NULL),
            o.transmitted_at IS NOT NULL
        FROM check_order o
        WHERE o.payment_id = ? AND o.withdrawn_at IS NULL)sql",
                payment_id);
    return query.first<LiveOrder>();
}

void withdraw(Ledger& ledger, std::int64_t order_id, std::string_view reason, const Stamp& stamp) {
    Query(ledger, "UPDATE check_order SET withdrawn_at = ?, withdrawn_by = ?, withdrawn_reason = ? WHERE order_id = ?",
          stamp.at, stamp.actor, reason, order_id)
        .run();
}

disbursement::CheckProfile issued_profile(Ledger& ledger, std::int64_t file_id) {
    const auto profile = profile_of(ledger, file_id);
    const auto* check = std::get_if<disbursement::CheckProfile>(&profile);
    DRAWBRIDGE_ASSERT(check != nullptr, "a check file was stored with its profile: run 'drawbridge verify'");
    return *check;
}

struct Transmitted {
    std::int64_t order_id = 0, payment_id = 0, check_number = 0;
    DrawId draw_id = 0;
    CheckAction action = CheckAction::void_check;
    Money amount;
};

// A person decides whether the draw is paid again.
void raise_transmitted(Ledger& ledger, const Transmitted& order, const std::string& file, const std::string& obstacle,
                       const Stamp& stamp) {
    const std::string check = check_name(order.check_number) + " of " + order.amount.to_display();
    const bool stop = order.action == CheckAction::stop;
    ExceptionDetails what{"pay", stop ? "check_stopped" : "check_voided", order.draw_id, order.payment_id, "", ""};
    if (obstacle.empty()) {
        what.detail = check + (stop ? " was stopped" : " was voided") + " with " + file +
                      ": decide whether the draw is paid again";
    } else {
        what.reason_code = "check_order_too_late";
        what.detail = check + ": " + file + " with the order to " + std::string(checks::to_string(order.action)) +
                      " it has gone out, but " + obstacle + ": ask the bank which one applies";
    }
    raise_exception(ledger, what, stamp);
}

}  // namespace

Result<disbursement::CheckProfile> check_profile_of(Ledger& ledger, std::int64_t check_number) {
    const auto check = find_check(ledger, check_number);
    if (!check) return std::unexpected(check.error());
    return issued_profile(ledger, check->file_id);
}

Result<void> order_check(Ledger& ledger, std::int64_t check_number, CheckAction action, std::string_view reason,
                         const Stamp& stamp) {
    assert_in_transaction(ledger);
    DRAWBRIDGE_ASSERT(action != CheckAction::issue, "a check is issued by paying");
    const auto check = find_check(ledger, check_number);
    if (!check) return std::unexpected(check.error());
    const std::string name = check_name(check_number);
    if (check->voided) {
        return fail(ErrorCode::conflict,
                    name + " never went out: its file " + check->file_name + " was voided before release");
    }
    if (!check->sent) {
        return fail(ErrorCode::conflict, name + " has not gone out yet: void its file " + check->file_name +
                                             " instead, and its draws are paid again");
    }
    if (const auto order = live_order(ledger, check->payment_id)) {
        return fail(ErrorCode::conflict, "a " + order->action + " of " + name + " was ordered by " + order->ordered_by +
                                             (order->file_name.empty() ? "" : " and is in " + order->file_name));
    }
    if (const auto end = end_of(ledger, check->payment_id); !end.empty()) {
        return fail(ErrorCode::conflict, name + " cannot be voided or stopped: " + end);
    }
    const auto draw = draw_of(ledger, check->payment_id);
    DRAWBRIDGE_ASSERT(draw.has_value(), "a check pays a draw");
    if (auto left = check_leaves_releaser_of_order(ledger, *draw, stamp); !left) return left;
    Query(ledger, "INSERT INTO check_order (payment_id, action, ordered_at, ordered_by, reason) VALUES (?, ?, ?, ?, ?)",
          check->payment_id, checks::to_string(action), stamp.at, stamp.actor, reason)
        .run();
    record_maker_act(ledger, MakerAct::ordered_check, {.draw = draw}, stamp);
    audit(ledger, stamp, "check." + std::string(checks::to_string(action)) + "_ordered",
          payment_subject(check->payment_id), name + ": " + std::string(reason));
    return {};
}

Result<void> withdraw_check_order(Ledger& ledger, std::int64_t check_number, std::string_view reason,
                                  const Stamp& stamp) {
    assert_in_transaction(ledger);
    const auto check = find_check(ledger, check_number);
    if (!check) return std::unexpected(check.error());
    const std::string name = check_name(check_number);
    const auto order = live_order(ledger, check->payment_id);
    if (!order) return fail(ErrorCode::conflict, name + " has no order to withdraw");
    if (order->transmitted) {
        return fail(ErrorCode::conflict,
                    "the " + order->action + " of " + name + " has gone to the bank in " + order->file_name);
    }
    if (!order->file_name.empty()) {
        return fail(ErrorCode::conflict,
                    "the " + order->action + " of " + name + " is in " + order->file_name + ": void that file first");
    }
    withdraw(ledger, order->order_id, reason, stamp);
    audit(ledger, stamp, "check.order_withdrawn", payment_subject(check->payment_id),
          name + ", " + order->action + ": " + std::string(reason));
    return {};
}

std::vector<OpenCheckOrder> open_check_orders(Ledger& ledger) {
    struct Row {
        std::int64_t order_id = 0, payment_id = 0, file_id = 0;
        CheckAction action = CheckAction::void_check;
        std::string ordered_by;
    };
    std::vector<Row> rows;
    {
        Query query(ledger,
                    R"sql(
            SELECT o.order_id, o.payment_id, p.file_id, o.action, o.ordered_by
            FROM check_order o
            JOIN payment p ON p.payment_id = o.payment_id
            WHERE o.withdrawn_at IS NULL AND o.transmitted_at IS NULL
                AND NOT EXISTS (SELECT 1 FROM check_order_line l JOIN payment_file f ON f.file_id = l.file_id
                WHERE l.order_id = o.order_id AND f.voided_at IS NULL)
            ORDER BY o.order_id)sql");
        rows = query.records<Row>();
    }
    std::vector<OpenCheckOrder> orders;
    orders.reserve(rows.size());
    for (const Row& row : rows) {
        disbursement::CheckOrder order{row.order_id, load_payment(ledger, row.payment_id),
                                       issued_profile(ledger, row.file_id)};
        order.payment.check_action = row.action;
        orders.push_back({std::move(order), row.ordered_by, end_of(ledger, row.payment_id)});
    }
    return orders;
}

void withdraw_overtaken(Ledger& ledger, const OpenCheckOrder& order, const Stamp& stamp) {
    assert_in_transaction(ledger);
    const auto& payment = order.order.payment;
    const std::string name = check_name(*payment.check_number);
    const std::string action(checks::to_string(payment.check_action));
    withdraw(ledger, order.order.order_id, order.overtaken_by, stamp);
    audit(ledger, stamp, "check.order_withdrawn", payment_subject(payment.payment_id),
          name + ", " + action + ": " + order.overtaken_by);
    raise_exception(ledger,
                    {"pay", "check_order_overtaken", payment.draw_id, payment.payment_id, "",
                     "the " + action + " of " + name + " that " + order.ordered_by +
                         " ordered was not sent to the bank: " + order.overtaken_by},
                    stamp);
}

void record_check_order_files(Ledger& ledger, const disbursement::CheckOrderPlan& plan, const Stamp& stamp) {
    assert_in_transaction(ledger);
    for (const auto& planned : plan.files) {
        const auto file_id =
            insert_file_row(ledger, planned.file, disbursement::to_json(planned.profile), stamp.at, stamp);
        std::int64_t position = 0;
        for (const auto order_id : planned.order_ids) {
            Query(ledger, "INSERT INTO check_order_line (file_id, position, order_id) VALUES (?, ?, ?)", file_id,
                  ++position, order_id)
                .run();
        }
        record_makers_of_check_orders(ledger, file_id);
        audit_planned(ledger, file_id, payments_digest(ledger, file_id), stamp);
    }
    set_next_number(ledger, "file_sequence", plan.next_file_sequence);
}

void transmit_check_orders(Ledger& ledger, FileId file_id, const Stamp& stamp) {
    assert_in_transaction(ledger);
    std::vector<Transmitted> orders;
    {
        Query query(ledger,
                    R"sql(
            SELECT o.order_id, p.payment_id, p.check_number, p.draw_id, o.action, p.amount_cents
            FROM check_order_line l
            JOIN check_order o ON o.order_id = l.order_id
            JOIN payment p ON p.payment_id = o.payment_id
            WHERE l.file_id = ?
            ORDER BY l.position)sql",
                    file_id);
        orders = query.records<Transmitted>();
    }
    const std::string file = orders.empty() ? "" : file_name(ledger, file_id);
    for (const auto& order : orders) {
        const std::string obstacle = end_of(ledger, order.payment_id);
        Query(ledger, "UPDATE check_order SET transmitted_at = ? WHERE order_id = ?", stamp.at, order.order_id).run();
        audit(ledger, stamp, "check." + std::string(checks::to_string(order.action)) + "_transmitted",
              payment_subject(order.payment_id), check_name(order.check_number) + " with " + file);
        // An order does not end a payment that the bank reports as paid.
        if (obstacle.empty()) {
            Query(ledger,
                  R"sql(
                UPDATE payment
                SET ended_at = ?, finished_at = coalesce(finished_at, ?)
                WHERE payment_id = ? AND ended_at IS NULL)sql",
                  stamp.at, stamp.at, order.payment_id)
                .run();
            close_exceptions_of_payment(ledger, order.payment_id, check_stale, "the check is voided or stopped", stamp);
        }
        raise_transmitted(ledger, order, file, obstacle, stamp);
    }
}

int close_stale_exceptions(Ledger& ledger, const Stamp& stamp) {
    assert_in_transaction(ledger);
    std::vector<std::int64_t> payments;
    {
        Query query(ledger,
                    R"sql(
            SELECT e.payment_id
            FROM exception e
            JOIN payment p ON p.payment_id = e.payment_id
            WHERE e.reason_code = 'check_stale' AND e.closed_at IS NULL
                AND (p.ended_at IS NOT NULL OR EXISTS (SELECT 1 FROM payment_settlement s
                WHERE s.payment_id = p.payment_id AND s.kind = 'paid')))sql");
        payments = query.records<std::int64_t>();
    }
    int closed = 0;
    for (const auto payment_id : payments)
        closed +=
            close_exceptions_of_payment(ledger, payment_id, check_stale, "the check is no longer outstanding", stamp);
    return closed;
}

}  // namespace drawbridge::ledger
