-- Rule history, limits and approvals by a person.

-- Runs of the decide stage that had draws to decide: what a limit "a run" counts in. One that was cut off (no end) is
-- gone on with, under the same number, so that a restart gives no second allowance.
CREATE TABLE decide_run (
    decide_run_id INTEGER PRIMARY KEY,
    started_at    INTEGER NOT NULL,
    -- write-once:
    ended_at      INTEGER
) STRICT;
CREATE UNIQUE INDEX decide_run_open ON decide_run (ifnull(ended_at, 0)) WHERE ended_at IS NULL;
CREATE TRIGGER decide_run_once BEFORE UPDATE ON decide_run
  WHEN old.ended_at IS NOT NULL OR new.ended_at IS NULL OR new.decide_run_id <> old.decide_run_id
    OR new.started_at <> old.started_at
  BEGIN SELECT raise(ABORT, 'the end of a run is written once'); END;
CREATE TRIGGER decide_run_no_delete BEFORE DELETE ON decide_run BEGIN SELECT raise(ABORT, 'decide_run is append-only'); END;

ALTER TABLE decision ADD COLUMN decide_run_id INTEGER REFERENCES decide_run (decide_run_id);
-- When time alone may change what was decided; NULL: it stays so until the draw or the rules change.
ALTER TABLE decision ADD COLUMN decide_again_at INTEGER;

-- What limits have let through is read from the approving decisions themselves.
CREATE INDEX decision_approving ON decision (decided_at) WHERE outcome = 'approve';

-- Other draws of the same case, requester, workflow or payee. The key of payees is one of five fields, or a text field
-- that seldom is one; a field that is not used costs nothing.
CREATE INDEX draw_reading_of_case ON draw_reading (case_id, requested_date) WHERE case_id IS NOT NULL;
CREATE INDEX draw_reading_of_requester ON draw_reading (requested_by, requested_date);
CREATE INDEX draw_reading_of_workflow ON draw_reading (workflow_id, requested_date);
CREATE INDEX draw_reading_of_field_a ON draw_reading (field_a, requested_date) WHERE field_a IS NOT NULL;
CREATE INDEX draw_reading_of_field_b ON draw_reading (field_b, requested_date) WHERE field_b IS NOT NULL;
CREATE INDEX draw_reading_of_field_c ON draw_reading (field_c, requested_date) WHERE field_c IS NOT NULL;
CREATE INDEX draw_reading_of_field_d ON draw_reading (field_d, requested_date) WHERE field_d IS NOT NULL;
CREATE INDEX draw_reading_of_field_e ON draw_reading (field_e, requested_date) WHERE field_e IS NOT NULL;
