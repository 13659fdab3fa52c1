-- Gives the daemon a role that can add facts to the ledger, but cannot rewrite or delete them, or drop the triggers that
-- prevent it. Run it as the owner of the tables, in the ledger's database, after the ledger is created and after each
-- upgrade of Drawbridge:
--
--   psql -d drawbridge -c "SET drawbridge.schema = 'drawbridge'" -c "SET drawbridge.daemon = 'drawbridge_daemon'" \
--        -f daemon-role.sql
--
-- What each table allows follows from its triggers: NAME_no_update and NAME_no_delete.
DO $$
DECLARE
  ledger text := current_setting('drawbridge.schema');
  daemon text := current_setting('drawbridge.daemon');
  one record;
BEGIN
  EXECUTE format('REVOKE ALL ON SCHEMA %I FROM %I', ledger, daemon);
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', ledger, daemon);
  FOR one IN
    SELECT c.relname AS name, c.relkind = 'r' AND c.relname <> 'ledger_schema' AS is_written,
        EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname = c.relname || '_no_update') AS no_update,
        EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname = c.relname || '_no_delete') AS no_delete
    FROM pg_class c
    WHERE c.relnamespace = ledger::regnamespace AND c.relkind IN ('r', 'v')
  LOOP
    EXECUTE format('REVOKE ALL ON %I.%I FROM %I', ledger, one.name, daemon);
    EXECUTE format('GRANT SELECT ON %I.%I TO %I', ledger, one.name, daemon);
    CONTINUE WHEN NOT one.is_written;
    EXECUTE format('GRANT INSERT ON %I.%I TO %I', ledger, one.name, daemon);
    IF NOT one.no_update THEN
      EXECUTE format('GRANT UPDATE ON %I.%I TO %I', ledger, one.name, daemon);
    END IF;
    IF NOT one.no_delete THEN
      EXECUTE format('GRANT DELETE ON %I.%I TO %I', ledger, one.name, daemon);
    END IF;
  END LOOP;
END $$;
