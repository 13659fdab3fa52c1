// What every step works with. `Shared` is owned by the composition (app/ or a test); a step references it only while
// it runs.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "drawbridge/config/config.hpp"
#include "drawbridge/delivery/openpgp.hpp"
#include "drawbridge/delivery/sftp.hpp"
#include "drawbridge/disbursement/payees.hpp"
#include "drawbridge/disbursement/plan.hpp"
#include "drawbridge/domain/clock.hpp"
#include "drawbridge/domain/draw.hpp"
#include "drawbridge/domain/steps.hpp"
#include "drawbridge/ledger/facts/staged_lines.hpp"
#include "drawbridge/ledger/store/ledger.hpp"
#include "drawbridge/rules/rule_set.hpp"
#include "drawbridge/service/draws_service.hpp"
#include "drawbridge/spool/spool.hpp"
#include "drawbridge/statements/read.hpp"

namespace drawbridge::pipeline {

// The daemon's name in the ledger.
inline constexpr std::string_view daemon_actor = "drawbridge";

class TransferWorker;
class Worker;

// Where a rail's released files go. Neither: into outgoing/, where the bank's software picks them up.
struct DeliveryTarget {
    std::optional<delivery::SftpOptions> sftp;
    std::optional<delivery::OpenPgpOptions> openpgp;
};

// What a step needs besides the configuration: values made from it and from the files that it names, and what differs
// between the daemon, `run --once` and a test.
struct Settings {
    // Draws that `pay` plans in one transaction, between which everything else gets its turn.
    std::size_t draws_per_part = 250;
    // Lines of a confirmation file that are read, or recorded, in one transaction: likewise.
    std::size_t lines_per_piece = ledger::lines_at_once;
    // Zero: every poll sweeps all pending, approved and disbursed draws. Otherwise a full sweep runs at this interval;
    // the polls between ask for draws modified since the last poll, less the overlap.
    std::chrono::milliseconds full_sweep_interval{0};
    std::chrono::milliseconds sweep_overlap = std::chrono::minutes(10);
    // Between full sweeps, each poll also reads this many of the paid draws that wait to be marked Disbursed, in
    // rotation: a portal that does not touch modifiedDate must not delay their reports for a day.
    int portal_watch_per_poll = 100;
    const DrawField* payee_key = nullptr;     // the draw field that names the payee
    disbursement::PlanSettings plan;          // profiles, zone, calendar, guards
    statements::ReadOptions confirmations{};  // which files of the inbox are read, and how
    // Backoff after a failed patch, doubled with each failure up to an hour; zero: retry at every run.
    std::chrono::milliseconds patch_retry_base{0};
    DeliveryTarget ach_delivery{}, check_delivery{};
    // First wait before an ordered release is retried that the service delayed; it grows with the time that the release
    // has waited, to 30 times as much. Zero: retry at every run.
    std::chrono::milliseconds release_retry{0};
    // Backoff after a failed delivery, doubled with each failure; zero: retry at every run.
    std::chrono::milliseconds delivery_retry_base{0};
    // `confirm` waits until files that were just dropped are quiet (run --once). The daemon runs confirm again anyway.
    bool wait_for_quiet_files = false;
};

// When the draws of a file were last found to be without fault. That holds while no fact changes.
struct Faultless {
    std::int64_t changes = 0;  // ledger::changes_made()
    std::string payees_sha256{};
    Instant at;
};

// When something happened in this process: by the clock, and by one that no person can set (Clock::elapsed()).
struct ClockLook {
    Instant at;
    std::chrono::nanoseconds elapsed;
};

// Progress of a long step; total 0: unknown.
using Progress = std::function<void(std::string_view step, std::int64_t done, std::int64_t total)>;

// What a process remembers from step to step. It is lost at a restart without harm: the next step looks again.
struct Memory {
    // Position of the portal_watch_per_poll rotation. A restart starts over.
    DrawId portal_watch_after = 0;
    // Likewise, of the draws that could not be read.
    DrawId unreadable_after = 0;
    // A full sweep found no draw that was modified since, as the service's list of changes says.
    std::optional<Instant> nothing_modified_since{};
    // Hash of the rule set that has decided every undecided draw and found none to hold back; empty: not known, for
    // example after a restart.
    std::string decided_rule_set = {};
    // When single draws were last requested, for readings of the last minutes that are recorded.
    std::unordered_map<DrawId, ClockLook> read_at = {};
    // When an ordered release last had to wait, by file id.
    std::unordered_map<std::int64_t, Instant> release_tried = {};
    // The last successful checks of files that wait, by file id.
    std::unordered_map<std::int64_t, Faultless> faultless = {};
    // The traces that are checked once per start have been checked (high_water.hpp).
    bool traces_checked = false;
    // When check_clock() last looked.
    std::optional<ClockLook> last_look{};
    // Waits of several days that are over: since which day, after which run, and on how many later days Drawbridge had
    // to run. Kept, because that stays true.
    std::set<std::tuple<std::chrono::sys_days, std::int64_t, int>> watched_since{};
};

// What all acts share.
struct Shared {
    ledger::Ledger& ledger;
    service::DrawsService& service;
    spool::Spool& spool;
    const Clock& clock;
    const config::Config& config;
    Settings settings;
    rules::RuleSet rules;                 // in force; replaced as a whole between steps
    disbursement::PayeeDirectory payees;  // likewise
    Progress progress = [](std::string_view, std::int64_t, std::int64_t) {};
    // For `deliver`; nullptr if no rail is delivered.
    TransferWorker* transfer_worker = nullptr;
    // Reaches the witness and the backup folder; nullptr if neither is configured.
    Worker* disk = nullptr;
    Memory memory{};
};

// One act's view of what all acts share, with the principal who ordered it. Concurrent acts have one each.
struct Context {
    // The daemon's own act.
    explicit Context(Shared& shared) : Context(shared, std::string(daemon_actor), std::nullopt) {}
    // An act that this principal ordered.
    Context(Shared& shared, const ledger::Stamp& by) : Context(shared, by.actor, by.uid) {}

    ledger::Ledger& ledger;
    service::DrawsService& service;
    spool::Spool& spool;
    const Clock& clock;
    const config::Config& config;
    Settings& settings;
    rules::RuleSet& rules;
    disbursement::PayeeDirectory& payees;
    Progress& progress;
    TransferWorker*& transfer_worker;
    Worker*& disk;
    Memory& memory;
    std::string actor;                // for display
    std::optional<std::int64_t> uid;  // empty: the daemon

    [[nodiscard]] ledger::Stamp stamp() const { return {clock.now(), actor, uid}; }

  private:
    Context(Shared& shared, std::string by, std::optional<std::int64_t> by_uid)
        : ledger(shared.ledger),
          service(shared.service),
          spool(shared.spool),
          clock(shared.clock),
          config(shared.config),
          settings(shared.settings),
          rules(shared.rules),
          payees(shared.payees),
          progress(shared.progress),
          transfer_worker(shared.transfer_worker),
          disk(shared.disk),
          memory(shared.memory),
          actor(std::move(by)),
          uid(by_uid) {}
};

// What one run of a step did.
struct StepReport {
    Step step = Step::poll;
    bool ok = true;
    // pay: it planned what it could. False if it could not plan at all (paused, or the service showed no draw): the
    // cut-off is then not served yet.
    bool complete = true;
    bool again = false;                 // confirm: more files are there or will be soon; run again soon
    std::string summary;                // one line for people and the journal: counts and money
    std::vector<std::string> problems;  // what went wrong without stopping the step, and the error that stopped it
};

}  // namespace drawbridge::pipeline
