// What every step works with. `Shared` is owned by the composition (daemon/ or a test); a step holds references only
// while it runs.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "drawbridge/delivery/openpgp.hpp"
#include "drawbridge/delivery/sftp.hpp"
#include "drawbridge/disbursement/payees.hpp"
#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/disbursement/write_back.hpp"
#include "drawbridge/domain/clock.hpp"
#include "drawbridge/domain/draw.hpp"
#include "drawbridge/domain/steps.hpp"
#include "drawbridge/ledger/ledger.hpp"
#include "drawbridge/rules/rule_set.hpp"
#include "drawbridge/service/draws_service.hpp"
#include "drawbridge/spool/spool.hpp"
#include "drawbridge/statements/read.hpp"

namespace drawbridge::pipeline {

// What the daemon calls itself in the ledger.
inline constexpr std::string_view daemon_actor = "drawbridge";

class TransferWorker;
class DiskWorker;

// Where a rail's files go once they are released; neither: into outgoing/, where the bank's side takes them.
struct DeliveryTarget {
    std::optional<delivery::SftpOptions> sftp;
    std::optional<delivery::OpenPgpOptions> openpgp;
};

struct Settings {
    int page_size = 500;
    std::vector<std::int64_t> workflows{};  // empty: all
    int requests_in_flight = 8;
    // Zero: every poll sweeps all pending, approved and disbursed draws. Otherwise that is done so often, and between
    // two such sweeps a poll asks for what was modified since the last one, less the overlap.
    std::chrono::milliseconds full_sweep_every{0};
    std::chrono::milliseconds sweep_overlap = std::chrono::minutes(10);
    // Paid draws that wait to be marked Disbursed are also read singly between full sweeps, so many a poll, in turns: a
    // portal that does not touch modifiedDate must not hold up their reports for a day.
    int portal_watch_per_poll = 100;
    const DrawField* payee_key = nullptr;           // the draw field that names the payee
    disbursement::PlanSettings plan;                // profiles, zone, calendar, guards
    disbursement::RemittanceTemplate remittance{};  // what a payment says it is for
    std::int64_t first_check_number = 1;
    std::chrono::days checks_stale_after{180};
    bool release_automatically = false;
    std::optional<Money> release_limit{};     // a file above it is released by a person all the same
    statements::ReadOptions confirmations{};  // which files of the inbox are read, and how
    std::chrono::milliseconds settle{2000};   // how long a dropped file must be unchanged
    std::uint64_t max_confirmation_bytes = std::uint64_t{256} * 1024 * 1024;
    // First wait after a patch that failed, doubled with each failure up to an hour; zero: try at every run.
    std::chrono::milliseconds patch_retry_base{0};
    DeliveryTarget ach_delivery{}, check_delivery{};
    // So long an ordered release that the service kept waiting is left alone; zero: it is tried at every run.
    std::chrono::milliseconds release_retry{0};
    // First wait after a delivery that failed, doubled with each failure; zero: try at every run.
    std::chrono::milliseconds delivery_retry_base{0};
    // ACH credits count as paid so many banking days after they settled; absent: only by the bank's word.
    std::optional<int> confirm_after_banking_days{};
    // When on the bank's day a payment is reported as disbursed, in the office's zone.
    std::chrono::minutes report_time_of_day = std::chrono::hours(12);
    disbursement::WriteBack write_back{};
    // Holds a copy of the high-water mark on another disk or machine; and how long it may take to answer.
    std::optional<std::filesystem::path> witness{};
    std::chrono::milliseconds witness_timeout = std::chrono::seconds(10);
    std::filesystem::path backup_folder{};  // its newest copy is a trace, too; empty: none is kept
    // Wait in `confirm` until files that were just dropped have settled (run --once); the daemon comes again anyway.
    bool wait_for_settling = false;
    // So long after it left, the bank must have acknowledged a file; absent: nobody waits for it.
    std::optional<std::chrono::milliseconds> acknowledge_within{};
};

// How far a long step is; total 0: not known.
using Progress = std::function<void(std::string_view step, std::int64_t done, std::int64_t total)>;

// What all acts share, whoever stands behind them.
struct Shared {
    ledger::Ledger& ledger;
    service::DrawsService& service;
    spool::Spool& spool;
    const Clock& clock;
    Settings settings;
    rules::RuleSet rules;                 // in force; swapped as a whole between steps
    disbursement::PayeeDirectory payees;  // likewise
    Progress progress = [](std::string_view, std::int64_t, std::int64_t) {};
    // Where the turns of portal_watch_per_poll are; lost at a restart without harm.
    DrawId portal_watch_after = 0;
    // The rule set (its hash) that has decided on every draw there was, and which ones were kept from it then; empty:
    // none since the start, or nobody knows.
    std::string decided_rule_set = {};
    // When draws were last asked for singly and what the service showed was recorded; of the last minutes. Lost at a
    // restart without harm: a release then reads them again.
    std::unordered_map<DrawId, Instant> read_at = {};
    // When an ordered release last had to wait, by file.
    std::unordered_map<std::int64_t, Instant> release_tried = {};
    // Of `deliver`; nullptr where nothing is delivered.
    TransferWorker* transfer_worker = nullptr;
    // Reaches the witness and the folder of backups; nullptr where there is neither.
    DiskWorker* disk = nullptr;
    // What can be found once at the start was looked for (high_water.hpp).
    bool looked_at_traces = false;
};

// One act's view of what all share, with the principal behind it. Acts that run at the same time have one each.
struct Context {
    // Of the daemon.
    explicit Context(Shared& shared) : Context(shared, std::string(daemon_actor), std::nullopt) {}
    // Of the principal who ordered the act.
    Context(Shared& shared, const ledger::Stamp& by) : Context(shared, by.actor, by.uid) {}

    ledger::Ledger& ledger;
    service::DrawsService& service;
    spool::Spool& spool;
    const Clock& clock;
    Settings& settings;
    rules::RuleSet& rules;
    disbursement::PayeeDirectory& payees;
    Progress& progress;
    DrawId& portal_watch_after;
    std::string& decided_rule_set;
    std::unordered_map<DrawId, Instant>& read_at;
    std::unordered_map<std::int64_t, Instant>& release_tried;
    TransferWorker*& transfer_worker;
    DiskWorker*& disk;
    bool& looked_at_traces;
    std::string actor;                // for display
    std::optional<std::int64_t> uid;  // empty: the daemon

    [[nodiscard]] ledger::Stamp stamp() const { return {clock.now(), actor, uid}; }

  private:
    Context(Shared& shared, std::string by, std::optional<std::int64_t> by_uid)
        : ledger(shared.ledger),
          service(shared.service),
          spool(shared.spool),
          clock(shared.clock),
          settings(shared.settings),
          rules(shared.rules),
          payees(shared.payees),
          progress(shared.progress),
          portal_watch_after(shared.portal_watch_after),
          decided_rule_set(shared.decided_rule_set),
          read_at(shared.read_at),
          release_tried(shared.release_tried),
          transfer_worker(shared.transfer_worker),
          disk(shared.disk),
          looked_at_traces(shared.looked_at_traces),
          actor(std::move(by)),
          uid(by_uid) {}
};

// What one run of a step did.
struct StepReport {
    Step step = Step::poll;
    bool ok = true;
    // pay: it planned what it could. False when it did not come to that (paused, or the service showed no draw at all):
    // a cut-off is then not served yet.
    bool complete = true;
    bool again = false;                 // confirm: more is there, or will be in a moment; the next run should be soon
    std::string summary;                // one line for people and the journal: counts and money
    std::vector<std::string> problems;  // what went wrong without stopping the step, and the error that stopped it
};

}  // namespace drawbridge::pipeline
