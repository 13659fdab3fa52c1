-- Passkeys of persons, and the acts that they signed.

-- A WebAuthn credential. It signs nothing before another person confirmed its fingerprint. Binary values are base64url.
CREATE TABLE passkey (
    passkey_id    INTEGER PRIMARY KEY,
    person_id     INTEGER NOT NULL REFERENCES person (person_id),
    credential_id TEXT NOT NULL UNIQUE CHECK (credential_id <> ''),
    -- what two persons compare: the first 20 hexadecimal digits of a hash over the credential's id and its key
    fingerprint   TEXT NOT NULL UNIQUE CHECK (length(fingerprint) = 20),
    algorithm     INTEGER NOT NULL CHECK (algorithm IN (-7, -8, -257)),   -- COSE: ES256, EdDSA, RS256
    public_key    TEXT NOT NULL CHECK (public_key <> ''),
    aaguid        TEXT NOT NULL,            -- the authenticator's model
    backup_eligible INTEGER NOT NULL CHECK (backup_eligible IN (0, 1)),   -- it may be copied to other devices
    label         TEXT NOT NULL,            -- "Anna's laptop"; for display only
    enrolled_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX passkey_of_person ON passkey (person_id);
CREATE TRIGGER passkey_no_update BEFORE UPDATE ON passkey BEGIN SELECT raise(ABORT, 'passkey is append-only'); END;
CREATE TRIGGER passkey_no_delete BEFORE DELETE ON passkey BEGIN SELECT raise(ABORT, 'passkey is append-only'); END;

-- From then on it may sign.
CREATE TABLE passkey_confirmation (
    passkey_id INTEGER PRIMARY KEY REFERENCES passkey (passkey_id),
    at         INTEGER NOT NULL,
    uid        INTEGER NOT NULL CHECK (uid >= 0),     -- of the principal that confirmed it
    by         TEXT NOT NULL,
    reason     TEXT NOT NULL CHECK (reason <> '')
) STRICT;
CREATE TRIGGER passkey_confirmation_by_another BEFORE INSERT ON passkey_confirmation
  BEGIN
    SELECT raise(ABORT, 'nobody confirms a passkey of their own') FROM passkey k
        JOIN person_uid u ON u.person_id = k.person_id WHERE k.passkey_id = new.passkey_id AND u.uid = new.uid;
    SELECT raise(ABORT, 'a locked passkey is not confirmed') FROM passkey_lock l WHERE l.passkey_id = new.passkey_id;
  END;
CREATE TRIGGER passkey_confirmation_no_update BEFORE UPDATE ON passkey_confirmation BEGIN SELECT raise(ABORT, 'passkey_confirmation is append-only'); END;
CREATE TRIGGER passkey_confirmation_no_delete BEFORE DELETE ON passkey_confirmation BEGIN SELECT raise(ABORT, 'passkey_confirmation is append-only'); END;

-- From then on it signs nothing and opens no session, for good.
CREATE TABLE passkey_lock (
    passkey_id INTEGER PRIMARY KEY REFERENCES passkey (passkey_id),
    at         INTEGER NOT NULL,
    uid        INTEGER NOT NULL CHECK (uid >= 0),
    by         TEXT NOT NULL,
    reason     TEXT NOT NULL CHECK (reason <> '')
) STRICT;
CREATE TRIGGER passkey_lock_no_update BEFORE UPDATE ON passkey_lock BEGIN SELECT raise(ABORT, 'passkey_lock is append-only'); END;
CREATE TRIGGER passkey_lock_no_delete BEFORE DELETE ON passkey_lock BEGIN SELECT raise(ABORT, 'passkey_lock is append-only'); END;

-- An act that a person signed in the console: recorded before it is done, whatever becomes of it. The signature is over
-- authenticator_data and the SHA-256 of client_data, which holds the SHA-256 of the text.
CREATE TABLE signed_act (
    act_id     INTEGER PRIMARY KEY,
    at         INTEGER NOT NULL,
    person_id  INTEGER NOT NULL REFERENCES person (person_id),
    passkey_id INTEGER NOT NULL REFERENCES passkey (passkey_id),
    request    TEXT NOT NULL CHECK (request <> ''),   -- "POST /files/ACH-20260304-A.ach/release"
    text       TEXT NOT NULL UNIQUE CHECK (text <> ''),   -- it holds a nonce, so each is signed once
    client_data TEXT NOT NULL,
    authenticator_data TEXT NOT NULL,
    signature  TEXT NOT NULL
) STRICT;
CREATE INDEX signed_act_of_request ON signed_act (request);
CREATE TRIGGER signed_act_by_a_confirmed_key BEFORE INSERT ON signed_act
  BEGIN
    SELECT raise(ABORT, 'only a confirmed passkey of that person signs')
      WHERE NOT EXISTS (SELECT 1 FROM passkey k JOIN passkey_confirmation c ON c.passkey_id = k.passkey_id
                        WHERE k.passkey_id = new.passkey_id AND k.person_id = new.person_id);
    SELECT raise(ABORT, 'a locked passkey signs nothing') FROM passkey_lock l WHERE l.passkey_id = new.passkey_id;
    SELECT raise(ABORT, 'a locked person signs nothing') FROM person_lock l
      WHERE l.person_id = new.person_id AND l.unlocked_at IS NULL;
  END;
CREATE TRIGGER signed_act_no_update BEFORE UPDATE ON signed_act BEGIN SELECT raise(ABORT, 'signed_act is append-only'); END;
CREATE TRIGGER signed_act_no_delete BEFORE DELETE ON signed_act BEGIN SELECT raise(ABORT, 'signed_act is append-only'); END;

-- Who acts in the console acts with the uid 4294967296 + person_id, which no account of a machine can have. A release
-- with such a uid needs a signature over just this file.
CREATE TRIGGER console_release_is_signed BEFORE UPDATE OF release_ordered_at ON payment_file
  WHEN old.release_ordered_at IS NULL AND new.release_ordered_at IS NOT NULL AND new.release_uid >= 4294967296
  BEGIN
    SELECT raise(ABORT, 'a release in the console is signed') WHERE NOT EXISTS (
      SELECT 1 FROM signed_act s WHERE s.request = 'POST /files/' || new.name || '/release'
        AND s.person_id = new.release_uid - 4294967296 AND instr(s.text, char(10) || 'sha256: ' || new.sha256 || char(10)) > 0);
  END;
