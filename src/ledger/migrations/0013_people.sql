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
  WHEN old.released_at IS NULL AND new.released_at IS NOT NULL AND EXISTS (SELECT 1 FROM write_back_armed WHERE stage = 'export')
  BEGIN
    INSERT INTO write_back (draw_id, payment_id, stage, created_at)
      SELECT p.draw_id, p.payment_id, 'export', new.released_at FROM payment p WHERE p.file_id = new.file_id ORDER BY p.position;
  END;
CREATE TRIGGER draw_moves_by_void BEFORE UPDATE OF voided_at ON payment_file WHEN new.voided_at IS NOT old.voided_at BEGIN
  INSERT INTO draw_moved SELECT s.draw_id, s.stage, s.amount_cents, s.since
    FROM (SELECT DISTINCT p.draw_id FROM payment p WHERE p.file_id = new.file_id) v
    CROSS JOIN draw_stage s ON s.draw_id = v.draw_id
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

---- Makers.

-- Who had a hand in a payment file, beside the automatic steps: in the file itself, or in a draw that it pays.
CREATE TABLE hand (
    hand_id  INTEGER PRIMARY KEY,
    at       INTEGER NOT NULL,
    uid      INTEGER NOT NULL,   -- 0: root, who is nobody in particular
    act      TEXT NOT NULL CHECK (act <> ''),
    file_id  INTEGER REFERENCES payment_file (file_id),
    draw_id  INTEGER REFERENCES draw (draw_id),
    CHECK ((file_id IS NULL) <> (draw_id IS NULL))
) STRICT;
CREATE INDEX hand_of_file ON hand (file_id) WHERE file_id IS NOT NULL;
CREATE INDEX hand_of_draw ON hand (draw_id) WHERE draw_id IS NOT NULL;

---- Witness and instances.

---- Digest of the facts.
