-- People, makers, releases that wait, the witness, and a digest of every fact.

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

---- Releases.

---- Witness and instances.

---- Digest of the facts.
