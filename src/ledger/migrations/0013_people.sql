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

---- Releases.

---- Witness and instances.

---- Digest of the facts.

-- Of each table with facts how many rows it has and the sum of their keyed hashes, as of the newest commit. The newest
-- entry of the audit trail names one digest over all of them; without the sealing key nobody can make either.
CREATE TABLE fact_digest (
    table_name TEXT PRIMARY KEY,
    rows       INTEGER NOT NULL,
    digest     TEXT NOT NULL CHECK (substr(digest, 1, 7) = 'sealed:')
) STRICT, WITHOUT ROWID;
