-- The ledger. Facts are only added: what may be set later is a column that is NULL once and never changes again
-- (write-once; triggers at the end hold it). Instants are milliseconds since 1970 UTC, dates are YYYY-MM-DD, money is cents.
-- Where rows come by the hundred thousand a CHECK says OR: of an IN list of three or more SQLite builds a table at every
-- insert.

CREATE TABLE ledger_identity (
    one_row    INTEGER PRIMARY KEY CHECK (one_row = 1),
    ledger_id  TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

-- What the service said of a draw, each time it said something new.
CREATE TABLE draw_reading (
    reading_id     INTEGER PRIMARY KEY,
    draw_id        INTEGER NOT NULL,
    read_at        INTEGER NOT NULL,
    source         TEXT NOT NULL CHECK (source = 'poll' OR source = 'approve' OR source = 'pay' OR source = 'report'),
    status         INTEGER NOT NULL,
    case_id        INTEGER,
    case_name      TEXT,
    requested_by   TEXT NOT NULL,
    requested_date INTEGER NOT NULL,
    amount_requested_cents INTEGER CHECK (amount_requested_cents >= 0),
    approved_by    TEXT,
    approved_date  INTEGER,
    amount_approved_cents  INTEGER CHECK (amount_approved_cents >= 0),
    disbursed_by   TEXT,
    disbursed_date INTEGER,
    amount_disbursed_cents INTEGER CHECK (amount_disbursed_cents >= 0),
    description    TEXT,
    modified_by    TEXT NOT NULL,
    modified_date  INTEGER NOT NULL,
    field_a TEXT, field_b TEXT, field_c TEXT, field_d TEXT, field_e TEXT,
    config_draw_approver_group_id INTEGER NOT NULL,
    workflow_id    INTEGER NOT NULL
) STRICT;
CREATE INDEX draw_reading_of_draw ON draw_reading (draw_id, reading_id);

-- Every draw ever seen, and which reading is its newest: the one row that moves, always forward.
CREATE TABLE draw (
    draw_id       INTEGER PRIMARY KEY,
    first_seen_at INTEGER NOT NULL,
    reading_id    INTEGER NOT NULL REFERENCES draw_reading (reading_id),
    status        INTEGER NOT NULL
) STRICT;
CREATE INDEX draw_by_status ON draw (status, draw_id);

CREATE TABLE poll_sweep (
    sweep_id     INTEGER PRIMARY KEY,
    started_at   INTEGER NOT NULL,
    completed_at INTEGER NOT NULL,
    kind         TEXT NOT NULL CHECK (kind IN ('full', 'incremental')),
    draws_read   INTEGER NOT NULL,
    draws_changed INTEGER NOT NULL,
    newest_modified_date INTEGER
) STRICT;
CREATE INDEX poll_sweep_of_kind ON poll_sweep (kind, sweep_id);
CREATE INDEX poll_sweep_newest ON poll_sweep (newest_modified_date);

-- The text of each rule set that was ever in force.
CREATE TABLE rule_set (
    sha256        TEXT PRIMARY KEY,
    text          TEXT NOT NULL,
    first_used_at INTEGER NOT NULL
) STRICT;

CREATE TABLE decision (
    decision_id     INTEGER PRIMARY KEY,
    draw_id         INTEGER NOT NULL REFERENCES draw (draw_id),
    reading_id      INTEGER NOT NULL REFERENCES draw_reading (reading_id),
    decided_at      INTEGER NOT NULL,
    outcome         TEXT NOT NULL CHECK (outcome IN ('approve', 'hold')),
    rule_set_sha256 TEXT NOT NULL REFERENCES rule_set (sha256),
    rule            TEXT,
    reason          TEXT NOT NULL CHECK (reason <> ''),
    approver_id     INTEGER,
    notes           TEXT NOT NULL,
    notification_emails TEXT NOT NULL,
    explanation     TEXT NOT NULL,
    -- Invariant 4: an approval names its rule and its approver.
    CHECK (outcome = 'hold' OR (rule IS NOT NULL AND approver_id IS NOT NULL))
) STRICT;
CREATE INDEX decision_of_reading ON decision (reading_id, decision_id);
CREATE INDEX decision_of_draw ON decision (draw_id, decision_id);

-- Bulk approvals: the intent first, one result for each draw later.
CREATE TABLE approval_batch (
    batch_id   INTEGER PRIMARY KEY,
    created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE approval_item (
    item_id     INTEGER PRIMARY KEY,
    batch_id    INTEGER NOT NULL REFERENCES approval_batch (batch_id),
    draw_id     INTEGER NOT NULL REFERENCES draw (draw_id),
    decision_id INTEGER NOT NULL REFERENCES decision (decision_id),
    -- write-once:
    outcome     TEXT CHECK (outcome = 'approved' OR outcome = 'refused' OR outcome = 'not_applied' OR outcome = 'abandoned'),
    outcome_at  INTEGER,
    learned_by  TEXT CHECK (learned_by = 'answer' OR learned_by = 'read_back' OR learned_by = 'never_sent'),
    detail      TEXT,
    CHECK ((outcome IS NULL) = (outcome_at IS NULL) AND (outcome IS NULL) = (learned_by IS NULL))
) STRICT;
-- Invariant 9: a draw is in at most one open call; and a decision is carried out at most once.
CREATE UNIQUE INDEX approval_item_open ON approval_item (draw_id) WHERE outcome IS NULL;
CREATE UNIQUE INDEX approval_item_done ON approval_item (decision_id) WHERE outcome = 'approved';
CREATE INDEX approval_item_of_draw ON approval_item (draw_id, item_id);
CREATE INDEX approval_item_of_decision ON approval_item (decision_id);
CREATE INDEX approval_item_of_batch ON approval_item (batch_id);

-- Numbers that are never used twice. `next` only grows.
CREATE TABLE number_range (
    name TEXT PRIMARY KEY,
    next INTEGER NOT NULL CHECK (next >= 1)
) STRICT;

CREATE TABLE payment_file (
    file_id       INTEGER PRIMARY KEY,
    name          TEXT NOT NULL UNIQUE,
    rail          TEXT NOT NULL CHECK (rail IN ('ach', 'check')),
    started_by    TEXT NOT NULL,
    created_at    INTEGER NOT NULL,      -- goes into the file: the bytes are a function of these rows
    creation_date TEXT NOT NULL,
    creation_minutes INTEGER NOT NULL CHECK (creation_minutes BETWEEN 0 AND 1439),
    file_id_modifier TEXT CHECK (length(file_id_modifier) = 1),
    profile       TEXT NOT NULL,
    payment_count INTEGER NOT NULL CHECK (payment_count > 0),
    total_cents   INTEGER NOT NULL CHECK (total_cents > 0),
    entry_hash    INTEGER NOT NULL,
    -- write-once, in this order:
    staged_at     INTEGER,
    sha256        TEXT,
    release_ordered_at INTEGER,
    release_ordered_by TEXT,
    release_reason TEXT,
    released_at   INTEGER,
    -- or, before any release was ordered:
    voided_at     INTEGER,
    voided_by     TEXT,
    void_reason   TEXT,
    CHECK (voided_at IS NULL OR (release_ordered_at IS NULL AND voided_by IS NOT NULL AND void_reason IS NOT NULL)),
    CHECK ((staged_at IS NULL) = (sha256 IS NULL)),
    CHECK (release_ordered_at IS NULL OR (staged_at IS NOT NULL AND release_ordered_by IS NOT NULL)),
    CHECK (released_at IS NULL OR release_ordered_at IS NOT NULL),
    CHECK ((rail = 'ach') = (file_id_modifier IS NOT NULL))
) STRICT;
-- Invariant 6: one modifier for each creation date.
CREATE UNIQUE INDEX payment_file_modifier ON payment_file (creation_date, file_id_modifier) WHERE rail = 'ach';
CREATE INDEX payment_file_unreleased ON payment_file (file_id) WHERE released_at IS NULL AND voided_at IS NULL;
CREATE INDEX payment_file_voided ON payment_file (name) WHERE voided_at IS NOT NULL;

CREATE TABLE payment (
    payment_id    INTEGER PRIMARY KEY,
    file_id       INTEGER NOT NULL REFERENCES payment_file (file_id),
    position      INTEGER NOT NULL,
    draw_id       INTEGER NOT NULL REFERENCES draw (draw_id),
    reading_id    INTEGER NOT NULL REFERENCES draw_reading (reading_id),   -- the fresh Approved reading
    rail          TEXT NOT NULL CHECK (rail IN ('ach', 'check')),
    amount_cents  INTEGER NOT NULL CHECK (amount_cents > 0),
    trace_number  TEXT UNIQUE CHECK (length(trace_number) = 15),
    check_number  INTEGER UNIQUE CHECK (check_number > 0),
    batch_number  INTEGER NOT NULL,
    effective_entry_date TEXT,
    check_date    TEXT,
    payee_key     TEXT NOT NULL,
    payee_name    TEXT NOT NULL,
    routing_number TEXT,
    account_number TEXT,
    account_type  TEXT,
    sec_code      TEXT,
    address1 TEXT NOT NULL, address2 TEXT NOT NULL, city TEXT NOT NULL, state TEXT NOT NULL, zip TEXT NOT NULL,
    -- write-once: returned or voided, which ends it; nothing left to report of it
    ended_at      INTEGER,
    finished_at   INTEGER,
    UNIQUE (file_id, position),
    CHECK ((rail = 'ach') = (trace_number IS NOT NULL)),
    CHECK ((rail = 'check') = (check_number IS NOT NULL)),
    CHECK (rail = 'check' OR (routing_number IS NOT NULL AND account_number IS NOT NULL AND effective_entry_date IS NOT NULL
                              AND account_type IS NOT NULL AND sec_code IS NOT NULL))
) STRICT;
-- Invariant 1: at most one live payment for a draw.
CREATE UNIQUE INDEX payment_live ON payment (draw_id) WHERE ended_at IS NULL;
CREATE INDEX payment_of_draw ON payment (draw_id, payment_id);
CREATE INDEX payment_unfinished ON payment (draw_id) WHERE finished_at IS NULL;

CREATE TABLE confirmation_file (
    confirmation_file_id INTEGER PRIMARY KEY,
    sha256      TEXT NOT NULL,
    name        TEXT NOT NULL,
    size_bytes  INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    outcome     TEXT NOT NULL CHECK (outcome IN ('applied', 'refused')),
    line_count  INTEGER NOT NULL,
    report      TEXT NOT NULL
) STRICT;
-- The same bytes are applied once, for ever.
CREATE UNIQUE INDEX confirmation_file_applied ON confirmation_file (sha256) WHERE outcome = 'applied';

CREATE TABLE confirmation_line (
    line_id      INTEGER PRIMARY KEY,
    confirmation_file_id INTEGER NOT NULL REFERENCES confirmation_file (confirmation_file_id),
    line         INTEGER NOT NULL,
    payment_reference TEXT NOT NULL,
    kind         TEXT NOT NULL CHECK (kind = 'paid' OR kind = 'returned' OR kind = 'void'),
    amount_cents INTEGER NOT NULL,
    confirmed_on TEXT NOT NULL,
    outcome      TEXT NOT NULL CHECK (outcome = 'applied' OR outcome = 'duplicate' OR outcome = 'exception'),
    payment_id   INTEGER REFERENCES payment (payment_id),
    reason_code  TEXT NOT NULL,
    detail       TEXT NOT NULL,
    CHECK (outcome <> 'applied' OR payment_id IS NOT NULL)
) STRICT;
CREATE INDEX confirmation_line_of_file ON confirmation_line (confirmation_file_id, line);
CREATE INDEX confirmation_line_of_payment ON confirmation_line (payment_id) WHERE payment_id IS NOT NULL;

-- What the bank's evidence made of a payment; each kind at most once.
CREATE TABLE payment_settlement (
    payment_id   INTEGER NOT NULL REFERENCES payment (payment_id),
    kind         TEXT NOT NULL CHECK (kind = 'paid' OR kind = 'returned' OR kind = 'void'),
    line_id      INTEGER NOT NULL REFERENCES confirmation_line (line_id),
    confirmed_on TEXT NOT NULL,
    recorded_at  INTEGER NOT NULL,
    PRIMARY KEY (payment_id, kind)
) STRICT, WITHOUT ROWID;

-- Patches to the service: the intent first, the outcome once.
CREATE TABLE outbox (
    patch_id       INTEGER PRIMARY KEY,
    draw_id        INTEGER NOT NULL REFERENCES draw (draw_id),
    payment_id     INTEGER NOT NULL REFERENCES payment (payment_id),
    disbursed_date INTEGER NOT NULL,
    created_at     INTEGER NOT NULL,
    -- write-once:
    outcome        TEXT CHECK (outcome IN ('accepted', 'already_there')),
    outcome_at     INTEGER,
    CHECK ((outcome IS NULL) = (outcome_at IS NULL))
) STRICT;
-- Invariant 8: one value for a draw.
CREATE UNIQUE INDEX outbox_of_draw ON outbox (draw_id);
CREATE INDEX outbox_open ON outbox (patch_id) WHERE outcome IS NULL;
CREATE TABLE outbox_attempt (
    attempt_id INTEGER PRIMARY KEY,
    patch_id   INTEGER NOT NULL REFERENCES outbox (patch_id),
    at         INTEGER NOT NULL,
    outcome    TEXT NOT NULL,
    detail     TEXT NOT NULL
) STRICT;
CREATE INDEX outbox_attempt_of_patch ON outbox_attempt (patch_id, attempt_id);

-- What a person must look at.
CREATE TABLE exception (
    exception_id INTEGER PRIMARY KEY,
    opened_at    INTEGER NOT NULL,
    step        TEXT NOT NULL CHECK (step IN ('poll', 'decide', 'approve', 'pay', 'confirm', 'report')),
    reason_code  TEXT NOT NULL CHECK (reason_code <> ''),
    draw_id      INTEGER,
    payment_id   INTEGER REFERENCES payment (payment_id),
    subject      TEXT NOT NULL,   -- a file, a line of a file; may be empty
    detail       TEXT NOT NULL,
    -- write-once:
    closed_at    INTEGER,
    closed_by    TEXT,
    closed_reason TEXT,
    CHECK ((closed_at IS NULL) = (closed_by IS NULL) AND (closed_at IS NULL) = (closed_reason IS NULL))
) STRICT;
CREATE UNIQUE INDEX exception_open
    ON exception (reason_code, ifnull(draw_id, 0), ifnull(payment_id, 0), subject) WHERE closed_at IS NULL;
CREATE INDEX exception_open_of_draw ON exception (draw_id, step) WHERE closed_at IS NULL;
CREATE INDEX exception_open_by_age ON exception (opened_at, exception_id) WHERE closed_at IS NULL;
CREATE INDEX exception_of_subject ON exception (subject) WHERE subject <> '';
CREATE INDEX exception_of_draw ON exception (draw_id) WHERE draw_id IS NOT NULL;

-- Runs of a step, for `status` and the journal; cut-offs that were served.
CREATE TABLE step_run (
    run_id     INTEGER PRIMARY KEY,
    step      TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at   INTEGER NOT NULL,
    ok         INTEGER NOT NULL CHECK (ok IN (0, 1)),
    summary    TEXT NOT NULL
) STRICT;
CREATE INDEX step_run_of_step ON step_run (step, ok, run_id);
CREATE TABLE cutoff_served (
    cutoff_at INTEGER PRIMARY KEY,
    served_at INTEGER NOT NULL
) STRICT;

-- pause and resume; the newest row is in force.
CREATE TABLE movement_control (
    control_id INTEGER PRIMARY KEY,
    at         INTEGER NOT NULL,
    paused     INTEGER NOT NULL CHECK (paused IN (0, 1)),
    by         TEXT NOT NULL,
    reason     TEXT NOT NULL
) STRICT;

-- Invariant 5: append-only, each row sealed with the hash of the one before.
CREATE TABLE audit (
    seq      INTEGER PRIMARY KEY,
    at       INTEGER NOT NULL,
    actor    TEXT NOT NULL,
    action   TEXT NOT NULL,
    subject  TEXT NOT NULL,
    detail   TEXT NOT NULL,
    previous TEXT NOT NULL,
    hash     TEXT NOT NULL UNIQUE
) STRICT;
CREATE INDEX audit_of_subject ON audit (subject, seq);

-- The state of each draw, derived from the facts above and stored nowhere.
CREATE VIEW draw_state AS
SELECT d.draw_id, d.reading_id, d.status, r.workflow_id, r.case_id, r.case_name,
       live.payment_id,
       coalesce(live.amount_cents, r.amount_approved_cents, r.amount_requested_cents) AS amount_cents,
       CASE
         WHEN live.payment_id IS NOT NULL THEN
           CASE
             WHEN NOT EXISTS (SELECT 1 FROM payment_settlement s WHERE s.payment_id = live.payment_id AND s.kind = 'paid')
               THEN 'paying'
             WHEN EXISTS (SELECT 1 FROM outbox o WHERE o.draw_id = d.draw_id AND o.payment_id = live.payment_id
                                                   AND o.outcome IN ('accepted', 'already_there')) THEN 'reported'
             WHEN d.status = 5 THEN 'disbursed'
             ELSE 'paid'
           END
         WHEN d.status = 2 THEN 'cancelled'
         WHEN EXISTS (SELECT 1 FROM payment p JOIN payment_file f ON f.file_id = p.file_id
                      WHERE p.draw_id = d.draw_id AND f.voided_at IS NULL) THEN 'returned'
         WHEN d.status = 5 THEN 'external'
         WHEN d.status = 4 OR (d.status = 3 AND EXISTS (
                SELECT 1 FROM approval_item i JOIN decision c ON c.decision_id = i.decision_id
                WHERE i.draw_id = d.draw_id AND c.reading_id = d.reading_id AND i.outcome = 'approved')) THEN
           CASE WHEN EXISTS (SELECT 1 FROM exception e
                             WHERE e.draw_id = d.draw_id AND e.step = 'pay' AND e.closed_at IS NULL)
                THEN 'blocked' ELSE 'approved' END
         WHEN d.status = 3 THEN
           CASE
             WHEN EXISTS (SELECT 1 FROM approval_item i WHERE i.draw_id = d.draw_id AND i.outcome IS NULL) THEN 'approving'
             ELSE coalesce((SELECT CASE WHEN c.outcome = 'hold' THEN 'held'
                                        WHEN EXISTS (SELECT 1 FROM approval_item i WHERE i.decision_id = c.decision_id
                                                       AND i.outcome IN ('refused', 'abandoned')) THEN 'held'
                                        ELSE 'approving' END
                            FROM decision c WHERE c.draw_id = d.draw_id AND c.reading_id = d.reading_id
                            ORDER BY c.decision_id DESC LIMIT 1), 'pending')
           END
         WHEN d.status IN (0, 1) THEN 'pending'
         ELSE 'held'
       END AS state,
       r.read_at AS since
FROM draw d
JOIN draw_reading r ON r.reading_id = d.reading_id
LEFT JOIN payment live ON live.draw_id = d.draw_id AND live.ended_at IS NULL;

-- Facts are only added.
CREATE TRIGGER draw_reading_no_update BEFORE UPDATE ON draw_reading BEGIN SELECT raise(ABORT, 'draw_reading is append-only'); END;
CREATE TRIGGER draw_reading_no_delete BEFORE DELETE ON draw_reading BEGIN SELECT raise(ABORT, 'draw_reading is append-only'); END;
CREATE TRIGGER draw_no_delete BEFORE DELETE ON draw BEGIN SELECT raise(ABORT, 'draws are never forgotten'); END;
CREATE TRIGGER draw_forward BEFORE UPDATE ON draw
  WHEN new.draw_id <> old.draw_id OR new.first_seen_at <> old.first_seen_at OR new.reading_id <= old.reading_id
  BEGIN SELECT raise(ABORT, 'a draw only moves to a newer reading'); END;
CREATE TRIGGER rule_set_no_update BEFORE UPDATE ON rule_set BEGIN SELECT raise(ABORT, 'rule_set is append-only'); END;
CREATE TRIGGER rule_set_no_delete BEFORE DELETE ON rule_set BEGIN SELECT raise(ABORT, 'rule_set is append-only'); END;
CREATE TRIGGER decision_no_update BEFORE UPDATE ON decision BEGIN SELECT raise(ABORT, 'decision is append-only'); END;
CREATE TRIGGER decision_no_delete BEFORE DELETE ON decision BEGIN SELECT raise(ABORT, 'decision is append-only'); END;
CREATE TRIGGER approval_batch_no_update BEFORE UPDATE ON approval_batch BEGIN SELECT raise(ABORT, 'approval_batch is append-only'); END;
CREATE TRIGGER approval_batch_no_delete BEFORE DELETE ON approval_batch BEGIN SELECT raise(ABORT, 'approval_batch is append-only'); END;
CREATE TRIGGER approval_item_once BEFORE UPDATE ON approval_item
  WHEN old.outcome IS NOT NULL OR new.outcome IS NULL OR new.item_id <> old.item_id OR new.batch_id <> old.batch_id
    OR new.draw_id <> old.draw_id OR new.decision_id <> old.decision_id
  BEGIN SELECT raise(ABORT, 'the result of an approval is written once'); END;
CREATE TRIGGER approval_item_no_delete BEFORE DELETE ON approval_item BEGIN SELECT raise(ABORT, 'approval_item is append-only'); END;
CREATE TRIGGER number_range_grows BEFORE UPDATE ON number_range WHEN new.next < old.next OR new.name <> old.name
  BEGIN SELECT raise(ABORT, 'a number is never used twice'); END;
CREATE TRIGGER number_range_no_delete BEFORE DELETE ON number_range BEGIN SELECT raise(ABORT, 'a number is never used twice'); END;
CREATE TRIGGER payment_file_once BEFORE UPDATE ON payment_file
  WHEN new.file_id <> old.file_id OR new.name <> old.name OR new.rail <> old.rail OR new.started_by <> old.started_by
    OR new.created_at <> old.created_at OR new.creation_date <> old.creation_date
    OR new.creation_minutes <> old.creation_minutes OR new.file_id_modifier IS NOT old.file_id_modifier
    OR new.profile <> old.profile OR new.payment_count <> old.payment_count
    OR new.total_cents <> old.total_cents OR new.entry_hash <> old.entry_hash
    OR (old.staged_at IS NOT NULL AND (new.staged_at IS NOT old.staged_at OR new.sha256 IS NOT old.sha256))
    OR (old.release_ordered_at IS NOT NULL AND (new.release_ordered_at IS NOT old.release_ordered_at
        OR new.release_ordered_by IS NOT old.release_ordered_by OR new.release_reason IS NOT old.release_reason))
    OR (old.voided_at IS NOT NULL AND (new.voided_at IS NOT old.voided_at OR new.voided_by IS NOT old.voided_by
        OR new.void_reason IS NOT old.void_reason))
    OR (old.released_at IS NOT NULL AND new.released_at IS NOT old.released_at)
  BEGIN SELECT raise(ABORT, 'a payment file is never rewritten'); END;
CREATE TRIGGER payment_file_no_delete BEFORE DELETE ON payment_file BEGIN SELECT raise(ABORT, 'a payment file is never forgotten'); END;
CREATE TRIGGER payment_once BEFORE UPDATE ON payment
  WHEN (old.ended_at IS NOT NULL AND new.ended_at IS NOT old.ended_at)
    OR (old.finished_at IS NOT NULL AND new.finished_at IS NOT old.finished_at)
    OR new.payment_id <> old.payment_id OR new.file_id <> old.file_id OR new.position <> old.position OR new.draw_id <> old.draw_id
    OR new.reading_id <> old.reading_id OR new.rail <> old.rail OR new.amount_cents <> old.amount_cents
    OR new.trace_number IS NOT old.trace_number OR new.check_number IS NOT old.check_number
    OR new.batch_number <> old.batch_number OR new.effective_entry_date IS NOT old.effective_entry_date
    OR new.check_date IS NOT old.check_date OR new.payee_key <> old.payee_key OR new.payee_name <> old.payee_name
    OR new.routing_number IS NOT old.routing_number OR new.account_number IS NOT old.account_number
    OR new.account_type IS NOT old.account_type OR new.sec_code IS NOT old.sec_code
    OR new.address1 <> old.address1 OR new.address2 <> old.address2 OR new.city <> old.city OR new.state <> old.state
    OR new.zip <> old.zip
  BEGIN SELECT raise(ABORT, 'a payment is never rewritten'); END;
CREATE TRIGGER payment_no_delete BEFORE DELETE ON payment BEGIN SELECT raise(ABORT, 'a payment is never forgotten'); END;
CREATE TRIGGER confirmation_file_no_update BEFORE UPDATE ON confirmation_file BEGIN SELECT raise(ABORT, 'confirmation_file is append-only'); END;
CREATE TRIGGER confirmation_file_no_delete BEFORE DELETE ON confirmation_file BEGIN SELECT raise(ABORT, 'confirmation_file is append-only'); END;
CREATE TRIGGER confirmation_line_no_update BEFORE UPDATE ON confirmation_line BEGIN SELECT raise(ABORT, 'confirmation_line is append-only'); END;
CREATE TRIGGER confirmation_line_no_delete BEFORE DELETE ON confirmation_line BEGIN SELECT raise(ABORT, 'confirmation_line is append-only'); END;
CREATE TRIGGER payment_settlement_no_update BEFORE UPDATE ON payment_settlement BEGIN SELECT raise(ABORT, 'payment_settlement is append-only'); END;
CREATE TRIGGER payment_settlement_no_delete BEFORE DELETE ON payment_settlement BEGIN SELECT raise(ABORT, 'payment_settlement is append-only'); END;
CREATE TRIGGER outbox_once BEFORE UPDATE ON outbox
  WHEN old.outcome IS NOT NULL OR new.outcome IS NULL OR new.patch_id <> old.patch_id OR new.draw_id <> old.draw_id
    OR new.payment_id <> old.payment_id OR new.disbursed_date <> old.disbursed_date OR new.created_at <> old.created_at
  BEGIN SELECT raise(ABORT, 'the outcome of a patch is written once'); END;
CREATE TRIGGER outbox_no_delete BEFORE DELETE ON outbox BEGIN SELECT raise(ABORT, 'outbox is append-only'); END;
CREATE TRIGGER outbox_attempt_no_update BEFORE UPDATE ON outbox_attempt BEGIN SELECT raise(ABORT, 'outbox_attempt is append-only'); END;
CREATE TRIGGER outbox_attempt_no_delete BEFORE DELETE ON outbox_attempt BEGIN SELECT raise(ABORT, 'outbox_attempt is append-only'); END;
CREATE TRIGGER exception_once BEFORE UPDATE ON exception
  WHEN old.closed_at IS NOT NULL OR new.closed_at IS NULL OR new.exception_id <> old.exception_id
    OR new.opened_at <> old.opened_at OR new.step <> old.step OR new.reason_code <> old.reason_code
    OR new.draw_id IS NOT old.draw_id OR new.payment_id IS NOT old.payment_id OR new.subject <> old.subject
    OR new.detail <> old.detail
  BEGIN SELECT raise(ABORT, 'an exception is closed once and never rewritten'); END;
CREATE TRIGGER exception_no_delete BEFORE DELETE ON exception BEGIN SELECT raise(ABORT, 'an exception is never forgotten'); END;
CREATE TRIGGER movement_control_no_update BEFORE UPDATE ON movement_control BEGIN SELECT raise(ABORT, 'movement_control is append-only'); END;
CREATE TRIGGER movement_control_no_delete BEFORE DELETE ON movement_control BEGIN SELECT raise(ABORT, 'movement_control is append-only'); END;
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN SELECT raise(ABORT, 'audit is append-only'); END;
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT raise(ABORT, 'audit is append-only'); END;
