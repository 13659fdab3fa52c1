-- How a released file gets to the bank, where that is more than a rename into outgoing/.

-- By which way a file goes is fixed when its release is ordered. One without a row here is taken from outgoing/ by the
-- bank's side, as it is.
CREATE TABLE file_delivery (
    file_id    INTEGER PRIMARY KEY REFERENCES payment_file (file_id),
    ordered_at INTEGER NOT NULL,
    by_sftp    INTEGER NOT NULL CHECK (by_sftp IN (0, 1)),
    encrypted  INTEGER NOT NULL CHECK (encrypted IN (0, 1)),
    -- write-once, in this order, of what goes by SFTP:
    delivered_at INTEGER,
    archived_at  INTEGER,   -- the copy in outgoing/ is in the archive
    archived_as  TEXT,      -- relative to the state folder; empty: somebody had taken it
    CHECK (by_sftp = 1 OR encrypted = 1),
    CHECK (delivered_at IS NULL OR by_sftp = 1),
    CHECK ((archived_at IS NULL) = (archived_as IS NULL)),
    CHECK (archived_at IS NULL OR delivered_at IS NOT NULL)
) STRICT;
CREATE INDEX file_delivery_open ON file_delivery (file_id) WHERE by_sftp = 1 AND archived_at IS NULL;

-- The same text encrypted twice gives other bytes: they are made once, and these are what goes out.
CREATE TABLE file_encryption (
    file_id     INTEGER PRIMARY KEY REFERENCES file_delivery (file_id),
    name        TEXT NOT NULL UNIQUE,
    fingerprint TEXT NOT NULL,
    sha256      TEXT NOT NULL,
    size_bytes  INTEGER NOT NULL CHECK (size_bytes > 0),
    made_at     INTEGER NOT NULL
) STRICT;

-- Every step of an upload; what they mean together is decided in disbursement/delivery.
CREATE TABLE delivery_step (
    step_id INTEGER PRIMARY KEY,
    file_id INTEGER NOT NULL REFERENCES file_delivery (file_id),
    at      INTEGER NOT NULL,
    by      TEXT NOT NULL,
    step    TEXT NOT NULL CHECK (step IN ('intent', 'failed', 'uploaded', 'refused', 'unknown', 'unreachable', 'damaged',
                                          'conflict', 'uncertain', 'again', 'delivered')),
    server         TEXT,    -- of an intent, with the two below
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

-- Never a blind second upload: while an earlier one may have got the file's name, none begins.
CREATE TRIGGER delivery_step_not_blind BEFORE INSERT ON delivery_step
  WHEN new.step = 'intent' AND (SELECT s.step FROM delivery_step s WHERE s.file_id = new.file_id AND s.step <> 'unreachable'
                                ORDER BY s.step_id DESC LIMIT 1) IN ('uploaded', 'refused', 'unknown', 'conflict', 'uncertain')
  BEGIN SELECT raise(ABORT, 'a file is not uploaded again while it may be at the bank'); END;
CREATE TRIGGER delivery_step_ends BEFORE INSERT ON delivery_step
  WHEN EXISTS (SELECT 1 FROM file_delivery d WHERE d.file_id = new.file_id AND (d.by_sftp = 0 OR d.delivered_at IS NOT NULL))
  BEGIN SELECT raise(ABORT, 'a file is delivered once'); END;
CREATE TRIGGER delivery_step_no_update BEFORE UPDATE ON delivery_step BEGIN SELECT raise(ABORT, 'delivery_step is append-only'); END;
CREATE TRIGGER delivery_step_no_delete BEFORE DELETE ON delivery_step BEGIN SELECT raise(ABORT, 'delivery_step is append-only'); END;
CREATE TRIGGER file_encryption_no_update BEFORE UPDATE ON file_encryption BEGIN SELECT raise(ABORT, 'file_encryption is append-only'); END;
CREATE TRIGGER file_encryption_no_delete BEFORE DELETE ON file_encryption BEGIN SELECT raise(ABORT, 'file_encryption is append-only'); END;
CREATE TRIGGER file_delivery_once BEFORE UPDATE ON file_delivery
  WHEN new.file_id <> old.file_id OR new.ordered_at <> old.ordered_at OR new.by_sftp <> old.by_sftp
    OR new.encrypted <> old.encrypted OR (old.delivered_at IS NOT NULL AND new.delivered_at IS NOT old.delivered_at)
    OR old.archived_at IS NOT NULL
  BEGIN SELECT raise(ABORT, 'the way of a file is never rewritten'); END;
CREATE TRIGGER file_delivery_no_delete BEFORE DELETE ON file_delivery BEGIN SELECT raise(ABORT, 'file_delivery is append-only'); END;
