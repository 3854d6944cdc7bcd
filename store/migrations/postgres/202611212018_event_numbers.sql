-- Events get numbers, in the order of commits and per workspace: whoever lists them reads on behind the number of the
-- event that it saw last. Ids don't do for that: of two changes, the one that made its id first may commit last. An
-- event is numbered after its commit, by who reads next; null until then.
ALTER TABLE events ADD COLUMN number BIGINT;
UPDATE events SET number = o.number
    FROM (SELECT id, row_number() OVER (PARTITION BY workspace_id ORDER BY id) AS number FROM events) o WHERE o.id = events.id;
DROP INDEX events_of;
CREATE UNIQUE INDEX events_of ON events (workspace_id, number);
CREATE INDEX events_unnumbered ON events (id) WHERE number IS NULL;

-- So is the history. An entry has a number below zero until then: writers wait for nobody to get one.
ALTER TABLE booking_history ALTER COLUMN number SET DEFAULT -nextval('booking_history_numbers');

-- Who gives numbers locks this row until that is committed, so that numbers appear in their order.
INSERT INTO followers (name, last_number) VALUES ('numbering', 0);
