// What GET /status answers with: first what needs a person, then the state of the pipeline.
#pragma once

#include "drawbridge/admin/records.hpp"
#include "drawbridge/ledger/facts/restorations.hpp"
#include "drawbridge/ledger/facts/runs.hpp"
#include "drawbridge/ledger/reports/draw_states.hpp"
#include "drawbridge/ledger/reports/totals.hpp"
#include "drawbridge/ledger/store/standby.hpp"
#include "drawbridge/reconciliation/document.hpp"

namespace drawbridge::admin::records {

struct NeedsAttention {
    std::optional<ledger::Movement> paused = {};
    std::optional<ledger::Restoration> restoration = {};  // a restored ledger that nobody has reconciled yet
    std::int64_t open_exceptions = 0;
    std::vector<ledger::ExceptionTotal> exceptions_by_reason = {};
    std::vector<File> files_waiting_for_release = {};  // staged, or ordered and not released yet
};
BOOST_DESCRIBE_STRUCT(NeedsAttention, (),
                      (paused, restoration, open_exceptions, exceptions_by_reason, files_waiting_for_release))

struct DaemonState {
    bool running = false;
    std::optional<Instant> started_at = {};
    std::optional<std::string> doing = {};  // "waiting", or a step
    std::optional<Instant> next_cutoff = {};
};
BOOST_DESCRIBE_STRUCT(DaemonState, (), (running, started_at, doing, next_cutoff))

// How the Draws Service answers.
struct ServiceHealth {
    std::string circuit;
    std::int64_t consecutive_failures = 0;
    std::optional<std::string> last_error = {};
    std::optional<std::int64_t> token_valid_for_ms = {}, next_try_in_ms = {};
    std::uint64_t requests = 0, retries = 0;
};
BOOST_DESCRIBE_STRUCT(ServiceHealth, (),
                      (circuit, consecutive_failures, last_error, token_valid_for_ms, next_try_in_ms, requests,
                       retries))

// Every draw seen is in exactly one place, to the cent.
struct Balance {
    std::string line;
    bool adds_up = false;
    Sum seen = {}, finished = {}, in_flight = {}, exceptions = {};
};
BOOST_DESCRIBE_STRUCT(Balance, (), (line, adds_up, seen, finished, in_flight, exceptions))

// Paid, but not yet marked as disbursed in the portal.
struct WaitingForPortal {
    std::int64_t count = 0;
    Money amount = {};
    std::optional<Instant> oldest = {};
};
BOOST_DESCRIBE_STRUCT(WaitingForPortal, (), (count, amount, oldest))

struct Undelivered {
    std::int64_t files = 0;
    std::optional<Instant> oldest = {};
};
BOOST_DESCRIBE_STRUCT(Undelivered, (), (files, oldest))

struct ReturnRate {
    std::string kind;  // "unauthorized", ...
    std::int64_t returned = 0, entries = 0;
    double rate = 0, limit = 0;
    std::string text;
};
BOOST_DESCRIBE_STRUCT(ReturnRate, (), (kind, returned, entries, rate, limit, text))

struct InboxFile {
    std::string name, reason;
    Instant changed_at;
};
BOOST_DESCRIBE_STRUCT(InboxFile, (), (name, reason, changed_at))

struct Inbox {
    std::size_t ready = 0, waiting_count = 0;
    std::vector<InboxFile> waiting = {};  // the first ones
    std::size_t left_alone_count = 0;
    std::vector<InboxFile> left_alone = {};  // the first ones
    std::size_t in_hand = 0;                 // claimed and not archived yet
};
BOOST_DESCRIBE_STRUCT(Inbox, (), (ready, waiting_count, waiting, left_alone_count, left_alone, in_hand))

struct LedgerState {
    std::string id;
    Instant created_at;
    int schema_version = 0;
    std::optional<ledger::Hosts> hosts = {};  // of a ledger in PostgreSQL
    std::optional<std::string> reports = {};  // where reports are read, if not from the ledger, or why not
};
BOOST_DESCRIBE_STRUCT(LedgerState, (), (id, created_at, schema_version, hosts, reports))

struct Status {
    Instant at;
    NeedsAttention needs_attention = {};
    std::vector<ledger::StateTotal> states = {};
    std::vector<Run> runs = {};
    std::optional<PayRun> last_pay_run = {};
    WaitingForPortal waiting_for_portal = {};
    ledger::OutstandingChecks checks = {};
    std::optional<Backup> backup = {};
    std::optional<std::string> witness = {};  // a folder, or "none" if that is on purpose
    std::vector<reconciliation::ConfiguredControl> controls = {};
    std::vector<ReturnRate> return_rates = {};
    ChangeControl change_control = {};
    Undelivered undelivered = {};
    AlertChannels alerts = {};
    Inbox inbox = {};
    DaemonState daemon = {};
    std::optional<ServiceHealth> service = {};
    std::optional<std::string> rule_set = {}, no_space = {};
    std::vector<std::string> reload_problems = {};
    Balance reconciliation = {};
    LedgerState ledger = {};
};
BOOST_DESCRIBE_STRUCT(Status, (),
                      (at, needs_attention, states, runs, last_pay_run, waiting_for_portal, checks, backup, witness,
                       controls, return_rates, change_control, undelivered, alerts, inbox, daemon, service, rule_set,
                       no_space, reload_problems, reconciliation, ledger))

}  // namespace drawbridge::admin::records
