-- Totals of the states, so that a question about all draws walks none of them. They follow from the facts by the view
-- draw_state and are changed in the transaction of the fact; `verify` counts everything anew and compares.

-- Of each state, and in the row 'seen' of every draw.
CREATE TABLE state_total (
    state          TEXT PRIMARY KEY,
    draws          INTEGER NOT NULL,
    cents          INTEGER NOT NULL,
    without_amount INTEGER NOT NULL      -- draws whose amounts are all null
) STRICT, WITHOUT ROWID;
-- How many draws of a state were last read at that moment.
CREATE TABLE state_age (
    state TEXT NOT NULL,
    since INTEGER NOT NULL,
    draws INTEGER NOT NULL,
    PRIMARY KEY (state, since)
) STRICT, WITHOUT ROWID;
-- Draws that the running transaction changes, as they are counted. What they are then is counted before it commits, and
-- the rows go.
CREATE TABLE draw_moved (
    draw_id      INTEGER PRIMARY KEY,
    state        TEXT,                   -- NULL: in none yet
    amount_cents INTEGER,
    since        INTEGER
) STRICT;

INSERT INTO state_total
    SELECT state, count(*), ifnull(sum(amount_cents), 0), sum(amount_cents IS NULL) FROM draw_state GROUP BY state;
INSERT INTO state_total
    SELECT 'seen', ifnull(sum(draws), 0), ifnull(sum(cents), 0), ifnull(sum(without_amount), 0) FROM state_total;
INSERT INTO state_age SELECT state, since, count(*) FROM draw_state GROUP BY state, since;

-- Every fact that the view looks at, but for two that come by the hundred thousand: who records a new draw counts it, and
-- who records a payment does first what these triggers do (with one, SQLite would keep a journal for each insert).
CREATE TRIGGER draw_moves BEFORE UPDATE OF reading_id, status ON draw BEGIN
  INSERT INTO draw_moved SELECT s.draw_id, s.state, s.amount_cents, s.since FROM draw_state s
    WHERE s.draw_id = new.draw_id AND NOT EXISTS (SELECT 1 FROM draw_moved m WHERE m.draw_id = new.draw_id);
END;
CREATE TRIGGER draw_moves_by_decision BEFORE INSERT ON decision BEGIN
  INSERT INTO draw_moved SELECT s.draw_id, s.state, s.amount_cents, s.since FROM draw_state s
    WHERE s.draw_id = new.draw_id AND NOT EXISTS (SELECT 1 FROM draw_moved m WHERE m.draw_id = new.draw_id);
END;
CREATE TRIGGER draw_moves_by_call BEFORE INSERT ON approval_item BEGIN
  INSERT INTO draw_moved SELECT s.draw_id, s.state, s.amount_cents, s.since FROM draw_state s
    WHERE s.draw_id = new.draw_id AND NOT EXISTS (SELECT 1 FROM draw_moved m WHERE m.draw_id = new.draw_id);
END;
CREATE TRIGGER draw_moves_by_answer BEFORE UPDATE OF outcome ON approval_item BEGIN
  INSERT INTO draw_moved SELECT s.draw_id, s.state, s.amount_cents, s.since FROM draw_state s
    WHERE s.draw_id = new.draw_id AND NOT EXISTS (SELECT 1 FROM draw_moved m WHERE m.draw_id = new.draw_id);
END;
CREATE TRIGGER draw_moves_by_end BEFORE UPDATE OF ended_at ON payment BEGIN
  INSERT INTO draw_moved SELECT s.draw_id, s.state, s.amount_cents, s.since FROM draw_state s
    WHERE s.draw_id = new.draw_id AND NOT EXISTS (SELECT 1 FROM draw_moved m WHERE m.draw_id = new.draw_id);
END;
CREATE TRIGGER draw_moves_by_void BEFORE UPDATE OF voided_at ON payment_file WHEN new.voided_at IS NOT old.voided_at BEGIN
  INSERT INTO draw_moved SELECT s.draw_id, s.state, s.amount_cents, s.since
    FROM (SELECT DISTINCT p.draw_id FROM payment p WHERE p.file_id = new.file_id) v
    CROSS JOIN draw_state s ON s.draw_id = v.draw_id
    WHERE NOT EXISTS (SELECT 1 FROM draw_moved m WHERE m.draw_id = v.draw_id);
END;
CREATE TRIGGER draw_moves_by_settlement BEFORE INSERT ON settlement BEGIN
  INSERT INTO draw_moved SELECT s.draw_id, s.state, s.amount_cents, s.since
    FROM payment p CROSS JOIN draw_state s ON s.draw_id = p.draw_id
    WHERE p.payment_id = new.payment_id AND NOT EXISTS (SELECT 1 FROM draw_moved m WHERE m.draw_id = p.draw_id);
END;
CREATE TRIGGER draw_moves_by_undoing BEFORE UPDATE OF undone_at ON settlement BEGIN
  INSERT INTO draw_moved SELECT s.draw_id, s.state, s.amount_cents, s.since
    FROM payment p CROSS JOIN draw_state s ON s.draw_id = p.draw_id
    WHERE p.payment_id = new.payment_id AND NOT EXISTS (SELECT 1 FROM draw_moved m WHERE m.draw_id = p.draw_id);
END;
CREATE TRIGGER draw_moves_by_reissue BEFORE INSERT ON reissue_order BEGIN
  INSERT INTO draw_moved SELECT s.draw_id, s.state, s.amount_cents, s.since FROM draw_state s
    WHERE s.draw_id = new.draw_id AND NOT EXISTS (SELECT 1 FROM draw_moved m WHERE m.draw_id = new.draw_id);
END;
CREATE TRIGGER draw_moves_by_report BEFORE UPDATE OF outcome ON outbox BEGIN
  INSERT INTO draw_moved SELECT s.draw_id, s.state, s.amount_cents, s.since FROM draw_state s
    WHERE s.draw_id = new.draw_id AND NOT EXISTS (SELECT 1 FROM draw_moved m WHERE m.draw_id = new.draw_id);
END;
CREATE TRIGGER draw_moves_by_old_report BEFORE INSERT ON outbox WHEN new.outcome IS NOT NULL BEGIN
  INSERT INTO draw_moved SELECT s.draw_id, s.state, s.amount_cents, s.since FROM draw_state s
    WHERE s.draw_id = new.draw_id AND NOT EXISTS (SELECT 1 FROM draw_moved m WHERE m.draw_id = new.draw_id);
END;
CREATE TRIGGER draw_moves_by_exception BEFORE INSERT ON exception WHEN new.step = 'pay' AND new.draw_id IS NOT NULL BEGIN
  INSERT INTO draw_moved SELECT s.draw_id, s.state, s.amount_cents, s.since FROM draw_state s
    WHERE s.draw_id = new.draw_id AND NOT EXISTS (SELECT 1 FROM draw_moved m WHERE m.draw_id = new.draw_id);
END;
CREATE TRIGGER draw_moves_by_closing BEFORE UPDATE OF closed_at ON exception
  WHEN new.step = 'pay' AND new.draw_id IS NOT NULL BEGIN
  INSERT INTO draw_moved SELECT s.draw_id, s.state, s.amount_cents, s.since FROM draw_state s
    WHERE s.draw_id = new.draw_id AND NOT EXISTS (SELECT 1 FROM draw_moved m WHERE m.draw_id = new.draw_id);
END;

-- Whether a run changed anything but its own rows here. Those that did not are forgotten after a time, and so are polls
-- that found nothing; what an earlier program recorded counts as a change.
ALTER TABLE step_run ADD COLUMN changed INTEGER NOT NULL DEFAULT 1 CHECK (changed IN (0, 1));
CREATE INDEX step_run_idle ON step_run (ended_at) WHERE changed = 0;
CREATE INDEX poll_sweep_idle ON poll_sweep (completed_at) WHERE kind = 'incremental' AND draws_changed = 0;
CREATE TRIGGER step_run_no_update BEFORE UPDATE ON step_run BEGIN SELECT raise(ABORT, 'a run is never rewritten'); END;
CREATE TRIGGER step_run_only_idle BEFORE DELETE ON step_run WHEN old.changed <> 0
  BEGIN SELECT raise(ABORT, 'a run that changed something is never forgotten'); END;
CREATE TRIGGER poll_sweep_no_update BEFORE UPDATE ON poll_sweep BEGIN SELECT raise(ABORT, 'a sweep is never rewritten'); END;
CREATE TRIGGER poll_sweep_only_idle BEFORE DELETE ON poll_sweep WHEN old.kind <> 'incremental' OR old.draws_changed <> 0
  BEGIN SELECT raise(ABORT, 'a sweep that found something is never forgotten'); END;
