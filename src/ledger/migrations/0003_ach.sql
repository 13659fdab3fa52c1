-- Prenotes, guards and completeness.

-- A file may hold prenotes alone: no payment, no money. SQLite changes no CHECK in place, so the table is made anew with
-- the same rows (foreign keys are held against each other before the migration commits).
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
    release_ordered_at INTEGER,
    release_ordered_by TEXT,
    release_reason TEXT,
    released_at   INTEGER,
    -- or, before any release was ordered:
    voided_at     INTEGER,
    voided_by     TEXT,
    void_reason   TEXT,
    prenote_count INTEGER NOT NULL DEFAULT 0 CHECK (prenote_count >= 0),
    CHECK (voided_at IS NULL OR (release_ordered_at IS NULL AND voided_by IS NOT NULL AND void_reason IS NOT NULL)),
    CHECK ((staged_at IS NULL) = (sha256 IS NULL)),
    CHECK (release_ordered_at IS NULL OR (staged_at IS NOT NULL AND release_ordered_by IS NOT NULL)),
    CHECK (released_at IS NULL OR release_ordered_at IS NOT NULL),
    CHECK ((rail = 'ach') = (file_id_modifier IS NOT NULL)),
    CHECK ((payment_count > 0) = (total_cents > 0)),
    CHECK (payment_count > 0 OR (prenote_count > 0 AND rail = 'ach'))
) STRICT;
INSERT INTO payment_file_new SELECT *, 0 FROM payment_file;
DROP TABLE payment_file;
ALTER TABLE payment_file_new RENAME TO payment_file;
PRAGMA legacy_alter_table = OFF;
-- Invariant 6: one modifier for each creation date.
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

-- What else the file says of a payment. NULL: planned before this was recorded, or nothing to say.
ALTER TABLE payment ADD COLUMN entry_description TEXT;
ALTER TABLE payment ADD COLUMN remittance TEXT;
ALTER TABLE payment ADD COLUMN settles_because TEXT;
CREATE INDEX payment_of_payee ON payment (payee_key, amount_cents, payment_id);
CREATE TRIGGER payment_words_once BEFORE UPDATE ON payment
  WHEN new.entry_description IS NOT old.entry_description OR new.remittance IS NOT old.remittance
    OR new.settles_because IS NOT old.settles_because
  BEGIN SELECT raise(ABORT, 'a payment is never rewritten'); END;

-- The debit to the office's own account that balances a batch.
CREATE TABLE offset_entry (
    file_id      INTEGER NOT NULL REFERENCES payment_file (file_id),
    batch_number INTEGER NOT NULL,
    trace_number TEXT NOT NULL UNIQUE CHECK (length(trace_number) = 15),
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    PRIMARY KEY (file_id, batch_number)
) STRICT, WITHOUT ROWID;

-- Zero-dollar entries that try out an account before money goes there.
CREATE TABLE prenote (
    prenote_id    INTEGER PRIMARY KEY,
    file_id       INTEGER NOT NULL REFERENCES payment_file (file_id),
    position      INTEGER NOT NULL,
    trace_number  TEXT NOT NULL UNIQUE CHECK (length(trace_number) = 15),
    batch_number  INTEGER NOT NULL,
    effective_entry_date TEXT NOT NULL,
    payee_key     TEXT NOT NULL,
    fingerprint   TEXT NOT NULL,
    payee_name    TEXT NOT NULL,
    routing_number TEXT NOT NULL,
    account_number TEXT NOT NULL,
    account_type  TEXT NOT NULL,
    sec_code      TEXT NOT NULL,
    -- write-once:
    returned_at   INTEGER,
    return_reason_code TEXT,
    UNIQUE (file_id, position),
    CHECK ((returned_at IS NULL) = (return_reason_code IS NULL))
) STRICT;
CREATE INDEX prenote_of_payee ON prenote (payee_key, fingerprint, prenote_id);

-- Which payee directories were seen, and since when each payee has its bank details. The details themselves are not
-- here, only their hash under the ledger's own key.
CREATE TABLE payee_fingerprint_key (
    one_row INTEGER PRIMARY KEY CHECK (one_row = 1),
    key     TEXT NOT NULL
) STRICT;
CREATE TABLE payee_directory (
    directory_id INTEGER PRIMARY KEY,
    sha256       TEXT NOT NULL,
    seen_at      INTEGER NOT NULL
) STRICT;
CREATE TABLE payee_detail (
    payee_key   TEXT NOT NULL,
    detail_id   INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    seen_at     INTEGER NOT NULL,
    baseline    INTEGER NOT NULL CHECK (baseline IN (0, 1)),  -- of the first directory that this ledger saw
    PRIMARY KEY (payee_key, detail_id)
) STRICT, WITHOUT ROWID;

-- A person let a draw pass a guard, in the circumstances that the exception named and in no others.
CREATE TABLE guard_override (
    exception_id INTEGER PRIMARY KEY REFERENCES exception (exception_id),
    draw_id      INTEGER NOT NULL,
    reason_code  TEXT NOT NULL,
    detail       TEXT NOT NULL,
    by           TEXT NOT NULL,
    at           INTEGER NOT NULL,
    reason       TEXT NOT NULL
) STRICT;
CREATE INDEX guard_override_of_draw ON guard_override (draw_id);

-- What became of everything that was Approved when a run of the pay step planned.
CREATE TABLE pay_run (
    pay_run_id INTEGER PRIMARY KEY,
    at         INTEGER NOT NULL,
    by         TEXT NOT NULL,
    approved_count  INTEGER NOT NULL, approved_cents  INTEGER NOT NULL,
    exported_count  INTEGER NOT NULL, exported_cents  INTEGER NOT NULL,
    held_count      INTEGER NOT NULL, held_cents      INTEGER NOT NULL,
    exception_count INTEGER NOT NULL, exception_cents INTEGER NOT NULL,
    unread_count    INTEGER NOT NULL,   -- could not be read afresh, and come again
    moved_on_count  INTEGER NOT NULL,   -- no longer Approved
    complete        INTEGER NOT NULL CHECK (complete = (approved_count = exported_count + held_count + exception_count
                      AND approved_cents = exported_cents + held_cents + exception_cents))
) STRICT;

CREATE TRIGGER offset_entry_no_update BEFORE UPDATE ON offset_entry BEGIN SELECT raise(ABORT, 'offset_entry is append-only'); END;
CREATE TRIGGER offset_entry_no_delete BEFORE DELETE ON offset_entry BEGIN SELECT raise(ABORT, 'offset_entry is append-only'); END;
CREATE TRIGGER prenote_once BEFORE UPDATE ON prenote
  WHEN old.returned_at IS NOT NULL OR new.returned_at IS NULL OR new.prenote_id <> old.prenote_id
    OR new.file_id <> old.file_id OR new.position <> old.position OR new.trace_number <> old.trace_number
    OR new.batch_number <> old.batch_number OR new.effective_entry_date <> old.effective_entry_date
    OR new.payee_key <> old.payee_key OR new.fingerprint <> old.fingerprint OR new.payee_name <> old.payee_name
    OR new.routing_number <> old.routing_number OR new.account_number <> old.account_number
    OR new.account_type <> old.account_type OR new.sec_code <> old.sec_code
  BEGIN SELECT raise(ABORT, 'a prenote is never rewritten'); END;
CREATE TRIGGER prenote_no_delete BEFORE DELETE ON prenote BEGIN SELECT raise(ABORT, 'a prenote is never forgotten'); END;
CREATE TRIGGER payee_directory_no_update BEFORE UPDATE ON payee_directory BEGIN SELECT raise(ABORT, 'payee_directory is append-only'); END;
CREATE TRIGGER payee_directory_no_delete BEFORE DELETE ON payee_directory BEGIN SELECT raise(ABORT, 'payee_directory is append-only'); END;
CREATE TRIGGER payee_detail_no_update BEFORE UPDATE ON payee_detail BEGIN SELECT raise(ABORT, 'payee_detail is append-only'); END;
CREATE TRIGGER payee_detail_no_delete BEFORE DELETE ON payee_detail BEGIN SELECT raise(ABORT, 'payee_detail is append-only'); END;
CREATE TRIGGER guard_override_no_update BEFORE UPDATE ON guard_override BEGIN SELECT raise(ABORT, 'guard_override is append-only'); END;
CREATE TRIGGER guard_override_no_delete BEFORE DELETE ON guard_override BEGIN SELECT raise(ABORT, 'guard_override is append-only'); END;
CREATE TRIGGER pay_run_no_update BEFORE UPDATE ON pay_run BEGIN SELECT raise(ABORT, 'pay_run is append-only'); END;
CREATE TRIGGER pay_run_no_delete BEFORE DELETE ON pay_run BEGIN SELECT raise(ABORT, 'pay_run is append-only'); END;
