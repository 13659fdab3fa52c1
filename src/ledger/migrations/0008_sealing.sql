-- Sealed account numbers; a single payment that a person voided.

-- By which the ledger knows the key that it is sealed with; the newest row is in force. Never the key itself.
CREATE TABLE sealing_key (
    key_id      INTEGER PRIMARY KEY,
    check_value TEXT NOT NULL,
    sealed_at   INTEGER NOT NULL,
    -- write-once: what stood in the file before it was sealed has been overwritten
    cleaned_at  INTEGER
) STRICT;
CREATE TRIGGER sealing_key_once BEFORE UPDATE ON sealing_key
  WHEN old.cleaned_at IS NOT NULL OR new.cleaned_at IS NULL OR new.key_id <> old.key_id
    OR new.check_value <> old.check_value OR new.sealed_at <> old.sealed_at
  BEGIN SELECT raise(ABORT, 'sealing_key is append-only'); END;
CREATE TRIGGER sealing_key_no_delete BEFORE DELETE ON sealing_key BEGIN SELECT raise(ABORT, 'sealing_key is append-only'); END;

-- What must be sealed gets into the ledger in no other form. (Payments have no such trigger: with one, SQLite would keep a
-- journal for each of their inserts. `verify` names one that is not sealed.)
CREATE TRIGGER prenote_sealed BEFORE INSERT ON prenote WHEN substr(new.account_number, 1, 7) <> 'sealed:'
  BEGIN SELECT raise(ABORT, 'an account number is sealed before it is recorded'); END;
CREATE TRIGGER payment_file_sealed BEFORE INSERT ON payment_file WHEN substr(new.profile, 1, 7) <> 'sealed:'
  BEGIN SELECT raise(ABORT, 'a bank profile is sealed before it is recorded'); END;
CREATE TRIGGER payee_fingerprint_key_sealed BEFORE INSERT ON payee_fingerprint_key WHEN substr(new.key, 1, 7) <> 'sealed:'
  BEGIN SELECT raise(ABORT, 'the key of fingerprints is sealed before it is recorded'); END;
CREATE TRIGGER payee_fingerprint_key_no_update BEFORE UPDATE ON payee_fingerprint_key
  BEGIN SELECT raise(ABORT, 'payee_fingerprint_key is append-only'); END;
CREATE TRIGGER payee_fingerprint_key_no_delete BEFORE DELETE ON payee_fingerprint_key
  BEGIN SELECT raise(ABORT, 'payee_fingerprint_key is append-only'); END;

-- A person voided this payment before it went out (its whole file was: a file is never changed). Its draw is held until a
-- person settles the exception.
CREATE TABLE payment_void (
    payment_id INTEGER PRIMARY KEY REFERENCES payment (payment_id),
    draw_id    INTEGER NOT NULL REFERENCES draw (draw_id),
    voided_at  INTEGER NOT NULL,
    voided_by  TEXT NOT NULL,
    reason     TEXT NOT NULL CHECK (reason <> ''),
    -- write-once:
    lifted_at  INTEGER
) STRICT;
CREATE INDEX payment_void_in_force ON payment_void (draw_id) WHERE lifted_at IS NULL;
CREATE INDEX payment_void_of_draw ON payment_void (draw_id);
CREATE TRIGGER payment_void_with_its_file BEFORE INSERT ON payment_void
  WHEN NOT EXISTS (SELECT 1 FROM payment p JOIN payment_file f ON f.file_id = p.file_id WHERE p.payment_id = new.payment_id
                   AND p.draw_id = new.draw_id AND p.ended_at IS NOT NULL AND f.voided_at IS NOT NULL)
  BEGIN SELECT raise(ABORT, 'a payment is void with its file'); END;
CREATE TRIGGER payment_void_once BEFORE UPDATE ON payment_void
  WHEN old.lifted_at IS NOT NULL OR new.lifted_at IS NULL OR new.payment_id <> old.payment_id OR new.draw_id <> old.draw_id
    OR new.voided_at <> old.voided_at OR new.voided_by <> old.voided_by OR new.reason <> old.reason
  BEGIN SELECT raise(ABORT, 'payment_void is append-only'); END;
CREATE TRIGGER payment_void_no_delete BEFORE DELETE ON payment_void BEGIN SELECT raise(ABORT, 'payment_void is append-only'); END;
