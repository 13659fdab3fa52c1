-- Backups, restored ledgers, daily manifests.

-- Each file that was let go, in order: what its line in the day's manifest says, which is kept outside the ledger. The line
-- follows from these rows and the file's.
CREATE TABLE export_record (
    export_no   INTEGER PRIMARY KEY,
    file_id     INTEGER NOT NULL UNIQUE REFERENCES payment_file (file_id),
    at          INTEGER NOT NULL,
    audit_seq   INTEGER NOT NULL,       -- of the entry that ordered the release
    audit_head  TEXT NOT NULL,
    previous    TEXT NOT NULL,          -- SHA-256 of the line before; the ledger's id for the first
    line_sha256 TEXT NOT NULL,
    -- The next free numbers at that moment.
    next_payment_id     INTEGER NOT NULL,
    next_trace_sequence INTEGER NOT NULL,
    next_check_number   INTEGER NOT NULL,
    next_batch_number   INTEGER NOT NULL,
    next_file_sequence  INTEGER NOT NULL
) STRICT;
CREATE TRIGGER export_record_no_update BEFORE UPDATE ON export_record BEGIN SELECT raise(ABORT, 'export_record is append-only'); END;
CREATE TRIGGER export_record_no_delete BEFORE DELETE ON export_record BEGIN SELECT raise(ABORT, 'export_record is append-only'); END;

-- Copies that were made, verified and put in place.
CREATE TABLE backup (
    backup_id  INTEGER PRIMARY KEY,
    at         INTEGER NOT NULL,
    by         TEXT NOT NULL,
    file       TEXT NOT NULL,
    sha256     TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    audit_seq  INTEGER NOT NULL,        -- how far the copy goes
    audit_head TEXT NOT NULL,
    scheduled  INTEGER NOT NULL CHECK (scheduled IN (0, 1))
) STRICT;
CREATE INDEX backup_scheduled ON backup (backup_id) WHERE scheduled = 1;
CREATE TRIGGER backup_no_update BEFORE UPDATE ON backup BEGIN SELECT raise(ABORT, 'backup is append-only'); END;
CREATE TRIGGER backup_no_delete BEFORE DELETE ON backup BEGIN SELECT raise(ABORT, 'backup is append-only'); END;

-- Which file on which disk this ledger is: a copy of it is another file.
CREATE TABLE ledger_place (
    place_id INTEGER PRIMARY KEY,
    at       INTEGER NOT NULL,
    inode    INTEGER NOT NULL,
    born_at  INTEGER NOT NULL           -- nanoseconds; 0: the file system does not say
) STRICT;
CREATE TRIGGER ledger_place_no_update BEFORE UPDATE ON ledger_place BEGIN SELECT raise(ABORT, 'ledger_place is append-only'); END;
CREATE TRIGGER ledger_place_no_delete BEFORE DELETE ON ledger_place BEGIN SELECT raise(ABORT, 'ledger_place is append-only'); END;

-- This ledger may not know what was done before it: nothing moves until it was held against the service and the files sent.
CREATE TABLE restoration (
    restoration_id INTEGER PRIMARY KEY,
    at       INTEGER NOT NULL,
    by       TEXT NOT NULL,
    how      TEXT NOT NULL CHECK (how = 'restored' OR how = 'older' OR how = 'copied'),
    detail   TEXT NOT NULL,
    -- write-once: held against the service and the files; what came of it
    compared_at INTEGER,
    complete    INTEGER CHECK (complete IN (0, 1)),    -- the manifests cover all the time that the ledger does not
    summary     TEXT,
    -- write-once: a person ended it
    settled_at  INTEGER,
    settled_by  TEXT,
    settled_reason TEXT,
    CHECK ((compared_at IS NULL) = (complete IS NULL) AND (compared_at IS NULL) = (summary IS NULL)),
    CHECK ((settled_at IS NULL) = (settled_by IS NULL) AND (settled_at IS NULL) = (settled_reason IS NULL)),
    CHECK (settled_at IS NULL OR compared_at IS NOT NULL)
) STRICT;
CREATE UNIQUE INDEX restoration_open ON restoration ((settled_at IS NULL)) WHERE settled_at IS NULL;
CREATE TRIGGER restoration_once BEFORE UPDATE ON restoration
  WHEN new.restoration_id <> old.restoration_id OR new.at <> old.at OR new.by <> old.by OR new.how <> old.how
    OR new.detail <> old.detail OR old.settled_at IS NOT NULL
    OR (old.compared_at IS NOT NULL AND (new.compared_at IS NOT old.compared_at OR new.complete IS NOT old.complete
        OR new.summary IS NOT old.summary))
  BEGIN SELECT raise(ABORT, 'a restoration is never rewritten'); END;
CREATE TRIGGER restoration_no_delete BEFORE DELETE ON restoration BEGIN SELECT raise(ABORT, 'restoration is append-only'); END;

-- Payment files of which only the outside tells. Their names and numbers are used up.
CREATE TABLE sent_file (
    name           TEXT PRIMARY KEY,
    restoration_id INTEGER NOT NULL REFERENCES restoration (restoration_id),
    export_no      INTEGER,              -- NULL: no manifest names it
    creation_date  TEXT,
    file_id_modifier TEXT,
    sha256         TEXT NOT NULL,
    line_sha256    TEXT
) STRICT;
CREATE INDEX sent_file_of_day ON sent_file (creation_date);
CREATE UNIQUE INDEX sent_file_export ON sent_file (export_no) WHERE export_no IS NOT NULL;
CREATE TRIGGER sent_file_no_update BEFORE UPDATE ON sent_file BEGIN SELECT raise(ABORT, 'sent_file is append-only'); END;
CREATE TRIGGER sent_file_no_delete BEFORE DELETE ON sent_file BEGIN SELECT raise(ABORT, 'sent_file is append-only'); END;

-- Draws that may have been paid already: not paid until a person says so.
CREATE TABLE restored_hold (
    hold_id        INTEGER PRIMARY KEY,
    restoration_id INTEGER NOT NULL REFERENCES restoration (restoration_id),
    draw_id        INTEGER NOT NULL,
    reason_code    TEXT NOT NULL CHECK (reason_code = 'paid_after_backup' OR reason_code = 'possibly_paid'),
    detail         TEXT NOT NULL,
    -- write-once:
    lifted_at     INTEGER,
    lifted_by     TEXT,
    lifted_reason TEXT,
    CHECK ((lifted_at IS NULL) = (lifted_by IS NULL) AND (lifted_at IS NULL) = (lifted_reason IS NULL))
) STRICT;
CREATE UNIQUE INDEX restored_hold_live ON restored_hold (draw_id) WHERE lifted_at IS NULL;
CREATE TRIGGER restored_hold_once BEFORE UPDATE ON restored_hold
  WHEN old.lifted_at IS NOT NULL OR new.lifted_at IS NULL OR new.hold_id <> old.hold_id
    OR new.restoration_id <> old.restoration_id OR new.draw_id <> old.draw_id OR new.reason_code <> old.reason_code
    OR new.detail <> old.detail
  BEGIN SELECT raise(ABORT, 'a hold is lifted once and never rewritten'); END;
CREATE TRIGGER restored_hold_no_delete BEFORE DELETE ON restored_hold BEGIN SELECT raise(ABORT, 'restored_hold is append-only'); END;
