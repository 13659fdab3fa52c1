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
