-- Schema 100 of the ledger: the first that is supported. Later schemas are files of their own, 0101_….sql and so on.
--
-- Units: instants are milliseconds since 1970-01-01 UTC, dates are 'YYYY-MM-DD', money is integer cents.
-- Facts are only added. A column under "write-once" is NULL until it is set, and never changes after that; the triggers
-- beside each table enforce both. `verify` recounts every fact, so a trigger that somebody drops does not go unnoticed.
-- Where rows come by the hundred thousand, a CHECK uses OR instead of IN: SQLite builds a temporary table for an IN list
-- of three or more values at every insert. For the same reason payment has no insert trigger.
-- A statement that fails rolls back its transaction, as in PostgreSQL, and references are checked at the commit. If
-- SQLite had to undo a statement alone, it would copy each page that the statement changes: an eighth of all the work.

---- Identity, sealing, audit trail.

-- One row. The id is the first link of the audit trail and is part of every sealed value.
CREATE TABLE ledger_identity (
    one_row    INTEGER PRIMARY KEY CHECK (one_row = 1),
    ledger_id  TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

-- The Draws Service whose draws these are; the newest row is in force. Another service numbers its draws anew.
CREATE TABLE service_address (
    address_id INTEGER PRIMARY KEY,
    at         INTEGER NOT NULL,
    url        TEXT NOT NULL
) STRICT;
CREATE TRIGGER service_address_no_update BEFORE UPDATE ON service_address BEGIN SELECT raise(ROLLBACK, 'service_address is append-only'); END;
CREATE TRIGGER service_address_no_delete BEFORE DELETE ON service_address BEGIN SELECT raise(ROLLBACK, 'service_address is append-only'); END;

-- Check values by which the ledger recognizes its sealing key; the newest row is in force. Never the key itself.
CREATE TABLE sealing_key (
    key_id      INTEGER PRIMARY KEY,
    check_value TEXT NOT NULL,
    sealed_at   INTEGER NOT NULL,
    -- write-once: the file was vacuumed, so values sealed with the previous key are gone from the disk
    cleaned_at  INTEGER
) STRICT;
CREATE TRIGGER sealing_key_once BEFORE UPDATE ON sealing_key
  WHEN old.cleaned_at IS NOT NULL OR new.cleaned_at IS NULL OR new.key_id <> old.key_id
    OR new.check_value <> old.check_value OR new.sealed_at <> old.sealed_at
  BEGIN SELECT raise(ROLLBACK, 'sealing_key is append-only'); END;
CREATE TRIGGER sealing_key_no_delete BEFORE DELETE ON sealing_key BEGIN SELECT raise(ROLLBACK, 'sealing_key is append-only'); END;

-- Invariant 5: append-only, each row chained to the one before by its hash, which covers that row's hash. Nobody looks
-- a hash up, and an index over hashes would cost more than the row, so there is none.
CREATE TABLE audit (
    seq      INTEGER PRIMARY KEY,
    at       INTEGER NOT NULL,
    actor    TEXT NOT NULL,
    action   TEXT NOT NULL,
    subject  TEXT NOT NULL,
    detail   TEXT NOT NULL,
    hash     TEXT NOT NULL               -- over the row and the hash of the row before (the ledger's id for the first)
) STRICT;
CREATE INDEX audit_of_subject ON audit (subject, seq);
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN SELECT raise(ROLLBACK, 'audit is append-only'); END;
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT raise(ROLLBACK, 'audit is append-only'); END;

-- For each table of facts: its row count and the sum of the keyed hashes of its rows, as of the newest commit. The newest
-- audit entry names one digest over all of them. Nobody can compute either without the sealing key.
CREATE TABLE fact_digest (
    table_name TEXT PRIMARY KEY,
    rows       INTEGER NOT NULL,
    digest     TEXT NOT NULL CHECK (substr(digest, 1, 7) = 'sealed:')
) STRICT, WITHOUT ROWID;

-- Invariant 6: payment ids, trace, check and batch numbers and file sequences. `next` only grows.
CREATE TABLE number_range (
    name TEXT PRIMARY KEY,
    next INTEGER NOT NULL CHECK (next >= 1)
) STRICT;
CREATE TRIGGER number_range_grows BEFORE UPDATE ON number_range WHEN new.next < old.next OR new.name <> old.name
  BEGIN SELECT raise(ROLLBACK, 'a number is never used twice'); END;
CREATE TRIGGER number_range_no_delete BEFORE DELETE ON number_range BEGIN SELECT raise(ROLLBACK, 'a number is never used twice'); END;

---- Draws as the service shows them.

-- Names that many readings repeat: who approved, disbursed or modified draws in the portal.
CREATE TABLE portal_name (
    name_id INTEGER PRIMARY KEY,
    name    TEXT NOT NULL UNIQUE
) STRICT;
CREATE TRIGGER portal_name_no_update BEFORE UPDATE ON portal_name BEGIN SELECT raise(ROLLBACK, 'portal_name is append-only'); END;
CREATE TRIGGER portal_name_no_delete BEFORE DELETE ON portal_name BEGIN SELECT raise(ROLLBACK, 'portal_name is append-only'); END;

-- What was requested. It rarely changes while the draw moves on, so the readings of a draw share it.
CREATE TABLE draw_content (
    content_id     INTEGER PRIMARY KEY,
    draw_id        INTEGER NOT NULL,
    case_id        INTEGER,
    case_name      TEXT,
    requested_by   TEXT NOT NULL,
    requested_date INTEGER NOT NULL,
    amount_requested_cents INTEGER CHECK (amount_requested_cents >= 0),
    description    TEXT,
    field_a TEXT, field_b TEXT, field_c TEXT, field_d TEXT, field_e TEXT,
    config_draw_approver_group_id INTEGER NOT NULL,
    workflow_id    INTEGER NOT NULL
) STRICT;
CREATE TRIGGER draw_content_no_update BEFORE UPDATE ON draw_content BEGIN SELECT raise(ROLLBACK, 'draw_content is append-only'); END;
CREATE TRIGGER draw_content_no_delete BEFORE DELETE ON draw_content BEGIN SELECT raise(ROLLBACK, 'draw_content is append-only'); END;

-- One row each time the service shows something new about a draw.
CREATE TABLE reading (
    reading_id     INTEGER PRIMARY KEY,
    draw_id        INTEGER NOT NULL,
    content_id     INTEGER NOT NULL REFERENCES draw_content (content_id) DEFERRABLE INITIALLY DEFERRED,   -- of the same draw
    read_at        INTEGER NOT NULL,
    source         TEXT NOT NULL CHECK (source = 'poll' OR source = 'approve' OR source = 'pay' OR source = 'report'),
    status         INTEGER NOT NULL,
    approved_by    INTEGER REFERENCES portal_name (name_id) DEFERRABLE INITIALLY DEFERRED,
    approved_date  INTEGER,
    amount_approved_cents  INTEGER CHECK (amount_approved_cents >= 0),
    disbursed_by   INTEGER REFERENCES portal_name (name_id) DEFERRABLE INITIALLY DEFERRED,
    disbursed_date INTEGER,
    amount_disbursed_cents INTEGER CHECK (amount_disbursed_cents >= 0),
    modified_by    INTEGER REFERENCES portal_name (name_id) DEFERRABLE INITIALLY DEFERRED,   -- NULL: who requested the draw
    modified_date  INTEGER NOT NULL
) STRICT;
CREATE INDEX reading_of_draw ON reading (draw_id, reading_id);
CREATE TRIGGER reading_no_update BEFORE UPDATE ON reading BEGIN SELECT raise(ROLLBACK, 'reading is append-only'); END;
CREATE TRIGGER reading_no_delete BEFORE DELETE ON reading BEGIN SELECT raise(ROLLBACK, 'reading is append-only'); END;

-- The draw as it was read. Query `reading` where that is enough.
CREATE VIEW draw_reading AS
SELECT r.reading_id, r.draw_id, r.content_id, r.read_at, r.source, r.status, c.case_id, c.case_name, c.requested_by,
       c.requested_date, c.amount_requested_cents,
       (SELECT n.name FROM portal_name n WHERE n.name_id = r.approved_by) AS approved_by, r.approved_date,
       r.amount_approved_cents,
       (SELECT n.name FROM portal_name n WHERE n.name_id = r.disbursed_by) AS disbursed_by, r.disbursed_date,
       r.amount_disbursed_cents, c.description,
       CASE WHEN r.modified_by IS NULL THEN c.requested_by
            ELSE (SELECT n.name FROM portal_name n WHERE n.name_id = r.modified_by) END AS modified_by,
       r.modified_date, c.field_a, c.field_b, c.field_c, c.field_d, c.field_e, c.config_draw_approver_group_id,
       c.workflow_id
FROM reading r
JOIN draw_content c ON c.content_id = r.content_id;

-- Every draw ever seen and its newest reading. The only row that changes more than once; it only moves forward.
CREATE TABLE draw (
    draw_id       INTEGER PRIMARY KEY,
    first_seen_at INTEGER NOT NULL,
    reading_id    INTEGER NOT NULL REFERENCES reading (reading_id) DEFERRABLE INITIALLY DEFERRED,
    status        INTEGER NOT NULL
) STRICT;
CREATE INDEX draw_by_status ON draw (status, draw_id);
CREATE TRIGGER draw_forward BEFORE UPDATE ON draw
  WHEN new.draw_id <> old.draw_id OR new.first_seen_at <> old.first_seen_at OR new.reading_id <= old.reading_id
  BEGIN SELECT raise(ROLLBACK, 'a draw only moves to a newer reading'); END;
CREATE TRIGGER draw_no_delete BEFORE DELETE ON draw BEGIN SELECT raise(ROLLBACK, 'draws are never deleted'); END;

-- Sweeps of the poll step. Incremental sweeps that found nothing are deleted after a time.
CREATE TABLE poll_sweep (
    sweep_id     INTEGER PRIMARY KEY,
    started_at   INTEGER NOT NULL,
    completed_at INTEGER NOT NULL,
    kind         TEXT NOT NULL CHECK (kind IN ('full', 'incremental')),
    draws_read   INTEGER NOT NULL,
    draws_changed INTEGER NOT NULL,
    newest_modified_date INTEGER          -- where the next incremental sweep starts
) STRICT;
CREATE INDEX poll_sweep_of_kind ON poll_sweep (kind, sweep_id);
CREATE INDEX poll_sweep_newest ON poll_sweep (newest_modified_date);
CREATE INDEX poll_sweep_idle ON poll_sweep (completed_at) WHERE kind = 'incremental' AND draws_changed = 0;
CREATE TRIGGER poll_sweep_no_update BEFORE UPDATE ON poll_sweep BEGIN SELECT raise(ROLLBACK, 'a sweep is never rewritten'); END;
CREATE TRIGGER poll_sweep_only_idle BEFORE DELETE ON poll_sweep WHEN old.kind <> 'incremental' OR old.draws_changed <> 0
  BEGIN SELECT raise(ROLLBACK, 'a sweep that found something is never deleted'); END;

---- Decisions.

-- The text of each rule set that was ever in force.
CREATE TABLE rule_set (
    sha256        TEXT PRIMARY KEY,
    text          TEXT NOT NULL,
    first_used_at INTEGER NOT NULL
) STRICT;
CREATE TRIGGER rule_set_no_update BEFORE UPDATE ON rule_set BEGIN SELECT raise(ROLLBACK, 'rule_set is append-only'); END;
CREATE TRIGGER rule_set_no_delete BEFORE DELETE ON rule_set BEGIN SELECT raise(ROLLBACK, 'rule_set is append-only'); END;

-- A run of the decide step, for limits per run. After a crash the open run continues, so its limits stay used up.
CREATE TABLE decide_run (
    run_id     INTEGER PRIMARY KEY,
    started_at INTEGER NOT NULL,
    -- write-once:
    ended_at   INTEGER
) STRICT;
CREATE UNIQUE INDEX decide_run_open ON decide_run ((ended_at IS NULL)) WHERE ended_at IS NULL;
CREATE TRIGGER decide_run_once BEFORE UPDATE ON decide_run
  WHEN old.ended_at IS NOT NULL OR new.run_id <> old.run_id OR new.started_at <> old.started_at
  BEGIN SELECT raise(ROLLBACK, 'a run ends once'); END;
CREATE TRIGGER decide_run_no_delete BEFORE DELETE ON decide_run BEGIN SELECT raise(ROLLBACK, 'decide_run is append-only'); END;

-- What the explanations of many decisions have in common: JSON with ? in place of each value.
CREATE TABLE explanation_shape (
    shape_id INTEGER PRIMARY KEY,
    text     TEXT NOT NULL UNIQUE
) STRICT;
CREATE TRIGGER explanation_shape_no_update BEFORE UPDATE ON explanation_shape BEGIN SELECT raise(ROLLBACK, 'explanation_shape is append-only'); END;
CREATE TRIGGER explanation_shape_no_delete BEFORE DELETE ON explanation_shape BEGIN SELECT raise(ROLLBACK, 'explanation_shape is append-only'); END;

-- What many decisions have in common.
CREATE TABLE verdict (
    verdict_id      INTEGER PRIMARY KEY,
    rule_set_sha256 TEXT NOT NULL REFERENCES rule_set (sha256) DEFERRABLE INITIALLY DEFERRED,
    rule            TEXT,
    reason          TEXT NOT NULL CHECK (reason <> ''),
    approver_id     INTEGER,
    notes           TEXT NOT NULL,
    notification_emails TEXT NOT NULL,
    shape_id        INTEGER NOT NULL REFERENCES explanation_shape (shape_id) DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TRIGGER verdict_no_update BEFORE UPDATE ON verdict BEGIN SELECT raise(ROLLBACK, 'verdict is append-only'); END;
CREATE TRIGGER verdict_no_delete BEFORE DELETE ON verdict BEGIN SELECT raise(ROLLBACK, 'verdict is append-only'); END;

CREATE TABLE draw_decision (
    decision_id     INTEGER PRIMARY KEY,
    draw_id         INTEGER NOT NULL REFERENCES draw (draw_id) DEFERRABLE INITIALLY DEFERRED,
    reading_id      INTEGER NOT NULL REFERENCES reading (reading_id) DEFERRABLE INITIALLY DEFERRED,
    decided_at      INTEGER NOT NULL,
    outcome         TEXT NOT NULL CHECK (outcome = 'approve' OR outcome = 'hold'),
    verdict_id      INTEGER NOT NULL REFERENCES verdict (verdict_id) DEFERRABLE INITIALLY DEFERRED,
    -- A JSON array: what replaces each ? of the shape. 1 and 0 are true and false, 2 is the reason, 3 the first text of
    -- this array, 4 the second, and so on.
    explanation_values TEXT NOT NULL,
    run_id          INTEGER REFERENCES decide_run (run_id) DEFERRABLE INITIALLY DEFERRED,
    decided_by      TEXT                 -- the person who decided; `rule` then says so. NULL: the rules decided
) STRICT;
CREATE INDEX decision_of_draw ON draw_decision (draw_id, decision_id);
CREATE INDEX decision_approving ON draw_decision (decided_at) WHERE outcome = 'approve';
CREATE INDEX decision_of_run ON draw_decision (run_id) WHERE run_id IS NOT NULL AND outcome = 'approve';
-- Invariant 4: an approval names its rule and its approver.
CREATE TRIGGER decision_names_rule AFTER INSERT ON draw_decision
  WHEN new.outcome = 'approve' AND NOT EXISTS (SELECT 1 FROM verdict v WHERE v.verdict_id = new.verdict_id
                                               AND v.rule IS NOT NULL AND v.approver_id IS NOT NULL)
  BEGIN SELECT raise(ROLLBACK, 'an approval names its rule and its approver'); END;
CREATE TRIGGER draw_decision_no_update BEFORE UPDATE ON draw_decision BEGIN SELECT raise(ROLLBACK, 'draw_decision is append-only'); END;
CREATE TRIGGER draw_decision_no_delete BEFORE DELETE ON draw_decision BEGIN SELECT raise(ROLLBACK, 'draw_decision is append-only'); END;

-- The decision with what it shares. Query `draw_decision` where that is enough.
CREATE VIEW decision AS
SELECT d.decision_id, d.draw_id, d.reading_id, d.decided_at, d.outcome, v.rule_set_sha256, v.rule, v.reason,
       v.approver_id, v.notes, v.notification_emails, v.shape_id, d.explanation_values, d.run_id, d.decided_by
FROM draw_decision d
JOIN verdict v ON v.verdict_id = d.verdict_id;

-- When the rules look at a draw again only because time has passed. A queue, not a fact: it follows from the decision
-- and the rules, and every look at the draw updates it.
CREATE TABLE decide_again (
    draw_id INTEGER PRIMARY KEY REFERENCES draw (draw_id) DEFERRABLE INITIALLY DEFERRED,
    at      INTEGER NOT NULL
) STRICT;
CREATE INDEX decide_again_due ON decide_again (at);

---- Bulk approvals.

-- One call to the service. The intent is committed first, with its items; each draw's result comes later.
CREATE TABLE approval_batch (
    batch_id   INTEGER PRIMARY KEY,
    created_at INTEGER NOT NULL
) STRICT;
CREATE TRIGGER approval_batch_no_update BEFORE UPDATE ON approval_batch BEGIN SELECT raise(ROLLBACK, 'approval_batch is append-only'); END;
CREATE TRIGGER approval_batch_no_delete BEFORE DELETE ON approval_batch BEGIN SELECT raise(ROLLBACK, 'approval_batch is append-only'); END;

CREATE TABLE approval_item (
    item_id     INTEGER PRIMARY KEY,
    batch_id    INTEGER NOT NULL REFERENCES approval_batch (batch_id) DEFERRABLE INITIALLY DEFERRED,
    draw_id     INTEGER NOT NULL REFERENCES draw (draw_id) DEFERRABLE INITIALLY DEFERRED,
    decision_id INTEGER NOT NULL REFERENCES draw_decision (decision_id) DEFERRABLE INITIALLY DEFERRED,
    -- write-once:
    outcome     TEXT CHECK (outcome = 'approved' OR outcome = 'refused' OR outcome = 'not_applied' OR outcome = 'abandoned'),
    outcome_at  INTEGER,
    learned_by  TEXT CHECK (learned_by = 'answer' OR learned_by = 'read_back' OR learned_by = 'never_sent'),
    detail      TEXT,
    CHECK ((outcome IS NULL) = (outcome_at IS NULL) AND (outcome IS NULL) = (learned_by IS NULL))
) STRICT;
-- Invariant 9: a draw is in at most one open call. A decision is carried out at most once.
CREATE UNIQUE INDEX approval_item_open ON approval_item (draw_id) WHERE outcome IS NULL;
CREATE UNIQUE INDEX approval_item_of_decision
  ON approval_item (decision_id, (CASE WHEN outcome = 'approved' THEN 0 ELSE item_id END));
CREATE INDEX approval_item_of_draw ON approval_item (draw_id, item_id);
CREATE INDEX approval_item_of_batch ON approval_item (batch_id);
CREATE TRIGGER approval_item_once BEFORE UPDATE ON approval_item
  WHEN old.outcome IS NOT NULL OR new.outcome IS NULL OR new.item_id <> old.item_id OR new.batch_id <> old.batch_id
    OR new.draw_id <> old.draw_id OR new.decision_id <> old.decision_id
  BEGIN SELECT raise(ROLLBACK, 'the result of an approval is written once'); END;
CREATE TRIGGER approval_item_no_delete BEFORE DELETE ON approval_item BEGIN SELECT raise(ROLLBACK, 'approval_item is append-only'); END;

-- The readings that show an approval by the rules. It ends with a reading that shows the draw unapproved after it, which
-- is one that follows an Approved reading or is newer by the service's own dates than the reading that was decided on;
-- and with an approval in another name. When the outcome was learned counts for nothing: the answer may be lost, and a
-- clock may go back. `approver_id`: in whose name. `is_answered`: 0 if the service did not answer the approval, so that
-- somebody else may have given the one that readings show. Query it by reading_id.
CREATE VIEW reading_approved_by_rules AS
SELECT r.reading_id, (SELECT v.approver_id FROM verdict v WHERE v.verdict_id = c.verdict_id) AS approver_id,
       CASE WHEN i.learned_by = 'answer' THEN 1 ELSE 0 END AS is_answered
FROM reading r
JOIN approval_item i ON i.draw_id = r.draw_id AND i.outcome = 'approved'
JOIN draw_decision c ON c.decision_id = i.decision_id AND c.decided_by IS NULL AND c.reading_id < r.reading_id
JOIN reading o ON o.reading_id = c.reading_id
WHERE r.status IN (4, 5)
  AND NOT EXISTS (SELECT 1 FROM reading b
      WHERE b.draw_id = r.draw_id AND b.reading_id > c.reading_id AND b.reading_id < r.reading_id
        AND CASE WHEN b.status IN (4, 5) THEN b.approved_by <> r.approved_by
                 ELSE b.modified_date > o.modified_date OR EXISTS (SELECT 1 FROM reading e
                     WHERE e.draw_id = b.draw_id AND e.reading_id > c.reading_id AND e.reading_id < b.reading_id
                       AND e.status IN (4, 5)) END);

-- The first reading of each approval that somebody gave after an earlier one was undone. A reading undoes an approval if
-- it shows the draw unapproved and is newer by the service's own dates: others may be late answers. The new approval has
-- a date, or a name, that no earlier reading shows, so a wrong answer makes no new approval. `before_reading_id` is the
-- newest reading of the one that was undone. Query it by draw_id.
CREATE VIEW approved_again AS
SELECT g.draw_id, g.reading_id, p.reading_id AS before_reading_id
FROM reading g
JOIN reading p ON p.reading_id = (SELECT max(a.reading_id) FROM reading a
    WHERE a.draw_id = g.draw_id AND a.reading_id < g.reading_id AND a.status IN (4, 5))
WHERE g.status = 4
  AND EXISTS (SELECT 1 FROM reading b WHERE b.draw_id = g.draw_id AND b.reading_id > p.reading_id
      AND b.reading_id < g.reading_id AND b.modified_date > p.modified_date)
  AND NOT EXISTS (SELECT 1 FROM reading e
      WHERE e.draw_id = g.draw_id AND e.reading_id < g.reading_id AND e.status IN (4, 5)
        AND e.approved_date IS NOT DISTINCT FROM g.approved_date
        AND (g.approved_date IS NOT NULL OR e.approved_by IS NOT DISTINCT FROM g.approved_by));

---- People.

-- A person. Numeric uids, roles and portal identities are rows of their own, each with the time it began and, if it
-- ended, when.
CREATE TABLE person (
    person_id  INTEGER PRIMARY KEY,
    name       TEXT NOT NULL CHECK (name <> ''),     -- for display only
    added_at   INTEGER NOT NULL,
    added_by   TEXT NOT NULL
) STRICT;
CREATE TRIGGER person_no_update BEFORE UPDATE ON person BEGIN SELECT raise(ROLLBACK, 'person is append-only'); END;
CREATE TRIGGER person_no_delete BEFORE DELETE ON person BEGIN SELECT raise(ROLLBACK, 'person is append-only'); END;

-- A uid belongs to one person at a time; its history is kept. A uid without a row counts as a person of its own.
CREATE TABLE person_uid (
    link_id     INTEGER PRIMARY KEY,
    person_id   INTEGER NOT NULL REFERENCES person (person_id) DEFERRABLE INITIALLY DEFERRED,
    uid         INTEGER NOT NULL CHECK (uid > 0),    -- uid 0 is nobody in particular
    linked_at   INTEGER NOT NULL,
    -- write-once:
    unlinked_at INTEGER
) STRICT;
CREATE UNIQUE INDEX person_uid_live ON person_uid (uid) WHERE unlinked_at IS NULL;
CREATE INDEX person_uid_of_person ON person_uid (person_id);
CREATE INDEX person_uid_ever ON person_uid (uid, person_id);
CREATE TRIGGER person_uid_once BEFORE UPDATE ON person_uid
  WHEN old.unlinked_at IS NOT NULL OR new.unlinked_at IS NULL OR new.link_id <> old.link_id
    OR new.person_id <> old.person_id OR new.uid <> old.uid OR new.linked_at <> old.linked_at
  BEGIN SELECT raise(ROLLBACK, 'a link to a person ends once'); END;
CREATE TRIGGER person_uid_no_delete BEFORE DELETE ON person_uid BEGIN SELECT raise(ROLLBACK, 'person_uid is append-only'); END;

-- Everyone a uid ever belonged to: whoever may have acted with it.
CREATE VIEW uid_person_ever AS SELECT DISTINCT uid, person_id FROM person_uid;

CREATE TABLE person_role (
    grant_id   INTEGER PRIMARY KEY,
    person_id  INTEGER NOT NULL REFERENCES person (person_id) DEFERRABLE INITIALLY DEFERRED,
    role       TEXT NOT NULL CHECK (role IN ('viewer', 'auditor', 'finance', 'operator', 'releaser', 'admin')),
    granted_at INTEGER NOT NULL,
    -- write-once:
    revoked_at INTEGER
) STRICT;
CREATE UNIQUE INDEX person_role_live ON person_role (person_id, role) WHERE revoked_at IS NULL;
CREATE TRIGGER person_role_once BEFORE UPDATE ON person_role
  WHEN old.revoked_at IS NOT NULL OR new.revoked_at IS NULL OR new.grant_id <> old.grant_id
    OR new.person_id <> old.person_id OR new.role <> old.role OR new.granted_at <> old.granted_at
  BEGIN SELECT raise(ROLLBACK, 'a role is revoked once'); END;
CREATE TRIGGER person_role_no_delete BEFORE DELETE ON person_role BEGIN SELECT raise(ROLLBACK, 'person_role is append-only'); END;

-- Who a person is in the service's portal: the address shown as requestedBy and approvedBy, and the approver's id.
CREATE TABLE person_portal (
    link_id     INTEGER PRIMARY KEY,
    person_id   INTEGER NOT NULL REFERENCES person (person_id) DEFERRABLE INITIALLY DEFERRED,
    kind        TEXT NOT NULL CHECK (kind IN ('email', 'approver_id')),
    value       TEXT NOT NULL CHECK (value <> ''),   -- an address in lower case, or digits
    linked_at   INTEGER NOT NULL,
    -- write-once:
    unlinked_at INTEGER
) STRICT;
CREATE UNIQUE INDEX person_portal_live ON person_portal (kind, value) WHERE unlinked_at IS NULL;
CREATE INDEX person_portal_of_person ON person_portal (person_id);
CREATE INDEX person_portal_of_value ON person_portal (kind, value);
CREATE TRIGGER person_portal_once BEFORE UPDATE ON person_portal
  WHEN old.unlinked_at IS NOT NULL OR new.unlinked_at IS NULL OR new.link_id <> old.link_id
    OR new.person_id <> old.person_id OR new.kind <> old.kind OR new.value <> old.value
    OR new.linked_at <> old.linked_at
  BEGIN SELECT raise(ROLLBACK, 'a link to a person ends once'); END;
CREATE TRIGGER person_portal_no_delete BEFORE DELETE ON person_portal BEGIN SELECT raise(ROLLBACK, 'person_portal is append-only'); END;

-- A person with an open lock may do nothing.
CREATE TABLE person_lock (
    lock_id     INTEGER PRIMARY KEY,
    person_id   INTEGER NOT NULL REFERENCES person (person_id) DEFERRABLE INITIALLY DEFERRED,
    locked_at   INTEGER NOT NULL,
    -- write-once:
    unlocked_at INTEGER
) STRICT;
CREATE UNIQUE INDEX person_lock_live ON person_lock (person_id) WHERE unlocked_at IS NULL;
CREATE TRIGGER person_lock_once BEFORE UPDATE ON person_lock
  WHEN old.unlocked_at IS NOT NULL OR new.unlocked_at IS NULL OR new.lock_id <> old.lock_id
    OR new.person_id <> old.person_id OR new.locked_at <> old.locked_at
  BEGIN SELECT raise(ROLLBACK, 'a lock ends once'); END;
CREATE TRIGGER person_lock_no_delete BEFORE DELETE ON person_lock BEGIN SELECT raise(ROLLBACK, 'person_lock is append-only'); END;

-- A change to a person that takes effect once somebody else confirms it.
CREATE TABLE person_change (
    change_id     INTEGER PRIMARY KEY,
    person_id     INTEGER NOT NULL REFERENCES person (person_id) DEFERRABLE INITIALLY DEFERRED,
    kind          TEXT NOT NULL CHECK (kind IN ('link', 'unlink', 'grant', 'revoke', 'lock', 'unlock')),
    -- link, unlink: "uid 5001", "email a@b.org", "approver_id 7"; grant, revoke: the role; else empty
    detail        TEXT NOT NULL,
    proposed_at   INTEGER NOT NULL,
    proposed_uid  INTEGER NOT NULL,
    proposed_by   TEXT NOT NULL,
    reason        TEXT NOT NULL CHECK (reason <> ''),
    -- write-once:
    closed_at     INTEGER,
    closed_uid    INTEGER,
    closed_by     TEXT,
    closed_reason TEXT,
    outcome       TEXT CHECK (outcome IN ('confirmed', 'rejected')),
    links_until   INTEGER,  -- the newest of person_uid then, whatever the clock said
    CHECK ((closed_at IS NULL) = (outcome IS NULL)),
    CHECK ((closed_at IS NULL) = (links_until IS NULL)),
    CHECK ((closed_at IS NULL) = (closed_uid IS NULL)),
    CHECK ((closed_at IS NULL) = (closed_by IS NULL)),
    CHECK ((closed_at IS NULL) = (closed_reason IS NULL)),
    CHECK (outcome IS NOT 'confirmed' OR closed_uid <> proposed_uid)
) STRICT;
CREATE INDEX person_change_open ON person_change (change_id) WHERE closed_at IS NULL;
CREATE TRIGGER person_change_once BEFORE UPDATE ON person_change
  WHEN old.closed_at IS NOT NULL OR new.closed_at IS NULL OR new.change_id <> old.change_id
    OR new.person_id <> old.person_id OR new.kind <> old.kind OR new.detail <> old.detail
    OR new.proposed_at <> old.proposed_at OR new.proposed_uid <> old.proposed_uid
    OR new.proposed_by <> old.proposed_by OR new.reason <> old.reason
  BEGIN SELECT raise(ROLLBACK, 'a proposed change is closed once and never rewritten'); END;
-- Invariant 12: neither who proposed a change nor the person whom it changes confirms it.
CREATE TRIGGER person_change_by_another BEFORE UPDATE OF outcome ON person_change
  WHEN old.outcome IS NULL AND new.outcome = 'confirmed'
  BEGIN
    SELECT raise(ROLLBACK, 'nobody confirms a change that they proposed')
        WHERE EXISTS (SELECT 1 FROM uid_person_ever x JOIN uid_person_ever y ON y.person_id = x.person_id
                      WHERE x.uid = new.proposed_uid AND y.uid = new.closed_uid);
    SELECT raise(ROLLBACK, 'nobody confirms a change to themselves') FROM person_uid u
        WHERE u.uid = new.closed_uid AND u.person_id = new.person_id;
  END;
CREATE TRIGGER person_change_no_delete BEFORE DELETE ON person_change BEGIN SELECT raise(ROLLBACK, 'person_change is append-only'); END;

---- Change control of the rule file, the payee file and the settings.

-- Bytes of a rule or payee file that were proposed. The newest row that is the baseline or was accepted is in force. At
-- most one row of each kind is open.
CREATE TABLE change_proposal (
    proposal_id INTEGER PRIMARY KEY,
    kind        TEXT NOT NULL CHECK (kind IN ('rules', 'payees')),
    sha256      TEXT NOT NULL CHECK (length(sha256) = 64),
    content     TEXT NOT NULL CHECK (substr(content, 1, 7) = 'sealed:'),
    proposed_at INTEGER NOT NULL,
    file_uid    INTEGER,                 -- the file's owner at that time, a hint of who wrote it; NULL: not known
    -- write-once:
    closed_at   INTEGER,
    closed_by   TEXT,
    closed_reason TEXT,
    outcome     TEXT CHECK (outcome IN ('baseline', 'accepted', 'rejected', 'withdrawn')),
    -- write-once, for a rejected proposal: when the file got other bytes
    left_at     INTEGER,
    CHECK ((closed_at IS NULL) = (outcome IS NULL) AND (closed_at IS NULL) = (closed_by IS NULL)
           AND (closed_at IS NULL) = (closed_reason IS NULL)),
    CHECK (left_at IS NULL OR outcome = 'rejected')
) STRICT;
CREATE UNIQUE INDEX change_proposal_open ON change_proposal (kind) WHERE closed_at IS NULL;
CREATE UNIQUE INDEX change_proposal_baseline ON change_proposal (kind) WHERE outcome = 'baseline';
CREATE INDEX change_proposal_in_force ON change_proposal (kind, proposal_id) WHERE outcome IN ('baseline', 'accepted');
CREATE INDEX change_proposal_of_kind ON change_proposal (kind, proposal_id);
CREATE TRIGGER change_proposal_begins BEFORE INSERT ON change_proposal
  WHEN new.left_at IS NOT NULL OR (new.outcome IS NOT NULL AND new.outcome <> 'baseline')
  BEGIN SELECT raise(ROLLBACK, 'a change is proposed before it is decided'); END;
CREATE TRIGGER change_proposal_once BEFORE UPDATE ON change_proposal
  WHEN new.proposal_id <> old.proposal_id OR new.kind <> old.kind OR new.sha256 <> old.sha256
    OR new.content <> old.content OR new.proposed_at <> old.proposed_at OR new.file_uid IS NOT old.file_uid
    OR new.outcome IS 'baseline' OR old.left_at IS NOT NULL
    OR (old.closed_at IS NOT NULL AND (new.closed_at IS NOT old.closed_at OR new.closed_by IS NOT old.closed_by
        OR new.closed_reason IS NOT old.closed_reason OR new.outcome IS NOT old.outcome))
  BEGIN SELECT raise(ROLLBACK, 'a proposed change is decided once and never rewritten'); END;
CREATE TRIGGER change_proposal_no_delete BEFORE DELETE ON change_proposal BEGIN SELECT raise(ROLLBACK, 'change_proposal is append-only'); END;

-- Who accepted a proposal, and the person the uid belonged to at that time.
CREATE TABLE change_acceptance (
    acceptance_id INTEGER PRIMARY KEY,
    proposal_id INTEGER NOT NULL REFERENCES change_proposal (proposal_id) DEFERRABLE INITIALLY DEFERRED,
    at        INTEGER NOT NULL,
    uid       INTEGER NOT NULL CHECK (uid >= 0),     -- 0: root or the daemon's own user
    person_id INTEGER REFERENCES person (person_id) DEFERRABLE INITIALLY DEFERRED,
    by        TEXT NOT NULL,
    reason    TEXT NOT NULL CHECK (reason <> ''),
    UNIQUE (proposal_id, uid)
) STRICT;
-- A person counts once, under whatever uid.
CREATE TRIGGER change_acceptance_by_another BEFORE INSERT ON change_acceptance BEGIN
    SELECT raise(ROLLBACK, 'only an open change can be accepted') FROM change_proposal p
        WHERE p.proposal_id = new.proposal_id AND p.closed_at IS NOT NULL;
    SELECT raise(ROLLBACK, 'a person accepts a change once') FROM change_acceptance a WHERE a.proposal_id = new.proposal_id
        AND (a.uid = new.uid OR a.person_id = new.person_id
             OR EXISTS (SELECT 1 FROM uid_person_ever x JOIN uid_person_ever y ON y.person_id = x.person_id
                        WHERE x.uid = a.uid AND y.uid = new.uid));
  END;
CREATE TRIGGER change_acceptance_no_update BEFORE UPDATE ON change_acceptance BEGIN SELECT raise(ROLLBACK, 'change_acceptance is append-only'); END;
CREATE TRIGGER change_acceptance_no_delete BEFORE DELETE ON change_acceptance BEGIN SELECT raise(ROLLBACK, 'change_acceptance is append-only'); END;
-- Nothing is in force on one person's word.
CREATE TRIGGER change_accepted_by_two BEFORE UPDATE OF outcome ON change_proposal
  WHEN new.outcome = 'accepted' AND old.outcome IS NULL
    AND (SELECT count(*) FROM change_acceptance a WHERE a.proposal_id = new.proposal_id) < 2
  BEGIN SELECT raise(ROLLBACK, 'a change needs two persons'); END;

-- The settings of drawbridge.yaml, one key and value per line, at each start that found them changed.
CREATE TABLE configuration_seen (
    seen_id  INTEGER PRIMARY KEY,
    at       INTEGER NOT NULL,
    sha256   TEXT NOT NULL CHECK (length(sha256) = 64),
    settings TEXT NOT NULL CHECK (substr(settings, 1, 7) = 'sealed:')
) STRICT;
CREATE TRIGGER configuration_seen_no_update BEFORE UPDATE ON configuration_seen BEGIN SELECT raise(ROLLBACK, 'configuration_seen is append-only'); END;
CREATE TRIGGER configuration_seen_no_delete BEFORE DELETE ON configuration_seen BEGIN SELECT raise(ROLLBACK, 'configuration_seen is append-only'); END;

---- Payees.

-- The key of the hashes by which bank details are recognized. The ledger holds no payee's details themselves.
CREATE TABLE payee_fingerprint_key (
    one_row INTEGER PRIMARY KEY CHECK (one_row = 1),
    key     TEXT NOT NULL
) STRICT;
CREATE TRIGGER payee_fingerprint_key_sealed BEFORE INSERT ON payee_fingerprint_key WHEN substr(new.key, 1, 7) <> 'sealed:'
  BEGIN SELECT raise(ROLLBACK, 'the fingerprint key is sealed before it is recorded'); END;
CREATE TRIGGER payee_fingerprint_key_no_update BEFORE UPDATE ON payee_fingerprint_key
  BEGIN SELECT raise(ROLLBACK, 'payee_fingerprint_key is append-only'); END;
CREATE TRIGGER payee_fingerprint_key_no_delete BEFORE DELETE ON payee_fingerprint_key
  BEGIN SELECT raise(ROLLBACK, 'payee_fingerprint_key is append-only'); END;

-- Payee files that were read.
CREATE TABLE payee_directory (
    directory_id INTEGER PRIMARY KEY,
    sha256       TEXT NOT NULL,
    seen_at      INTEGER NOT NULL
) STRICT;
CREATE TRIGGER payee_directory_no_update BEFORE UPDATE ON payee_directory BEGIN SELECT raise(ROLLBACK, 'payee_directory is append-only'); END;
CREATE TRIGGER payee_directory_no_delete BEFORE DELETE ON payee_directory BEGIN SELECT raise(ROLLBACK, 'payee_directory is append-only'); END;

-- Since when each payee has its bank details.
CREATE TABLE payee_detail (
    payee_key   TEXT NOT NULL,
    detail_id   INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    account_fingerprint     TEXT NOT NULL,  -- a hash of the account or the address, however it is written
    seen_at     INTEGER NOT NULL,
    baseline    INTEGER NOT NULL CHECK (baseline IN (0, 1)),  -- 1: from the first payee file this ledger read
    after_run_id INTEGER NOT NULL,  -- the newest run then: only later ones saw these details, whatever the clock said
    PRIMARY KEY (payee_key, detail_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX payee_detail_of_account ON payee_detail (account_fingerprint);
CREATE TRIGGER payee_detail_no_update BEFORE UPDATE ON payee_detail BEGIN SELECT raise(ROLLBACK, 'payee_detail is append-only'); END;
CREATE TRIGGER payee_detail_no_delete BEFORE DELETE ON payee_detail BEGIN SELECT raise(ROLLBACK, 'payee_detail is append-only'); END;

---- Payment files.

-- A file of payments, or of orders to void or stop checks. Its bytes are a function of these rows. An ACH file may hold
-- prenotes only: no payment, no money. The pay step adds payments in many short transactions: until planned_at is set, the
-- counts, the total and the hash grow with the rows, and nobody writes, releases or voids the file.
CREATE TABLE payment_file (
    file_id       INTEGER PRIMARY KEY,
    name          TEXT NOT NULL UNIQUE,
    rail          TEXT NOT NULL CHECK (rail IN ('ach', 'check')),
    kind          TEXT NOT NULL CHECK (kind = 'payments' OR kind = 'check_orders'),
    started_by    TEXT NOT NULL,
    created_at    INTEGER NOT NULL,      -- part of the file's content
    creation_date TEXT NOT NULL,
    creation_minutes INTEGER NOT NULL CHECK (creation_minutes BETWEEN 0 AND 1439),  -- since midnight
    file_id_modifier TEXT CHECK (length(file_id_modifier) = 1),
    profile       TEXT NOT NULL,         -- the bank profile, sealed JSON
    payment_count INTEGER NOT NULL CHECK (payment_count >= 0),
    prenote_count INTEGER NOT NULL CHECK (prenote_count >= 0),
    total_cents   INTEGER NOT NULL CHECK (total_cents >= 0),
    entry_hash    INTEGER NOT NULL,
    -- write-once, in this order:
    planned_at    INTEGER,               -- it has all its payments
    staged_at     INTEGER,
    sha256        TEXT,
    release_ordered_at INTEGER,          -- every check has passed and the file is being moved
    release_ordered_by TEXT,
    release_reason TEXT,
    release_uid   INTEGER CHECK (release_uid >= 0),    -- 0: root or the daemon's own user; NULL: the daemon by itself
    makers_until  INTEGER CHECK (makers_until >= 0),   -- newest maker_act_id at that time, 0: none; NULL: not ordered here
    released_at   INTEGER,
    released_after_run_id INTEGER,       -- the newest run of a step then; 0: none. Later runs saw it gone, whatever the clock said
    -- write-once, or, as long as no byte has left:
    voided_at     INTEGER,
    voided_by     TEXT,
    void_reason   TEXT,
    CHECK (voided_at IS NULL OR (voided_by IS NOT NULL AND void_reason IS NOT NULL)),
    CHECK (planned_at IS NOT NULL OR (staged_at IS NULL AND voided_at IS NULL)),
    CHECK ((staged_at IS NULL) = (sha256 IS NULL)),
    CHECK (release_ordered_at IS NULL OR (staged_at IS NOT NULL AND release_ordered_by IS NOT NULL)),
    CHECK (released_at IS NULL OR release_ordered_at IS NOT NULL),
    CHECK ((released_at IS NULL) = (released_after_run_id IS NULL)),
    CHECK ((rail = 'ach') = (file_id_modifier IS NOT NULL)),
    CHECK ((payment_count > 0) = (total_cents > 0)),
    CHECK (payment_count > 0 OR (prenote_count > 0 AND rail = 'ach'))
) STRICT;
-- Invariant 6: a file id modifier is used once per creation date.
CREATE UNIQUE INDEX payment_file_modifier ON payment_file (creation_date, file_id_modifier) WHERE rail = 'ach';
CREATE INDEX payment_file_unreleased ON payment_file (file_id) WHERE released_at IS NULL AND voided_at IS NULL;
CREATE INDEX payment_file_unplanned ON payment_file (file_id) WHERE planned_at IS NULL;
CREATE INDEX payment_file_voided ON payment_file (name) WHERE voided_at IS NOT NULL;
CREATE INDEX payment_file_of_day ON payment_file (creation_date);
CREATE INDEX payment_file_ordered ON payment_file (release_ordered_at) WHERE release_ordered_at IS NOT NULL;
CREATE TRIGGER payment_file_sealed BEFORE INSERT ON payment_file WHEN substr(new.profile, 1, 7) <> 'sealed:'
  BEGIN SELECT raise(ROLLBACK, 'a bank profile is sealed before it is recorded'); END;
CREATE TRIGGER payment_file_once BEFORE UPDATE ON payment_file
  WHEN new.file_id <> old.file_id OR new.name <> old.name OR new.rail <> old.rail OR new.kind <> old.kind
    OR new.started_by <> old.started_by
    OR new.created_at <> old.created_at OR new.creation_date <> old.creation_date
    OR new.creation_minutes <> old.creation_minutes OR new.file_id_modifier IS NOT old.file_id_modifier
    OR new.profile <> old.profile
    OR (old.planned_at IS NOT NULL AND (new.planned_at IS NOT old.planned_at OR new.payment_count <> old.payment_count
        OR new.total_cents <> old.total_cents OR new.entry_hash <> old.entry_hash OR new.prenote_count <> old.prenote_count))
    OR (old.staged_at IS NOT NULL AND (new.staged_at IS NOT old.staged_at OR new.sha256 IS NOT old.sha256))
    OR (old.release_ordered_at IS NOT NULL AND (new.release_ordered_at IS NOT old.release_ordered_at
        OR new.release_ordered_by IS NOT old.release_ordered_by OR new.release_reason IS NOT old.release_reason))
    OR (old.voided_at IS NOT NULL AND (new.voided_at IS NOT old.voided_at OR new.voided_by IS NOT old.voided_by
        OR new.void_reason IS NOT old.void_reason))
    OR (old.released_at IS NOT NULL AND (new.released_at IS NOT old.released_at
        OR new.released_after_run_id IS NOT old.released_after_run_id))
  BEGIN SELECT raise(ROLLBACK, 'a payment file is never rewritten'); END;
CREATE TRIGGER payment_file_releaser_once BEFORE UPDATE OF release_uid, makers_until ON payment_file
  WHEN old.release_ordered_at IS NOT NULL AND (new.release_uid IS NOT old.release_uid OR new.makers_until IS NOT old.makers_until)
  BEGIN SELECT raise(ROLLBACK, 'who released a file is never rewritten'); END;
CREATE TRIGGER payment_file_no_delete BEFORE DELETE ON payment_file BEGIN SELECT raise(ROLLBACK, 'a payment file is never deleted'); END;

-- Why payments settle on their dates. Many share a text.
CREATE TABLE settles_because (
    because_id INTEGER PRIMARY KEY,
    text       TEXT NOT NULL UNIQUE
) STRICT;
CREATE TRIGGER settles_because_no_update BEFORE UPDATE ON settles_because BEGIN SELECT raise(ROLLBACK, 'settles_because is append-only'); END;
CREATE TRIGGER settles_because_no_delete BEFORE DELETE ON settles_because BEGIN SELECT raise(ROLLBACK, 'settles_because is append-only'); END;

-- A payment: an ACH credit or a check. `account_number` is sealed. (No insert trigger checks that: with one, SQLite would
-- keep a statement journal for each insert. `verify` reports an account number that is not sealed.)
CREATE TABLE payment (
    payment_id    INTEGER PRIMARY KEY,
    file_id       INTEGER NOT NULL REFERENCES payment_file (file_id) DEFERRABLE INITIALLY DEFERRED,
    draw_id       INTEGER NOT NULL REFERENCES draw (draw_id) DEFERRABLE INITIALLY DEFERRED,
    reading_id    INTEGER NOT NULL REFERENCES reading (reading_id) DEFERRABLE INITIALLY DEFERRED,   -- the fresh Approved reading
    rail          TEXT NOT NULL CHECK (rail IN ('ach', 'check')),
    amount_cents  INTEGER NOT NULL CHECK (amount_cents > 0),
    trace_number  TEXT CHECK (length(trace_number) = 15),
    check_number  INTEGER CHECK (check_number > 0),
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
    entry_description TEXT,              -- company entry description of its batch; NULL: none
    remittance    TEXT,                  -- addenda or check memo; NULL: none
    settles_because INTEGER REFERENCES settles_because (because_id) DEFERRABLE INITIALLY DEFERRED,   -- NULL: nothing to say
    -- write-once: when it was returned or voided, which ends it; when nothing is left to report
    ended_at      INTEGER,
    finished_at   INTEGER,
    CHECK ((rail = 'ach') = (trace_number IS NOT NULL)),
    CHECK ((rail = 'check') = (check_number IS NOT NULL)),
    CHECK (rail = 'check' OR (routing_number IS NOT NULL AND account_number IS NOT NULL AND effective_entry_date IS NOT NULL
                              AND account_type IS NOT NULL AND sec_code IS NOT NULL))
) STRICT;
-- Invariant 6, for each rail.
CREATE UNIQUE INDEX payment_trace_number ON payment (trace_number) WHERE trace_number IS NOT NULL;
CREATE UNIQUE INDEX payment_check_number ON payment (check_number) WHERE check_number IS NOT NULL;
-- Invariant 1: at most one live payment for a draw. PostgreSQL's planner must know that, or it reads all live payments to
-- find that of one draw.
CREATE UNIQUE INDEX payment_live ON payment (draw_id) WHERE ended_at IS NULL;
CREATE INDEX payment_of_draw ON payment (draw_id, payment_id);
-- The order in the file.
CREATE INDEX payment_of_file ON payment (file_id, batch_number, payment_id);
CREATE INDEX payment_of_payee ON payment (payee_key, amount_cents, payment_id);
CREATE INDEX payment_unfinished ON payment (draw_id) WHERE finished_at IS NULL;
-- Candidates for a confirmation line that matches no payment exactly.
CREATE INDEX payment_live_of_amount ON payment (amount_cents, payment_id) WHERE ended_at IS NULL;
-- ACH credits that the bank has not reported on; checks that are outstanding.
CREATE INDEX payment_unconfirmed_ach ON payment (effective_entry_date)
    WHERE rail = 'ach' AND ended_at IS NULL AND finished_at IS NULL;
CREATE INDEX payment_outstanding_check ON payment (check_date)
    WHERE rail = 'check' AND ended_at IS NULL AND finished_at IS NULL;
-- With its columns, so that an update of the last two does not read all the others.
CREATE TRIGGER payment_once BEFORE UPDATE OF file_id, draw_id, reading_id, rail, amount_cents, trace_number, check_number,
    batch_number, effective_entry_date, check_date, payee_key, payee_name, routing_number, account_number, account_type,
    sec_code, address1, address2, city, state, zip, entry_description, remittance, settles_because ON payment
  WHEN new.file_id <> old.file_id OR new.draw_id <> old.draw_id
    OR new.reading_id <> old.reading_id OR new.rail <> old.rail OR new.amount_cents <> old.amount_cents
    OR new.trace_number IS NOT old.trace_number OR new.check_number IS NOT old.check_number
    OR new.batch_number <> old.batch_number OR new.effective_entry_date IS NOT old.effective_entry_date
    OR new.check_date IS NOT old.check_date OR new.payee_key <> old.payee_key OR new.payee_name <> old.payee_name
    OR new.routing_number IS NOT old.routing_number OR new.account_number IS NOT old.account_number
    OR new.account_type IS NOT old.account_type OR new.sec_code IS NOT old.sec_code
    OR new.address1 <> old.address1 OR new.address2 <> old.address2 OR new.city <> old.city OR new.state <> old.state
    OR new.zip <> old.zip OR new.entry_description IS NOT old.entry_description OR new.remittance IS NOT old.remittance
    OR new.settles_because IS NOT old.settles_because
  BEGIN SELECT raise(ROLLBACK, 'a payment is never rewritten'); END;
-- Without columns, because the number has other names in SQLite (rowid).
CREATE TRIGGER payment_number_once BEFORE UPDATE ON payment WHEN new.payment_id <> old.payment_id
  BEGIN SELECT raise(ROLLBACK, 'a payment is never rewritten'); END;
CREATE TRIGGER payment_no_delete BEFORE DELETE ON payment BEGIN SELECT raise(ROLLBACK, 'a payment is never deleted'); END;

-- The debit to the office's own account that balances a batch.
CREATE TABLE offset_entry (
    file_id      INTEGER NOT NULL REFERENCES payment_file (file_id) DEFERRABLE INITIALLY DEFERRED,
    batch_number INTEGER NOT NULL,
    trace_number TEXT NOT NULL UNIQUE CHECK (length(trace_number) = 15),
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    PRIMARY KEY (file_id, batch_number)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER offset_entry_no_update BEFORE UPDATE ON offset_entry BEGIN SELECT raise(ROLLBACK, 'offset_entry is append-only'); END;
CREATE TRIGGER offset_entry_no_delete BEFORE DELETE ON offset_entry BEGIN SELECT raise(ROLLBACK, 'offset_entry is append-only'); END;

-- Zero-dollar entries that test an account before money goes there.
CREATE TABLE prenote (
    prenote_id    INTEGER PRIMARY KEY,
    file_id       INTEGER NOT NULL REFERENCES payment_file (file_id) DEFERRABLE INITIALLY DEFERRED,
    position      INTEGER NOT NULL,
    trace_number  TEXT NOT NULL UNIQUE CHECK (length(trace_number) = 15),
    batch_number  INTEGER NOT NULL,
    effective_entry_date TEXT NOT NULL,
    payee_key     TEXT NOT NULL,
    fingerprint   TEXT NOT NULL,
    payee_name    TEXT NOT NULL,
    routing_number TEXT NOT NULL,
    account_number TEXT NOT NULL,        -- sealed
    account_type  TEXT NOT NULL,
    sec_code      TEXT NOT NULL,
    -- write-once:
    returned_at   INTEGER,
    return_reason_code TEXT,
    UNIQUE (file_id, position),
    CHECK ((returned_at IS NULL) = (return_reason_code IS NULL))
) STRICT;
CREATE INDEX prenote_of_payee ON prenote (payee_key, fingerprint, prenote_id);
CREATE TRIGGER prenote_sealed BEFORE INSERT ON prenote WHEN substr(new.account_number, 1, 7) <> 'sealed:'
  BEGIN SELECT raise(ROLLBACK, 'an account number is sealed before it is recorded'); END;
CREATE TRIGGER prenote_once BEFORE UPDATE ON prenote
  WHEN old.returned_at IS NOT NULL OR new.returned_at IS NULL OR new.prenote_id <> old.prenote_id
    OR new.file_id <> old.file_id OR new.position <> old.position OR new.trace_number <> old.trace_number
    OR new.batch_number <> old.batch_number OR new.effective_entry_date <> old.effective_entry_date
    OR new.payee_key <> old.payee_key OR new.fingerprint <> old.fingerprint OR new.payee_name <> old.payee_name
    OR new.routing_number <> old.routing_number OR new.account_number <> old.account_number
    OR new.account_type <> old.account_type OR new.sec_code <> old.sec_code
  BEGIN SELECT raise(ROLLBACK, 'a prenote is never rewritten'); END;
CREATE TRIGGER prenote_no_delete BEFORE DELETE ON prenote BEGIN SELECT raise(ROLLBACK, 'a prenote is never deleted'); END;

-- A person voided this payment before it went out. The whole file was voided with it, since a file never changes. The
-- draw stays on hold until a person resolves the exception.
CREATE TABLE payment_void (
    payment_id INTEGER PRIMARY KEY REFERENCES payment (payment_id) DEFERRABLE INITIALLY DEFERRED,
    draw_id    INTEGER NOT NULL REFERENCES draw (draw_id) DEFERRABLE INITIALLY DEFERRED,
    voided_at  INTEGER NOT NULL,
    voided_by  TEXT NOT NULL,
    reason     TEXT NOT NULL CHECK (reason <> ''),
    -- write-once:
    lifted_at  INTEGER
) STRICT;
CREATE INDEX payment_void_in_force ON payment_void (draw_id) WHERE lifted_at IS NULL;
CREATE INDEX payment_void_of_draw ON payment_void (draw_id);
CREATE TRIGGER payment_void_with_its_file BEFORE INSERT ON payment_void
  WHEN NOT EXISTS (SELECT 1 FROM payment p JOIN payment_file f ON f.file_id = p.file_id WHERE p.payment_id = new.payment_id
                   AND p.draw_id = new.draw_id AND p.ended_at IS NOT NULL AND f.voided_at IS NOT NULL)
  BEGIN SELECT raise(ROLLBACK, 'a payment is voided only with its file'); END;
CREATE TRIGGER payment_void_once BEFORE UPDATE ON payment_void
  WHEN old.lifted_at IS NOT NULL OR new.lifted_at IS NULL OR new.payment_id <> old.payment_id OR new.draw_id <> old.draw_id
    OR new.voided_at <> old.voided_at OR new.voided_by <> old.voided_by OR new.reason <> old.reason
  BEGIN SELECT raise(ROLLBACK, 'payment_void is append-only'); END;
CREATE TRIGGER payment_void_no_delete BEFORE DELETE ON payment_void BEGIN SELECT raise(ROLLBACK, 'payment_void is append-only'); END;

-- What happened to every Approved draw when a run of the pay step planned payments.
CREATE TABLE pay_run (
    pay_run_id INTEGER PRIMARY KEY,
    at         INTEGER NOT NULL,
    by         TEXT NOT NULL,
    approved_count  INTEGER NOT NULL, approved_cents  INTEGER NOT NULL,
    exported_count  INTEGER NOT NULL, exported_cents  INTEGER NOT NULL,
    held_count      INTEGER NOT NULL, held_cents      INTEGER NOT NULL,
    exception_count INTEGER NOT NULL, exception_cents INTEGER NOT NULL,
    unread_count    INTEGER NOT NULL,   -- no fresh reading; the next run takes them
    moved_on_count  INTEGER NOT NULL,   -- no longer Approved
    complete        INTEGER NOT NULL CHECK (complete IN (0, 1) AND (complete = 1) = (approved_count = exported_count + held_count + exception_count
                      AND approved_cents = exported_cents + held_cents + exception_cents))
) STRICT;
CREATE TRIGGER pay_run_no_update BEFORE UPDATE ON pay_run BEGIN SELECT raise(ROLLBACK, 'pay_run is append-only'); END;
CREATE TRIGGER pay_run_no_delete BEFORE DELETE ON pay_run BEGIN SELECT raise(ROLLBACK, 'pay_run is append-only'); END;

-- Cut-offs that a pay run has served.
CREATE TABLE cutoff_served (
    served_id INTEGER PRIMARY KEY,
    cutoff_at INTEGER NOT NULL,
    served_at INTEGER NOT NULL,
    after_run_id INTEGER NOT NULL   -- the newest run of a step by then; 0: none
) STRICT;
CREATE INDEX cutoff_served_by_time ON cutoff_served (cutoff_at);
CREATE TRIGGER cutoff_served_no_update BEFORE UPDATE ON cutoff_served BEGIN SELECT raise(ROLLBACK, 'cutoff_served is append-only'); END;
CREATE TRIGGER cutoff_served_no_delete BEFORE DELETE ON cutoff_served BEGIN SELECT raise(ROLLBACK, 'cutoff_served is append-only'); END;

---- Orders to void or stop a check that has gone out.

CREATE TABLE check_order (
    order_id   INTEGER PRIMARY KEY,
    payment_id INTEGER NOT NULL REFERENCES payment (payment_id) DEFERRABLE INITIALLY DEFERRED,
    action     TEXT NOT NULL CHECK (action IN ('void', 'stop')),
    ordered_at INTEGER NOT NULL,
    ordered_by TEXT NOT NULL,
    reason     TEXT NOT NULL CHECK (reason <> ''),
    -- write-once, one or the other:
    withdrawn_at INTEGER,
    withdrawn_by TEXT,
    withdrawn_reason TEXT,
    transmitted_at INTEGER,    -- its file was released; this ends the payment
    CHECK ((withdrawn_at IS NULL) = (withdrawn_by IS NULL) AND (withdrawn_at IS NULL) = (withdrawn_reason IS NULL)),
    CHECK (withdrawn_at IS NULL OR transmitted_at IS NULL)
) STRICT;
-- One order per check at a time, and none after one that was transmitted.
CREATE UNIQUE INDEX check_order_live ON check_order (payment_id) WHERE withdrawn_at IS NULL;
CREATE INDEX check_order_of_payment ON check_order (payment_id, order_id);
CREATE INDEX check_order_open ON check_order (order_id) WHERE withdrawn_at IS NULL AND transmitted_at IS NULL;
CREATE TRIGGER check_order_once BEFORE UPDATE ON check_order
  WHEN old.withdrawn_at IS NOT NULL OR old.transmitted_at IS NOT NULL OR new.order_id <> old.order_id
    OR new.payment_id <> old.payment_id OR new.action <> old.action OR new.ordered_at <> old.ordered_at
    OR new.ordered_by <> old.ordered_by OR new.reason <> old.reason
  BEGIN SELECT raise(ROLLBACK, 'an order about a check ends once and is never rewritten'); END;
CREATE TRIGGER check_order_no_delete BEFORE DELETE ON check_order BEGIN SELECT raise(ROLLBACK, 'check_order is append-only'); END;

-- The orders in a file. When a file is voided before its release, its orders go into the next file.
CREATE TABLE check_order_line (
    file_id  INTEGER NOT NULL REFERENCES payment_file (file_id) DEFERRABLE INITIALLY DEFERRED,
    position INTEGER NOT NULL,
    order_id INTEGER NOT NULL REFERENCES check_order (order_id) DEFERRABLE INITIALLY DEFERRED,
    PRIMARY KEY (file_id, position),
    UNIQUE (order_id, file_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER check_order_line_no_update BEFORE UPDATE ON check_order_line BEGIN SELECT raise(ROLLBACK, 'check_order_line is append-only'); END;
CREATE TRIGGER check_order_line_no_delete BEFORE DELETE ON check_order_line BEGIN SELECT raise(ROLLBACK, 'check_order_line is append-only'); END;

---- Restores: what may have been paid since the backup.

-- This ledger may not know what was paid before this moment. No money moves until it is reconciled with the service and
-- the files sent, and a person ends the pause. The ids of readings and files, not clocks, decide what came before and
-- after.
CREATE TABLE restoration (
    restoration_id INTEGER PRIMARY KEY,
    at       INTEGER NOT NULL,
    by       TEXT NOT NULL,
    how      TEXT NOT NULL CHECK (how = 'restored' OR how = 'older' OR how = 'copied'),
    detail   TEXT NOT NULL,
    newest_reading INTEGER NOT NULL,    -- the newest reading of a draw then; 0: none
    newest_file    INTEGER NOT NULL,    -- the newest payment file then, even if it was not planned to its end; 0: none
    newest_exception INTEGER NOT NULL,  -- the newest exception then; 0: none
    -- write-once: the result of the reconciliation
    compared_at INTEGER,
    complete    INTEGER CHECK (complete IN (0, 1)),    -- 1: the manifests cover all the time that the ledger does not
    summary     TEXT,
    -- write-once: a person ended it
    resolved_at  INTEGER,
    resolved_by  TEXT,
    resolved_reason TEXT,
    resolved_reading INTEGER,           -- the newest reading of a draw then; 0: none
    -- write-once: the bank confirmed that it has no files other than those that the manifests name
    nothing_else_at  INTEGER,
    nothing_else_by  TEXT,
    nothing_else_uid INTEGER,
    CHECK ((compared_at IS NULL) = (complete IS NULL) AND (compared_at IS NULL) = (summary IS NULL)),
    CHECK ((resolved_at IS NULL) = (resolved_by IS NULL) AND (resolved_at IS NULL) = (resolved_reason IS NULL)
        AND (resolved_at IS NULL) = (resolved_reading IS NULL)),
    CHECK (resolved_at IS NULL OR compared_at IS NOT NULL),
    CHECK ((nothing_else_at IS NULL) = (nothing_else_by IS NULL)),
    CHECK (nothing_else_uid IS NULL OR nothing_else_at IS NOT NULL),
    CHECK (nothing_else_at IS NULL OR (resolved_at IS NOT NULL AND complete = 0))
) STRICT;
CREATE UNIQUE INDEX restoration_open ON restoration ((resolved_at IS NULL)) WHERE resolved_at IS NULL;
CREATE INDEX restoration_incomplete ON restoration (restoration_id) WHERE complete = 0;
CREATE TRIGGER restoration_once BEFORE UPDATE ON restoration
  WHEN new.restoration_id <> old.restoration_id OR new.at <> old.at OR new.by <> old.by OR new.how <> old.how
    OR new.detail <> old.detail OR new.newest_reading <> old.newest_reading OR new.newest_file <> old.newest_file
    OR new.newest_exception <> old.newest_exception OR old.nothing_else_at IS NOT NULL
    OR (old.compared_at IS NOT NULL AND (new.compared_at IS NOT old.compared_at OR new.complete IS NOT old.complete
        OR new.summary IS NOT old.summary))
    OR (old.resolved_at IS NOT NULL AND (new.resolved_at IS NOT old.resolved_at
        OR new.resolved_by IS NOT old.resolved_by OR new.resolved_reason IS NOT old.resolved_reason
        OR new.resolved_reading IS NOT old.resolved_reading))
  BEGIN SELECT raise(ROLLBACK, 'a restoration is never rewritten'); END;
CREATE TRIGGER restoration_no_delete BEFORE DELETE ON restoration BEGIN SELECT raise(ROLLBACK, 'restoration is append-only'); END;

-- Draws that a manifest shows as paid after the backup. They are not paid until a person lifts the hold. The view
-- possibly_paid_draw holds other draws; a row with that reason says that a person lifted that hold.
CREATE TABLE restored_hold (
    hold_id        INTEGER PRIMARY KEY,
    restoration_id INTEGER NOT NULL REFERENCES restoration (restoration_id) DEFERRABLE INITIALLY DEFERRED,
    draw_id        INTEGER NOT NULL,
    reason_code    TEXT NOT NULL CHECK (reason_code = 'paid_after_backup' OR reason_code = 'possibly_paid'),
    detail         TEXT NOT NULL,
    -- write-once:
    lifted_at     INTEGER,
    lifted_by     TEXT,
    lifted_reason TEXT,
    CHECK ((lifted_at IS NULL) = (lifted_by IS NULL) AND (lifted_at IS NULL) = (lifted_reason IS NULL)),
    CHECK (reason_code <> 'possibly_paid' OR lifted_at IS NOT NULL)
) STRICT;
CREATE UNIQUE INDEX restored_hold_live ON restored_hold (draw_id) WHERE lifted_at IS NULL;
CREATE INDEX restored_hold_lifted ON restored_hold (draw_id, restoration_id) WHERE lifted_at IS NOT NULL;
CREATE TRIGGER restored_hold_once BEFORE UPDATE ON restored_hold
  WHEN old.lifted_at IS NOT NULL OR new.lifted_at IS NULL OR new.hold_id <> old.hold_id
    OR new.restoration_id <> old.restoration_id OR new.draw_id <> old.draw_id OR new.reason_code <> old.reason_code
    OR new.detail <> old.detail
  BEGIN SELECT raise(ROLLBACK, 'a hold is lifted once and never rewritten'); END;
CREATE TRIGGER restored_hold_no_delete BEFORE DELETE ON restored_hold BEGIN SELECT raise(ROLLBACK, 'restored_hold is append-only'); END;

-- Draws that may have been paid without this ledger: each draw that may have existed when a restoration with incomplete
-- manifests was resolved, whatever the service showed of it then. A draw first read later existed if it was requested or
-- approved before, by the service's clock, which may be up to an hour ahead of ours. They are held while nothing_else_at
-- is NULL, unless a person lifted the hold of the draw. Query it by draw_id or status.
CREATE VIEW possibly_paid_draw AS
    SELECT d.draw_id, d.status, r.restoration_id, r.nothing_else_at, r.nothing_else_by, r.nothing_else_uid
    FROM restoration r CROSS JOIN draw d ON r.complete = 0
    JOIN reading n ON n.reading_id = d.reading_id
    JOIN draw_content c ON c.content_id = n.content_id
    WHERE (r.resolved_at IS NULL
           OR (SELECT min(f.reading_id) FROM reading f WHERE f.draw_id = d.draw_id) <= r.resolved_reading
           OR c.requested_date < r.resolved_at + 3600000 OR n.approved_date < r.resolved_at + 3600000)
      AND NOT EXISTS (SELECT 1 FROM restored_hold h WHERE h.draw_id = d.draw_id
                      AND h.restoration_id >= r.restoration_id AND h.lifted_at IS NOT NULL
                      AND h.reason_code = 'possibly_paid');

-- The payee is deceased, frozen or sanctioned: nothing is paid to the service's case, to the payee, or to another payee
-- with the same bank details while the exception 'case_stopped' about this payment is open.
CREATE TABLE case_stop (
    stop_id     INTEGER PRIMARY KEY,
    payment_id  INTEGER NOT NULL UNIQUE REFERENCES payment (payment_id) DEFERRABLE INITIALLY DEFERRED,
    case_id     INTEGER,
    payee_key   TEXT NOT NULL,
    code        TEXT NOT NULL,
    recorded_at INTEGER NOT NULL
) STRICT;
CREATE INDEX case_stop_of_case ON case_stop (case_id) WHERE case_id IS NOT NULL;
CREATE INDEX case_stop_of_payee ON case_stop (payee_key);
CREATE TRIGGER case_stop_no_update BEFORE UPDATE ON case_stop BEGIN SELECT raise(ROLLBACK, 'case_stop is append-only'); END;
CREATE TRIGGER case_stop_no_delete BEFORE DELETE ON case_stop BEGIN SELECT raise(ROLLBACK, 'case_stop is append-only'); END;

-- Bank details that must not be paid: a return says that the account is bad, or a notification of change says that the
-- details are out of date. It applies while the payee still has these details, which are kept as a hash only.
CREATE TABLE payee_hold (
    hold_id     INTEGER PRIMARY KEY,
    payment_id  INTEGER REFERENCES payment (payment_id) DEFERRABLE INITIALLY DEFERRED,
    prenote_id  INTEGER REFERENCES prenote (prenote_id) DEFERRABLE INITIALLY DEFERRED,   -- of a correction
    line_id     INTEGER NOT NULL REFERENCES confirmation_line (line_id) DEFERRABLE INITIALLY DEFERRED,
    code        TEXT NOT NULL,
    is_return   INTEGER NOT NULL CHECK (is_return IN (0, 1)),
    payee_key   TEXT NOT NULL,
    fingerprint TEXT,             -- of the account; NULL: the name is wrong
    payee_name  TEXT,
    -- of a correction: the field that the bank corrects; NULL: the account as a whole
    field       TEXT CHECK (field IS NULL OR field = 'routing_number' OR field = 'account_number' OR field = 'account_type'),
    apply_by    TEXT,             -- of a correction: the deadline, six banking days
    recorded_at INTEGER NOT NULL,
    CHECK ((fingerprint IS NULL) <> (payee_name IS NULL)),
    CHECK ((payment_id IS NULL) <> (prenote_id IS NULL))
) STRICT;
CREATE INDEX payee_hold_of_account ON payee_hold (fingerprint) WHERE fingerprint IS NOT NULL;
CREATE INDEX payee_hold_of_payee ON payee_hold (payee_key);
CREATE INDEX payee_hold_deadline ON payee_hold (apply_by) WHERE apply_by IS NOT NULL;
CREATE TRIGGER payee_hold_no_update BEFORE UPDATE ON payee_hold BEGIN SELECT raise(ROLLBACK, 'payee_hold is append-only'); END;
CREATE TRIGGER payee_hold_no_delete BEFORE DELETE ON payee_hold BEGIN SELECT raise(ROLLBACK, 'payee_hold is append-only'); END;

---- Makers and releases.

-- Who had a hand in a payment file, other than the automatic steps: in the file itself, in a draw that it pays, or in a
-- draw whose check it voids. uid 0 stands for root and the daemon's own user, who are nobody in particular.
CREATE TABLE maker_act (
    maker_act_id INTEGER PRIMARY KEY,
    at         INTEGER NOT NULL,
    uid        INTEGER NOT NULL CHECK (uid >= 0),
    by         TEXT NOT NULL,      -- for display only
    act        TEXT NOT NULL CHECK (act = 'handed_in' OR act = 'approved' OR act = 'started' OR act = 'lifted' OR act = 'matched'
                                     OR act = 'reissued' OR act = 'ordered_check' OR act = 'said_at_bank' OR act = 'voided'),
    file_id    INTEGER REFERENCES payment_file (file_id) DEFERRABLE INITIALLY DEFERRED,
    draw_id    INTEGER,            -- no foreign key: the draw may never have been read
    -- handed_in, matched: the payment that came back. lifted: the one for which the case and the payee were stopped.
    payment_id INTEGER REFERENCES payment (payment_id) DEFERRABLE INITIALLY DEFERRED,
    CHECK ((file_id IS NULL) <> (draw_id IS NULL)),
    CHECK (payment_id IS NULL OR draw_id IS NOT NULL)
) STRICT;
CREATE INDEX maker_act_of_file ON maker_act (file_id) WHERE file_id IS NOT NULL;
CREATE INDEX maker_act_of_draw ON maker_act (draw_id) WHERE draw_id IS NOT NULL;
CREATE INDEX maker_act_of_payment ON maker_act (payment_id) WHERE payment_id IS NOT NULL;
CREATE TRIGGER maker_act_no_update BEFORE UPDATE ON maker_act BEGIN SELECT raise(ROLLBACK, 'maker_act is append-only'); END;
CREATE TRIGGER maker_act_no_delete BEFORE DELETE ON maker_act BEGIN SELECT raise(ROLLBACK, 'maker_act is append-only'); END;

-- The draws of each file.
CREATE VIEW file_draw AS
    SELECT file_id, draw_id FROM payment
    UNION ALL
    SELECT l.file_id, p.draw_id FROM check_order_line l JOIN check_order o ON o.order_id = l.order_id
        JOIN payment p ON p.payment_id = o.payment_id;

-- Who requested, changed or approved each draw in the portal, where the address is or was linked to a person. An approval
-- by the rules is not an act of the approver in whose name it is made; if the service did not answer it, only if that
-- approver's id is linked to the person. Query it by draw_id.
CREATE VIEW draw_portal_act AS
    SELECT r.draw_id, k.person_id, w.act
    FROM reading r
    CROSS JOIN (SELECT 'requested_in_portal' AS act UNION ALL SELECT 'changed_in_portal' UNION ALL SELECT 'approved_in_portal') w ON TRUE
    CROSS JOIN person_portal k ON k.kind = 'email' AND k.value = lower(trim(
        CASE w.act WHEN 'requested_in_portal' THEN (SELECT c.requested_by FROM draw_content c WHERE c.content_id = r.content_id)
                   WHEN 'changed_in_portal' THEN (SELECT n.name FROM portal_name n WHERE n.name_id = r.modified_by)
                   ELSE (SELECT n.name FROM portal_name n WHERE n.name_id = r.approved_by) END))
    LEFT JOIN reading b ON b.reading_id = (SELECT max(q.reading_id) FROM reading q
        WHERE q.draw_id = r.draw_id AND q.reading_id < r.reading_id)
    WHERE CASE w.act
        WHEN 'requested_in_portal' THEN TRUE
        WHEN 'approved_in_portal' THEN r.status IN (4, 5)
            AND NOT EXISTS (SELECT 1 FROM reading_approved_by_rules a WHERE a.reading_id = r.reading_id
                AND (a.is_answered = 1 OR EXISTS (SELECT 1 FROM person_portal v WHERE v.person_id = k.person_id
                    AND v.kind = 'approver_id' AND v.value = CAST(a.approver_id AS TEXT))))
        ELSE r.content_id IS DISTINCT FROM b.content_id
            -- Whoever changed a draw after its approval may have changed the approved amount.
            OR (r.status IN (4, 5)
                AND CASE WHEN b.status IN (4, 5) THEN r.amount_approved_cents IS DISTINCT FROM b.amount_approved_cents
                         ELSE r.modified_by IS DISTINCT FROM r.approved_by END)
            -- Before it, whoever set that amount, or brought the draw back.
            OR (r.status NOT IN (4, 5)
                AND (r.amount_approved_cents IS DISTINCT FROM b.amount_approved_cents
                     OR (r.status <> 2 AND r.status IS DISTINCT FROM b.status))) END;
-- In whose name each draw was approved by hand, where the approver's id is or was linked to a person. Query it by draw_id.
CREATE VIEW draw_approver AS
    SELECT c.draw_id, k.person_id, 'approved_in_portal' AS act
    FROM decision c
    CROSS JOIN person_portal k ON k.kind = 'approver_id' AND k.value = CAST(c.approver_id AS TEXT)
    WHERE c.outcome = 'approve' AND c.decided_by IS NOT NULL;

-- The acts on the draws of each file, and what people did in the portal with them: a file may have 50,000 draws, and a
-- release must not look at each of their readings. Recorded with the payments of the file and its check orders, and when
-- somebody acts on one of its draws, the service shows another reading of one, or an address is linked.
CREATE TABLE file_draw_act (
    file_id      INTEGER NOT NULL REFERENCES payment_file (file_id) DEFERRABLE INITIALLY DEFERRED,
    maker_act_id INTEGER NOT NULL REFERENCES maker_act (maker_act_id) DEFERRABLE INITIALLY DEFERRED,
    PRIMARY KEY (file_id, maker_act_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER file_draw_act_no_update BEFORE UPDATE ON file_draw_act BEGIN SELECT raise(ROLLBACK, 'file_draw_act is append-only'); END;
CREATE TRIGGER file_draw_act_no_delete BEFORE DELETE ON file_draw_act BEGIN SELECT raise(ROLLBACK, 'file_draw_act is append-only'); END;
CREATE TRIGGER file_draw_act_of_act AFTER INSERT ON maker_act
  WHEN new.draw_id IS NOT NULL
  BEGIN
    INSERT INTO file_draw_act (file_id, maker_act_id)
      SELECT DISTINCT t.file_id, new.maker_act_id FROM file_draw t WHERE t.draw_id = new.draw_id;
  END;
CREATE TABLE file_portal_act (
    file_id   INTEGER NOT NULL REFERENCES payment_file (file_id) DEFERRABLE INITIALLY DEFERRED,
    person_id INTEGER NOT NULL REFERENCES person (person_id) DEFERRABLE INITIALLY DEFERRED,
    act       TEXT NOT NULL CHECK (act = 'requested_in_portal' OR act = 'changed_in_portal' OR act = 'approved_in_portal'),
    draw_id   INTEGER NOT NULL REFERENCES draw (draw_id) DEFERRABLE INITIALLY DEFERRED,
    PRIMARY KEY (file_id, person_id, act, draw_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER file_portal_act_no_update BEFORE UPDATE ON file_portal_act BEGIN SELECT raise(ROLLBACK, 'file_portal_act is append-only'); END;
CREATE TRIGGER file_portal_act_no_delete BEFORE DELETE ON file_portal_act BEGIN SELECT raise(ROLLBACK, 'file_portal_act is append-only'); END;

-- Who lifted a stop of the case or the payee of a payment for another draw, or undid the return that blocked the payee's
-- account. SQLite asks a WHERE EXISTS for each row of the first table, which is why it is `once`.
CREATE VIEW payment_lift AS
    SELECT p.file_id, p.draw_id, h.maker_act_id, h.uid, h.by, h.act
        FROM (SELECT 1) once CROSS JOIN payment p ON TRUE
        JOIN draw d ON d.draw_id = p.draw_id JOIN draw_reading r ON r.reading_id = d.reading_id
        CROSS JOIN case_stop s ON s.case_id = r.case_id OR s.payee_key IN (SELECT p.payee_key UNION
            SELECT o.payee_key FROM payee_detail a JOIN payee_detail o ON o.account_fingerprint = a.account_fingerprint
            WHERE a.payee_key = p.payee_key)
        CROSS JOIN maker_act h ON h.payment_id = s.payment_id AND h.act = 'lifted' AND h.draw_id <> p.draw_id
        WHERE EXISTS (SELECT 1 FROM case_stop)
    UNION ALL
    SELECT p.file_id, p.draw_id, h.maker_act_id, h.uid, h.by, h.act
        FROM (SELECT 1) once CROSS JOIN payment p ON TRUE
        CROSS JOIN payee_hold b ON b.payee_key IN (SELECT p.payee_key UNION
            SELECT o.payee_key FROM payee_detail a JOIN payee_detail o ON o.account_fingerprint = a.account_fingerprint
            WHERE a.payee_key = p.payee_key)
        CROSS JOIN maker_act h ON h.payment_id = b.payment_id AND h.act = 'lifted' AND h.draw_id <> p.draw_id
        WHERE EXISTS (SELECT 1 FROM maker_act u JOIN payee_hold v ON v.payment_id = u.payment_id
            WHERE u.payment_id IS NOT NULL AND u.act = 'lifted');

-- Everyone who had a hand in a file, as of now. Query it by file_id. Whoever said after a restore that the bank has nothing
-- else counts for each draw that this freed.
CREATE VIEW file_maker AS
    SELECT file_id, NULL AS draw_id, maker_act_id, uid, CAST(NULL AS INTEGER) AS person_id, by, act FROM maker_act WHERE file_id IS NOT NULL
    UNION ALL
    SELECT t.file_id, h.draw_id, h.maker_act_id, h.uid, NULL, h.by, h.act
        FROM file_draw_act t CROSS JOIN maker_act h ON h.maker_act_id = t.maker_act_id
    UNION ALL
    SELECT t.file_id, t.draw_id, NULL, NULL, p.person_id, p.name, t.act
        FROM file_portal_act t CROSS JOIN person p ON p.person_id = t.person_id
    UNION ALL
    SELECT file_id, draw_id, maker_act_id, uid, NULL, by, act FROM payment_lift
    UNION ALL
    SELECT t.file_id, t.draw_id, NULL, s.nothing_else_uid, NULL, s.nothing_else_by, 'nothing_else_sent'
        FROM (SELECT 1) once CROSS JOIN file_draw t ON TRUE CROSS JOIN possibly_paid_draw s ON s.draw_id = t.draw_id AND s.nothing_else_uid IS NOT NULL
        WHERE EXISTS (SELECT 1 FROM restoration e WHERE e.complete = 0 AND e.nothing_else_uid IS NOT NULL);

-- Everyone who had a hand in a draw, as of now. Query it by draw_id.
CREATE VIEW draw_maker AS
    SELECT draw_id, uid, CAST(NULL AS INTEGER) AS person_id FROM maker_act WHERE draw_id IS NOT NULL
    UNION ALL
    SELECT draw_id, NULL, person_id FROM draw_portal_act
    UNION ALL
    SELECT draw_id, NULL, person_id FROM draw_approver
    UNION ALL
    SELECT draw_id, uid, NULL FROM payment_lift
    UNION ALL
    SELECT draw_id, nothing_else_uid, NULL FROM possibly_paid_draw WHERE nothing_else_uid IS NOT NULL;

-- Invariant 12: no maker of a file releases it. A file found to have gone out before a restore is exempt: another copy of
-- this ledger released it, and its release is recorded together with its order.
CREATE TRIGGER no_maker_releases BEFORE UPDATE OF release_ordered_at ON payment_file
  WHEN old.release_ordered_at IS NULL AND new.release_ordered_at IS NOT NULL AND new.released_at IS NULL
  BEGIN
    SELECT raise(ROLLBACK, 'the makers of a file are recorded before its release is ordered') WHERE new.makers_until IS NULL;
    SELECT raise(ROLLBACK, 'no maker of a file releases it') FROM file_maker m WHERE m.file_id = new.file_id
        AND (coalesce(new.release_uid, 0) = 0 OR m.uid = new.release_uid
             OR m.person_id IN (SELECT person_id FROM uid_person_ever WHERE uid = new.release_uid)
             OR EXISTS (SELECT 1 FROM uid_person_ever a JOIN uid_person_ever b ON b.person_id = a.person_id
                        WHERE a.uid = m.uid AND b.uid = new.release_uid));
  END;

-- The makers of a file when its release was ordered: each uid with every person it ever belonged to. A row without a uid
-- acted in the portal. Later links between uids and people change nothing here.
CREATE TABLE release_maker (
    maker_id  INTEGER PRIMARY KEY,
    file_id   INTEGER NOT NULL REFERENCES payment_file (file_id) DEFERRABLE INITIALLY DEFERRED,
    uid       INTEGER,
    person_id INTEGER REFERENCES person (person_id) DEFERRABLE INITIALLY DEFERRED,
    by        TEXT NOT NULL,
    act       TEXT NOT NULL,
    draw_id   INTEGER REFERENCES draw (draw_id) DEFERRABLE INITIALLY DEFERRED,   -- the first of its draws; NULL: the file itself
    draws     INTEGER NOT NULL,
    CHECK (uid IS NOT NULL OR person_id IS NOT NULL)
) STRICT;
CREATE INDEX release_maker_of_file ON release_maker (file_id);
CREATE TRIGGER release_maker_no_update BEFORE UPDATE ON release_maker BEGIN SELECT raise(ROLLBACK, 'release_maker is append-only'); END;
CREATE TRIGGER release_maker_no_delete BEFORE DELETE ON release_maker BEGIN SELECT raise(ROLLBACK, 'release_maker is append-only'); END;

-- Likewise, every person the releaser's uid ever belonged to.
CREATE TABLE releaser_person (
    file_id   INTEGER NOT NULL REFERENCES payment_file (file_id) DEFERRABLE INITIALLY DEFERRED,
    person_id INTEGER NOT NULL REFERENCES person (person_id) DEFERRABLE INITIALLY DEFERRED,
    PRIMARY KEY (file_id, person_id)
) STRICT;
CREATE TRIGGER releaser_person_no_update BEFORE UPDATE ON releaser_person BEGIN SELECT raise(ROLLBACK, 'releaser_person is append-only'); END;
CREATE TRIGGER releaser_person_no_delete BEFORE DELETE ON releaser_person BEGIN SELECT raise(ROLLBACK, 'releaser_person is append-only'); END;

-- An order to release a staged file, and how to deliver it. It is open while it waits and while the file is being moved.
CREATE TABLE release_order (
    release_order_id INTEGER PRIMARY KEY,
    file_id    INTEGER NOT NULL REFERENCES payment_file (file_id) DEFERRABLE INITIALLY DEFERRED,
    ordered_at INTEGER NOT NULL,
    ordered_by TEXT NOT NULL,
    ordered_uid INTEGER,                 -- NULL: the daemon by itself
    reason     TEXT NOT NULL,
    by_sftp    INTEGER NOT NULL CHECK (by_sftp IN (0, 1)),
    encrypted  INTEGER NOT NULL CHECK (encrypted IN (0, 1)),
    -- write-once:
    ended_at   INTEGER,
    outcome    TEXT CHECK (outcome IN ('released', 'refused', 'lapsed', 'voided')),
    detail     TEXT,
    CHECK ((ended_at IS NULL) = (outcome IS NULL) AND (ended_at IS NULL) = (detail IS NULL))
) STRICT;
CREATE UNIQUE INDEX release_order_open ON release_order (file_id) WHERE ended_at IS NULL;
CREATE INDEX release_order_of_file ON release_order (file_id);
CREATE TRIGGER release_order_once BEFORE UPDATE ON release_order
  WHEN old.ended_at IS NOT NULL OR new.ended_at IS NULL OR new.release_order_id <> old.release_order_id
    OR new.file_id <> old.file_id OR new.ordered_at <> old.ordered_at OR new.ordered_by <> old.ordered_by
    OR new.ordered_uid IS NOT old.ordered_uid OR new.reason <> old.reason OR new.by_sftp <> old.by_sftp
    OR new.encrypted <> old.encrypted
  BEGIN SELECT raise(ROLLBACK, 'a release order is never rewritten'); END;
CREATE TRIGGER release_order_no_delete BEFORE DELETE ON release_order BEGIN SELECT raise(ROLLBACK, 'release_order is append-only'); END;

-- What an order waits for, and since when; the newest row counts.
CREATE TABLE release_wait (
    wait_id    INTEGER PRIMARY KEY,
    release_order_id INTEGER NOT NULL REFERENCES release_order (release_order_id) DEFERRABLE INITIALLY DEFERRED,
    at         INTEGER NOT NULL,
    waits_for  TEXT NOT NULL CHECK (waits_for <> ''),   -- the service, encryption
    detail     TEXT NOT NULL
) STRICT;
CREATE INDEX release_wait_of_order ON release_wait (release_order_id, wait_id);
CREATE TRIGGER release_wait_no_update BEFORE UPDATE ON release_wait BEGIN SELECT raise(ROLLBACK, 'release_wait is append-only'); END;
CREATE TRIGGER release_wait_no_delete BEFORE DELETE ON release_wait BEGIN SELECT raise(ROLLBACK, 'release_wait is append-only'); END;

-- Every released file, in order. The line in the day's manifest, kept outside the ledger, follows from these rows and the
-- file's.
CREATE TABLE export_record (
    export_no   INTEGER PRIMARY KEY,
    file_id     INTEGER NOT NULL UNIQUE REFERENCES payment_file (file_id) DEFERRABLE INITIALLY DEFERRED,
    at          INTEGER NOT NULL,
    audit_seq   INTEGER NOT NULL,       -- the audit entry that ordered the release
    audit_head  TEXT NOT NULL,
    previous    TEXT NOT NULL,          -- SHA-256 of the manifest line before; the ledger's id for the first
    line_sha256 TEXT NOT NULL,
    -- The next free numbers at that moment.
    next_payment_id     INTEGER NOT NULL,
    next_trace_sequence INTEGER NOT NULL,
    next_check_number   INTEGER NOT NULL,
    next_batch_number   INTEGER NOT NULL,
    next_file_sequence  INTEGER NOT NULL
) STRICT;
CREATE TRIGGER export_record_no_update BEFORE UPDATE ON export_record BEGIN SELECT raise(ROLLBACK, 'export_record is append-only'); END;
CREATE TRIGGER export_record_no_delete BEFORE DELETE ON export_record BEGIN SELECT raise(ROLLBACK, 'export_record is append-only'); END;

---- Delivery to the bank.

-- How a file goes to the bank, fixed when its release is ordered. A file without a row is collected from outgoing/ by the
-- bank's side, unchanged.
CREATE TABLE file_delivery (
    file_id    INTEGER PRIMARY KEY REFERENCES payment_file (file_id) DEFERRABLE INITIALLY DEFERRED,
    ordered_at INTEGER NOT NULL,
    by_sftp    INTEGER NOT NULL CHECK (by_sftp IN (0, 1)),
    encrypted  INTEGER NOT NULL CHECK (encrypted IN (0, 1)),
    -- write-once, in this order, for SFTP:
    delivered_at INTEGER,
    archived_at  INTEGER,   -- the copy in outgoing/ is in the archive
    archived_as  TEXT,      -- relative to the state folder; empty: somebody had removed the copy
    CHECK (by_sftp = 1 OR encrypted = 1),
    CHECK (delivered_at IS NULL OR by_sftp = 1),
    CHECK ((archived_at IS NULL) = (archived_as IS NULL)),
    CHECK (archived_at IS NULL OR delivered_at IS NOT NULL)
) STRICT;
CREATE INDEX file_delivery_open ON file_delivery (file_id) WHERE by_sftp = 1 AND archived_at IS NULL;
CREATE TRIGGER file_delivery_once BEFORE UPDATE ON file_delivery
  WHEN new.file_id <> old.file_id OR new.ordered_at <> old.ordered_at OR new.by_sftp <> old.by_sftp
    OR new.encrypted <> old.encrypted OR (old.delivered_at IS NOT NULL AND new.delivered_at IS NOT old.delivered_at)
    OR old.archived_at IS NOT NULL
  BEGIN SELECT raise(ROLLBACK, 'how a file is delivered is never rewritten'); END;
CREATE TRIGGER file_delivery_no_delete BEFORE DELETE ON file_delivery BEGIN SELECT raise(ROLLBACK, 'file_delivery is append-only'); END;

-- Files that may still leave: another link to a person counts for them.
CREATE VIEW file_to_leave AS
    SELECT f.file_id FROM payment_file f LEFT JOIN file_delivery d ON d.file_id = f.file_id
    WHERE f.voided_at IS NULL AND (f.released_at IS NULL OR (d.by_sftp = 1 AND d.delivered_at IS NULL));
CREATE TRIGGER file_portal_act_of_link AFTER INSERT ON person_portal
  BEGIN
    INSERT INTO file_portal_act (file_id, person_id, act, draw_id)
      SELECT t.file_id, a.person_id, a.act, a.draw_id
      FROM file_draw t CROSS JOIN draw_portal_act a ON a.draw_id = t.draw_id
      WHERE a.person_id = new.person_id AND t.file_id IN (SELECT file_id FROM file_to_leave)
      ON CONFLICT DO NOTHING;
    INSERT INTO file_portal_act (file_id, person_id, act, draw_id)
      SELECT t.file_id, a.person_id, a.act, a.draw_id
      FROM file_draw t CROSS JOIN draw_approver a ON a.draw_id = t.draw_id
      WHERE a.person_id = new.person_id AND t.file_id IN (SELECT file_id FROM file_to_leave)
      ON CONFLICT DO NOTHING;
  END;

-- Encrypting the same text twice gives different bytes, so a file is encrypted once and these bytes go out.
CREATE TABLE file_encryption (
    file_id     INTEGER PRIMARY KEY REFERENCES file_delivery (file_id) DEFERRABLE INITIALLY DEFERRED,
    name        TEXT NOT NULL UNIQUE,
    fingerprint TEXT NOT NULL,           -- of the bank's OpenPGP key
    sha256      TEXT NOT NULL,
    size_bytes  INTEGER NOT NULL CHECK (size_bytes > 0),
    made_at     INTEGER NOT NULL
) STRICT;
CREATE TRIGGER file_encryption_no_update BEFORE UPDATE ON file_encryption BEGIN SELECT raise(ROLLBACK, 'file_encryption is append-only'); END;
CREATE TRIGGER file_encryption_no_delete BEFORE DELETE ON file_encryption BEGIN SELECT raise(ROLLBACK, 'file_encryption is append-only'); END;

-- Every step of an upload. The disbursement module decides what they mean together.
CREATE TABLE delivery_step (
    step_id INTEGER PRIMARY KEY,
    file_id INTEGER NOT NULL REFERENCES file_delivery (file_id) DEFERRABLE INITIALLY DEFERRED,
    at      INTEGER NOT NULL,
    by      TEXT NOT NULL,
    uid     INTEGER,                -- of `by`; NULL: the daemon itself
    step    TEXT NOT NULL CHECK (step IN ('intent', 'failed', 'uploaded', 'refused', 'unknown', 'unreachable', 'damaged',
                                          'conflict', 'uncertain', 'again', 'delivered')),
    server         TEXT,    -- only of an intent, as are the two below
    temporary_name TEXT,
    size_bytes     INTEGER,
    detail  TEXT NOT NULL,
    CHECK ((step = 'intent') = (server IS NOT NULL) AND (step = 'intent') = (temporary_name IS NOT NULL)
           AND (step = 'intent') = (size_bytes IS NOT NULL))
) STRICT;
CREATE INDEX delivery_step_of_file ON delivery_step (file_id, step_id);
CREATE INDEX delivery_step_by_step ON delivery_step (step);
-- No two uploads share a temporary name.
CREATE UNIQUE INDEX delivery_step_temporary ON delivery_step (temporary_name) WHERE temporary_name IS NOT NULL;
-- Invariant 10: no upload starts while an earlier one may have reached the bank.
CREATE TRIGGER delivery_step_not_blind BEFORE INSERT ON delivery_step
  WHEN new.step = 'intent' AND (SELECT s.step FROM delivery_step s WHERE s.file_id = new.file_id AND s.step <> 'unreachable'
                                ORDER BY s.step_id DESC LIMIT 1) IN ('intent', 'uploaded', 'refused', 'unknown', 'conflict', 'uncertain')
  BEGIN SELECT raise(ROLLBACK, 'a file is not uploaded again while it may be at the bank'); END;
-- On whose word a file leaves: whoever ordered its release, or said since that the bank does not have it.
CREATE VIEW file_releaser AS
SELECT f.file_id, coalesce(s.uid, f.release_uid) AS uid, coalesce(s.by, f.release_ordered_by) AS by
FROM payment_file f
LEFT JOIN delivery_step s ON s.step_id = (SELECT max(a.step_id) FROM delivery_step a WHERE a.file_id = f.file_id AND a.step = 'again');
CREATE TRIGGER no_maker_uploads BEFORE INSERT ON delivery_step
  WHEN new.step = 'intent'
  BEGIN
    SELECT raise(ROLLBACK, 'the bank gets no file that one of its makers released') FROM payment_file f
        JOIN file_releaser r ON r.file_id = f.file_id JOIN file_maker m ON m.file_id = f.file_id
        WHERE f.file_id = new.file_id AND f.makers_until IS NOT NULL
          AND (coalesce(r.uid, 0) = 0 OR m.uid = r.uid
               OR m.person_id IN (SELECT person_id FROM uid_person_ever WHERE uid = r.uid)
               OR EXISTS (SELECT 1 FROM uid_person_ever a JOIN uid_person_ever b ON b.person_id = a.person_id
                          WHERE a.uid = m.uid AND b.uid = r.uid));
  END;
CREATE TRIGGER delivery_step_ends BEFORE INSERT ON delivery_step
  WHEN EXISTS (SELECT 1 FROM file_delivery d WHERE d.file_id = new.file_id AND (d.by_sftp = 0 OR d.delivered_at IS NOT NULL))
  BEGIN SELECT raise(ROLLBACK, 'a file is delivered once'); END;
CREATE TRIGGER delivery_step_no_update BEFORE UPDATE ON delivery_step BEGIN SELECT raise(ROLLBACK, 'delivery_step is append-only'); END;
CREATE TRIGGER delivery_step_no_delete BEFORE DELETE ON delivery_step BEGIN SELECT raise(ROLLBACK, 'delivery_step is append-only'); END;

-- Files that the bank does not have from us, and why. The bank may collect a released file from outgoing/ at any time,
-- and a started upload may have arrived, until a person says that it has not.
CREATE VIEW unsent_file AS
SELECT f.file_id, CASE WHEN f.voided_at IS NOT NULL THEN 'its file was voided'
                       WHEN f.released_at IS NULL THEN 'its file is not released'
                       ELSE 'its file is not uploaded yet' END AS because
FROM payment_file f
WHERE f.voided_at IS NOT NULL OR f.released_at IS NULL
    OR (EXISTS (SELECT 1 FROM file_delivery d WHERE d.file_id = f.file_id AND d.by_sftp = 1 AND d.delivered_at IS NULL)
        AND coalesce((SELECT s.step FROM delivery_step s WHERE s.file_id = f.file_id AND s.step <> 'unreachable'
                      ORDER BY s.step_id DESC LIMIT 1), 'again') = 'again');
CREATE TRIGGER payment_file_has_left BEFORE UPDATE OF voided_at ON payment_file
  WHEN new.voided_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM unsent_file u WHERE u.file_id = old.file_id)
  BEGIN SELECT raise(ROLLBACK, 'a file that may have left cannot be voided'); END;

-- How we know that the bank has a released file. Silence from the bank means something only from then on.
CREATE TABLE delivery_evidence (
    evidence_id INTEGER PRIMARY KEY,
    file_id     INTEGER NOT NULL REFERENCES payment_file (file_id) DEFERRABLE INITIALLY DEFERRED,
    -- sftp: the bank's server accepted our upload; by_hand: a person says so; acknowledged: the bank says so
    kind        TEXT NOT NULL CHECK (kind IN ('sftp', 'by_hand', 'acknowledged')),
    at          INTEGER NOT NULL,
    by          TEXT NOT NULL,
    uid         INTEGER,            -- NULL: the daemon by itself
    detail      TEXT NOT NULL,
    after_run_id INTEGER NOT NULL,  -- the newest run then: only later ones looked for what comes back, whatever the clock said
    UNIQUE (file_id, kind)
) STRICT;
CREATE TRIGGER delivery_evidence_of_released BEFORE INSERT ON delivery_evidence
  WHEN (SELECT f.released_at FROM payment_file f WHERE f.file_id = new.file_id) IS NULL
  BEGIN SELECT raise(ROLLBACK, 'the bank cannot have a file that was not released'); END;
CREATE TRIGGER delivery_evidence_no_update BEFORE UPDATE ON delivery_evidence BEGIN SELECT raise(ROLLBACK, 'delivery_evidence is append-only'); END;
CREATE TRIGGER delivery_evidence_no_delete BEFORE DELETE ON delivery_evidence BEGIN SELECT raise(ROLLBACK, 'delivery_evidence is append-only'); END;

---- Exceptions.

-- What a person must look at.
CREATE TABLE exception (
    exception_id INTEGER PRIMARY KEY,
    opened_at    INTEGER NOT NULL,
    step         TEXT NOT NULL CHECK (step = 'poll' OR step = 'decide' OR step = 'approve' OR step = 'pay' OR step = 'confirm'
                                       OR step = 'report'),
    reason_code  TEXT NOT NULL CHECK (reason_code <> ''),
    draw_id      INTEGER,
    payment_id   INTEGER REFERENCES payment (payment_id) DEFERRABLE INITIALLY DEFERRED,
    subject      TEXT NOT NULL,   -- a file, or a line of a file; may be empty
    detail       TEXT NOT NULL,
    -- write-once:
    closed_at    INTEGER,
    closed_by    TEXT,
    closed_reason TEXT,
    closed_after_run_id INTEGER,  -- the newest run of a step then; 0: none
    CHECK ((closed_at IS NULL) = (closed_by IS NULL) AND (closed_at IS NULL) = (closed_reason IS NULL)
        AND (closed_at IS NULL) = (closed_after_run_id IS NULL))
) STRICT;
-- The same exception is open at most once.
CREATE UNIQUE INDEX exception_open
    ON exception (reason_code, coalesce(draw_id, 0), coalesce(payment_id, 0), subject) WHERE closed_at IS NULL;
CREATE INDEX exception_open_of_draw ON exception (draw_id, step) WHERE closed_at IS NULL;
-- Also has what the totals of the open ones need.
CREATE INDEX exception_open_by_age ON exception (opened_at, exception_id, step, reason_code) WHERE closed_at IS NULL;
CREATE INDEX exception_of_subject ON exception (subject) WHERE subject <> '';
CREATE INDEX exception_of_draw ON exception (draw_id) WHERE draw_id IS NOT NULL;
CREATE INDEX exception_of_payment ON exception (payment_id, reason_code) WHERE payment_id IS NOT NULL;
CREATE TRIGGER exception_once BEFORE UPDATE ON exception
  WHEN old.closed_at IS NOT NULL OR new.closed_at IS NULL OR new.exception_id <> old.exception_id
    OR new.opened_at <> old.opened_at OR new.step <> old.step OR new.reason_code <> old.reason_code
    OR new.draw_id IS NOT old.draw_id OR new.payment_id IS NOT old.payment_id OR new.subject <> old.subject
    OR new.detail <> old.detail
  BEGIN SELECT raise(ROLLBACK, 'an exception is closed once and never rewritten'); END;
CREATE TRIGGER exception_no_delete BEFORE DELETE ON exception BEGIN SELECT raise(ROLLBACK, 'an exception is never deleted'); END;

-- The bank says that it has a file that it should not have. Until a person resolves that, the file is neither sent nor
-- voided, and the draws of a voided one are not paid in another.
CREATE VIEW acknowledged_unsent AS
SELECT f.file_id, f.name AS file_name, f.voided_at, e.exception_id
FROM exception e
CROSS JOIN payment_file f ON f.name = e.subject
WHERE e.reason_code = 'acknowledgment_unsent' AND e.closed_at IS NULL;
CREATE VIEW acknowledged_void AS
SELECT p.draw_id, u.file_name, u.exception_id
FROM acknowledged_unsent u
CROSS JOIN payment p ON p.file_id = u.file_id
WHERE u.voided_at IS NOT NULL;

-- A person let a draw pass a guard, in exactly the circumstances that the exception describes.
CREATE TABLE guard_override (
    exception_id   INTEGER PRIMARY KEY REFERENCES exception (exception_id) DEFERRABLE INITIALLY DEFERRED,
    draw_id        INTEGER NOT NULL,
    reason_code    TEXT NOT NULL,
    detail         TEXT NOT NULL,
    by             TEXT NOT NULL,
    at             INTEGER NOT NULL,
    reason         TEXT NOT NULL,
    payments_until INTEGER NOT NULL  -- the newest payment then, whatever the clock said
) STRICT;
CREATE INDEX guard_override_of_draw ON guard_override (draw_id);
CREATE TRIGGER guard_override_no_update BEFORE UPDATE ON guard_override BEGIN SELECT raise(ROLLBACK, 'guard_override is append-only'); END;
CREATE TRIGGER guard_override_no_delete BEFORE DELETE ON guard_override BEGIN SELECT raise(ROLLBACK, 'guard_override is append-only'); END;

-- A person undid how an exception was resolved; the exception was opened again.
CREATE TABLE resolution_undo (
    exception_id INTEGER PRIMARY KEY REFERENCES exception (exception_id) DEFERRABLE INITIALLY DEFERRED,
    at     INTEGER NOT NULL,
    by     TEXT NOT NULL,
    reason TEXT NOT NULL CHECK (reason <> '')
) STRICT;
CREATE TRIGGER resolution_undo_no_update BEFORE UPDATE ON resolution_undo BEGIN SELECT raise(ROLLBACK, 'resolution_undo is append-only'); END;
CREATE TRIGGER resolution_undo_no_delete BEFORE DELETE ON resolution_undo BEGIN SELECT raise(ROLLBACK, 'resolution_undo is append-only'); END;

---- Confirmations.

-- The lines of a file with many lines are recorded in many short transactions: those that are not recorded yet are in
-- staged_line. Until completed_at is set, no step but `confirm` runs, so that nothing acts on half a file.
CREATE TABLE confirmation_file (
    confirmation_file_id INTEGER PRIMARY KEY,
    sha256      TEXT NOT NULL,
    name        TEXT NOT NULL,
    size_bytes  INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,        -- likewise of all its lines and of their effects
    outcome     TEXT NOT NULL CHECK (outcome IN ('applied', 'refused')),
    line_count  INTEGER NOT NULL,
    report      TEXT NOT NULL,
    staging_id  INTEGER,                 -- of its lines in staged_line; NULL: recorded in one transaction
    -- write-once:
    completed_at INTEGER,                -- it has all its lines
    CHECK (completed_at IS NOT NULL OR (outcome = 'applied' AND staging_id IS NOT NULL))
) STRICT;
-- The same bytes are applied only once.
CREATE UNIQUE INDEX confirmation_file_applied ON confirmation_file (sha256) WHERE outcome = 'applied';
CREATE INDEX confirmation_file_by_time ON confirmation_file (recorded_at) WHERE outcome = 'applied';
-- One file after the other.
CREATE UNIQUE INDEX confirmation_file_unfinished ON confirmation_file ((completed_at IS NULL)) WHERE completed_at IS NULL;
CREATE TRIGGER confirmation_file_once BEFORE UPDATE ON confirmation_file
  WHEN old.completed_at IS NOT NULL OR new.completed_at IS NULL OR new.confirmation_file_id <> old.confirmation_file_id
    OR new.sha256 <> old.sha256 OR new.name <> old.name OR new.size_bytes <> old.size_bytes
    OR new.recorded_at <> old.recorded_at OR new.outcome <> old.outcome OR new.line_count <> old.line_count
    OR new.report <> old.report OR new.staging_id IS NOT old.staging_id
  BEGIN SELECT raise(ROLLBACK, 'a confirmation file is completed once and never rewritten'); END;
CREATE TRIGGER confirmation_file_no_delete BEFORE DELETE ON confirmation_file BEGIN SELECT raise(ROLLBACK, 'confirmation_file is append-only'); END;

-- Lines that are read and not yet recorded, grouped by the payment that they refer to (0: none, or more than one). A
-- queue, not a fact: recording a line deletes it here.
CREATE TABLE staged_line (
    staging_id   INTEGER NOT NULL,
    payment_id   INTEGER NOT NULL,
    ordinal      INTEGER NOT NULL,
    line         INTEGER NOT NULL,
    payment_reference TEXT NOT NULL,
    kind         INTEGER NOT NULL,
    amount_cents INTEGER NOT NULL,
    confirmed_on TEXT NOT NULL,
    reference_list TEXT NOT NULL,
    currency     TEXT NOT NULL,
    reason_code  TEXT NOT NULL,
    corrected_data TEXT CHECK (substr(corrected_data, 1, 7) = 'sealed:'),
    payee_name   TEXT NOT NULL,
    note         TEXT NOT NULL,
    PRIMARY KEY (staging_id, payment_id, ordinal)
) STRICT, WITHOUT ROWID;

-- How many lines of a file are recorded so far, by outcome. It follows from the lines; invariant 7 counts them.
CREATE TABLE confirmation_sum (
    confirmation_file_id INTEGER NOT NULL REFERENCES confirmation_file (confirmation_file_id) DEFERRABLE INITIALLY DEFERRED,
    outcome    TEXT NOT NULL,
    lines      INTEGER NOT NULL,
    cents      INTEGER NOT NULL,
    paid_cents INTEGER NOT NULL,         -- of the lines of kind paid
    PRIMARY KEY (confirmation_file_id, outcome)
) STRICT, WITHOUT ROWID;

-- Who handed in a confirmation file: the owner of the file in the inbox, or who uploaded it. Handing in the same bytes
-- again adds a row.
CREATE TABLE confirmation_hand_in (
    hand_in_id INTEGER PRIMARY KEY,
    confirmation_file_id INTEGER NOT NULL REFERENCES confirmation_file (confirmation_file_id) DEFERRABLE INITIALLY DEFERRED,
    at   INTEGER NOT NULL,
    uid  INTEGER NOT NULL CHECK (uid >= 0),   -- 0: root or the daemon's own user
    by   TEXT NOT NULL,
    UNIQUE (confirmation_file_id, uid)
) STRICT;
CREATE TRIGGER confirmation_hand_in_no_update BEFORE UPDATE ON confirmation_hand_in BEGIN SELECT raise(ROLLBACK, 'confirmation_hand_in is append-only'); END;
CREATE TRIGGER confirmation_hand_in_no_delete BEFORE DELETE ON confirmation_hand_in BEGIN SELECT raise(ROLLBACK, 'confirmation_hand_in is append-only'); END;

-- Invariant 7: every line of an applied file, and what was done with it.
CREATE TABLE confirmation_line (
    line_id      INTEGER PRIMARY KEY,
    confirmation_file_id INTEGER NOT NULL REFERENCES confirmation_file (confirmation_file_id) DEFERRABLE INITIALLY DEFERRED,
    line         INTEGER NOT NULL,
    payment_reference TEXT NOT NULL,
    kind         TEXT NOT NULL CHECK (kind = 'paid' OR kind = 'returned' OR kind = 'void' OR kind = 'corrected'
                                      OR kind = 'pending' OR kind = 'disputed' OR kind = 'unrelated'),
    amount_cents INTEGER NOT NULL,
    currency     TEXT NOT NULL,
    confirmed_on TEXT NOT NULL,
    bank_code    TEXT NOT NULL,   -- R03, C01, AC04; empty: none given
    payee_name   TEXT NOT NULL,   -- this and the next two help a person find the payment; may be empty
    more_references TEXT NOT NULL,   -- "trace_number 0910…", one per line of text
    note         TEXT NOT NULL,
    outcome      TEXT NOT NULL CHECK (outcome = 'applied' OR outcome = 'duplicate' OR outcome = 'exception'
                                      OR outcome = 'recorded'),
    payment_id   INTEGER REFERENCES payment (payment_id) DEFERRABLE INITIALLY DEFERRED,
    reason_code  TEXT NOT NULL,
    detail       TEXT NOT NULL,
    CHECK (outcome <> 'applied' OR (payment_id IS NOT NULL AND (kind = 'paid' OR kind = 'returned' OR kind = 'void')))
) STRICT;
CREATE INDEX confirmation_line_of_file ON confirmation_line (confirmation_file_id, line);
CREATE INDEX confirmation_line_of_payment ON confirmation_line (payment_id) WHERE payment_id IS NOT NULL;
CREATE TRIGGER confirmation_line_no_update BEFORE UPDATE ON confirmation_line BEGIN SELECT raise(ROLLBACK, 'confirmation_line is append-only'); END;
CREATE TRIGGER confirmation_line_no_delete BEFORE DELETE ON confirmation_line BEGIN SELECT raise(ROLLBACK, 'confirmation_line is append-only'); END;

-- The payments that a line may mean, if there are several.
CREATE TABLE line_candidate (
    line_id    INTEGER NOT NULL REFERENCES confirmation_line (line_id) DEFERRABLE INITIALLY DEFERRED,
    payment_id INTEGER NOT NULL REFERENCES payment (payment_id) DEFERRABLE INITIALLY DEFERRED,
    PRIMARY KEY (line_id, payment_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX line_candidate_of_payment ON line_candidate (payment_id);
CREATE TRIGGER line_candidate_no_update BEFORE UPDATE ON line_candidate BEGIN SELECT raise(ROLLBACK, 'line_candidate is append-only'); END;
CREATE TRIGGER line_candidate_no_delete BEFORE DELETE ON line_candidate BEGIN SELECT raise(ROLLBACK, 'line_candidate is append-only'); END;

-- Which lines an exception is about.
CREATE TABLE line_exception (
    exception_id INTEGER NOT NULL REFERENCES exception (exception_id) DEFERRABLE INITIALLY DEFERRED,
    line_id      INTEGER NOT NULL REFERENCES confirmation_line (line_id) DEFERRABLE INITIALLY DEFERRED,
    PRIMARY KEY (exception_id, line_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX line_exception_of_line ON line_exception (line_id);
CREATE TRIGGER line_exception_no_update BEFORE UPDATE ON line_exception BEGIN SELECT raise(ROLLBACK, 'line_exception is append-only'); END;
CREATE TRIGGER line_exception_no_delete BEFORE DELETE ON line_exception BEGIN SELECT raise(ROLLBACK, 'line_exception is append-only'); END;

-- The outcome of a payment: by a line from the bank, by a person who matched a line, or by time without a return. A
-- person's match can be undone. Each kind is in force at most once per payment.
CREATE TABLE settlement (
    settlement_id INTEGER PRIMARY KEY,
    payment_id   INTEGER NOT NULL REFERENCES payment (payment_id) DEFERRABLE INITIALLY DEFERRED,
    kind         TEXT NOT NULL CHECK (kind = 'paid' OR kind = 'returned' OR kind = 'void'),
    source       TEXT NOT NULL CHECK (source = 'line' OR source = 'person' OR source = 'time'),
    line_id      INTEGER REFERENCES confirmation_line (line_id) DEFERRABLE INITIALLY DEFERRED,
    confirmed_on TEXT NOT NULL,
    recorded_at  INTEGER NOT NULL,
    exception_id INTEGER REFERENCES exception (exception_id) DEFERRABLE INITIALLY DEFERRED,   -- by a person: the exception that was resolved
    -- write-once:
    undone_at    INTEGER,
    CHECK ((source = 'time') = (line_id IS NULL)),
    CHECK ((source = 'person') = (exception_id IS NOT NULL)),
    CHECK (source <> 'time' OR kind = 'paid'),
    CHECK (undone_at IS NULL OR source = 'person')
) STRICT;
CREATE UNIQUE INDEX settlement_of_payment
  ON settlement (payment_id, kind, (CASE WHEN undone_at IS NULL THEN 0 ELSE settlement_id END));
CREATE INDEX settlement_of_line ON settlement (line_id) WHERE line_id IS NOT NULL;
CREATE INDEX settlement_returned ON settlement (recorded_at) WHERE kind = 'returned';
CREATE INDEX settlement_of_exception ON settlement (exception_id) WHERE exception_id IS NOT NULL;
CREATE TRIGGER settlement_once BEFORE UPDATE ON settlement
  WHEN old.undone_at IS NOT NULL OR new.undone_at IS NULL OR new.settlement_id <> old.settlement_id
    OR new.payment_id <> old.payment_id OR new.kind <> old.kind OR new.source <> old.source
    OR new.line_id IS NOT old.line_id OR new.confirmed_on <> old.confirmed_on OR new.recorded_at <> old.recorded_at
    OR new.exception_id IS NOT old.exception_id
  BEGIN SELECT raise(ROLLBACK, 'a settlement is undone once and never rewritten'); END;
-- Invariant 7. The draw of an unsent file is paid by another one, or will be.
CREATE TRIGGER settlement_of_sent AFTER INSERT ON settlement
  WHEN EXISTS (SELECT 1 FROM payment p JOIN unsent_file u ON u.file_id = p.file_id WHERE p.payment_id = new.payment_id)
  BEGIN SELECT raise(ROLLBACK, 'the bank cannot settle a payment that was not sent'); END;
CREATE TRIGGER settlement_no_delete BEFORE DELETE ON settlement BEGIN SELECT raise(ROLLBACK, 'settlement is append-only'); END;

-- Settlements in force.
CREATE VIEW payment_settlement AS
    SELECT payment_id, kind, line_id, confirmed_on, recorded_at, source FROM settlement WHERE undone_at IS NULL;
CREATE TRIGGER delivery_step_not_settled BEFORE INSERT ON delivery_step
  WHEN new.step = 'again' AND EXISTS (SELECT 1 FROM payment p JOIN payment_settlement s ON s.payment_id = p.payment_id
                                      WHERE p.file_id = new.file_id)
  BEGIN SELECT raise(ROLLBACK, 'the bank has a file whose payments it settled'); END;

---- Returns, corrections and reissues.

-- A person's order to pay a draw again after its payment came back: one for each payment that did.
CREATE TABLE reissue_order (
    order_id   INTEGER PRIMARY KEY,
    draw_id    INTEGER NOT NULL REFERENCES draw (draw_id) DEFERRABLE INITIALLY DEFERRED,
    payment_id INTEGER NOT NULL UNIQUE REFERENCES payment (payment_id) DEFERRABLE INITIALLY DEFERRED,
    reading_id INTEGER NOT NULL REFERENCES reading (reading_id) DEFERRABLE INITIALLY DEFERRED,   -- the draw's newest one then
    ordered_at INTEGER NOT NULL,
    ordered_by TEXT NOT NULL,
    reason     TEXT NOT NULL CHECK (reason <> '')
) STRICT;
CREATE INDEX reissue_order_of_draw ON reissue_order (draw_id);
CREATE TRIGGER reissue_order_after_end BEFORE INSERT ON reissue_order
  WHEN NOT EXISTS (SELECT 1 FROM payment p WHERE p.payment_id = new.payment_id AND p.draw_id = new.draw_id
                   AND p.ended_at IS NOT NULL)
  BEGIN SELECT raise(ROLLBACK, 'a draw is paid again only after its payment ended'); END;
CREATE TRIGGER reissue_order_no_update BEFORE UPDATE ON reissue_order BEGIN SELECT raise(ROLLBACK, 'reissue_order is append-only'); END;
CREATE TRIGGER reissue_order_no_delete BEFORE DELETE ON reissue_order BEGIN SELECT raise(ROLLBACK, 'reissue_order is append-only'); END;

-- A payment ends once. It is live again only where a person undid the very return that ended it, or recorded that its
-- check was cashed although the bank was told to void or stop it, and nothing rests on that end: no reissue order, no
-- return or void by the bank, no voided file.
CREATE TRIGGER payment_ends_once BEFORE UPDATE OF ended_at, finished_at ON payment
  WHEN old.ended_at IS NOT NULL AND new.ended_at IS NOT old.ended_at
    OR old.finished_at IS NOT NULL AND new.finished_at IS NOT old.finished_at
  BEGIN SELECT raise(ROLLBACK, 'a payment ends once') WHERE NOT (new.ended_at IS NULL
      AND (new.finished_at IS old.finished_at OR (new.finished_at IS NULL AND old.finished_at = old.ended_at))
      AND CASE WHEN EXISTS (SELECT 1 FROM check_order o WHERE o.payment_id = old.payment_id AND o.transmitted_at IS NOT NULL)
               THEN EXISTS (SELECT 1 FROM settlement s WHERE s.payment_id = old.payment_id AND s.kind = 'paid' AND s.undone_at IS NULL)
               ELSE EXISTS (SELECT 1 FROM settlement s WHERE s.payment_id = old.payment_id AND s.kind <> 'paid' AND s.undone_at IS NOT NULL) END
      AND NOT EXISTS (SELECT 1 FROM settlement s WHERE s.payment_id = old.payment_id AND s.kind <> 'paid' AND s.undone_at IS NULL)
      AND NOT EXISTS (SELECT 1 FROM reissue_order r WHERE r.payment_id = old.payment_id)
      AND NOT EXISTS (SELECT 1 FROM payment_file f WHERE f.file_id = old.file_id AND f.voided_at IS NOT NULL)); END;

---- Reports to the service.

-- disbursedDate patches: the intent first, then the outcome once. A patch that never reached the service is withdrawn
-- when another payment takes the place of its own.
CREATE TABLE outbox (
    patch_id       INTEGER PRIMARY KEY,
    draw_id        INTEGER NOT NULL REFERENCES draw (draw_id) DEFERRABLE INITIALLY DEFERRED,
    payment_id     INTEGER NOT NULL REFERENCES payment (payment_id) DEFERRABLE INITIALLY DEFERRED,
    disbursed_date INTEGER NOT NULL,
    created_at     INTEGER NOT NULL,
    -- write-once, one or the other:
    outcome        TEXT CHECK (outcome IN ('accepted', 'already_there')),
    outcome_at     INTEGER,
    withdrawn_at   INTEGER,
    CHECK ((outcome IS NULL) = (outcome_at IS NULL))
) STRICT;
-- Invariant 8: one value for a draw.
CREATE UNIQUE INDEX outbox_of_draw ON outbox (draw_id, (CASE WHEN withdrawn_at IS NULL THEN 0 ELSE patch_id END));
CREATE INDEX outbox_open ON outbox (patch_id) WHERE outcome IS NULL AND withdrawn_at IS NULL;
CREATE TRIGGER outbox_once BEFORE UPDATE ON outbox
  WHEN old.outcome IS NOT NULL OR old.withdrawn_at IS NOT NULL OR (new.outcome IS NULL) = (new.withdrawn_at IS NULL)
    OR new.patch_id <> old.patch_id OR new.draw_id <> old.draw_id OR new.payment_id <> old.payment_id
    OR new.disbursed_date <> old.disbursed_date OR new.created_at <> old.created_at
  BEGIN SELECT raise(ROLLBACK, 'the outcome of a patch is written once'); END;
CREATE TRIGGER outbox_no_delete BEFORE DELETE ON outbox BEGIN SELECT raise(ROLLBACK, 'outbox is append-only'); END;

-- Attempts that left the patch open. The one that closed it is its outcome.
CREATE TABLE outbox_attempt (
    attempt_id INTEGER PRIMARY KEY,
    patch_id   INTEGER NOT NULL REFERENCES outbox (patch_id) DEFERRABLE INITIALLY DEFERRED,
    at         INTEGER NOT NULL,
    outcome    TEXT NOT NULL,
    detail     TEXT NOT NULL
) STRICT;
CREATE INDEX outbox_attempt_of_patch ON outbox_attempt (patch_id, attempt_id);
CREATE TRIGGER outbox_attempt_no_update BEFORE UPDATE ON outbox_attempt BEGIN SELECT raise(ROLLBACK, 'outbox_attempt is append-only'); END;
CREATE TRIGGER outbox_attempt_no_delete BEFORE DELETE ON outbox_attempt BEGIN SELECT raise(ROLLBACK, 'outbox_attempt is append-only'); END;

-- The events that write back now, as configured. Not a fact: the program rewrites it when it starts.
CREATE TABLE write_back_enabled (
    event TEXT PRIMARY KEY CHECK (event IN ('export', 'confirmation', 'return')),
    since INTEGER NOT NULL
) STRICT;
-- Texts that go into the draw's own fields when a payment goes out, is confirmed or comes back. Triggers record the intent
-- in the transaction of the fact itself, where the event is enabled.
CREATE TABLE write_back (
    write_back_id INTEGER PRIMARY KEY,
    draw_id    INTEGER NOT NULL REFERENCES draw (draw_id) DEFERRABLE INITIALLY DEFERRED,
    payment_id INTEGER NOT NULL REFERENCES payment (payment_id) DEFERRABLE INITIALLY DEFERRED,
    event      TEXT NOT NULL CHECK (event = 'export' OR event = 'confirmation' OR event = 'return'),
    settlement_id INTEGER REFERENCES settlement (settlement_id) DEFERRABLE INITIALLY DEFERRED,   -- what it reports; NULL: the file that went out
    created_at INTEGER NOT NULL,
    -- write-once:
    finished_at INTEGER
) STRICT;
CREATE UNIQUE INDEX write_back_once_sent ON write_back (payment_id, event, coalesce(settlement_id, 0));
CREATE INDEX write_back_open ON write_back (write_back_id) WHERE finished_at IS NULL;
CREATE INDEX write_back_open_of_draw ON write_back (draw_id, write_back_id) WHERE finished_at IS NULL;
CREATE INDEX write_back_of_draw ON write_back (draw_id, write_back_id);
CREATE TRIGGER write_back_once BEFORE UPDATE ON write_back
  WHEN old.finished_at IS NOT NULL OR new.finished_at IS NULL OR new.write_back_id <> old.write_back_id
    OR new.draw_id <> old.draw_id OR new.payment_id <> old.payment_id OR new.event <> old.event
    OR new.settlement_id IS NOT old.settlement_id OR new.created_at <> old.created_at
  BEGIN SELECT raise(ROLLBACK, 'a write-back ends once'); END;
CREATE TRIGGER write_back_no_delete BEFORE DELETE ON write_back BEGIN SELECT raise(ROLLBACK, 'write_back is append-only'); END;

-- The texts as they are sent, recorded before the first is sent.
CREATE TABLE write_back_field (
    write_back_id INTEGER NOT NULL REFERENCES write_back (write_back_id) DEFERRABLE INITIALLY DEFERRED,
    field   TEXT NOT NULL,
    value   TEXT NOT NULL,
    -- write-once:
    outcome TEXT CHECK (outcome = 'written' OR outcome = 'already_there' OR outcome = 'refused' OR outcome = 'overtaken'),
    outcome_at INTEGER,
    detail  TEXT,
    shown   TEXT,    -- what the service showed afterwards, if it shows the field
    PRIMARY KEY (write_back_id, field),
    CHECK ((outcome IS NULL) = (outcome_at IS NULL))
) STRICT, WITHOUT ROWID;
CREATE TRIGGER write_back_field_once BEFORE UPDATE ON write_back_field
  WHEN old.outcome IS NOT NULL OR new.outcome IS NULL OR new.write_back_id <> old.write_back_id OR new.field <> old.field
    OR new.value <> old.value
  BEGIN SELECT raise(ROLLBACK, 'the outcome of a field is written once'); END;
CREATE TRIGGER write_back_field_no_delete BEFORE DELETE ON write_back_field BEGIN SELECT raise(ROLLBACK, 'write_back_field is append-only'); END;

CREATE TABLE write_back_attempt (
    attempt_id    INTEGER PRIMARY KEY,
    write_back_id INTEGER NOT NULL REFERENCES write_back (write_back_id) DEFERRABLE INITIALLY DEFERRED,
    at      INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    detail  TEXT NOT NULL
) STRICT;
CREATE INDEX write_back_attempt_of ON write_back_attempt (write_back_id, attempt_id);
CREATE TRIGGER write_back_attempt_no_update BEFORE UPDATE ON write_back_attempt BEGIN SELECT raise(ROLLBACK, 'write_back_attempt is append-only'); END;
CREATE TRIGGER write_back_attempt_no_delete BEFORE DELETE ON write_back_attempt BEGIN SELECT raise(ROLLBACK, 'write_back_attempt is append-only'); END;

CREATE TRIGGER write_back_at_export AFTER UPDATE OF released_at ON payment_file
  WHEN old.released_at IS NULL AND new.released_at IS NOT NULL AND EXISTS (SELECT 1 FROM write_back_enabled WHERE event = 'export')
  BEGIN
    INSERT INTO write_back (draw_id, payment_id, event, created_at)
      SELECT p.draw_id, p.payment_id, 'export', new.released_at FROM payment p WHERE p.file_id = new.file_id
      ORDER BY p.batch_number, p.payment_id;
  END;
CREATE TRIGGER write_back_at_settlement AFTER INSERT ON settlement
  BEGIN
    INSERT INTO write_back (draw_id, payment_id, event, settlement_id, created_at)
      SELECT (SELECT p.draw_id FROM payment p WHERE p.payment_id = new.payment_id), new.payment_id, e.event,
             new.settlement_id, new.recorded_at
      FROM write_back_enabled e
      WHERE CASE new.kind WHEN 'paid' THEN 'confirmation' ELSE 'return' END = e.event;
  END;
-- A void or stop of ours ends the payment too, unless the bank's return was reported before.
CREATE TRIGGER write_back_at_void AFTER UPDATE OF transmitted_at ON check_order
  WHEN old.transmitted_at IS NULL AND new.transmitted_at IS NOT NULL AND EXISTS (SELECT 1 FROM write_back_enabled WHERE event = 'return')
  BEGIN
    INSERT INTO write_back (draw_id, payment_id, event, created_at)
      SELECT p.draw_id, p.payment_id, 'return', new.transmitted_at FROM payment p WHERE p.payment_id = new.payment_id
        AND NOT EXISTS (SELECT 1 FROM write_back w WHERE w.payment_id = p.payment_id AND w.event = 'return');
  END;

---- Draw states.

-- Neither voided with its file nor ordered to be reissued: its draw is not paid again. By the index of draws: + 0, because
-- PostgreSQL's planner takes that of a file's payments for cheaper while a ledger is new.
CREATE VIEW payment_not_replaced AS
SELECT p.payment_id, p.draw_id
FROM payment p
JOIN payment_file f ON f.file_id = p.file_id + 0
WHERE f.voided_at IS NULL AND NOT EXISTS (SELECT 1 FROM reissue_order o WHERE o.payment_id = p.payment_id);

-- Invariant 3: the state of each draw, derived from the facts. A draw to be reissued is no longer 'returned'; one that
-- was reported stays 'reported' when it is paid again.
CREATE VIEW draw_state AS
SELECT d.draw_id, d.reading_id, d.status, r.workflow_id, r.case_id, r.case_name,
       live.payment_id,
       coalesce(live.amount_cents, r.amount_approved_cents, r.amount_requested_cents) AS amount_cents,
       CASE
         WHEN live.payment_id IS NOT NULL THEN
           CASE
             WHEN NOT EXISTS (SELECT 1 FROM payment_settlement s WHERE s.payment_id = live.payment_id AND s.kind = 'paid')
               THEN 'paying'
             WHEN EXISTS (SELECT 1 FROM outbox o WHERE o.draw_id = d.draw_id AND o.outcome IN ('accepted', 'already_there')) THEN 'reported'
             WHEN d.status = 5 THEN 'disbursed'
             ELSE 'paid'
           END
         WHEN d.status = 2 THEN 'cancelled'
         WHEN EXISTS (SELECT 1 FROM payment_not_replaced p WHERE p.draw_id = d.draw_id) THEN 'returned'
         WHEN d.status = 5 AND NOT EXISTS (SELECT 1 FROM reissue_order o WHERE o.draw_id = d.draw_id) THEN 'external'
         WHEN d.status = 4 OR d.status = 5 OR (d.status = 3 AND EXISTS (
                SELECT 1 FROM approval_item i JOIN draw_decision c ON c.decision_id = i.decision_id
                WHERE i.draw_id = d.draw_id AND c.reading_id = d.reading_id AND i.outcome || '' = 'approved')) THEN
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
                            FROM draw_decision c WHERE c.draw_id = d.draw_id AND c.reading_id = d.reading_id
                            ORDER BY c.decision_id DESC LIMIT 1), 'pending')
           END
         WHEN d.status IN (0, 1) THEN 'pending'
         ELSE 'held'
       END AS state,
       r.read_at AS since
FROM draw d
JOIN draw_reading r ON r.reading_id = d.reading_id
-- By the index of draws: + 0 here and || '' above, because planners take one of all that are live, or approved, for
-- cheaper while a ledger is new.
LEFT JOIN payment live ON live.payment_id = (SELECT p.payment_id FROM payment p
                                             WHERE p.draw_id = d.draw_id AND p.ended_at + 0 IS NULL);

-- Totals of the states, so that a question about all draws scans none of them. They follow from the facts through
-- draw_state and change in the transaction of the fact; `verify` recounts and compares. The row 'seen' counts every draw.
CREATE TABLE state_total (
    state          TEXT PRIMARY KEY,
    draws          INTEGER NOT NULL,
    cents          INTEGER NOT NULL,
    without_amount INTEGER NOT NULL      -- draws whose amounts are all NULL
) STRICT, WITHOUT ROWID;
INSERT INTO state_total (state, draws, cents, without_amount) VALUES ('seen', 0, 0, 0);
-- How many draws of a state were last read at that moment.
CREATE TABLE state_age (
    state TEXT NOT NULL,
    since INTEGER NOT NULL,
    draws INTEGER NOT NULL,
    PRIMARY KEY (state, since)
) STRICT, WITHOUT ROWID;
-- The state of each draw as it is counted there, so that a list of many draws derives none of them. It changes with the
-- totals, and `verify` derives all of it again, too.
CREATE TABLE draw_standing (
    draw_id      INTEGER PRIMARY KEY,
    state        TEXT NOT NULL,
    reading_id   INTEGER NOT NULL,
    amount_cents INTEGER,
    since        INTEGER NOT NULL
) STRICT;
-- With what lists sort by, so that sorting the draws of a state reads nothing else.
CREATE INDEX draw_standing_of_state ON draw_standing (state, draw_id, amount_cents, since);
-- What lists show of a draw.
CREATE VIEW draw_listed AS
SELECT t.draw_id, t.reading_id, t.state, d.status, t.amount_cents, r.workflow_id, r.case_name, t.since
FROM draw_standing t
JOIN draw d ON d.draw_id = t.draw_id
JOIN draw_reading r ON r.reading_id = t.reading_id;
-- Draws that the running transaction changes. Before the commit the program counts their new states and deletes the rows.
CREATE TABLE draw_moved (
    draw_id INTEGER PRIMARY KEY
) STRICT;

-- One trigger for each fact that draw_state looks at. Two facts that come by the hundred thousand have none: the code
-- that records a new draw counts it, and the code that records a payment does what these triggers do.
CREATE TRIGGER draw_moves BEFORE UPDATE OF reading_id, status ON draw BEGIN
  INSERT INTO draw_moved (draw_id) VALUES (new.draw_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER draw_moves_by_decision BEFORE INSERT ON draw_decision BEGIN
  INSERT INTO draw_moved (draw_id) VALUES (new.draw_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER draw_moves_by_call BEFORE INSERT ON approval_item BEGIN
  INSERT INTO draw_moved (draw_id) VALUES (new.draw_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER draw_moves_by_answer BEFORE UPDATE OF outcome ON approval_item BEGIN
  INSERT INTO draw_moved (draw_id) VALUES (new.draw_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER draw_moves_by_end BEFORE UPDATE OF ended_at ON payment BEGIN
  INSERT INTO draw_moved (draw_id) VALUES (new.draw_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER draw_moves_by_void BEFORE UPDATE OF voided_at ON payment_file WHEN new.voided_at IS NOT old.voided_at BEGIN
  INSERT INTO draw_moved (draw_id) SELECT p.draw_id FROM payment p WHERE p.file_id = new.file_id ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER draw_moves_by_settlement BEFORE INSERT ON settlement BEGIN
  INSERT INTO draw_moved (draw_id) SELECT p.draw_id FROM payment p WHERE p.payment_id = new.payment_id ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER draw_moves_by_undo BEFORE UPDATE OF undone_at ON settlement BEGIN
  INSERT INTO draw_moved (draw_id) SELECT p.draw_id FROM payment p WHERE p.payment_id = new.payment_id ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER draw_moves_by_reissue BEFORE INSERT ON reissue_order BEGIN
  INSERT INTO draw_moved (draw_id) VALUES (new.draw_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER draw_moves_by_report BEFORE UPDATE OF outcome ON outbox BEGIN
  INSERT INTO draw_moved (draw_id) VALUES (new.draw_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER draw_moves_by_exception BEFORE INSERT ON exception WHEN new.step = 'pay' AND new.draw_id IS NOT NULL BEGIN
  INSERT INTO draw_moved (draw_id) VALUES (new.draw_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER draw_moves_by_closing BEFORE UPDATE OF closed_at ON exception
  WHEN new.step = 'pay' AND new.draw_id IS NOT NULL BEGIN
  INSERT INTO draw_moved (draw_id) VALUES (new.draw_id) ON CONFLICT DO NOTHING;
END;

---- Operations.

-- Runs of the steps, for `status` and the journal. Runs that changed nothing but their own row are deleted after a time.
CREATE TABLE step_run (
    run_id     INTEGER PRIMARY KEY,
    step       TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at   INTEGER NOT NULL,
    ok         INTEGER NOT NULL CHECK (ok IN (0, 1)),
    summary    TEXT NOT NULL,
    changed    INTEGER NOT NULL CHECK (changed IN (0, 1))
) STRICT;
-- Recorded with what later runs are to see: the clock may be set back and forth, and these numbers only grow.
CREATE VIEW newest_run AS SELECT coalesce(max(run_id), 0) AS run_id FROM step_run;
CREATE INDEX step_run_of_step ON step_run (step, ok, run_id);
CREATE INDEX step_run_idle ON step_run (ended_at) WHERE changed = 0;
CREATE INDEX step_run_by_time ON step_run (step, ended_at) WHERE ok = 1;
CREATE TRIGGER step_run_no_update BEFORE UPDATE ON step_run BEGIN SELECT raise(ROLLBACK, 'a run is never rewritten'); END;
CREATE TRIGGER step_run_only_idle BEFORE DELETE ON step_run WHEN old.changed <> 0
  BEGIN SELECT raise(ROLLBACK, 'a run that changed something is never deleted'); END;

-- Pause and resume of all money movement; the newest row is in force.
CREATE TABLE movement_control (
    control_id INTEGER PRIMARY KEY,
    at         INTEGER NOT NULL,
    paused     INTEGER NOT NULL CHECK (paused IN (0, 1)),
    by         TEXT NOT NULL,
    uid        INTEGER,                  -- NULL: the daemon by itself
    reason     TEXT NOT NULL
) STRICT;
CREATE TRIGGER movement_control_no_update BEFORE UPDATE ON movement_control BEGIN SELECT raise(ROLLBACK, 'movement_control is append-only'); END;
CREATE TRIGGER movement_control_no_delete BEFORE DELETE ON movement_control BEGIN SELECT raise(ROLLBACK, 'movement_control is append-only'); END;

-- Results of `verify`: one row for each invariant and run.
CREATE TABLE invariant_check (
    check_id   INTEGER PRIMARY KEY,
    checked_at INTEGER NOT NULL,
    by         TEXT NOT NULL,
    number     INTEGER NOT NULL,
    facts      INTEGER NOT NULL,
    violations INTEGER NOT NULL
) STRICT;
CREATE INDEX invariant_check_of_number ON invariant_check (number, check_id);
CREATE TRIGGER invariant_check_no_update BEFORE UPDATE ON invariant_check BEGIN SELECT raise(ROLLBACK, 'invariant_check is append-only'); END;
CREATE TRIGGER invariant_check_no_delete BEFORE DELETE ON invariant_check BEGIN SELECT raise(ROLLBACK, 'invariant_check is append-only'); END;

---- Alerts.

-- One row for each message, whatever the number of channels.
CREATE TABLE alert (
    alert_id  INTEGER PRIMARY KEY,
    kind      TEXT NOT NULL CHECK (kind <> ''),
    raised_at INTEGER NOT NULL,
    title     TEXT NOT NULL CHECK (title <> ''),
    text      TEXT NOT NULL,
    items     TEXT NOT NULL      -- a JSON array; no account numbers
) STRICT;
CREATE TRIGGER alert_no_update BEFORE UPDATE ON alert BEGIN SELECT raise(ROLLBACK, 'alert is append-only'); END;
CREATE TRIGGER alert_no_delete BEFORE DELETE ON alert BEGIN SELECT raise(ROLLBACK, 'alert is append-only'); END;

-- What a message is about. Each thing is sent once; a restart does not send it again.
CREATE TABLE alert_item (
    source   TEXT NOT NULL CHECK (source <> ''),   -- exception, file, correction, digest, confirmation, act
    about_id INTEGER NOT NULL,                     -- exception_id, file_id, hold_id, the day since 1970, or an audit entry's seq
    alert_id INTEGER NOT NULL REFERENCES alert (alert_id) DEFERRABLE INITIALLY DEFERRED,
    PRIMARY KEY (source, about_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER alert_item_no_update BEFORE UPDATE ON alert_item BEGIN SELECT raise(ROLLBACK, 'alert_item is append-only'); END;
CREATE TRIGGER alert_item_no_delete BEFORE DELETE ON alert_item BEGIN SELECT raise(ROLLBACK, 'alert_item is append-only'); END;

-- The intent to send an alert over one channel. A channel that is not configured has no row.
CREATE TABLE alert_send (
    send_id     INTEGER PRIMARY KEY,
    alert_id    INTEGER NOT NULL REFERENCES alert (alert_id) DEFERRABLE INITIALLY DEFERRED,
    channel     TEXT NOT NULL CHECK (channel = 'webhook' OR channel = 'email'),
    -- write-once:
    outcome     TEXT CHECK (outcome = 'sent' OR outcome = 'refused' OR outcome = 'dropped'),
    outcome_at  INTEGER,
    UNIQUE (alert_id, channel),
    CHECK ((outcome IS NULL) = (outcome_at IS NULL))
) STRICT;
CREATE INDEX alert_send_open ON alert_send (channel, send_id) WHERE outcome IS NULL;
CREATE TRIGGER alert_send_once BEFORE UPDATE ON alert_send
  WHEN old.outcome IS NOT NULL OR new.outcome IS NULL OR new.send_id <> old.send_id OR new.alert_id <> old.alert_id
    OR new.channel <> old.channel
  BEGIN SELECT raise(ROLLBACK, 'the outcome of sending an alert is written once'); END;
CREATE TRIGGER alert_send_no_delete BEFORE DELETE ON alert_send BEGIN SELECT raise(ROLLBACK, 'alert_send is append-only'); END;

-- Failed attempts only.
CREATE TABLE alert_attempt (
    attempt_id  INTEGER PRIMARY KEY,
    send_id     INTEGER NOT NULL REFERENCES alert_send (send_id) DEFERRABLE INITIALLY DEFERRED,
    at          INTEGER NOT NULL,
    error       TEXT NOT NULL CHECK (error <> '')
) STRICT;
CREATE INDEX alert_attempt_of_send ON alert_attempt (send_id, attempt_id);
CREATE TRIGGER alert_attempt_no_update BEFORE UPDATE ON alert_attempt BEGIN SELECT raise(ROLLBACK, 'alert_attempt is append-only'); END;
CREATE TRIGGER alert_attempt_no_delete BEFORE DELETE ON alert_attempt BEGIN SELECT raise(ROLLBACK, 'alert_attempt is append-only'); END;

---- Backups and the traces outside the ledger.

-- Backups that were made, verified and put in their final place.
CREATE TABLE backup (
    backup_id  INTEGER PRIMARY KEY,
    at         INTEGER NOT NULL,
    by         TEXT NOT NULL,
    file       TEXT NOT NULL,
    sha256     TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    audit_seq  INTEGER NOT NULL,        -- the newest audit entry in the copy
    audit_head TEXT NOT NULL,
    scheduled  INTEGER NOT NULL CHECK (scheduled IN (0, 1))
) STRICT;
CREATE INDEX backup_scheduled ON backup (backup_id) WHERE scheduled = 1;
CREATE INDEX backup_by_position ON backup (audit_seq);
CREATE TRIGGER backup_no_update BEFORE UPDATE ON backup BEGIN SELECT raise(ROLLBACK, 'backup is append-only'); END;
CREATE TRIGGER backup_no_delete BEFORE DELETE ON backup BEGIN SELECT raise(ROLLBACK, 'backup is append-only'); END;

-- Which file on which disk this ledger is. A copy is another file.
CREATE TABLE ledger_place (
    place_id   INTEGER PRIMARY KEY,
    at         INTEGER NOT NULL,
    inode      INTEGER NOT NULL,
    born_at_ns INTEGER NOT NULL         -- the file's birth time since 1970; 0: the file system does not record it
) STRICT;
CREATE TRIGGER ledger_place_no_update BEFORE UPDATE ON ledger_place BEGIN SELECT raise(ROLLBACK, 'ledger_place is append-only'); END;
CREATE TRIGGER ledger_place_no_delete BEFORE DELETE ON ledger_place BEGIN SELECT raise(ROLLBACK, 'ledger_place is append-only'); END;

-- Payment files known only from outside the ledger. Their names and numbers are used up.
CREATE TABLE sent_file (
    sent_id        INTEGER PRIMARY KEY,
    name           TEXT NOT NULL,
    restoration_id INTEGER NOT NULL REFERENCES restoration (restoration_id) DEFERRABLE INITIALLY DEFERRED,
    export_no      INTEGER,              -- NULL: no manifest names it
    creation_date  TEXT,
    file_id_modifier TEXT,
    sha256         TEXT NOT NULL,
    line_sha256    TEXT,
    released_at    INTEGER,              -- these two as the manifest says; NULL: no manifest of this ledger names it
    released_by    TEXT,
    after_run_id   INTEGER NOT NULL      -- the newest run when it was recorded
) STRICT;
-- Two copies of a ledger may have sent files with the same name and number.
CREATE UNIQUE INDEX sent_file_of_name ON sent_file (name, sha256, (coalesce(line_sha256, '')));
CREATE INDEX sent_file_of_day ON sent_file (creation_date);
CREATE INDEX sent_file_of_release ON sent_file (released_at) WHERE released_at IS NOT NULL;
CREATE UNIQUE INDEX sent_file_export ON sent_file (export_no, line_sha256) WHERE export_no IS NOT NULL;
CREATE TRIGGER sent_file_no_update BEFORE UPDATE ON sent_file BEGIN SELECT raise(ROLLBACK, 'sent_file is append-only'); END;
CREATE TRIGGER sent_file_no_delete BEFORE DELETE ON sent_file BEGIN SELECT raise(ROLLBACK, 'sent_file is append-only'); END;
-- The payments of those files that are no payments of this ledger, as their manifest says.
CREATE TABLE sent_payment (
    sent_id      INTEGER NOT NULL REFERENCES sent_file (sent_id) DEFERRABLE INITIALLY DEFERRED,
    payment_id   INTEGER NOT NULL,
    draw_id      INTEGER NOT NULL,
    amount_cents INTEGER NOT NULL,
    reference    TEXT NOT NULL,          -- the trace number or the check number
    payee_key    TEXT NOT NULL,          -- of the draw's newest reading; empty: it has none
    PRIMARY KEY (sent_id, payment_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX sent_payment_of_draw ON sent_payment (draw_id);
CREATE INDEX sent_payment_of_reference ON sent_payment (reference);
CREATE INDEX sent_payment_of_payee ON sent_payment (payee_key, amount_cents);
CREATE TRIGGER sent_payment_no_update BEFORE UPDATE ON sent_payment BEGIN SELECT raise(ROLLBACK, 'sent_payment is append-only'); END;
CREATE TRIGGER sent_payment_no_delete BEFORE DELETE ON sent_payment BEGIN SELECT raise(ROLLBACK, 'sent_payment is append-only'); END;

-- An audit entry that a trace outside the ledger (the witness, a backup) names and this ledger lacks.
CREATE TABLE lost_position (
    lost_id        INTEGER PRIMARY KEY,
    restoration_id INTEGER NOT NULL REFERENCES restoration (restoration_id) DEFERRABLE INITIALLY DEFERRED,
    at             INTEGER NOT NULL,
    source         TEXT NOT NULL CHECK (source <> ''),
    audit_seq      INTEGER NOT NULL CHECK (audit_seq > 0),
    audit_head     TEXT NOT NULL CHECK (audit_head <> ''),
    export_no      INTEGER              -- the last file released by then; NULL: the trace does not say
) STRICT;
CREATE UNIQUE INDEX lost_position_of_audit ON lost_position (audit_seq, audit_head);
CREATE INDEX lost_position_of_restoration ON lost_position (restoration_id);
CREATE TRIGGER lost_position_no_update BEFORE UPDATE ON lost_position BEGIN SELECT raise(ROLLBACK, 'lost_position is append-only'); END;
CREATE TRIGGER lost_position_no_delete BEFORE DELETE ON lost_position BEGIN SELECT raise(ROLLBACK, 'lost_position is append-only'); END;
-- The comparisons by then that could not account for everything sent, by when they were made.
CREATE TABLE lost_comparison (
    lost_id     INTEGER NOT NULL REFERENCES lost_position (lost_id) DEFERRABLE INITIALLY DEFERRED,
    compared_at INTEGER NOT NULL,
    PRIMARY KEY (lost_id, compared_at)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER lost_comparison_no_update BEFORE UPDATE ON lost_comparison BEGIN SELECT raise(ROLLBACK, 'lost_comparison is append-only'); END;
CREATE TRIGGER lost_comparison_no_delete BEFORE DELETE ON lost_comparison BEGIN SELECT raise(ROLLBACK, 'lost_comparison is append-only'); END;
-- The file id modifiers that were used up by then, for each of the latest creation dates.
CREATE TABLE lost_modifiers (
    lost_id           INTEGER NOT NULL REFERENCES lost_position (lost_id) DEFERRABLE INITIALLY DEFERRED,
    creation_date     TEXT NOT NULL CHECK (length(creation_date) = 10),
    file_id_modifiers TEXT NOT NULL CHECK (file_id_modifiers <> ''),
    PRIMARY KEY (creation_date, lost_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER lost_modifiers_no_update BEFORE UPDATE ON lost_modifiers BEGIN SELECT raise(ROLLBACK, 'lost_modifiers is append-only'); END;
CREATE TRIGGER lost_modifiers_no_delete BEFORE DELETE ON lost_modifiers BEGIN SELECT raise(ROLLBACK, 'lost_modifiers is append-only'); END;

---- Bytes that another host needs when it takes over. Only a ledger in PostgreSQL has any: the host of a ledger file has
---- the files themselves.

-- Confirmation files, from before they leave the inbox until they are imported or refused.
CREATE TABLE arrival (
    arrival_id  INTEGER PRIMARY KEY,
    at          INTEGER NOT NULL,
    sha256      TEXT NOT NULL CHECK (length(sha256) = 64),
    name        TEXT NOT NULL CHECK (name <> ''),   -- as dropped
    profile     TEXT NOT NULL,          -- that a person chose; '': recognized by content and name
    uid         INTEGER NOT NULL,       -- who handed it in
    by          TEXT NOT NULL,
    -- write-once:
    finished_at INTEGER
) STRICT;
CREATE UNIQUE INDEX arrival_open ON arrival (sha256) WHERE finished_at IS NULL;
CREATE TRIGGER arrival_once BEFORE UPDATE ON arrival
  WHEN old.finished_at IS NOT NULL OR new.finished_at IS NULL OR new.arrival_id <> old.arrival_id OR new.at <> old.at
    OR new.sha256 <> old.sha256 OR new.name <> old.name OR new.profile <> old.profile OR new.uid <> old.uid OR new.by <> old.by
  BEGIN SELECT raise(ROLLBACK, 'an arrival is finished once'); END;
CREATE TRIGGER arrival_no_delete BEFORE DELETE ON arrival BEGIN SELECT raise(ROLLBACK, 'arrival is append-only'); END;

-- Confirmation files and encrypted payment files, in pieces. No facts: other rows have the hash that they must have, and
-- archive.delete_after deletes them.
CREATE TABLE stored_piece (
    piece_id INTEGER PRIMARY KEY,
    sha256   TEXT NOT NULL CHECK (length(sha256) = 64),   -- of the whole file
    position INTEGER NOT NULL CHECK (position >= 0),      -- 0 is the first piece
    bytes    TEXT NOT NULL CHECK (substr(bytes, 1, 7) = 'sealed:'),
    UNIQUE (sha256, position)
) STRICT;
CREATE TRIGGER stored_piece_no_update BEFORE UPDATE ON stored_piece BEGIN SELECT raise(ROLLBACK, 'stored_piece is never rewritten'); END;

---- Archive.

-- Archive keys of earlier sealing keys, so that what they sealed still opens. The archive key of the current sealing key
-- is derived from it and stored nowhere.
CREATE TABLE archive_key (
    key_id     TEXT PRIMARY KEY,
    key        TEXT NOT NULL CHECK (substr(key, 1, 7) = 'sealed:'),
    retired_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TRIGGER archive_key_no_update BEFORE UPDATE ON archive_key BEGIN SELECT raise(ROLLBACK, 'archive_key is append-only'); END;
CREATE TRIGGER archive_key_no_delete BEFORE DELETE ON archive_key BEGIN SELECT raise(ROLLBACK, 'archive_key is append-only'); END;

-- Files of spool/archive that were sealed.
CREATE TABLE archived_file (
    archived_file_id INTEGER PRIMARY KEY,
    path       TEXT NOT NULL UNIQUE,    -- below spool/archive, of the plain form: 2026/11/22/NAME
    sha256     TEXT NOT NULL CHECK (length(sha256) = 64),   -- this and the size are of the plain bytes
    size_bytes INTEGER NOT NULL CHECK (size_bytes >= 0),
    sealed_at  INTEGER NOT NULL,        -- or found already sealed, after a restore
    -- write-once: deleted by archive.delete_after
    deleted_at INTEGER
) STRICT;
CREATE INDEX archived_file_of_bytes ON archived_file (sha256);
CREATE TRIGGER archived_file_begins BEFORE INSERT ON archived_file WHEN new.deleted_at IS NOT NULL
  BEGIN SELECT raise(ROLLBACK, 'an archived file is sealed before it is deleted'); END;
CREATE TRIGGER archived_file_once BEFORE UPDATE ON archived_file
  WHEN old.deleted_at IS NOT NULL OR new.deleted_at IS NULL OR new.archived_file_id <> old.archived_file_id
    OR new.path <> old.path OR new.sha256 <> old.sha256 OR new.size_bytes <> old.size_bytes OR new.sealed_at <> old.sealed_at
  BEGIN SELECT raise(ROLLBACK, 'an archived file is sealed once and deleted once'); END;
CREATE TRIGGER archived_file_no_delete BEFORE DELETE ON archived_file BEGIN SELECT raise(ROLLBACK, 'archived_file is append-only'); END;

---- Passkeys and signed acts.

-- A WebAuthn credential. It signs nothing before a person confirmed its fingerprint who is neither its owner nor its
-- inviter. Binary values are base64url.
CREATE TABLE passkey (
    passkey_id    INTEGER PRIMARY KEY,
    person_id     INTEGER NOT NULL REFERENCES person (person_id) DEFERRABLE INITIALLY DEFERRED,
    invited_uid   INTEGER NOT NULL CHECK (invited_uid >= 0),   -- who made the invitation; 0: root or the daemon's user
    invited_by    TEXT NOT NULL,            -- for display only
    credential_id TEXT NOT NULL UNIQUE CHECK (credential_id <> ''),
    -- what two persons compare: the first 20 hexadecimal digits of a hash over the credential's id and its key
    fingerprint   TEXT NOT NULL UNIQUE CHECK (length(fingerprint) = 20),
    algorithm     INTEGER NOT NULL CHECK (algorithm IN (-7, -8, -257)),   -- COSE: ES256, EdDSA, RS256
    public_key    TEXT NOT NULL CHECK (public_key <> ''),
    aaguid        TEXT NOT NULL,            -- the authenticator's model
    backup_eligible INTEGER NOT NULL CHECK (backup_eligible IN (0, 1)),   -- it may be copied to other devices
    label         TEXT NOT NULL,            -- "Anna's laptop"; for display only
    site          TEXT NOT NULL CHECK (site <> ''),   -- the host that it was made for; it signs nothing for another
    enrolled_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX passkey_of_person ON passkey (person_id);
CREATE TRIGGER passkey_no_update BEFORE UPDATE ON passkey BEGIN SELECT raise(ROLLBACK, 'passkey is append-only'); END;
CREATE TRIGGER passkey_no_delete BEFORE DELETE ON passkey BEGIN SELECT raise(ROLLBACK, 'passkey is append-only'); END;

-- From then on it may sign.
CREATE TABLE passkey_confirmation (
    passkey_id INTEGER PRIMARY KEY REFERENCES passkey (passkey_id) DEFERRABLE INITIALLY DEFERRED,
    at         INTEGER NOT NULL,
    uid        INTEGER NOT NULL CHECK (uid >= 0),     -- of the principal that confirmed it
    by         TEXT NOT NULL,
    reason     TEXT NOT NULL CHECK (reason <> ''),
    links_until INTEGER NOT NULL                      -- the newest of person_uid then, whatever the clock said
) STRICT;
-- Invariant 12: neither its owner nor its inviter, who could have opened the link, confirms a passkey.
CREATE TRIGGER passkey_confirmation_by_another BEFORE INSERT ON passkey_confirmation
  BEGIN
    SELECT raise(ROLLBACK, 'nobody confirms a passkey of their own') FROM passkey k
        JOIN person_uid u ON u.person_id = k.person_id WHERE k.passkey_id = new.passkey_id AND u.uid = new.uid;
    SELECT raise(ROLLBACK, 'nobody confirms a passkey that they invited') FROM passkey k WHERE k.passkey_id = new.passkey_id
        AND (k.invited_uid = new.uid
             OR EXISTS (SELECT 1 FROM uid_person_ever x JOIN uid_person_ever y ON y.person_id = x.person_id
                        WHERE x.uid = k.invited_uid AND y.uid = new.uid));
    SELECT raise(ROLLBACK, 'a locked passkey is not confirmed') FROM passkey_lock l WHERE l.passkey_id = new.passkey_id;
  END;
CREATE TRIGGER passkey_confirmation_no_update BEFORE UPDATE ON passkey_confirmation BEGIN SELECT raise(ROLLBACK, 'passkey_confirmation is append-only'); END;
CREATE TRIGGER passkey_confirmation_no_delete BEFORE DELETE ON passkey_confirmation BEGIN SELECT raise(ROLLBACK, 'passkey_confirmation is append-only'); END;

-- From then on it signs nothing and opens no session, for good.
CREATE TABLE passkey_lock (
    passkey_id INTEGER PRIMARY KEY REFERENCES passkey (passkey_id) DEFERRABLE INITIALLY DEFERRED,
    at         INTEGER NOT NULL,
    uid        INTEGER NOT NULL CHECK (uid >= 0),
    by         TEXT NOT NULL,
    reason     TEXT NOT NULL CHECK (reason <> '')
) STRICT;
CREATE TRIGGER passkey_lock_no_update BEFORE UPDATE ON passkey_lock BEGIN SELECT raise(ROLLBACK, 'passkey_lock is append-only'); END;
CREATE TRIGGER passkey_lock_no_delete BEFORE DELETE ON passkey_lock BEGIN SELECT raise(ROLLBACK, 'passkey_lock is append-only'); END;

-- An act that a person signed in the console: recorded before it is done, whatever becomes of it. The signature is over
-- authenticator_data and the SHA-256 of client_data, which holds the SHA-256 of the text.
CREATE TABLE signed_act (
    act_id     INTEGER PRIMARY KEY,
    at         INTEGER NOT NULL,
    person_id  INTEGER NOT NULL REFERENCES person (person_id) DEFERRABLE INITIALLY DEFERRED,
    passkey_id INTEGER NOT NULL REFERENCES passkey (passkey_id) DEFERRABLE INITIALLY DEFERRED,
    request    TEXT NOT NULL CHECK (request <> ''),   -- "POST /files/ACH-20260304-A.ach/release"
    text       TEXT NOT NULL UNIQUE CHECK (text <> ''),   -- it holds a nonce, so each is signed once
    client_data TEXT NOT NULL,
    authenticator_data TEXT NOT NULL,
    signature  TEXT NOT NULL
) STRICT;
CREATE INDEX signed_act_of_request ON signed_act (request);
CREATE TRIGGER signed_act_by_a_confirmed_key BEFORE INSERT ON signed_act
  BEGIN
    SELECT raise(ROLLBACK, 'only a confirmed passkey of that person signs')
      WHERE NOT EXISTS (SELECT 1 FROM passkey k JOIN passkey_confirmation c ON c.passkey_id = k.passkey_id
                        WHERE k.passkey_id = new.passkey_id AND k.person_id = new.person_id);
    SELECT raise(ROLLBACK, 'a locked passkey signs nothing') FROM passkey_lock l WHERE l.passkey_id = new.passkey_id;
    SELECT raise(ROLLBACK, 'a locked person signs nothing') FROM person_lock l
      WHERE l.person_id = new.person_id AND l.unlocked_at IS NULL;
  END;
CREATE TRIGGER signed_act_no_update BEFORE UPDATE ON signed_act BEGIN SELECT raise(ROLLBACK, 'signed_act is append-only'); END;
CREATE TRIGGER signed_act_no_delete BEFORE DELETE ON signed_act BEGIN SELECT raise(ROLLBACK, 'signed_act is append-only'); END;

-- The signed act that ordered the release of an export in the console. Its text's hash is in the manifest.
CREATE TABLE export_act (
    export_no INTEGER PRIMARY KEY REFERENCES export_record (export_no) DEFERRABLE INITIALLY DEFERRED,
    act_id    INTEGER NOT NULL REFERENCES signed_act (act_id) DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TRIGGER export_act_no_update BEFORE UPDATE ON export_act BEGIN SELECT raise(ROLLBACK, 'export_act is append-only'); END;
CREATE TRIGGER export_act_no_delete BEFORE DELETE ON export_act BEGIN SELECT raise(ROLLBACK, 'export_act is append-only'); END;

-- Who acts in the console acts with the uid 4294967296 + person_id, which no account of a machine can have. A release
-- with such a uid needs a signature over just this file.
CREATE TRIGGER console_release_is_signed BEFORE UPDATE OF release_ordered_at ON payment_file
  WHEN old.release_ordered_at IS NULL AND new.release_ordered_at IS NOT NULL AND new.release_uid >= 4294967296
  BEGIN
    SELECT raise(ROLLBACK, 'a release in the console is signed') WHERE NOT EXISTS (
      SELECT 1 FROM signed_act s WHERE s.request = 'POST /files/' || new.name || '/release'
        AND s.person_id = new.release_uid - 4294967296 AND instr(s.text, char(10) || 'sha256: ' || new.sha256 || char(10)) > 0);
  END;
