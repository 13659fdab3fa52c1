// Random sequences of acts of an office, its bank, its portal, its disks and its connection, seen from outside: by
// the files that the bank took and by what the service shows. In every case each draw is paid once when everything is
// resolved, never twice on the way, and every invariant holds. The people of this world ask the bank before they
// resolve an exception, and get the truth.
#pragma once

#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <ranges>
#include <set>

#include "disk/failing_disk.hpp"
#include "drawbridge/ledger/facts/resolutions.hpp"
#include "drawbridge/ledger/facts/returns.hpp"
#include "drawbridge/pipeline/deliver.hpp"
#include "e2e/bank.hpp"
#include "pipeline/restore_fixture.hpp"
#include "simulation/random_run.hpp"
#include "simulation/simulated_surroundings.hpp"

namespace drawbridge::pipeline {

namespace fs = std::filesystem;

inline constexpr DrawId max_draws = 5;
inline constexpr unsigned steps = 30;

inline constexpr const char* faults[] = {
    R"({"endpoint": "list", "kind": "status", "code": 503, "times": 3})",
    R"({"endpoint": "list", "kind": "invalid_json", "times": 2})",
    R"({"endpoint": "read", "kind": "status", "code": 503, "times": 3})",
    R"({"endpoint": "read", "kind": "status", "code": 404, "times": 1})",
    R"({"endpoint": "approve", "kind": "status", "code": 500, "times": 2})",
    R"({"endpoint": "approve", "kind": "close_after_commit"})",
    R"({"endpoint": "approve", "kind": "close_before_commit"})",
    R"({"endpoint": "approve", "kind": "missing_results", "drawId": 2})",
    R"({"endpoint": "approve", "kind": "reordered", "seed": 4})",
    R"({"endpoint": "patch", "kind": "close_after_commit", "times": 2})",
    R"({"endpoint": "patch", "kind": "status", "code": 503, "times": 2})",
};

// A payment that the bank has.
struct AtBank {
    DrawId draw = 0;
    std::string reference, amount;
    bool confirmed = false, returned = false;
};

class World : public AfterRestore {
  public:
    World(unsigned seed, std::shared_ptr<SimulatedSurroundings> around, DrawId first_draw = 1)
        : AfterRestore(around), seed_(seed), time_(*around), random_(seed), first_draw_(first_draw) {}
    static int happened(const std::string& what) { return happened_[what]; }
    [[nodiscard]] const std::string& story() const { return story_; }
    [[nodiscard]] bool knows(DrawId id) { return state_of(id) != "unknown"; }

    void begin() {
        configure();
        context_->settings.draws_per_part = 1 + seed_ % 3;
        context_->settings.lines_per_piece = 1 + seed_ % 2;
        new_draw();
        new_draw();
        attempt({poll, decide, approve});
    }
    void act(unsigned number) {
        time_.pass(std::chrono::seconds(2));
        story_ += step() + ", ";
        SCOPED_TRACE("step " + std::to_string(number) + " of: " + story_);
        expect_paid_once();
        if (number % steps_between_checks() == 0) expect_clean_ledger();
    }
    // The ledger is not replaced anymore, so a violation stays in it until it is checked for the last time.
    void end() {
        if (!HasFailure()) resolve_everything();
    }

  protected:
    void TestBody() override {}
    void configure() override {
        config_.service.workflows = {workflow()};
        config_.ach->confirm_after_banking_days = 3;
        config_.pay.release = config::Release::manual;
    }
    // Each office has its own.
    [[nodiscard]] std::int64_t workflow() const { return 12 + (first_draw_ - 1) / 100; }
    [[nodiscard]] auto draws() const { return std::views::iota(first_draw_, next_draw_); }

    std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }

    // Steps may fail here: faults are armed.
    void attempt(std::initializer_list<StepFunction> some) {
        for (const auto step : some)
            static_cast<void>(run(step));
    }

    virtual std::string step() {
        switch (below(18)) {
            case 0: return new_draw(), "new draw";
            case 1:
            case 2: return attempt({poll, decide, approve}), "approve";
            case 3: return attempt({pay}), "pay";
            case 4: return pay_or_stop(), "pay";
            case 5: return release_some(), "release";
            case 6: return void_file_of_some(), "void file";
            case 7: return void_payment_of_some(), "void payment";
            case 8:
            case 9: return bank_collects(), bank_confirms(), "bank";
            case 10: return time_passes(), "silence";
            case 11: return portal_marks_paid_draws(), "portal";
            case 12: return attempt({poll, report}), "report";
            case 13: return fault(faults[below(std::size(faults))]), "fault";
            case 14: return sandbox_.clear_faults(), restart(), "restart";
            case 15: return backup(), "backup";
            case 16: return restore(), "restore";
            default: return resolve_exceptions(/*most=*/2), undo_one(), "people";
        }
    }

    // Every other time, the program ends after a part of the plan, if there is a plan.
    void pay_or_stop() {
        if (++pays_ % 2 == 0) return attempt({pay});
        const auto stopped =
            pay_and_act(pays_ % 3 + 1, [](auto& stop) { stop.emit(asio::cancellation_type::terminal); });
        count("stopped while planning", !stopped);
    }

    void new_draw() {
        if (next_draw_ == first_draw_ + max_draws) return;
        const auto id = next_draw_++;
        const int status = below(2) == 0 ? 3 : 4;
        const std::string payee = below(4) == 0 ? "PAYEE-3" : "PAYEE-1";
        sandbox_.add({.id = id, .cents = 10'000 + id, .payee = payee, .workflow = workflow(), .status = status});
    }
    // Ana acts, and Bo releases.
    [[nodiscard]] ledger::Stamp person() { return {clock_.now(), "uid 7 (ana)", 7}; }
    [[nodiscard]] ledger::Stamp releaser() { return {clock_.now(), "uid 9 (bo)", 9}; }
    void count(const std::string& what, bool done) {
        happened_[what] += done ? 1 : 0;
        if (done) story_ += "[" + what + "] ";
    }

    // --- payment files

    std::vector<ledger::FileRow> unreleased() { return ledger::payment_files(*ledger_, /*unreleased_only=*/true); }
    void release_some() {
        const auto files = unreleased();
        if (files.empty()) return;
        count("released", release(files[below(files.size())]));
    }
    virtual bool release(const ledger::FileRow& file) {
        return release_now(file.name, "agreed", releaser()).has_value();
    }
    void void_file_of_some() {
        const auto files = unreleased();
        if (files.empty()) return;
        count("voided file", void_file(*context_, files[below(files.size())].name, "wrong day", person()).has_value());
    }
    void void_payment_of_some() {
        for (const auto& file : unreleased()) {
            const auto payments = ledger::load_file(*ledger_, file.file_id).file.payments;
            const auto id = payments[below(payments.size())].payment_id;
            count("voided payment", void_payment(*context_, id, "wrong payee", person()).has_value());
            return;
        }
    }

    // --- the bank

    void bank_collects() {
        if (disk::power_is_off()) return;
        const auto at_bank = folder_.path() / "bank";
        fs::create_directories(at_bank);
        for (const auto& entry : fs::directory_iterator(folder_.path() / "state/spool/outgoing")) {
            // Where a disk fails, it fetches the file later.
            const auto fetched = at_bank / entry.path().filename();
            fs::copy_file(entry.path(), fetched, fs::copy_options::overwrite_existing);
            fs::remove(entry.path());
            bank_takes_file(fetched);
        }
        // A restored ledger needs the report again.
        for (const auto& name : collected_)
            static_cast<void>(
                resolve_delivery(*context_, name, DeliveryResolution::by_hand, "the bank's portal", person()));
    }
    void bank_takes_file(const fs::path& file) {
        const std::string name = file.filename().string();
        EXPECT_TRUE(taken_.insert(name).second) << name << " came twice";
        collected_.insert(name);
        if (name.starts_with("ACH-")) {
            for (const auto& one : e2e::read_payment_file(file))
                bank_takes(one.cents, one.reference);
            return;
        }
        std::ifstream checks(file);
        // I,10001,112926,100.03,BO BERG
        for (std::string row; std::getline(checks, row);) {
            const auto columns = split(row);
            bank_takes(Money::parse(columns.at(3)).value().cents(), columns.at(1));
        }
    }
    void bank_takes(std::int64_t cents, const std::string& reference) {
        EXPECT_TRUE(taken_.insert(reference).second) << reference << " came twice";
        at_bank_.push_back({cents - 10'000, reference, e2e::decimal(cents)});
    }
    static std::vector<std::string> split(const std::string& row) {
        std::vector<std::string> columns(1);
        for (const char c : row) {
            if (c == ',') {
                columns.emplace_back();
            } else {
                columns.back() += c;
            }
        }
        return columns;
    }
    [[nodiscard]] std::int64_t live(DrawId id) const {
        return std::ranges::count_if(at_bank_, [&](const AtBank& one) { return one.draw == id && !one.returned; });
    }
    [[nodiscard]] bool confirmed(DrawId id) const {
        return std::ranges::any_of(at_bank_,
                                   [&](const AtBank& one) { return one.draw == id && one.confirmed && !one.returned; });
    }
    void bank_confirms() { drop(what_bank_says()); }
    std::string what_bank_says() {
        std::string lines;
        for (auto& one : at_bank_) {
            if (below(3) != 0 || one.returned) continue;
            const bool comes_back = below(3) == 0;
            lines += line(one, comes_back ? "returned" : "paid");
            (comes_back ? one.returned : one.confirmed) = true;
        }
        return lines;
    }
    std::string line(const AtBank& one, std::string_view what) {
        // One day per kind of line: a bank that repeats a line repeats its day.
        auto& day = said_on_[one.reference + std::string(what)];
        if (day.empty()) day = format_date(context_->settings.plan.zone.date_of(clock_.now()));
        return one.reference + "," + std::string(what) + "," + one.amount + "," + day + "\n";
    }
    // The manifest is written before the file can leave, so a restored ledger counts a file as released that was voided
    // in between. The bank does not have it, and finance says so payment by payment.
    std::string files_that_never_arrived() {
        std::string lines;
        for (const auto& file : ledger::payment_files(*ledger_, /*unreleased_only=*/false)) {
            if (file.state != ledger::FileState::released || collected_.contains(file.name)) continue;
            for (const auto& payment : ledger::load_file(*ledger_, file.file_id).file.payments) {
                const auto reference =
                    payment.trace_number ? *payment.trace_number : std::to_string(payment.check_number.value_or(0));
                const auto amount = e2e::decimal(payment.amount.cents());
                lines += line({payment.draw_id, reference, amount}, "returned");
            }
            count("never arrived", true);
        }
        return lines;
    }
    void drop(const std::string& lines) {
        if (lines.empty()) return;
        hand_in(lines);
        attempt({confirm});
    }
    void hand_in(const std::string& lines) {
        // No two files are the same, so a repeated line is a new line.
        dropped_.push_back("payment_reference,status,amount,date" + std::string(dropped_.size(), ' ') + "\n" + lines);
        put_into_inbox(dropped_.back());
        if (below(4) == 0) put_into_inbox(dropped_.back());
        time_.pass(std::chrono::seconds(1));
    }
    void put_into_inbox(const std::string& bytes) {
        write_file_at(state_ / "inbox" / ("bank-" + std::to_string(++files_) + ".csv"), bytes, clock_.now());
    }
    void time_passes() {
        for (int day = 0; day < 8; ++day) {
            time_.pass(std::chrono::hours(24));
            attempt({confirm});
        }
        for (const DrawId id : draws())
            count("confirmed automatically", state_of(id) == "paid" && !confirmed(id));
    }

    // --- the portal

    void portal_marks_paid_draws() {
        for (const DrawId id : draws()) {
            if (confirmed(id) && sandbox_.draw(id).at("status") == 4) sandbox_.act(id, "disburse");
        }
        attempt({poll});
    }

    // --- disks

    void restart() {
        close();
        open();
    }
    void backup() {
        back_up_ledger();
        has_backup_ = true;
    }
    void restore() {
        if (!has_backup_) return;
        if (below(4) == 0) {
            delete_manifests();
            count("manifests lost", true);
        }
        restore_ledger();
        attempt({poll});
        count("restored", ledger::open_restoration(*ledger_).has_value());
        hand_in_again();
    }
    void hand_in_again() {
        // As the operators' guide says.
        for (const auto& bytes : dropped_)
            put_into_inbox(bytes);
        time_.pass(std::chrono::seconds(1));
        attempt({confirm});
    }

    // --- people

    void resolve(const ledger::ExceptionRow& row) {
        ledger_->transaction(
            [&] { (void)ledger::close_exception(*ledger_, row.exception_id, "asked the bank", person()); });
    }
    void void_subject(const ledger::ExceptionRow& row) {
        count("voided an unreleasable file",
              void_file(*context_, row.what.subject, "cannot be released", person()).has_value());
    }
    void reissue(DrawId id) {
        const auto ordered = ledger_->transaction(
            [&] { return ledger::order_reissue(*ledger_, id, context_->payees, "came back", person()); });
        count("reissued", ordered.has_value());
    }
    // The bank's line is right, and the ledger's date of the release is wrong: the clock was ahead.
    void match(const ledger::ExceptionRow& row) {
        const auto matched = ledger_->transaction([&] {
            return ledger::match_line(*ledger_, {row.exception_id, "asked the bank"}, *row.what.payment_id,
                                      context_->settings.plan.zone, person());
        });
        count("matched", matched.has_value());
    }
    void resolve_exception(const ledger::ExceptionRow& row) {
        const auto& what = row.what;
        const std::set<std::string> of_file{"draws_changed", "settlement_date_passed", "planned_in_future",
                                            "possibly_sent", "staged_file_missing",    "sent_file_differs"};
        const std::set<std::string> about_payment{"possibly_paid", "paid_after_backup", "duplicate_suspected",
                                                  "payment_voided"};
        if (of_file.contains(what.reason_code)) return void_subject(row);
        if (about_payment.contains(what.reason_code)) return live(*what.draw_id) == 0 ? resolve(row) : void();
        if (what.reason_code.starts_with("returned") && what.draw_id) {
            if (live(*what.draw_id) == 0) reissue(*what.draw_id);
            return;
        }
        if (what.reason_code == "dated_before_payment" && what.payment_id) return match(row);
        if (what.reason_code == "sent_file_unsure" && !collected_.contains(what.subject)) {
            const auto file = staged(what.subject);
            if (fs::exists(file)) bank_takes_file(file);
        }
        const std::set<std::string> close_themselves{"ledger_is_older", "bank_says_paid", "bad_record", "draw_gone"};
        EXPECT_NE(what.reason_code, "pay_run_incomplete");
        if (!close_themselves.contains(what.reason_code)) resolve(row);
    }
    void resolve_exceptions(std::size_t most) {
        bank_collects();  // the bank knows every file that left
        const auto restoration = ledger::open_restoration(*ledger_);
        if (restoration && restoration->compared_at) {
            bool none = true;
            for (const DrawId id : draws())
                none = none && live(id) == 0;
            EXPECT_TRUE(AfterRestore::end_restoration(/*nothing_else_sent=*/none));
        }
        const auto cases = ledger::open_exceptions(*ledger_);
        for (std::size_t i = 0; i < cases.size() && i < most; ++i) {
            const auto row =
                ledger::find_exception(*ledger_, cases[most < cases.size() ? below(cases.size()) : i].exception_id);
            if (row && !row->closed_at) resolve_exception(*row);
        }
        resume();
    }
    // Undoing the resolution of an exception that paused all movement pauses it again.
    void resume() {
        if (ledger::open_restoration(*ledger_) || !ledger::is_paused(*ledger_)) return;
        if (!ledger::open_causes_of_pause(*ledger_).empty()) return;
        ledger_->transaction([&] { ledger::set_paused(*ledger_, /*paused=*/false, "it is resolved again", person()); });
        count("resumed", true);
    }
    // A person undoes a resolution, if the program allows it.
    void undo_one() {
        std::vector<std::int64_t> closed;
        for (std::int64_t id = 1;; ++id) {
            const auto row = ledger::find_exception(*ledger_, id);
            if (!row) break;
            if (row->closed_at && row->closed_by == "uid 7 (ana)") closed.push_back(id);
        }
        if (closed.empty()) return;
        const auto id = closed[below(closed.size())];
        const auto undone =
            ledger_->transaction([&] { return ledger::undo_resolution(*ledger_, {id, "by mistake"}, person()); });
        count("undone", undone.has_value());
    }

    // --- what must hold

    void expect_paid_once() {
        for (const DrawId id : draws())
            EXPECT_LE(live(id), 1) << "draw " << id << " is paid twice";
    }

    void resolve_everything() {
        SCOPED_TRACE("resolved after: " + story_);
        sandbox_.clear_faults();
        constexpr int rounds = 8;
        for (int round = 0; round < rounds && !HasFailure(); ++round) {
            time_.pass(std::chrono::minutes(5));
            attempt({poll});
            // Twice: a file can be voided only after the bank's lines about its payments are resolved.
            for (int pass = 0; pass < 2; ++pass)
                resolve_exceptions(/*most=*/1000);
            // The bank's line about a returned payment that only a lost ledger knew: people have the draw start
            // again.
            for (const DrawId id : draws()) {
                if (live(id) == 0 && state_of(id) == "external") sandbox_.act(id, "reopen", {{"status", 3}});
            }
            attempt({poll, decide, approve});
            // A person approves the draws that the program gave up.
            for (const DrawId id : draws()) {
                if (round >= 2 && sandbox_.draw(id).at("status") == 3) sandbox_.act(id, "approve");
            }
            attempt({poll, pay});
            for (const auto& file : unreleased())
                static_cast<void>(release(file));
            bank_collects();
            std::string lines;
            for (auto& one : at_bank_) {
                lines += line(one, one.returned ? "returned" : "paid");
                one.confirmed = one.confirmed || !one.returned;
            }
            if (round >= 2) lines += files_that_never_arrived();
            drop(lines);
            portal_marks_paid_draws();
            attempt({report});
            expect_paid_once();
            if (is_finished()) break;
        }
        expect_clean_ledger();
        for (const DrawId id : draws()) {
            EXPECT_EQ(live(id), 1) << "draw " << id << " is lost: " << state_of(id) << " " << exceptions_of(id);
            // Returned: of two payments the restored ledger knows only the first; a person has its exception.
            // Paying: the ledger has its file as staged, and only the bank knows that it left; likewise.
            const bool is_with_person = may_stay_with_a_person(id);
            EXPECT_TRUE(is_with_person || state_of(id) == "reported" || state_of(id) == "external")
                << "draw " << id << ": " << state_of(id) << ", at the service " << sandbox_.draw(id).dump() << " "
                << exceptions_of(id);
        }
    }
    // Every draw is paid and reported, and nobody has anything left to do.
    bool is_finished() {
        return ledger::open_exceptions(*ledger_).empty() && !ledger::open_restoration(*ledger_) &&
               std::ranges::all_of(draws(), [&](DrawId id) { return state_of(id) == "reported"; });
    }
    virtual bool may_stay_with_a_person(DrawId id) {
        // Blocked: it was to be paid again, only its file's manifest or the bank knows that it was, and its status was
        // 5 before.
        const auto is_held = [&](std::string_view reason) {
            return state_of(id) == "blocked" && status_of(id) == 5 && exceptions_of(id).contains(reason);
        };
        return state_of(id) == "returned" || is_held("paid_after_backup: ") ||
               (story_.contains("manifests lost") && (state_of(id) == "paying" || is_held("possibly_paid: ")));
    }
    int status_of(DrawId id) { return sandbox_.draw(id).at("status").get<int>(); }
    std::string exceptions_of(DrawId id) {
        std::string all;
        for (const auto& row : ledger::open_exceptions(*ledger_)) {
            if (!row.what.draw_id || row.what.draw_id == id)
                all += row.what.reason_code + ": " + row.what.detail + "\n";
        }
        return all;
    }

    const unsigned seed_;
    SimulatedSurroundings& time_;
    std::mt19937 random_;
    const DrawId first_draw_;
    DrawId next_draw_ = first_draw_;
    std::set<std::string> taken_;      // names of files, and references
    std::set<std::string> collected_;  // names of files
    std::vector<AtBank> at_bank_;
    std::map<std::string, std::string> said_on_;
    std::vector<std::string> dropped_;
    int pays_ = 0;
    int files_ = 0;
    std::string story_;
    bool has_backup_ = false;
    static inline std::map<std::string, int> happened_;  // over all seeds
};

}  // namespace drawbridge::pipeline
