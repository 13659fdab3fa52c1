-- Sealed account numbers.

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
