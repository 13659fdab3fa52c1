// A real ledger in a folder of its own, and the steps that take draws through it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "drawbridge/domain/digest.hpp"
#include "drawbridge/ledger/facts/confirmations.hpp"
#include "drawbridge/ledger/facts/decisions.hpp"
#include "drawbridge/ledger/facts/draw_facts.hpp"
#include "drawbridge/ledger/facts/draws.hpp"
#include "drawbridge/ledger/facts/exceptions.hpp"
#include "drawbridge/ledger/facts/outbox.hpp"
#include "drawbridge/ledger/facts/payments.hpp"
#include "drawbridge/ledger/facts/plans.hpp"
#include "drawbridge/ledger/reports/draw_states.hpp"
#include "drawbridge/ledger/reports/verify.hpp"
#include "drawbridge/ledger/store/copy.hpp"
#include "drawbridge/ledger/store/ledger.hpp"
#include "drawbridge/ledger/store/sealing.hpp"
#include "support/engine.hpp"
#include "support/postgresql_cluster.hpp"
#include "support/samples.hpp"
#include "support/temporary_folder.hpp"

namespace drawbridge::ledger {

using test::on_postgresql;

inline std::optional<Money> agreed_amount(Ledger& ledger, DrawId id) {
    return FactsOfDraws(ledger, {id}).of(id).agreed_amount;
}

// Rows that refer to a new one: SQLite looks for them only while a reference is broken.
inline bool is_about_broken_references(const std::string& sql, const std::string& step) {
    return sql.contains("INSERT INTO") && step.starts_with("SCAN ") &&
           (!sql.contains("SELECT") || !sql.contains(step.substr(5)));
}

class LedgerFixture : public ::testing::Test {
  protected:
    LedgerFixture() { open(); }
    ~LedgerFixture() override {
        ledger.reset();
        if (on_postgresql()) test::PostgresqlCluster::instance().empty_schema();
    }

    [[nodiscard]] static PostgresqlAddress address() {
        return {test::PostgresqlCluster::instance().url(), "", test::PostgresqlCluster::schema()};
    }
    [[nodiscard]] Result<Ledger> try_to_open(const std::optional<SealingKey>& key = std::nullopt) const {
        return on_postgresql() ? Ledger::open(folder.path(), address(), now, key)
                               : Ledger::open(folder.path(), now, key);
    }
    void open() {
        auto opened = try_to_open();
        if (!opened) throw std::runtime_error(opened.error().message);
        ledger.emplace(std::move(*opened));
    }
    // Begins anew with a ledger that an earlier program wrote: tests/data/ledger/NAME.db and its key.
    void open_kept(const std::string& name) {
        namespace fs = std::filesystem;
        const fs::path kept = fs::path(DRAWBRIDGE_TEST_DATA) / "ledger";
        ledger.reset();
        for (const auto& entry : fs::directory_iterator(folder.path()))
            fs::remove_all(entry.path());
        fs::copy_file(kept / (name + ".key"), folder.path() / default_sealing_key_name);
        if (on_postgresql()) {
            test::PostgresqlCluster::instance().drop_schema();
            const auto copied = copy_from_file(kept / (name + ".db"), folder.path(), address(), now, std::nullopt);
            if (!copied) throw std::runtime_error(copied.error().message);
        } else {
            fs::copy_file(kept / (name + ".db"), folder.path() / "ledger.db");
        }
        open();
    }
    void reopen() {
        ledger.reset();
        open();
    }

    // "uid 7 (eva)" acts as uid 7.
    [[nodiscard]] Stamp stamp(std::string actor = "drawbridge") const {
        std::optional<std::int64_t> uid;
        if (actor.starts_with("uid ")) uid = std::stoll(actor.substr(4));
        return {now, std::move(actor), uid};
    }

    RecordedReading read(const Draw& draw) {
        return ledger->transaction([&] { return record_reading(*ledger, draw, ReadingSource::poll, now); });
    }

    // Decides on the newest reading of a draw.
    void decide(DrawId id, bool approve, const std::string& rule_text = "rules") {
        const auto known = newest_reading(*ledger, id);
        ledger->transaction([&] {
            remember_rule_set(*ledger, sha256_hex(rule_text), rule_text, now);
            DecisionRecord decision;
            decision.draw_id = id;
            decision.reading_id = known->reading_id;
            decision.approve = approve;
            decision.rule_set_sha256 = sha256_hex(rule_text);
            decision.rule = "rule";
            decision.reason = "because";
            if (approve) decision.approver_id = 1201;
            decision.explanation_json = "{}";
            record_decision(*ledger, decision, stamp());
        });
    }

    std::vector<OpenApproval> submit() {
        return ledger->transaction([&] {
            return open_approval_batch(*ledger, approvals_to_submit(*ledger, sha256_hex("rules"), {}, 500), stamp());
        });
    }
    void answer(const OpenApproval& item, ApprovalOutcome outcome, LearnedBy learned_by = LearnedBy::answer) {
        ledger->transaction([&] { close_approval(*ledger, item, outcome, learned_by, "", stamp()); });
    }

    // Plans a payment for each approved draw and, by default, releases its file.
    void pay(bool release = true) { pay_as(stamp(), release); }
    void pay_as(const Stamp& starter, bool release = true) {
        const auto settings = test::sample_plan_settings();
        std::vector<disbursement::Payable> payables;
        for (const auto id : draws_to_pay(*ledger)) {
            const auto known = newest_reading(*ledger, id);
            payables.push_back({id, known->reading_id, known->draw.amount_approved, agreed_amount(*ledger, id),
                                known->draw.field_a, ""});
        }
        ledger->transaction([&] {
            const auto numbers = number_block(*ledger, disbursement::plan_date(settings, now), 1001);
            record_plan(*ledger, disbursement::plan(payables, test::sample_directory(), settings, numbers, now),
                        settings, starter);
        });
        for (const auto& file : payment_files(*ledger, /*unreleased_only=*/true)) {
            if (file.state != FileState::planned) continue;
            const auto stored = load_file(*ledger, file.file_id);
            const auto bytes = disbursement::render(stored.file, stored.profile).value();
            ledger->transaction([&] { record_staged(*ledger, file.file_id, sha256_hex(bytes), stamp()); });
            if (!release) continue;
            ledger->transaction([&] {
                ASSERT_TRUE(order_release(*ledger, *find_file(*ledger, file.name), "test", stamp(releaser_)));
                record_released(*ledger, file.file_id, stamp());
            });
        }
    }

    // Handed in by uid 4 by default.
    AppliedCounts confirm(std::vector<Confirmation> lines, const std::string& name = "bank.csv",
                          std::int64_t handed_in_uid = 4) {
        const auto zone = test::sample_plan_settings().zone;
        std::vector<std::string> references;
        references.reserve(lines.size());
        for (const auto& line : lines)
            references.push_back(line.payment_reference);
        return ledger->transaction([&] {
            const reconciliation::PaymentIndex index(payments_for(*ledger, references, zone));
            const auto matches = reconciliation::match(lines, index, zone.date_of(now));
            return record_confirmations(
                *ledger, {sha256_hex(name), name, 1, handed_in_uid, "uid " + std::to_string(handed_in_uid)}, matches,
                stamp());
        });
    }

    [[nodiscard]] std::string state(DrawId id) {
        const auto row = find_draw(*ledger, id);
        return row ? row->state : "unknown";
    }

    // Violations of all invariants, one line each.
    [[nodiscard]] std::vector<std::string> violations() {
        std::vector<std::string> all;
        for (const auto& result : verify(*ledger)) {
            for (const auto& text : result.violations)
                all.push_back(std::to_string(result.number) + ": " + text);
        }
        return all;
    }

    // The name of each trigger.
    [[nodiscard]] static std::string all_triggers() {
        return on_postgresql()
                   ? "SELECT DISTINCT tgname FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid AND p.proname "
                     "= t.tgname WHERE p.pronamespace = current_schema()::regnamespace AND NOT tgisinternal"
                   : "SELECT name FROM sqlite_schema WHERE type = 'trigger'";
    }

    test::TemporaryFolder folder;
    Instant now = test::at("2026-03-04T15:00:00");
    std::optional<Ledger> ledger;
    std::string releaser_ = "uid 1 (bo)";  // in pay_as()
};

}  // namespace drawbridge::ledger
