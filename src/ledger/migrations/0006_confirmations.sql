-- Returns, corrections and reissues.

-- A line may say more, and may be recorded without an effect. SQLite changes no CHECK in place, so the table is made anew
-- with the same rows.
PRAGMA legacy_alter_table = ON;
CREATE TABLE confirmation_line_new (
    line_id      INTEGER PRIMARY KEY,
    confirmation_file_id INTEGER NOT NULL REFERENCES confirmation_file (confirmation_file_id),
    line         INTEGER NOT NULL,
    payment_reference TEXT NOT NULL,
    kind         TEXT NOT NULL CHECK (kind = 'paid' OR kind = 'returned' OR kind = 'void' OR kind = 'corrected'
                                      OR kind = 'pending' OR kind = 'disputed' OR kind = 'unrelated'),
    amount_cents INTEGER NOT NULL,
    confirmed_on TEXT NOT NULL,
    outcome      TEXT NOT NULL CHECK (outcome = 'applied' OR outcome = 'duplicate' OR outcome = 'exception'
                                      OR outcome = 'recorded'),
    payment_id   INTEGER REFERENCES payment (payment_id),
    reason_code  TEXT NOT NULL,
    detail       TEXT NOT NULL,
    currency     TEXT NOT NULL,
    bank_code    TEXT NOT NULL,   -- R03, C01, AC04; empty: none given
    CHECK (outcome <> 'applied' OR (payment_id IS NOT NULL AND (kind = 'paid' OR kind = 'returned' OR kind = 'void')))
) STRICT;
INSERT INTO confirmation_line_new SELECT *, 'USD', '' FROM confirmation_line;
DROP TABLE confirmation_line;
ALTER TABLE confirmation_line_new RENAME TO confirmation_line;
PRAGMA legacy_alter_table = OFF;
CREATE INDEX confirmation_line_of_file ON confirmation_line (confirmation_file_id, line);
CREATE INDEX confirmation_line_of_payment ON confirmation_line (payment_id) WHERE payment_id IS NOT NULL;
CREATE TRIGGER confirmation_line_no_update BEFORE UPDATE ON confirmation_line BEGIN SELECT raise(ABORT, 'confirmation_line is append-only'); END;
CREATE TRIGGER confirmation_line_no_delete BEFORE DELETE ON confirmation_line BEGIN SELECT raise(ABORT, 'confirmation_line is append-only'); END;

-- Details to which nothing more is paid: a return said that the account is bad, or a notification of change that they are
-- out of date. It holds as long as a payee has just these details; the details themselves are kept as a hash only.
CREATE TABLE payee_hold (
    hold_id     INTEGER PRIMARY KEY,
    payment_id  INTEGER NOT NULL REFERENCES payment (payment_id),
    line_id     INTEGER NOT NULL REFERENCES confirmation_line (line_id),
    code        TEXT NOT NULL,
    is_return   INTEGER NOT NULL CHECK (is_return IN (0, 1)),
    payee_key   TEXT NOT NULL,
    fingerprint TEXT,             -- of the account; NULL: the name is what is wrong
    payee_name  TEXT,
    apply_by    TEXT,             -- a correction: six banking days
    recorded_at INTEGER NOT NULL,
    CHECK ((fingerprint IS NULL) <> (payee_name IS NULL))
) STRICT;
CREATE INDEX payee_hold_of_account ON payee_hold (fingerprint) WHERE fingerprint IS NOT NULL;
CREATE INDEX payee_hold_of_payee ON payee_hold (payee_key);
CREATE TRIGGER payee_hold_no_update BEFORE UPDATE ON payee_hold BEGIN SELECT raise(ABORT, 'payee_hold is append-only'); END;
CREATE TRIGGER payee_hold_no_delete BEFORE DELETE ON payee_hold BEGIN SELECT raise(ABORT, 'payee_hold is append-only'); END;

-- Deceased, frozen, sanctioned: it holds as long as the exception 'case_stopped' about that payment is open.
CREATE TABLE case_stop (
    stop_id     INTEGER PRIMARY KEY,
    payment_id  INTEGER NOT NULL UNIQUE REFERENCES payment (payment_id),
    case_id     INTEGER,
    payee_key   TEXT NOT NULL,
    code        TEXT NOT NULL,
    recorded_at INTEGER NOT NULL
) STRICT;
CREATE INDEX case_stop_of_case ON case_stop (case_id) WHERE case_id IS NOT NULL;
CREATE INDEX case_stop_of_payee ON case_stop (payee_key);
CREATE TRIGGER case_stop_no_update BEFORE UPDATE ON case_stop BEGIN SELECT raise(ABORT, 'case_stop is append-only'); END;
CREATE TRIGGER case_stop_no_delete BEFORE DELETE ON case_stop BEGIN SELECT raise(ABORT, 'case_stop is append-only'); END;

-- A person's order to pay a draw again whose payment came back: one for each payment that did.
CREATE TABLE reissue_order (
    order_id   INTEGER PRIMARY KEY,
    draw_id    INTEGER NOT NULL REFERENCES draw (draw_id),
    payment_id INTEGER NOT NULL UNIQUE REFERENCES payment (payment_id),
    ordered_at INTEGER NOT NULL,
    ordered_by TEXT NOT NULL,
    reason     TEXT NOT NULL CHECK (reason <> '')
) STRICT;
CREATE INDEX reissue_order_of_draw ON reissue_order (draw_id);
CREATE TRIGGER reissue_order_after_end BEFORE INSERT ON reissue_order
  WHEN NOT EXISTS (SELECT 1 FROM payment p WHERE p.payment_id = new.payment_id AND p.draw_id = new.draw_id
                   AND p.ended_at IS NOT NULL)
  BEGIN SELECT raise(ABORT, 'a draw is paid again only after its payment ended'); END;
CREATE TRIGGER reissue_order_no_update BEFORE UPDATE ON reissue_order BEGIN SELECT raise(ABORT, 'reissue_order is append-only'); END;
CREATE TRIGGER reissue_order_no_delete BEFORE DELETE ON reissue_order BEGIN SELECT raise(ABORT, 'reissue_order is append-only'); END;

-- A patch whose date never reached the service makes room for that of the payment which took its place.
ALTER TABLE outbox ADD COLUMN withdrawn_at INTEGER;
DROP INDEX outbox_of_draw;
DROP INDEX outbox_open;
-- Invariant 8: one value for a draw.
CREATE UNIQUE INDEX outbox_of_draw ON outbox (draw_id) WHERE withdrawn_at IS NULL;
CREATE INDEX outbox_open ON outbox (patch_id) WHERE outcome IS NULL AND withdrawn_at IS NULL;
CREATE INDEX outbox_all_of_draw ON outbox (draw_id, patch_id);
DROP TRIGGER outbox_once;
CREATE TRIGGER outbox_once BEFORE UPDATE ON outbox
  WHEN old.outcome IS NOT NULL OR old.withdrawn_at IS NOT NULL OR (new.outcome IS NULL) = (new.withdrawn_at IS NULL)
    OR new.patch_id <> old.patch_id OR new.draw_id <> old.draw_id OR new.payment_id <> old.payment_id
    OR new.disbursed_date <> old.disbursed_date OR new.created_at <> old.created_at
  BEGIN SELECT raise(ABORT, 'the outcome of a patch is written once'); END;

-- A draw that is to be paid again is no longer 'returned'; one that was reported stays so when it is paid again.
DROP VIEW draw_state;
CREATE VIEW draw_state AS
SELECT d.draw_id, d.reading_id, d.status, r.workflow_id, r.case_id, r.case_name,
       live.payment_id,
       coalesce(live.amount_cents, r.amount_approved_cents, r.amount_requested_cents) AS amount_cents,
       CASE
         WHEN live.payment_id IS NOT NULL THEN
           CASE
             WHEN NOT EXISTS (SELECT 1 FROM payment_settlement s WHERE s.payment_id = live.payment_id AND s.kind = 'paid')
               THEN 'paying'
             WHEN EXISTS (SELECT 1 FROM outbox o WHERE o.draw_id = d.draw_id AND o.outcome IN ('accepted', 'already_there')) THEN 'reported'
             WHEN d.status = 5 THEN 'disbursed'
             ELSE 'paid'
           END
         WHEN d.status = 2 THEN 'cancelled'
         WHEN EXISTS (SELECT 1 FROM payment p JOIN payment_file f ON f.file_id = p.file_id
                      WHERE p.draw_id = d.draw_id AND f.voided_at IS NULL AND NOT EXISTS
                        (SELECT 1 FROM reissue_order o WHERE o.payment_id = p.payment_id)) THEN 'returned'
         WHEN d.status = 5 AND NOT EXISTS (SELECT 1 FROM reissue_order o WHERE o.draw_id = d.draw_id) THEN 'external'
         WHEN d.status = 4 OR d.status = 5 OR (d.status = 3 AND EXISTS (
                SELECT 1 FROM approval_item i JOIN decision c ON c.decision_id = i.decision_id
                WHERE i.draw_id = d.draw_id AND c.reading_id = d.reading_id AND i.outcome = 'approved')) THEN
           CASE WHEN EXISTS (SELECT 1 FROM exception e
                             WHERE e.draw_id = d.draw_id AND e.step = 'pay' AND e.closed_at IS NULL)
                THEN 'blocked' ELSE 'approved' END
         WHEN d.status = 3 THEN
           CASE
             WHEN EXISTS (SELECT 1 FROM approval_item i WHERE i.draw_id = d.draw_id AND i.outcome IS NULL) THEN 'approving'
             ELSE coalesce((SELECT CASE WHEN c.outcome = 'hold' THEN 'held'
                                        WHEN EXISTS (SELECT 1 FROM approval_item i WHERE i.decision_id = c.decision_id
                                                       AND i.outcome IN ('refused', 'abandoned')) THEN 'held'
                                        ELSE 'approving' END
                            FROM decision c WHERE c.draw_id = d.draw_id AND c.reading_id = d.reading_id
                            ORDER BY c.decision_id DESC LIMIT 1), 'pending')
           END
         WHEN d.status IN (0, 1) THEN 'pending'
         ELSE 'held'
       END AS state,
       r.read_at AS since
FROM draw d
JOIN draw_reading r ON r.reading_id = d.reading_id
LEFT JOIN payment live ON live.draw_id = d.draw_id AND live.ended_at IS NULL;
