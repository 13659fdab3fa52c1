// Files, and the people who have a hand in them.
#pragma once

#include "drawbridge/ledger/facts/check_orders.hpp"
#include "drawbridge/ledger/facts/makers.hpp"
#include "drawbridge/ledger/facts/plans.hpp"
#include "drawbridge/ledger/facts/returns.hpp"
#include "ledger/ledger_fixture.hpp"
#include "store/connection.hpp"

namespace drawbridge::ledger {

inline constexpr std::int64_t root = 0, anna = 5001, bert = 5002, carla = 5003;

class Makers : public LedgerFixture {
  protected:
    [[nodiscard]] Stamp by(std::int64_t uid) const { return {now, "uid " + std::to_string(uid), uid}; }
    void later() { now += std::chrono::minutes(1); }
    void run_sql(const std::string& sql) {
        ledger->transaction([&] { ledger->connection().db.exec(sql); });
    }
    // The error of the schema, or "done".
    std::string run_and_catch(const std::string& sql) {
        try {
            run_sql(sql);
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return "done";
    }

    void approved(const char* payee = "PAYEE-1") {
        auto draw = test::sample_draw(1, DrawStatus::approved);
        draw.field_a = payee;
        read(draw);
    }
    FileRow waiting() { return payment_files(*ledger, /*unreleased_only=*/true).front(); }
    FileRow planned() {
        approved();
        pay(/*release=*/false);
        return waiting();
    }
    FileRow approved_by_hand(std::int64_t uid) {
        read(test::sample_draw(1, DrawStatus::pending_approval));
        ledger->transaction([&] {
            remember_rule_set(*ledger, sha256_hex("rules"), "rules", now);
            DecisionRecord decision;
            decision.draw_id = 1;
            decision.reading_id = newest_reading(*ledger, 1)->reading_id;
            decision.approve = true;
            decision.rule_set_sha256 = sha256_hex("rules");
            decision.rule = "approved by hand";
            decision.reason = "because";
            decision.approver_id = 1201;
            decision.explanation_json = "{}";
            decision.decided_by = "uid " + std::to_string(uid);
            record_decision(*ledger, decision, by(uid));
        });
        for (const auto& item : submit())
            answer(item, ApprovalOutcome::approved);
        later();
        return planned();
    }
    FileRow check_ordered(std::int64_t uid) {
        approved("PAYEE-3");
        pay();
        later();
        EXPECT_TRUE(ledger->transaction(
            [&] { return order_check(*ledger, 1001, checks::CheckAction::void_check, "lost", by(uid)); }));
        std::vector<disbursement::CheckOrder> orders;
        for (auto& open : open_check_orders(*ledger))
            orders.push_back(std::move(open.order));
        const auto settings = test::sample_plan_settings();
        ledger->transaction([&] {
            const auto next = number_block(*ledger, disbursement::plan_date(settings, now), 1).next_file_sequence;
            record_check_order_files(*ledger, disbursement::plan_check_orders(orders, settings, next, now), stamp());
        });
        return waiting();
    }
    // Its first payment came back in a file handed in by `uid`.
    std::int64_t returned(std::int64_t uid) {
        approved();
        pay();
        const auto payment = load_file(*ledger, payment_files(*ledger, false).front().file_id).file.payments.front();
        later();
        confirm(
            {{2, *payment.trace_number, ConfirmationKind::returned, payment.amount, parse_date("2026-03-05").value()}},
            "returns.csv", uid);
        later();
        return payment.payment_id;
    }
    Result<std::int64_t> reissue(std::int64_t uid) {
        return ledger->transaction(
            [&] { return order_reissue(*ledger, 1, test::sample_directory(), "new account", by(uid)); });
    }
    FileRow paid_again() {
        pay(/*release=*/false);
        return waiting();
    }
    Result<void> hand_in_again(std::int64_t uid) {
        ledger->transaction([&] { record_hand_in_again(*ledger, sha256_hex("returns.csv"), uid, by(uid)); });
        return {};
    }
    std::int64_t stray_return() {
        Confirmation line{2, "99999", ConfirmationKind::returned, Money::parse("100.00").value(),
                          parse_date("2026-03-05").value()};
        confirm({line}, "stray.csv", carla);
        later();
        return open_exceptions(*ledger).back().exception_id;
    }
    void resolve(const ExceptionDetails& what, std::int64_t uid) {
        ledger->transaction([&] {
            raise_exception(*ledger, what, stamp());
            ASSERT_TRUE(close_exception(*ledger, open_exceptions(*ledger).back().exception_id, "seen", by(uid)));
        });
    }

    std::string refusal(const FileRow& file, const Stamp& stamp) {
        const auto may = check_may_release(*ledger, file, stamp);
        return may ? "" : may.error().message;
    }
    bool may(const FileRow& file, std::int64_t uid) { return refusal(file, by(uid)).empty(); }
    Result<void> release(const FileRow& file, std::int64_t uid) {
        return ledger->transaction([&] { return order_release(*ledger, file, "agreed", by(uid)); });
    }

    // A person with uids and roles.
    void person(int id, const std::string& name, const std::vector<std::int64_t>& uids,
                const std::vector<std::string>& roles = {}) {
        run_sql("INSERT INTO person VALUES (" + std::to_string(id) + ", '" + name + "', 0, 'test')");
        for (const auto uid : uids)
            run_sql("INSERT INTO person_uid (person_id, uid, linked_at) VALUES (" + std::to_string(id) + ", " +
                    std::to_string(uid) + ", 0)");
        for (const auto& role : roles)
            run_sql("INSERT INTO person_role (person_id, role, granted_at) VALUES (" + std::to_string(id) + ", '" +
                    role + "', 0)");
    }
    // To somebody in the portal; `kind` as in the ledger.
    void link(int person_id, const std::string& kind, const std::string& value) {
        run_sql("INSERT INTO person_portal (person_id, kind, value, linked_at) VALUES (" + std::to_string(person_id) +
                ", '" + kind + "', '" + value + "', 0)");
    }
};

}  // namespace drawbridge::ledger
