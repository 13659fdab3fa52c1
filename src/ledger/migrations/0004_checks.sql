-- Orders to void or stop a check that has gone out, and the files that carry them to the bank.
-- A file of check orders has no payments of its own: its lines are orders about payments of other files.
ALTER TABLE payment_file ADD COLUMN kind TEXT NOT NULL DEFAULT 'payments'
    CHECK (kind = 'payments' OR kind = 'check_orders');
CREATE TRIGGER payment_file_kind_once BEFORE UPDATE OF kind ON payment_file WHEN new.kind <> old.kind
  BEGIN SELECT raise(ABORT, 'a payment file is never rewritten'); END;

CREATE TABLE check_order (
    order_id   INTEGER PRIMARY KEY,
    payment_id INTEGER NOT NULL REFERENCES payment (payment_id),
    action     TEXT NOT NULL CHECK (action IN ('void', 'stop')),
    ordered_at INTEGER NOT NULL,
    ordered_by TEXT NOT NULL,
    reason     TEXT NOT NULL CHECK (reason <> ''),
    -- write-once, one or the other:
    withdrawn_at INTEGER,
    withdrawn_by TEXT,
    withdrawn_reason TEXT,
    transmitted_at INTEGER,    -- its file was released: the payment has ended
    CHECK ((withdrawn_at IS NULL) = (withdrawn_by IS NULL) AND (withdrawn_at IS NULL) = (withdrawn_reason IS NULL)),
    CHECK (withdrawn_at IS NULL OR transmitted_at IS NULL)
) STRICT;
-- One order for a check at a time, and none after one that was transmitted.
CREATE UNIQUE INDEX check_order_live ON check_order (payment_id) WHERE withdrawn_at IS NULL;
CREATE INDEX check_order_of_payment ON check_order (payment_id, order_id);
CREATE INDEX check_order_open ON check_order (order_id) WHERE withdrawn_at IS NULL AND transmitted_at IS NULL;

-- A file that is voided before its release gives its orders back; they then stand in the next one.
CREATE TABLE check_order_line (
    file_id  INTEGER NOT NULL REFERENCES payment_file (file_id),
    position INTEGER NOT NULL,
    order_id INTEGER NOT NULL REFERENCES check_order (order_id),
    PRIMARY KEY (file_id, position),
    UNIQUE (order_id, file_id)
) STRICT, WITHOUT ROWID;

-- Checks that are out: neither ended nor reported.
CREATE INDEX payment_outstanding_check ON payment (check_date)
    WHERE rail = 'check' AND ended_at IS NULL AND finished_at IS NULL;
CREATE INDEX exception_of_payment ON exception (payment_id, reason_code) WHERE payment_id IS NOT NULL;

CREATE TRIGGER check_order_once BEFORE UPDATE ON check_order
  WHEN old.withdrawn_at IS NOT NULL OR old.transmitted_at IS NOT NULL OR new.order_id <> old.order_id
    OR new.payment_id <> old.payment_id OR new.action <> old.action OR new.ordered_at <> old.ordered_at
    OR new.ordered_by <> old.ordered_by OR new.reason <> old.reason
  BEGIN SELECT raise(ABORT, 'an order about a check ends once and is never rewritten'); END;
CREATE TRIGGER check_order_no_delete BEFORE DELETE ON check_order BEGIN SELECT raise(ABORT, 'check_order is append-only'); END;
CREATE TRIGGER check_order_line_no_update BEFORE UPDATE ON check_order_line BEGIN SELECT raise(ABORT, 'check_order_line is append-only'); END;
CREATE TRIGGER check_order_line_no_delete BEFORE DELETE ON check_order_line BEGIN SELECT raise(ABORT, 'check_order_line is append-only'); END;
