-- Alerts that go out, and what each check of the invariants found.

-- What people were told: one row for each message, whatever the ways it takes.
CREATE TABLE alert (
    alert_id  INTEGER PRIMARY KEY,
    kind      TEXT NOT NULL CHECK (kind <> ''),
    raised_at INTEGER NOT NULL,
    title     TEXT NOT NULL CHECK (title <> ''),
    text      TEXT NOT NULL,
    items     TEXT NOT NULL      -- a JSON array; no account numbers
) STRICT;
-- What a message is about: each thing is told once, for ever.
CREATE TABLE alert_item (
    source   TEXT NOT NULL CHECK (source <> ''),   -- exception, file, correction, digest, confirmation
    about_id INTEGER NOT NULL,                     -- exception_id, file_id, hold_id, the day since 1970
    alert_id INTEGER NOT NULL REFERENCES alert (alert_id),
    PRIMARY KEY (source, about_id)
) STRICT, WITHOUT ROWID;
-- The intent to send it one way; a way that is not configured has no row.
CREATE TABLE alert_delivery (
    delivery_id INTEGER PRIMARY KEY,
    alert_id    INTEGER NOT NULL REFERENCES alert (alert_id),
    channel     TEXT NOT NULL CHECK (channel = 'webhook' OR channel = 'email'),
    -- write-once:
    outcome     TEXT CHECK (outcome = 'sent' OR outcome = 'refused' OR outcome = 'dropped'),
    outcome_at  INTEGER,
    UNIQUE (alert_id, channel),
    CHECK ((outcome IS NULL) = (outcome_at IS NULL))
) STRICT;
CREATE INDEX alert_delivery_open ON alert_delivery (channel, delivery_id) WHERE outcome IS NULL;
CREATE TABLE alert_attempt (
    attempt_id  INTEGER PRIMARY KEY,
    delivery_id INTEGER NOT NULL REFERENCES alert_delivery (delivery_id),
    at          INTEGER NOT NULL,
    error       TEXT NOT NULL CHECK (error <> '')   -- only attempts that failed are kept
) STRICT;
CREATE INDEX alert_attempt_of_delivery ON alert_attempt (delivery_id, attempt_id);

-- For "nothing confirmed by" and the deadlines of corrections.
CREATE INDEX confirmation_file_by_time ON confirmation_file (recorded_at) WHERE outcome = 'applied';
CREATE INDEX payee_hold_deadline ON payee_hold (apply_by) WHERE apply_by IS NOT NULL;

-- What `verify` found, each time it was run: one row for each invariant.
CREATE TABLE invariant_check (
    check_id   INTEGER PRIMARY KEY,
    checked_at INTEGER NOT NULL,
    by         TEXT NOT NULL,
    number     INTEGER NOT NULL,
    facts      INTEGER NOT NULL,
    violations INTEGER NOT NULL
) STRICT;
CREATE INDEX invariant_check_of_number ON invariant_check (number, check_id);

CREATE TRIGGER alert_no_update BEFORE UPDATE ON alert BEGIN SELECT raise(ABORT, 'alert is append-only'); END;
CREATE TRIGGER alert_no_delete BEFORE DELETE ON alert BEGIN SELECT raise(ABORT, 'alert is append-only'); END;
CREATE TRIGGER alert_item_no_update BEFORE UPDATE ON alert_item BEGIN SELECT raise(ABORT, 'alert_item is append-only'); END;
CREATE TRIGGER alert_item_no_delete BEFORE DELETE ON alert_item BEGIN SELECT raise(ABORT, 'alert_item is append-only'); END;
CREATE TRIGGER alert_delivery_once BEFORE UPDATE ON alert_delivery
  WHEN old.outcome IS NOT NULL OR new.outcome IS NULL OR new.delivery_id <> old.delivery_id OR new.alert_id <> old.alert_id
    OR new.channel <> old.channel
  BEGIN SELECT raise(ABORT, 'the outcome of a delivery is written once'); END;
CREATE TRIGGER alert_delivery_no_delete BEFORE DELETE ON alert_delivery BEGIN SELECT raise(ABORT, 'alert_delivery is append-only'); END;
CREATE TRIGGER alert_attempt_no_update BEFORE UPDATE ON alert_attempt BEGIN SELECT raise(ABORT, 'alert_attempt is append-only'); END;
CREATE TRIGGER alert_attempt_no_delete BEFORE DELETE ON alert_attempt BEGIN SELECT raise(ABORT, 'alert_attempt is append-only'); END;
CREATE TRIGGER invariant_check_no_update BEFORE UPDATE ON invariant_check BEGIN SELECT raise(ABORT, 'invariant_check is append-only'); END;
CREATE TRIGGER invariant_check_no_delete BEFORE DELETE ON invariant_check BEGIN SELECT raise(ABORT, 'invariant_check is append-only'); END;
