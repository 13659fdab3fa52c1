-- Proposals, undone resolutions, settlement by time, write-back.

-- What else a line says, for the person who looks for the payment that it means.
ALTER TABLE confirmation_line ADD COLUMN payee_name TEXT NOT NULL DEFAULT '';
ALTER TABLE confirmation_line ADD COLUMN more_references TEXT NOT NULL DEFAULT '';  -- "trace_number 0910…", one a row
ALTER TABLE confirmation_line ADD COLUMN note TEXT NOT NULL DEFAULT '';

-- What the bank's evidence, a person's word about it, or time without a return made of a payment. What a person said can
-- be taken back; each kind is in force at most once.
CREATE TABLE settlement (
    settlement_id INTEGER PRIMARY KEY,
    payment_id   INTEGER NOT NULL REFERENCES payment (payment_id),
    kind         TEXT NOT NULL CHECK (kind = 'paid' OR kind = 'returned' OR kind = 'void'),
    source       TEXT NOT NULL CHECK (source = 'line' OR source = 'person' OR source = 'time'),
    line_id      INTEGER REFERENCES confirmation_line (line_id),
    confirmed_on TEXT NOT NULL,
    recorded_at  INTEGER NOT NULL,
    exception_id INTEGER REFERENCES exception (exception_id),   -- of a person: the case that was resolved
    -- write-once:
    undone_at    INTEGER,
    CHECK ((source = 'time') = (line_id IS NULL)),
    CHECK ((source = 'person') = (exception_id IS NOT NULL)),
    CHECK (source <> 'time' OR kind = 'paid'),
    CHECK (undone_at IS NULL OR source = 'person')
) STRICT;
INSERT INTO settlement (payment_id, kind, source, line_id, confirmed_on, recorded_at)
    SELECT payment_id, kind, 'line', line_id, confirmed_on, recorded_at FROM payment_settlement;
DROP TABLE payment_settlement;
CREATE UNIQUE INDEX settlement_in_force ON settlement (payment_id, kind) WHERE undone_at IS NULL;
CREATE INDEX settlement_of_payment ON settlement (payment_id);
CREATE INDEX settlement_of_line ON settlement (line_id) WHERE line_id IS NOT NULL;
CREATE INDEX settlement_of_exception ON settlement (exception_id) WHERE exception_id IS NOT NULL;
CREATE VIEW payment_settlement AS
    SELECT payment_id, kind, line_id, confirmed_on, recorded_at, source FROM settlement WHERE undone_at IS NULL;
CREATE TRIGGER settlement_once BEFORE UPDATE ON settlement
  WHEN old.undone_at IS NOT NULL OR new.undone_at IS NULL OR new.settlement_id <> old.settlement_id
    OR new.payment_id <> old.payment_id OR new.kind <> old.kind OR new.source <> old.source
    OR new.line_id IS NOT old.line_id OR new.confirmed_on <> old.confirmed_on OR new.recorded_at <> old.recorded_at
    OR new.exception_id IS NOT old.exception_id
  BEGIN SELECT raise(ABORT, 'a settlement is taken back once and never rewritten'); END;
CREATE TRIGGER settlement_no_delete BEFORE DELETE ON settlement BEGIN SELECT raise(ABORT, 'settlement is append-only'); END;

-- Which lines an exception is about.
CREATE TABLE line_exception (
    exception_id INTEGER NOT NULL REFERENCES exception (exception_id),
    line_id      INTEGER NOT NULL REFERENCES confirmation_line (line_id),
    PRIMARY KEY (exception_id, line_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX line_exception_of_line ON line_exception (line_id);
INSERT INTO line_exception (exception_id, line_id)
    SELECT e.exception_id, l.line_id FROM confirmation_line l
    JOIN confirmation_file f ON f.confirmation_file_id = l.confirmation_file_id
    JOIN exception e ON e.subject <> '' AND e.step = 'confirm' AND e.payment_id IS l.payment_id
     AND e.subject = f.name || ' (' || substr(f.sha256, 1, 12) || ') line ' || l.line
    WHERE l.outcome <> 'duplicate';
CREATE TRIGGER line_exception_no_update BEFORE UPDATE ON line_exception BEGIN SELECT raise(ABORT, 'line_exception is append-only'); END;
CREATE TRIGGER line_exception_no_delete BEFORE DELETE ON line_exception BEGIN SELECT raise(ABORT, 'line_exception is append-only'); END;

-- A person took back how an exception was resolved; the case was opened anew.
CREATE TABLE resolution_undo (
    exception_id INTEGER PRIMARY KEY REFERENCES exception (exception_id),
    at     INTEGER NOT NULL,
    by     TEXT NOT NULL,
    reason TEXT NOT NULL CHECK (reason <> '')
) STRICT;
CREATE TRIGGER resolution_undo_no_update BEFORE UPDATE ON resolution_undo BEGIN SELECT raise(ABORT, 'resolution_undo is append-only'); END;
CREATE TRIGGER resolution_undo_no_delete BEFORE DELETE ON resolution_undo BEGIN SELECT raise(ABORT, 'resolution_undo is append-only'); END;

-- A payment ends once; it lives again only where a person took back the very return that ended it, and nothing was built
-- on its end: no order to pay again, no void of ours at the bank.
CREATE TRIGGER payment_ends_once BEFORE UPDATE OF ended_at, finished_at ON payment
  WHEN (old.ended_at IS NOT NULL AND new.ended_at IS NOT old.ended_at
        OR old.finished_at IS NOT NULL AND new.finished_at IS NOT old.finished_at)
    AND NOT (new.ended_at IS NULL AND (new.finished_at IS old.finished_at OR (new.finished_at IS NULL AND old.finished_at = old.ended_at))
      AND EXISTS (SELECT 1 FROM settlement s WHERE s.payment_id = old.payment_id AND s.kind <> 'paid' AND s.undone_at IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM settlement s WHERE s.payment_id = old.payment_id AND s.kind <> 'paid' AND s.undone_at IS NULL)
      AND NOT EXISTS (SELECT 1 FROM reissue_order r WHERE r.payment_id = old.payment_id)
      AND NOT EXISTS (SELECT 1 FROM check_order o WHERE o.payment_id = old.payment_id AND o.transmitted_at IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM payment_file f WHERE f.file_id = old.file_id AND f.voided_at IS NOT NULL))
  BEGIN SELECT raise(ABORT, 'a payment ends once'); END;
DROP TRIGGER payment_once;
CREATE TRIGGER payment_once BEFORE UPDATE ON payment
  WHEN new.payment_id <> old.payment_id OR new.file_id <> old.file_id OR new.position <> old.position OR new.draw_id <> old.draw_id
    OR new.reading_id <> old.reading_id OR new.rail <> old.rail OR new.amount_cents <> old.amount_cents
    OR new.trace_number IS NOT old.trace_number OR new.check_number IS NOT old.check_number
    OR new.batch_number <> old.batch_number OR new.effective_entry_date IS NOT old.effective_entry_date
    OR new.check_date IS NOT old.check_date OR new.payee_key <> old.payee_key OR new.payee_name <> old.payee_name
    OR new.routing_number IS NOT old.routing_number OR new.account_number IS NOT old.account_number
    OR new.account_type IS NOT old.account_type OR new.sec_code IS NOT old.sec_code
    OR new.address1 <> old.address1 OR new.address2 <> old.address2 OR new.city <> old.city OR new.state <> old.state
    OR new.zip <> old.zip
  BEGIN SELECT raise(ABORT, 'a payment is never rewritten'); END;

-- Candidates for a line that fits none exactly; credits that nothing was heard of.
CREATE INDEX payment_live_of_amount ON payment (amount_cents, payment_id) WHERE ended_at IS NULL;
CREATE INDEX payment_unconfirmed_ach ON payment (effective_entry_date) WHERE rail = 'ach' AND ended_at IS NULL AND finished_at IS NULL;

-- A correction holds as long as the payee still has the very field that the bank corrects; NULL: the account as a whole.
ALTER TABLE payee_hold ADD COLUMN field TEXT
    CHECK (field IS NULL OR field = 'routing_number' OR field = 'account_number' OR field = 'account_type');

-- Texts that go into the draw's own fields when a payment goes out, is confirmed, or comes back. The intent is made in
-- the transaction of the fact itself, where the event is armed: written by the configuration that runs.
CREATE TABLE write_back_armed (
    event TEXT PRIMARY KEY CHECK (event IN ('export', 'confirmation', 'return')),
    since INTEGER NOT NULL
) STRICT;
CREATE TABLE write_back (
    write_back_id INTEGER PRIMARY KEY,
    draw_id    INTEGER NOT NULL REFERENCES draw (draw_id),
    payment_id INTEGER NOT NULL REFERENCES payment (payment_id),
    event     TEXT NOT NULL CHECK (event = 'export' OR event = 'confirmation' OR event = 'return'),
    settlement_id INTEGER REFERENCES settlement (settlement_id),   -- what is told; NULL: the file that went out
    created_at INTEGER NOT NULL,
    -- write-once:
    finished_at INTEGER
) STRICT;
CREATE UNIQUE INDEX write_back_once_told ON write_back (payment_id, event, ifnull(settlement_id, 0));
CREATE INDEX write_back_open ON write_back (write_back_id) WHERE finished_at IS NULL;
CREATE INDEX write_back_open_of_draw ON write_back (draw_id, write_back_id) WHERE finished_at IS NULL;
CREATE INDEX write_back_of_draw ON write_back (draw_id, write_back_id);
-- The texts, as they are sent; written before anything is.
CREATE TABLE write_back_field (
    write_back_id INTEGER NOT NULL REFERENCES write_back (write_back_id),
    field   TEXT NOT NULL,
    value   TEXT NOT NULL,
    -- write-once:
    outcome TEXT CHECK (outcome = 'written' OR outcome = 'already_there' OR outcome = 'refused' OR outcome = 'overtaken'),
    outcome_at INTEGER,
    detail  TEXT,
    shown   TEXT,    -- what the service showed afterwards, where it shows the field
    PRIMARY KEY (write_back_id, field),
    CHECK ((outcome IS NULL) = (outcome_at IS NULL))
) STRICT, WITHOUT ROWID;
CREATE TABLE write_back_attempt (
    attempt_id    INTEGER PRIMARY KEY,
    write_back_id INTEGER NOT NULL REFERENCES write_back (write_back_id),
    at      INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    detail  TEXT NOT NULL
) STRICT;
CREATE INDEX write_back_attempt_of ON write_back_attempt (write_back_id, attempt_id);
CREATE TRIGGER write_back_at_export AFTER UPDATE OF released_at ON payment_file
  WHEN old.released_at IS NULL AND new.released_at IS NOT NULL AND EXISTS (SELECT 1 FROM write_back_armed WHERE event = 'export')
  BEGIN
    INSERT INTO write_back (draw_id, payment_id, event, created_at)
      SELECT p.draw_id, p.payment_id, 'export', new.released_at FROM payment p WHERE p.file_id = new.file_id ORDER BY p.position;
  END;
CREATE TRIGGER write_back_at_settlement AFTER INSERT ON settlement
  WHEN EXISTS (SELECT 1 FROM write_back_armed WHERE event = CASE new.kind WHEN 'paid' THEN 'confirmation' ELSE 'return' END)
  BEGIN
    INSERT INTO write_back (draw_id, payment_id, event, settlement_id, created_at)
      SELECT p.draw_id, p.payment_id, CASE new.kind WHEN 'paid' THEN 'confirmation' ELSE 'return' END, new.settlement_id, new.recorded_at
      FROM payment p WHERE p.payment_id = new.payment_id;
  END;
CREATE TRIGGER write_back_at_void AFTER UPDATE OF transmitted_at ON check_order
  WHEN old.transmitted_at IS NULL AND new.transmitted_at IS NOT NULL AND EXISTS (SELECT 1 FROM write_back_armed WHERE event = 'return')
  BEGIN
    INSERT INTO write_back (draw_id, payment_id, event, created_at)
      SELECT p.draw_id, p.payment_id, 'return', new.transmitted_at FROM payment p WHERE p.payment_id = new.payment_id
        AND NOT EXISTS (SELECT 1 FROM write_back w WHERE w.payment_id = p.payment_id AND w.event = 'return');
  END;
CREATE TRIGGER write_back_once BEFORE UPDATE ON write_back
  WHEN old.finished_at IS NOT NULL OR new.finished_at IS NULL OR new.write_back_id <> old.write_back_id
    OR new.draw_id <> old.draw_id OR new.payment_id <> old.payment_id OR new.event <> old.event
    OR new.settlement_id IS NOT old.settlement_id OR new.created_at <> old.created_at
  BEGIN SELECT raise(ABORT, 'a write-back ends once'); END;
CREATE TRIGGER write_back_no_delete BEFORE DELETE ON write_back BEGIN SELECT raise(ABORT, 'write_back is append-only'); END;
CREATE TRIGGER write_back_field_once BEFORE UPDATE ON write_back_field
  WHEN old.outcome IS NOT NULL OR new.outcome IS NULL OR new.write_back_id <> old.write_back_id OR new.field <> old.field
    OR new.value <> old.value
  BEGIN SELECT raise(ABORT, 'the outcome of a field is written once'); END;
CREATE TRIGGER write_back_field_no_delete BEFORE DELETE ON write_back_field BEGIN SELECT raise(ABORT, 'write_back_field is append-only'); END;
CREATE TRIGGER write_back_attempt_no_update BEFORE UPDATE ON write_back_attempt BEGIN SELECT raise(ABORT, 'write_back_attempt is append-only'); END;
CREATE TRIGGER write_back_attempt_no_delete BEFORE DELETE ON write_back_attempt BEGIN SELECT raise(ABORT, 'write_back_attempt is append-only'); END;
