// Worlds (world.hpp) with adversaries: an operator who tries every act that moves money to himself, a snapshot of the
// machine's disk that is rolled back, a clock that jumps, and a second instance that claims the same draws. A witness,
// or the folder of the backups, is on another disk. In every case no draw is paid twice, and no file that the operator
// is a maker of goes out by his release.
#pragma once

#include <cstdlib>

#include "drawbridge/app/writers.hpp"
#include "drawbridge/config/claims.hpp"
#include "drawbridge/ledger/store/witness.hpp"
#include "drawbridge/pipeline/worker.hpp"
#include "e2e/office.hpp"
#include "simulation/world.hpp"

namespace drawbridge::pipeline {

inline constexpr std::int64_t mallory_uid = 66;

class HostileWorld : public World {
  public:
    HostileWorld(unsigned seed, std::shared_ptr<SimulatedSurroundings> around)
        : World(seed, std::move(around)), has_witness_(seed % 3 != 0) {
        if (has_witness_) {
            fs::create_directories(witness_);
            EXPECT_TRUE(ledger::init_witness(witness_, ledger_->ledger_id()));
        } else {
            fs::create_directories(backups_);
        }
        fs::remove(own_.state());
        fs::create_directory_symlink(state_, own_.state());
        ::setenv("DRAWBRIDGE_WRITERS", writers().c_str(), /*overwrite=*/1);
        lock();
    }

  protected:
    void configure() override {
        World::configure();
        if (has_witness_)
            config_.ledger.witness.folder = witness_;
        else
            config_.backup.folder = backups_;
        context_->disk = &disk_;
    }

    std::string step() override {
        // A file that a rollback removed was never planned: a later run may use its name again.
        std::erase_if(started_, [names = names_of_files()](const auto& name) { return !names.contains(name); });
        forget_what_others_decided();
        switch (below(25)) {
            case 0: return approve_by_hand(), "mallory approves";
            case 1:
            case 2: return forge_return(), "mallory forges a return";
            case 3: return order_reissue(), "mallory orders a reissue";
            case 4: return pay_now(), "mallory pays";
            case 5:
            case 6: return release_alone(), "mallory releases";
            case 7: return take_snapshot(), "snapshot";
            case 8:
            case 9: return roll_back(), "rollback";
            case 10: return jump(), "the clock jumps";
            case 11: return resolve_a_hold(), "mallory resolves";
            case 12: return run_second_instance(), "a second instance";
            case 13: return attempt({poll, pay}), release_valid_files(), bank_collects(), "a good day";
            default: return World::step();
        }
    }

    // --- the operator

    [[nodiscard]] ledger::Stamp mallory() { return {clock_.now(), "uid 66 (mallory)", mallory_uid}; }

    void approve_by_hand() {
        attempt({poll});
        for (const DrawId id : draws()) {
            if (state_of(id) != "pending" && state_of(id) != "held") continue;
            ledger::DecisionRecord record;
            record.draw_id = id;
            record.reading_id = ledger::newest_reading(*ledger_, id)->reading_id;
            record.approve = true;
            record.rule_set_sha256 = context_->rules.sha256;
            record.rule = "approved by hand";
            record.reason = "a favor";
            record.approver_id = 1201;
            record.explanation_json = "{}";
            record.decided_by = mallory().actor;
            ledger_->transaction([&] {
                ledger::remember_rule_set(*ledger_, context_->rules.sha256, context_->rules.text, clock_.now());
                ledger::record_decision(*ledger_, record, mallory());
            });
            touched_.insert(id);
            count("approved by hand", true);
            return attempt({approve});
        }
    }
    // A rollback took back his act: an approval, which the service still shows, or that he let a voided payment be paid
    // after all. Somebody else then decided that the draw is paid, and is a maker of its file. He is none, until he
    // touches it again.
    void forget_what_others_decided() {
        for (const DrawId id : std::set(touched_)) {
            for (const auto& row : ledger::exceptions_of_draw(*ledger_, id)) {
                const std::string& reason = row.what.reason_code;
                const bool is_decided =
                    (reason == "approved_after_backup" || reason == "possibly_paid" || reason == "payment_voided") &&
                    row.closed_at && row.closed_by != mallory().actor;
                if (is_decided && decided_by_others_.emplace(row.exception_id, *row.closed_at).second)
                    touched_.erase(id);
            }
        }
    }
    void forge_return() {
        if (at_bank_.empty()) return;
        const auto& one = at_bank_[below(at_bank_.size())];
        if (one.returned) return;
        const auto day = format_date(context_->settings.plan.zone.date_of(clock_.now()));
        put_into_inbox("payment_reference,status,amount,date" +
                       std::string(100 + static_cast<std::size_t>(files_), ' ') + "\n" + one.reference + ",returned," +
                       one.amount + "," + day + "\n");
        time_.pass(std::chrono::seconds(1));
        context_->actor = mallory().actor;
        context_->uid = mallory_uid;
        static_cast<void>(run_as_is(confirm));
        context_->actor = daemon_actor;
        context_->uid.reset();
        touched_.insert(one.draw);
        forged_.insert(one.draw);
        count("forged a return", true);
        if (below(2) == 0) order_reissue();
    }
    void order_reissue() {
        for (const DrawId id : draws()) {
            const auto ordered = ledger_->transaction(
                [&] { return ledger::order_reissue(*ledger_, id, context_->payees, "came back", mallory()); });
            if (!ordered) continue;
            touched_.insert(id);
            return count("reissued by mallory", true);
        }
    }
    void resolve_a_hold() {
        for (const auto& row : ledger::open_exceptions(*ledger_)) {
            if (row.what.step != "pay" || !row.what.draw_id) continue;
            const auto done = ledger_->transaction(
                [&] { return ledger::close_exception(*ledger_, row.exception_id, "it is fine", mallory()); });
            if (!done) continue;
            touched_.insert(*row.what.draw_id);
            return count("resolved by mallory", true);
        }
    }
    void pay_now() {
        const auto before = names_of_files();
        context_->actor = mallory().actor;
        context_->uid = mallory_uid;
        static_cast<void>(run_as_is(pay));
        context_->actor = daemon_actor;
        context_->uid.reset();
        for (const auto& name : names_of_files()) {
            if (!before.contains(name)) started_.insert(name);
        }
    }
    std::set<std::string> names_of_files() {
        std::set<std::string> names;
        for (const auto& file : files())
            names.insert(file.name);
        return names;
    }
    // What the ledger knows of the draws that the dishonest operator touched.
    std::string involved(const std::vector<disbursement::PlannedPayment>& payments) {
        std::string all;
        for (const auto& payment : payments) {
            if (!touched_.contains(payment.draw_id)) continue;
            all += "draw " + std::to_string(payment.draw_id) + (forged_.contains(payment.draw_id) ? " (forged)" : "");
            for (const auto& row : ledger::exceptions_of_draw(*ledger_, payment.draw_id)) {
                all += "; " + row.what.reason_code + ": " + row.what.detail +
                       (row.closed_at ? " closed by " : " open") + row.closed_by;
            }
        }
        return all;
    }
    void release_alone() {
        for (const auto& file : unreleased()) {
            const auto payments = ledger::load_file(*ledger_, file.file_id).file.payments;
            const bool is_his = started_.contains(file.name) || std::ranges::any_of(payments, [&](const auto& payment) {
                                    return touched_.contains(payment.draw_id);
                                });
            // Another person ordered it, and then a disk failed: who asks again only completes that order.
            if (file.release_ordered_at && file.release_ordered_by != mallory().actor) continue;
            // He does not ask the bank. Files without his involvement were made by others and count as agreed.
            if (!is_his && !bank_agrees(file)) continue;
            const auto released = release_now(file.name, "agreed", mallory());
            count("released by mallory", released.has_value());
            if (is_his) {
                EXPECT_FALSE(released) << file.name << " went out on one person's word; started by him: "
                                       << started_.contains(file.name) << "; " << story_ << "; " << involved(payments);
                count("refused to mallory", !released);
            }
        }
    }

    // --- the others

    // A second person asks the bank before money is sent again.
    const disbursement::PlannedPayment* already_paid(const disbursement::PlannedFile& file) {
        bank_collects();
        const auto found =
            std::ranges::find_if(file.payments, [&](const auto& payment) { return live(payment.draw_id) > 0; });
        return found == file.payments.end() ? nullptr : &*found;
    }
    bool bank_agrees(const ledger::FileRow& file) {
        return already_paid(ledger::load_file(*ledger_, file.file_id).file) == nullptr;
    }
    bool release(const ledger::FileRow& file) override {
        const auto planned = ledger::load_file(*ledger_, file.file_id).file;
        const auto* paid = already_paid(planned);
        if (paid == nullptr) return World::release(file);
        static_cast<void>(void_payment(*context_, paid->payment_id, "the bank has paid it", person()));
        return false;
    }
    void release_valid_files() {
        for (const auto& file : unreleased())
            count("released", release(file));
    }

    // --- the machine

    [[nodiscard]] fs::path writers() const { return folder_.path() / "writers"; }
    void lock() {
        auto taken = app::WriterLock::take(*config::claims_in(own_.folder() / "drawbridge.yaml"), ledger_->ledger_id());
        ASSERT_TRUE(taken.has_value()) << taken.error().message;
        lock_.emplace(*std::move(taken));
    }
    // Starts beside our instance, or while ours is stopped.
    void run_second_instance() {
        const bool is_stopped = below(2) == 0;
        if (is_stopped) {
            lock_.reset();
            close();
        }
        const auto taken = app::WriterLock::take(*config::claims_in(intruder_.folder() / "drawbridge.yaml"), "another");
        EXPECT_FALSE(taken) << "a second instance may write";
        count("a second instance was refused", !taken);
        if (!is_stopped) return;
        open();
        lock();
    }

    void take_snapshot() {
        AfterRestore::take_snapshot();
        has_snapshot_ = true;
    }
    void roll_back() {
        if (!has_snapshot_) return take_snapshot();
        close();
        if (!has_witness_) {
            fs::copy_file(state_ / "ledger.db", backups_ / fmt::format("{}-{}.db", below(1000), ++backups_made_));
        }
        // A file that the bank has not fetched is gone. Nobody then restores a newer ledger, which says it left.
        for (const auto& name : outgoing()) {
            if (!taken_.contains(name) && !fs::exists(snapshot_ / "spool/outgoing" / name)) has_backup_ = false;
        }
        put_back_snapshot();
        // Fetched files are in outgoing/ again. Nobody can keep others out of a folder that they fetch from:
        // the bank refuses the same file a second time, and docs/auditors.md says so.
        for (const auto& name : outgoing()) {
            if (taken_.contains(name)) fs::remove(out(name));
        }
        open();
        attempt({poll});
        count("rolled back", ledger::open_restoration(*ledger_).has_value());
        story_ += "[manifests lost] ";  // lines written since the snapshot are lost
        hand_in_again();
    }
    void jump() {
        constexpr auto years = std::chrono::hours(24 * 365 * 5);
        clock_.ahead += years;
        switch (below(4)) {
            case 0: attempt({poll, decide, approve}); break;
            case 1: attempt({pay}); break;
            case 2: attempt({confirm}); break;
            default: attempt({report});
        }
        clock_.ahead -= years;
        count("the clock jumped", true);
    }

    bool may_stay_with_a_person(DrawId id) override {
        return World::may_stay_with_a_person(id) || forged_.contains(id) || touched_.contains(id);
    }

    e2e::Office own_{folder_.path() / "own", /*port=*/1};
    e2e::Office intruder_{folder_.path() / "a/second/instance", /*port=*/1};
    std::optional<app::WriterLock> lock_;
    // What is left of a rollback: the witness, or a backup from just before it.
    const bool has_witness_;
    fs::path witness_ = folder_.path() / "witness", backups_ = folder_.path() / "backups";
    int backups_made_ = 0;
    Worker disk_{Worker::AtEnd::leave};
    std::set<DrawId> touched_, forged_;                             // by mallory
    std::set<std::string> started_;                                 // files of his runs
    std::set<std::pair<std::int64_t, Instant>> decided_by_others_;  // exceptions, and when
    bool has_snapshot_ = false;
};

}  // namespace drawbridge::pipeline
