-- Rule history, limits and approvals by a person.

-- A run of decisions, for limits that go by the run. One that a crash broke off is gone on with: its limits stay used up.
CREATE TABLE decide_run (
    run_id     INTEGER PRIMARY KEY,
    started_at INTEGER NOT NULL,
    -- write-once:
    ended_at   INTEGER
) STRICT;
CREATE UNIQUE INDEX decide_run_open ON decide_run ((ended_at IS NULL)) WHERE ended_at IS NULL;
CREATE TRIGGER decide_run_once BEFORE UPDATE ON decide_run
  WHEN old.ended_at IS NOT NULL OR new.run_id <> old.run_id OR new.started_at <> old.started_at
  BEGIN SELECT raise(ABORT, 'a run ends once'); END;
CREATE TRIGGER decide_run_no_delete BEFORE DELETE ON decide_run BEGIN SELECT raise(ABORT, 'decide_run is append-only'); END;

ALTER TABLE decision ADD COLUMN run_id INTEGER REFERENCES decide_run (run_id);
-- The person who decided in place of a rule; `rule` then says so in words.
ALTER TABLE decision ADD COLUMN decided_by TEXT;
CREATE INDEX decision_approving ON decision (decided_at) WHERE outcome = 'approve';
CREATE INDEX decision_of_run ON decision (run_id) WHERE run_id IS NOT NULL AND outcome = 'approve';

-- When the rules are to look at a draw again merely because time has passed. A queue, not a fact: it follows from the
-- decision and the rules, and each look moves it on.
CREATE TABLE decide_again (
    draw_id INTEGER PRIMARY KEY REFERENCES draw (draw_id),
    at      INTEGER NOT NULL
) STRICT;
CREATE INDEX decide_again_due ON decide_again (at);
