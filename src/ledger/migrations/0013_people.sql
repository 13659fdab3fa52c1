-- People, makers, releases that wait, the witness, and a digest of every fact.

---- Releases.

-- A file is void as long as no byte of it has left, whatever was ordered. SQLite changes no CHECK in place, so the table
-- is made anew with the same rows. (This section comes first: it drops the triggers of payment_file and makes them again.)
PRAGMA legacy_alter_table = ON;
CREATE TABLE payment_file_new (
    file_id       INTEGER PRIMARY KEY,
    name          TEXT NOT NULL UNIQUE,
    rail          TEXT NOT NULL CHECK (rail IN ('ach', 'check')),
    started_by    TEXT NOT NULL,
    created_at    INTEGER NOT NULL,      -- goes into the file: the bytes are a function of these rows
    creation_date TEXT NOT NULL,
    creation_minutes INTEGER NOT NULL CHECK (creation_minutes BETWEEN 0 AND 1439),
    file_id_modifier TEXT CHECK (length(file_id_modifier) = 1),
    profile       TEXT NOT NULL,
    payment_count INTEGER NOT NULL CHECK (payment_count >= 0),
    total_cents   INTEGER NOT NULL CHECK (total_cents >= 0),
    entry_hash    INTEGER NOT NULL,
    -- write-once, in this order:
    staged_at     INTEGER,
    sha256        TEXT,
    release_ordered_at INTEGER,          -- with the order, once every check has passed: the file is being moved
    release_ordered_by TEXT,
    release_reason TEXT,
    released_at   INTEGER,
    -- or, before any byte has left:
    voided_at     INTEGER,
    voided_by     TEXT,
    void_reason   TEXT,
    prenote_count INTEGER NOT NULL DEFAULT 0 CHECK (prenote_count >= 0),
    kind          TEXT NOT NULL DEFAULT 'payments' CHECK (kind = 'payments' OR kind = 'check_orders'),
    CHECK (voided_at IS NULL OR (voided_by IS NOT NULL AND void_reason IS NOT NULL)),
    CHECK ((staged_at IS NULL) = (sha256 IS NULL)),
    CHECK (release_ordered_at IS NULL OR (staged_at IS NOT NULL AND release_ordered_by IS NOT NULL)),
    CHECK (released_at IS NULL OR release_ordered_at IS NOT NULL),
    CHECK ((rail = 'ach') = (file_id_modifier IS NOT NULL)),
    CHECK ((payment_count > 0) = (total_cents > 0)),
    CHECK (payment_count > 0 OR (prenote_count > 0 AND rail = 'ach'))
) STRICT;
INSERT INTO payment_file_new SELECT * FROM payment_file;
DROP TABLE payment_file;
ALTER TABLE payment_file_new RENAME TO payment_file;
PRAGMA legacy_alter_table = OFF;
CREATE UNIQUE INDEX payment_file_modifier ON payment_file (creation_date, file_id_modifier) WHERE rail = 'ach';
CREATE INDEX payment_file_unreleased ON payment_file (file_id) WHERE released_at IS NULL AND voided_at IS NULL;
CREATE INDEX payment_file_voided ON payment_file (name) WHERE voided_at IS NOT NULL;
CREATE INDEX payment_file_of_day ON payment_file (creation_date);
CREATE TRIGGER payment_file_once BEFORE UPDATE ON payment_file
  WHEN new.file_id <> old.file_id OR new.name <> old.name OR new.rail <> old.rail OR new.started_by <> old.started_by
    OR new.created_at <> old.created_at OR new.creation_date <> old.creation_date
    OR new.creation_minutes <> old.creation_minutes OR new.file_id_modifier IS NOT old.file_id_modifier
    OR new.profile <> old.profile OR new.payment_count <> old.payment_count
    OR new.total_cents <> old.total_cents OR new.entry_hash <> old.entry_hash OR new.prenote_count <> old.prenote_count
    OR (old.staged_at IS NOT NULL AND (new.staged_at IS NOT old.staged_at OR new.sha256 IS NOT old.sha256))
    OR (old.release_ordered_at IS NOT NULL AND (new.release_ordered_at IS NOT old.release_ordered_at
        OR new.release_ordered_by IS NOT old.release_ordered_by OR new.release_reason IS NOT old.release_reason))
    OR (old.voided_at IS NOT NULL AND (new.voided_at IS NOT old.voided_at OR new.voided_by IS NOT old.voided_by
        OR new.void_reason IS NOT old.void_reason))
    OR (old.released_at IS NOT NULL AND new.released_at IS NOT old.released_at)
  BEGIN SELECT raise(ABORT, 'a payment file is never rewritten'); END;
CREATE TRIGGER payment_file_no_delete BEFORE DELETE ON payment_file BEGIN SELECT raise(ABORT, 'a payment file is never forgotten'); END;
CREATE TRIGGER payment_file_kind_once BEFORE UPDATE OF kind ON payment_file WHEN new.kind <> old.kind
  BEGIN SELECT raise(ABORT, 'a payment file is never rewritten'); END;
CREATE TRIGGER payment_file_sealed BEFORE INSERT ON payment_file WHEN substr(new.profile, 1, 7) <> 'sealed:'
  BEGIN SELECT raise(ABORT, 'a bank profile is sealed before it is recorded'); END;
CREATE TRIGGER write_back_at_export AFTER UPDATE OF released_at ON payment_file
  WHEN old.released_at IS NULL AND new.released_at IS NOT NULL AND EXISTS (SELECT 1 FROM write_back_armed WHERE event = 'export')
  BEGIN
    INSERT INTO write_back (draw_id, payment_id, event, created_at)
      SELECT p.draw_id, p.payment_id, 'export', new.released_at FROM payment p WHERE p.file_id = new.file_id ORDER BY p.position;
  END;
CREATE TRIGGER draw_moves_by_void BEFORE UPDATE OF voided_at ON payment_file WHEN new.voided_at IS NOT old.voided_at BEGIN
  INSERT INTO draw_moved SELECT s.draw_id, s.state, s.amount_cents, s.since
    FROM (SELECT DISTINCT p.draw_id FROM payment p WHERE p.file_id = new.file_id) v
    CROSS JOIN draw_state s ON s.draw_id = v.draw_id
    WHERE NOT EXISTS (SELECT 1 FROM draw_moved m WHERE m.draw_id = v.draw_id);
END;
-- What lies in outgoing/ is the bank's to take, and an upload that was begun may have arrived.
CREATE TRIGGER payment_file_has_left BEFORE UPDATE OF voided_at ON payment_file
  WHEN new.voided_at IS NOT NULL AND old.released_at IS NOT NULL
    AND (NOT EXISTS (SELECT 1 FROM file_delivery d WHERE d.file_id = old.file_id AND d.by_sftp = 1 AND d.delivered_at IS NULL)
         OR EXISTS (SELECT 1 FROM delivery_step s WHERE s.file_id = old.file_id AND s.step <> 'unreachable'))
  BEGIN SELECT raise(ABORT, 'a file that may have left is not void'); END;

-- An order to release a staged file, and how it goes. It is open while it waits, and while the file is being moved.
CREATE TABLE release_order (
    release_order_id INTEGER PRIMARY KEY,
    file_id    INTEGER NOT NULL REFERENCES payment_file (file_id),
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
  BEGIN SELECT raise(ABORT, 'a release order is never rewritten'); END;
CREATE TRIGGER release_order_no_delete BEFORE DELETE ON release_order BEGIN SELECT raise(ABORT, 'release_order is append-only'); END;
INSERT INTO release_order (file_id, ordered_at, ordered_by, reason, by_sftp, encrypted)
  SELECT f.file_id, f.release_ordered_at, f.release_ordered_by, ifnull(f.release_reason, ''), ifnull(d.by_sftp, 0), ifnull(d.encrypted, 0)
  FROM payment_file f LEFT JOIN file_delivery d ON d.file_id = f.file_id
  WHERE f.release_ordered_at IS NOT NULL AND f.released_at IS NULL AND f.voided_at IS NULL;

-- What an order waits for, from when on: the newest row holds.
CREATE TABLE release_wait (
    wait_id    INTEGER PRIMARY KEY,
    release_order_id INTEGER NOT NULL REFERENCES release_order (release_order_id),
    at         INTEGER NOT NULL,
    waits_for  TEXT NOT NULL CHECK (waits_for <> ''),   -- the service, encryption
    detail     TEXT NOT NULL
) STRICT;
CREATE INDEX release_wait_of_order ON release_wait (release_order_id, wait_id);
CREATE TRIGGER release_wait_no_update BEFORE UPDATE ON release_wait BEGIN SELECT raise(ABORT, 'release_wait is append-only'); END;
CREATE TRIGGER release_wait_no_delete BEFORE DELETE ON release_wait BEGIN SELECT raise(ABORT, 'release_wait is append-only'); END;

---- People.

-- A person. What they act with (numeric uids), what they may do (roles) and who they are at the Draws Service's portal
-- are rows of their own, each with the time from which it held and, once it ended, until when.
CREATE TABLE person (
    person_id  INTEGER PRIMARY KEY,
    name       TEXT NOT NULL CHECK (name <> ''),     -- for display only
    added_at   INTEGER NOT NULL,
    added_by   TEXT NOT NULL
) STRICT;

-- A uid belongs to one person at a time; the history is kept. A uid without a row is a person of its own.
CREATE TABLE person_uid (
    link_id     INTEGER PRIMARY KEY,
    person_id   INTEGER NOT NULL REFERENCES person (person_id),
    uid         INTEGER NOT NULL CHECK (uid > 0),    -- uid 0 is nobody in particular
    linked_at   INTEGER NOT NULL,
    -- write-once:
    unlinked_at INTEGER
) STRICT;
CREATE UNIQUE INDEX person_uid_live ON person_uid (uid) WHERE unlinked_at IS NULL;
CREATE INDEX person_uid_of_person ON person_uid (person_id);

CREATE TABLE person_role (
    grant_id   INTEGER PRIMARY KEY,
    person_id  INTEGER NOT NULL REFERENCES person (person_id),
    role       TEXT NOT NULL CHECK (role IN ('viewer', 'auditor', 'finance', 'operator', 'releaser', 'admin')),
    granted_at INTEGER NOT NULL,
    -- write-once:
    revoked_at INTEGER
) STRICT;
CREATE UNIQUE INDEX person_role_live ON person_role (person_id, role) WHERE revoked_at IS NULL;

-- Who a person is at the portal: the address that the service shows as requestedBy, approvedBy; the approver's id.
CREATE TABLE person_portal (
    link_id     INTEGER PRIMARY KEY,
    person_id   INTEGER NOT NULL REFERENCES person (person_id),
    kind        TEXT NOT NULL CHECK (kind IN ('email', 'approver_id')),
    value       TEXT NOT NULL CHECK (value <> ''),   -- an address in lower case; digits
    linked_at   INTEGER NOT NULL,
    -- write-once:
    unlinked_at INTEGER
) STRICT;
CREATE UNIQUE INDEX person_portal_live ON person_portal (kind, value) WHERE unlinked_at IS NULL;
CREATE INDEX person_portal_of_person ON person_portal (person_id);

-- While a lock is open the person may do nothing.
CREATE TABLE person_lock (
    lock_id     INTEGER PRIMARY KEY,
    person_id   INTEGER NOT NULL REFERENCES person (person_id),
    locked_at   INTEGER NOT NULL,
    -- write-once:
    unlocked_at INTEGER
) STRICT;
CREATE UNIQUE INDEX person_lock_live ON person_lock (person_id) WHERE unlocked_at IS NULL;

-- Whose act an act of this uid may have been: every person that the uid ever belonged to.
CREATE VIEW uid_person AS SELECT DISTINCT uid, person_id FROM person_uid;

-- A change to people that takes effect once another principal confirms it.
CREATE TABLE person_change (
    change_id     INTEGER PRIMARY KEY,
    person_id     INTEGER NOT NULL REFERENCES person (person_id),
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
    CHECK ((closed_at IS NULL) = (outcome IS NULL)),
    CHECK ((closed_at IS NULL) = (closed_uid IS NULL)),
    CHECK ((closed_at IS NULL) = (closed_by IS NULL)),
    CHECK ((closed_at IS NULL) = (closed_reason IS NULL)),
    -- Nobody confirms a change of their own; who may confirm whose is decided above the ledger.
    CHECK (outcome IS NOT 'confirmed' OR closed_uid <> proposed_uid)
) STRICT;
CREATE INDEX person_change_open ON person_change (change_id) WHERE closed_at IS NULL;

CREATE TRIGGER person_no_update BEFORE UPDATE ON person BEGIN SELECT raise(ABORT, 'person is append-only'); END;
CREATE TRIGGER person_no_delete BEFORE DELETE ON person BEGIN SELECT raise(ABORT, 'person is append-only'); END;
CREATE TRIGGER person_uid_once BEFORE UPDATE ON person_uid
  WHEN old.unlinked_at IS NOT NULL OR new.unlinked_at IS NULL OR new.link_id <> old.link_id
    OR new.person_id <> old.person_id OR new.uid <> old.uid OR new.linked_at <> old.linked_at
  BEGIN SELECT raise(ABORT, 'a link to a person ends once'); END;
CREATE TRIGGER person_uid_no_delete BEFORE DELETE ON person_uid BEGIN SELECT raise(ABORT, 'person_uid is append-only'); END;
CREATE TRIGGER person_role_once BEFORE UPDATE ON person_role
  WHEN old.revoked_at IS NOT NULL OR new.revoked_at IS NULL OR new.grant_id <> old.grant_id
    OR new.person_id <> old.person_id OR new.role <> old.role OR new.granted_at <> old.granted_at
  BEGIN SELECT raise(ABORT, 'a role is revoked once'); END;
CREATE TRIGGER person_role_no_delete BEFORE DELETE ON person_role BEGIN SELECT raise(ABORT, 'person_role is append-only'); END;
CREATE TRIGGER person_portal_once BEFORE UPDATE ON person_portal
  WHEN old.unlinked_at IS NOT NULL OR new.unlinked_at IS NULL OR new.link_id <> old.link_id
    OR new.person_id <> old.person_id OR new.kind <> old.kind OR new.value <> old.value
    OR new.linked_at <> old.linked_at
  BEGIN SELECT raise(ABORT, 'a link to a person ends once'); END;
CREATE TRIGGER person_portal_no_delete BEFORE DELETE ON person_portal BEGIN SELECT raise(ABORT, 'person_portal is append-only'); END;
CREATE TRIGGER person_lock_once BEFORE UPDATE ON person_lock
  WHEN old.unlocked_at IS NOT NULL OR new.unlocked_at IS NULL OR new.lock_id <> old.lock_id
    OR new.person_id <> old.person_id OR new.locked_at <> old.locked_at
  BEGIN SELECT raise(ABORT, 'a lock ends once'); END;
CREATE TRIGGER person_lock_no_delete BEFORE DELETE ON person_lock BEGIN SELECT raise(ABORT, 'person_lock is append-only'); END;
CREATE TRIGGER person_change_once BEFORE UPDATE ON person_change
  WHEN old.closed_at IS NOT NULL OR new.closed_at IS NULL OR new.change_id <> old.change_id
    OR new.person_id <> old.person_id OR new.kind <> old.kind OR new.detail <> old.detail
    OR new.proposed_at <> old.proposed_at OR new.proposed_uid <> old.proposed_uid
    OR new.proposed_by <> old.proposed_by OR new.reason <> old.reason
  BEGIN SELECT raise(ABORT, 'a proposed change is closed once and never rewritten'); END;
CREATE TRIGGER person_change_no_delete BEFORE DELETE ON person_change BEGIN SELECT raise(ABORT, 'person_change is append-only'); END;

---- Makers.

-- Who had a hand in a payment file, beside the automatic steps: in the file itself, or in a draw that it pays (or whose
-- check it voids). uid 0 stands for root and the daemon's own user, who are nobody in particular.
CREATE TABLE hand (
    hand_id    INTEGER PRIMARY KEY,
    at         INTEGER NOT NULL,
    uid        INTEGER NOT NULL CHECK (uid >= 0),
    by         TEXT NOT NULL,      -- for display only
    act        TEXT NOT NULL CHECK (act IN ('started', 'approved', 'lifted', 'handed_in', 'matched', 'reissued',
                                            'ordered_check', 'said_at_bank', 'nothing_else_sent')),
    file_id    INTEGER REFERENCES payment_file (file_id),
    draw_id    INTEGER,            -- maybe of a draw that was never read
    payment_id INTEGER REFERENCES payment (payment_id),   -- handed_in, matched: the payment that came back
    CHECK ((file_id IS NULL) <> (draw_id IS NULL)),
    CHECK (payment_id IS NULL OR draw_id IS NOT NULL)
) STRICT;
CREATE INDEX hand_of_file ON hand (file_id) WHERE file_id IS NOT NULL;
CREATE INDEX hand_of_draw ON hand (draw_id) WHERE draw_id IS NOT NULL;
CREATE INDEX hand_of_payment ON hand (payment_id) WHERE payment_id IS NOT NULL;
CREATE TRIGGER hand_no_update BEFORE UPDATE ON hand BEGIN SELECT raise(ABORT, 'hand is append-only'); END;
CREATE TRIGGER hand_no_delete BEFORE DELETE ON hand BEGIN SELECT raise(ABORT, 'hand is append-only'); END;

-- Who handed in a confirmation file: the owner of the file in the inbox, or who uploaded it; again with the same bytes.
CREATE TABLE handing_in (
    handing_in_id INTEGER PRIMARY KEY,
    confirmation_file_id INTEGER NOT NULL REFERENCES confirmation_file (confirmation_file_id),
    at   INTEGER NOT NULL,
    uid  INTEGER NOT NULL CHECK (uid >= 0),   -- as in hand
    by   TEXT NOT NULL,
    UNIQUE (confirmation_file_id, uid)
) STRICT;
CREATE TRIGGER handing_in_no_update BEFORE UPDATE ON handing_in BEGIN SELECT raise(ABORT, 'handing_in is append-only'); END;
CREATE TRIGGER handing_in_no_delete BEFORE DELETE ON handing_in BEGIN SELECT raise(ABORT, 'handing_in is append-only'); END;

-- Who ordered the release: 0 as in hand; NULL: the daemon by itself.
ALTER TABLE payment_file ADD COLUMN release_uid INTEGER CHECK (release_uid >= 0);
-- The newest row of hand when the release was ordered (0: none). NULL: no release was ordered through this ledger; -1: it
-- was ordered before makers were recorded.
ALTER TABLE payment_file ADD COLUMN makers_until INTEGER CHECK (makers_until >= -1);
UPDATE payment_file SET makers_until = -1 WHERE release_ordered_at IS NOT NULL;
CREATE TRIGGER payment_file_releaser_once BEFORE UPDATE OF release_uid, makers_until ON payment_file
  WHEN old.release_ordered_at IS NOT NULL AND (new.release_uid IS NOT old.release_uid OR new.makers_until IS NOT old.makers_until)
  BEGIN SELECT raise(ABORT, 'who released a file is never rewritten'); END;

-- The makers of a file as they were when its release was ordered, each uid with every person it ever belonged to; a person
-- without a uid acted in the portal. What people are linked to later changes none of it.
CREATE TABLE release_maker (
    maker_id  INTEGER PRIMARY KEY,
    file_id   INTEGER NOT NULL REFERENCES payment_file (file_id),
    uid       INTEGER,
    person_id INTEGER REFERENCES person (person_id),
    by        TEXT NOT NULL,
    act       TEXT NOT NULL,
    draw_id   INTEGER REFERENCES draw (draw_id),   -- the first of them; NULL: the file itself
    draws     INTEGER NOT NULL,
    CHECK (uid IS NOT NULL OR person_id IS NOT NULL)
) STRICT;
CREATE INDEX release_maker_of_file ON release_maker (file_id);
CREATE TRIGGER release_maker_no_update BEFORE UPDATE ON release_maker BEGIN SELECT raise(ABORT, 'release_maker is append-only'); END;
CREATE TRIGGER release_maker_no_delete BEFORE DELETE ON release_maker BEGIN SELECT raise(ABORT, 'release_maker is append-only'); END;

-- Likewise every person that the releaser's uid ever belonged to.
CREATE TABLE release_person (
    file_id   INTEGER NOT NULL REFERENCES payment_file (file_id),
    person_id INTEGER NOT NULL REFERENCES person (person_id),
    PRIMARY KEY (file_id, person_id)
) STRICT;
CREATE TRIGGER release_person_no_update BEFORE UPDATE ON release_person BEGIN SELECT raise(ABORT, 'release_person is append-only'); END;
CREATE TRIGGER release_person_no_delete BEFORE DELETE ON release_person BEGIN SELECT raise(ABORT, 'release_person is append-only'); END;

-- The draws of each file, and every draw once without one.
CREATE VIEW file_draw AS
    SELECT file_id, draw_id FROM payment
    UNION ALL
    SELECT l.file_id, p.draw_id FROM check_order_line l JOIN check_order o ON o.order_id = l.order_id
        JOIN payment p ON p.payment_id = o.payment_id
    UNION ALL
    SELECT NULL, draw_id FROM draw;

-- Everyone who had a hand in a file, as of now: to be asked by file_id, or by draw_id. Who requested or approved a draw in
-- the portal counts where linked; an approval by the rules is no act of the approver in whose name it is made.
CREATE VIEW file_maker AS
    SELECT file_id, NULL AS draw_id, hand_id, uid, NULL AS person_id, by, act FROM hand WHERE file_id IS NOT NULL
    UNION ALL
    SELECT t.file_id, t.draw_id, h.hand_id, h.uid, NULL, h.by, h.act FROM file_draw t CROSS JOIN hand h ON h.draw_id = t.draw_id
    UNION ALL
    SELECT t.file_id, t.draw_id, NULL, NULL, p.person_id, p.name, 'requested_in_portal'
        FROM file_draw t CROSS JOIN draw_reading r ON r.draw_id = t.draw_id
        CROSS JOIN person_portal k ON k.kind = 'email' AND k.value = lower(trim(r.requested_by))
        CROSS JOIN person p ON p.person_id = k.person_id
    UNION ALL
    SELECT t.file_id, t.draw_id, NULL, NULL, p.person_id, p.name, 'approved_in_portal'
        FROM file_draw t CROSS JOIN draw_reading r ON r.draw_id = t.draw_id
        CROSS JOIN person_portal k ON k.kind = 'email' AND k.value = lower(trim(r.approved_by))
        CROSS JOIN person p ON p.person_id = k.person_id
        WHERE NOT EXISTS (SELECT 1 FROM approval_item i JOIN decision c ON c.decision_id = i.decision_id
                          WHERE i.draw_id = t.draw_id AND i.outcome = 'approved' AND c.decided_by IS NULL)
    UNION ALL
    SELECT t.file_id, t.draw_id, NULL, NULL, p.person_id, p.name, 'approved_in_portal'
        FROM file_draw t CROSS JOIN decision c ON c.draw_id = t.draw_id AND c.outcome = 'approve' AND c.decided_by IS NOT NULL
        CROSS JOIN person_portal k ON k.kind = 'approver_id' AND k.value = CAST(c.approver_id AS TEXT)
        CROSS JOIN person p ON p.person_id = k.person_id;

-- Invariant 12. What was found to have gone out before a restore was released by another copy of this ledger: its release
-- is recorded together with its order.
CREATE TRIGGER no_maker_releases BEFORE UPDATE OF release_ordered_at ON payment_file
  WHEN old.release_ordered_at IS NULL AND new.release_ordered_at IS NOT NULL AND new.released_at IS NULL
  BEGIN
    SELECT raise(ABORT, 'the makers of a file are recorded before its release is ordered') WHERE new.makers_until IS NULL;
    SELECT raise(ABORT, 'no maker of a file releases it') FROM file_maker m WHERE m.file_id = new.file_id
        AND (ifnull(new.release_uid, 0) = 0 OR m.uid = new.release_uid
             OR m.person_id IN (SELECT person_id FROM uid_person WHERE uid = new.release_uid)
             OR EXISTS (SELECT 1 FROM uid_person a JOIN uid_person b ON b.person_id = a.person_id
                        WHERE a.uid = m.uid AND b.uid = new.release_uid));
  END;

-- What was done before hands were recorded, by the text of that time: "uid 5001 (anna)".
INSERT INTO hand (at, uid, by, act, file_id)
    SELECT created_at, CAST(substr(started_by, 5) AS INTEGER), started_by, 'started', file_id FROM payment_file
    WHERE started_by LIKE 'uid %';
INSERT INTO hand (at, uid, by, act, draw_id)
    SELECT decided_at, CAST(substr(decided_by, 5) AS INTEGER), decided_by, 'approved', draw_id FROM decision
    WHERE decided_by LIKE 'uid %';
INSERT INTO hand (at, uid, by, act, draw_id)
    SELECT closed_at, CAST(substr(closed_by, 5) AS INTEGER), closed_by, 'lifted', draw_id FROM exception
    WHERE closed_by LIKE 'uid %' AND step = 'pay' AND draw_id IS NOT NULL;
INSERT INTO hand (at, uid, by, act, draw_id, payment_id)
    SELECT s.recorded_at, CAST(substr(e.closed_by, 5) AS INTEGER), e.closed_by, 'matched', p.draw_id, p.payment_id
    FROM settlement s JOIN exception e ON e.exception_id = s.exception_id JOIN payment p ON p.payment_id = s.payment_id
    WHERE s.kind <> 'paid' AND e.closed_by LIKE 'uid %';
INSERT INTO hand (at, uid, by, act, draw_id)
    SELECT ordered_at, CAST(substr(ordered_by, 5) AS INTEGER), ordered_by, 'reissued', draw_id FROM reissue_order
    WHERE ordered_by LIKE 'uid %';
INSERT INTO hand (at, uid, by, act, draw_id)
    SELECT o.ordered_at, CAST(substr(o.ordered_by, 5) AS INTEGER), o.ordered_by, 'ordered_check', p.draw_id
    FROM check_order o JOIN payment p ON p.payment_id = o.payment_id WHERE o.ordered_by LIKE 'uid %';

---- Guards.

-- Of whoever paused or resumed; NULL: the daemon by itself, or before this schema.
ALTER TABLE movement_control ADD COLUMN uid INTEGER;

-- What went out by itself on a day.
CREATE INDEX payment_file_ordered ON payment_file (release_ordered_at) WHERE release_ordered_at IS NOT NULL;

-- How it is known that the bank has a released file. The bank's silence means something only from then on.
CREATE TABLE delivery_evidence (
    evidence_id INTEGER PRIMARY KEY,
    file_id     INTEGER NOT NULL REFERENCES payment_file (file_id),
    -- sftp: our upload, which the bank's server agreed to; by_hand: a person's word; acknowledged: the bank's own
    kind        TEXT NOT NULL CHECK (kind IN ('sftp', 'by_hand', 'acknowledged')),
    at          INTEGER NOT NULL,
    by          TEXT NOT NULL,
    uid         INTEGER,            -- NULL: the daemon by itself, or not known
    detail      TEXT NOT NULL,
    UNIQUE (file_id, kind)
) STRICT;
INSERT INTO delivery_evidence (file_id, kind, at, by, detail)
  SELECT s.file_id, CASE WHEN s.detail LIKE 'by hand: %' THEN 'by_hand' ELSE 'sftp' END, s.at, s.by, s.detail
  FROM delivery_step s WHERE s.step = 'delivered' ORDER BY s.step_id;
CREATE TRIGGER delivery_evidence_of_released BEFORE INSERT ON delivery_evidence
  WHEN (SELECT f.released_at FROM payment_file f WHERE f.file_id = new.file_id) IS NULL
  BEGIN SELECT raise(ABORT, 'the bank cannot have a file that was not released'); END;
CREATE TRIGGER delivery_evidence_no_update BEFORE UPDATE ON delivery_evidence BEGIN SELECT raise(ABORT, 'delivery_evidence is append-only'); END;
CREATE TRIGGER delivery_evidence_no_delete BEFORE DELETE ON delivery_evidence BEGIN SELECT raise(ABORT, 'delivery_evidence is append-only'); END;

---- Witness and instances.

-- An entry of the audit trail that a trace outside the ledger names (the witness, a backup) and that this ledger lacks.
CREATE TABLE lost_position (
    lost_id        INTEGER PRIMARY KEY,
    restoration_id INTEGER NOT NULL REFERENCES restoration (restoration_id),
    at             INTEGER NOT NULL,
    source         TEXT NOT NULL CHECK (source <> ''),
    audit_seq      INTEGER NOT NULL CHECK (audit_seq > 0),
    audit_head     TEXT NOT NULL CHECK (audit_head <> ''),
    export_no      INTEGER,             -- of the last file that was let go by then; NULL: the trace does not say
    incomplete_at  INTEGER,             -- the newest comparison by then that could not account for all that went out
    creation_date  TEXT,                -- the newest day with an ACH file by then, and what was used up on it
    file_id_modifiers TEXT,
    CHECK ((creation_date IS NULL) = (file_id_modifiers IS NULL))
) STRICT;
CREATE UNIQUE INDEX lost_position_of_audit ON lost_position (audit_seq, audit_head);
CREATE INDEX lost_position_of_restoration ON lost_position (restoration_id);
CREATE INDEX lost_position_of_day ON lost_position (creation_date) WHERE creation_date IS NOT NULL;
CREATE TRIGGER lost_position_no_update BEFORE UPDATE ON lost_position BEGIN SELECT raise(ABORT, 'lost_position is append-only'); END;
CREATE TRIGGER lost_position_no_delete BEFORE DELETE ON lost_position BEGIN SELECT raise(ABORT, 'lost_position is append-only'); END;

---- Digest of the facts.

-- Of each table with facts how many rows it has and the sum of their keyed hashes, as of the newest commit. The newest
-- entry of the audit trail names one digest over all of them; without the sealing key nobody can make either.
CREATE TABLE fact_digest (
    table_name TEXT PRIMARY KEY,
    rows       INTEGER NOT NULL,
    digest     TEXT NOT NULL CHECK (substr(digest, 1, 7) = 'sealed:')
) STRICT, WITHOUT ROWID;

---- Lists.

CREATE INDEX backup_by_position ON backup (audit_seq);

---- Return rates.

CREATE INDEX confirmation_line_returned ON confirmation_line (line_id) WHERE kind = 'returned' AND payment_id IS NOT NULL;

---- Changes.

-- The bytes of a rule file or a payee file that were proposed under change control. In force are those of the newest row
-- that is the baseline or was accepted. At most one row of each kind is open.
CREATE TABLE change_proposal (
    proposal_id INTEGER PRIMARY KEY,
    kind        TEXT NOT NULL CHECK (kind IN ('rules', 'payees')),
    sha256      TEXT NOT NULL CHECK (length(sha256) = 64),
    content     TEXT NOT NULL CHECK (substr(content, 1, 7) = 'sealed:'),
    proposed_at INTEGER NOT NULL,
    file_uid    INTEGER,                 -- the owner of the file then: a hint of who wrote it; NULL: not known
    -- write-once:
    closed_at   INTEGER,
    closed_by   TEXT,
    closed_reason TEXT,
    outcome     TEXT CHECK (outcome IN ('baseline', 'accepted', 'rejected', 'withdrawn')),
    -- write-once, of what was rejected: from then on the file held other bytes
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
  BEGIN SELECT raise(ABORT, 'a change is proposed before it is decided'); END;
CREATE TRIGGER change_proposal_once BEFORE UPDATE ON change_proposal
  WHEN new.proposal_id <> old.proposal_id OR new.kind <> old.kind OR new.sha256 <> old.sha256
    OR new.content <> old.content OR new.proposed_at <> old.proposed_at OR new.file_uid IS NOT old.file_uid
    OR new.outcome IS 'baseline' OR old.left_at IS NOT NULL
    OR (old.closed_at IS NOT NULL AND (new.closed_at IS NOT old.closed_at OR new.closed_by IS NOT old.closed_by
        OR new.closed_reason IS NOT old.closed_reason OR new.outcome IS NOT old.outcome))
  BEGIN SELECT raise(ABORT, 'a proposed change is decided once and never rewritten'); END;
CREATE TRIGGER change_proposal_no_delete BEFORE DELETE ON change_proposal BEGIN SELECT raise(ABORT, 'change_proposal is append-only'); END;

-- Who accepted a proposal, with the person that the uid belonged to then.
CREATE TABLE change_acceptance (
    acceptance_id INTEGER PRIMARY KEY,
    proposal_id INTEGER NOT NULL REFERENCES change_proposal (proposal_id),
    at        INTEGER NOT NULL,
    uid       INTEGER NOT NULL CHECK (uid >= 0),   -- as in hand
    person_id INTEGER REFERENCES person (person_id),
    by        TEXT NOT NULL,
    reason    TEXT NOT NULL CHECK (reason <> ''),
    UNIQUE (proposal_id, uid)
) STRICT;
CREATE TRIGGER change_acceptance_by_another BEFORE INSERT ON change_acceptance BEGIN
    SELECT raise(ABORT, 'only a change that waits is accepted') FROM change_proposal p
        WHERE p.proposal_id = new.proposal_id AND p.closed_at IS NOT NULL;
    SELECT raise(ABORT, 'a person accepts a change once') FROM change_acceptance a WHERE a.proposal_id = new.proposal_id
        AND (a.uid = new.uid OR a.person_id = new.person_id
             OR EXISTS (SELECT 1 FROM uid_person x JOIN uid_person y ON y.person_id = x.person_id
                        WHERE x.uid = a.uid AND y.uid = new.uid));
  END;
CREATE TRIGGER change_acceptance_no_update BEFORE UPDATE ON change_acceptance BEGIN SELECT raise(ABORT, 'change_acceptance is append-only'); END;
CREATE TRIGGER change_acceptance_no_delete BEFORE DELETE ON change_acceptance BEGIN SELECT raise(ABORT, 'change_acceptance is append-only'); END;
CREATE TRIGGER change_accepted_by_two BEFORE UPDATE OF outcome ON change_proposal
  WHEN new.outcome = 'accepted' AND old.outcome IS NULL
    AND (SELECT count(*) FROM change_acceptance a WHERE a.proposal_id = new.proposal_id) < 2
  BEGIN SELECT raise(ABORT, 'a change needs two persons'); END;

-- The settings of drawbridge.yaml, a key and its value on a line, at each start that found them changed.
CREATE TABLE configuration_seen (
    seen_id  INTEGER PRIMARY KEY,
    at       INTEGER NOT NULL,
    sha256   TEXT NOT NULL CHECK (length(sha256) = 64),
    settings TEXT NOT NULL CHECK (substr(settings, 1, 7) = 'sealed:')
) STRICT;
CREATE TRIGGER configuration_seen_no_update BEFORE UPDATE ON configuration_seen BEGIN SELECT raise(ABORT, 'configuration_seen is append-only'); END;
CREATE TRIGGER configuration_seen_no_delete BEFORE DELETE ON configuration_seen BEGIN SELECT raise(ABORT, 'configuration_seen is append-only'); END;

---- Archive.

-- The newest files when the archive was first held against the ledger: earlier ones may have been cleared away before.
CREATE TABLE archive_begin (
    one_row              INTEGER PRIMARY KEY CHECK (one_row = 1),
    confirmation_file_id INTEGER NOT NULL,
    file_id              INTEGER NOT NULL
) STRICT;
INSERT INTO archive_begin SELECT 1, (SELECT ifnull(max(confirmation_file_id), 0) FROM confirmation_file),
    (SELECT ifnull(max(file_id), 0) FROM payment_file);
CREATE TRIGGER archive_begin_no_update BEFORE UPDATE ON archive_begin BEGIN SELECT raise(ABORT, 'archive_begin is append-only'); END;
CREATE TRIGGER archive_begin_no_delete BEFORE DELETE ON archive_begin BEGIN SELECT raise(ABORT, 'archive_begin is append-only'); END;

-- The archive keys of the sealing keys that were in use before: what was sealed then still opens. That of the sealing
-- key in use follows from it and stands nowhere.
CREATE TABLE archive_key (
    key_id     TEXT PRIMARY KEY,
    key        TEXT NOT NULL CHECK (substr(key, 1, 7) = 'sealed:'),
    retired_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TRIGGER archive_key_no_update BEFORE UPDATE ON archive_key BEGIN SELECT raise(ABORT, 'archive_key is append-only'); END;
CREATE TRIGGER archive_key_no_delete BEFORE DELETE ON archive_key BEGIN SELECT raise(ABORT, 'archive_key is append-only'); END;

-- Files of spool/archive that were sealed.
CREATE TABLE archived_file (
    archived_file_id INTEGER PRIMARY KEY,
    path       TEXT NOT NULL UNIQUE,    -- below spool/archive, of the plain form: 2026/11/22/NAME
    sha256     TEXT NOT NULL CHECK (length(sha256) = 64),   -- of the plain bytes, and so is the size
    size_bytes INTEGER NOT NULL CHECK (size_bytes >= 0),
    sealed_at  INTEGER NOT NULL,        -- or found to be sealed already, after a restore
    -- write-once: by archive.delete_after
    deleted_at INTEGER
) STRICT;
CREATE INDEX archived_file_of_bytes ON archived_file (sha256);
CREATE TRIGGER archived_file_once BEFORE UPDATE ON archived_file
  WHEN old.deleted_at IS NOT NULL OR new.deleted_at IS NULL OR new.archived_file_id <> old.archived_file_id
    OR new.path <> old.path OR new.sha256 <> old.sha256 OR new.size_bytes <> old.size_bytes OR new.sealed_at <> old.sealed_at
  BEGIN SELECT raise(ABORT, 'an archived file is sealed once and deleted once'); END;
CREATE TRIGGER archived_file_begins BEFORE INSERT ON archived_file WHEN new.deleted_at IS NOT NULL
  BEGIN SELECT raise(ABORT, 'an archived file is sealed before it is deleted'); END;
CREATE TRIGGER archived_file_no_delete BEFORE DELETE ON archived_file BEGIN SELECT raise(ABORT, 'archived_file is append-only'); END;
