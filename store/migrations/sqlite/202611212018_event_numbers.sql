-- Events get numbers, in the order of commits and per workspace: whoever lists them reads on behind the number of the
-- event that it saw last. Here an event gets it as it is inserted, since one transaction writes at a time. Elsewhere it
-- is numbered after its commit, and null until then.
ALTER TABLE events ADD COLUMN number INTEGER;
UPDATE events SET number = o.number
    FROM (SELECT id, row_number() OVER (PARTITION BY workspace_id ORDER BY id) AS number FROM events) o WHERE o.id = events.id;
DROP INDEX events_of;
CREATE UNIQUE INDEX events_of ON events (workspace_id, number);
CREATE INDEX events_unnumbered ON events (id) WHERE number IS NULL;

-- Where transactions write side by side, who gives numbers locks this row.
INSERT INTO followers (name, last_number) VALUES ('numbering', 0);
