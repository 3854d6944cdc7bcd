-- What the bookings of each day add up to (package report), so that the figures of years need not read every booking.
-- A row of day_sums is exact unless a day of it is in day_marks: the triggers mark the UTC day of whatever changes
-- what a day adds up to, in the transaction that does it, whoever writes. Where there is no exact row the bookings themselves
-- are read, so that rows may be deleted at any time. Nothing is summed here: it is done bit by bit when somebody asks.

-- The days that were summed. They follow each other or lie apart, and never overlap.
CREATE TABLE day_sums (
    workspace_id INTEGER NOT NULL,
    from_ms      INTEGER NOT NULL,
    to_ms        INTEGER NOT NULL,
    sums         BLOB NOT NULL, -- see report.daySums
    PRIMARY KEY (workspace_id, from_ms)
) STRICT;

-- The UTC days (start_ms / 86400000) with bookings that changed since the day was summed. mark tells transactions that
-- run at once apart, of which SQLite has none.
CREATE TABLE day_marks (
    workspace_id INTEGER NOT NULL,
    day          INTEGER NOT NULL,
    mark         INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, day, mark)
) STRICT, WITHOUT ROWID;

-- The workspaces with rows in day_sums. Whoever writes those updates the row first, and so is alone.
CREATE TABLE day_sum_turns (
    workspace_id INTEGER NOT NULL PRIMARY KEY,
    turn         INTEGER NOT NULL,
    asked_ms     INTEGER NOT NULL -- about when somebody last asked; long after that the sums are forgotten
) STRICT, WITHOUT ROWID;
CREATE INDEX day_sum_turns_old ON day_sum_turns (asked_ms);

CREATE TRIGGER bookings_mark_new AFTER INSERT ON bookings
WHEN EXISTS (SELECT 1 FROM day_sum_turns t WHERE t.workspace_id = NEW.workspace_id) BEGIN
    INSERT INTO day_marks (workspace_id, day, mark)
        VALUES (NEW.workspace_id, NEW.start_ms / 86400000, 0) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER bookings_mark_old AFTER DELETE ON bookings
WHEN EXISTS (SELECT 1 FROM day_sum_turns t WHERE t.workspace_id = OLD.workspace_id) BEGIN
    INSERT INTO day_marks (workspace_id, day, mark)
        VALUES (OLD.workspace_id, OLD.start_ms / 86400000, 0) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER bookings_mark_changed AFTER UPDATE OF start_ms, end_ms, status, event_type_id, host_id, price,
    currency ON bookings
WHEN (OLD.start_ms IS NOT NEW.start_ms OR OLD.end_ms IS NOT NEW.end_ms OR OLD.status IS NOT NEW.status
    OR OLD.event_type_id IS NOT NEW.event_type_id OR OLD.host_id IS NOT NEW.host_id OR OLD.price IS NOT NEW.price
    OR OLD.currency IS NOT NEW.currency)
    AND EXISTS (SELECT 1 FROM day_sum_turns t WHERE t.workspace_id = NEW.workspace_id) BEGIN
    INSERT INTO day_marks (workspace_id, day, mark)
        VALUES (OLD.workspace_id, OLD.start_ms / 86400000, 0) ON CONFLICT DO NOTHING;
    INSERT INTO day_marks (workspace_id, day, mark)
        VALUES (NEW.workspace_id, NEW.start_ms / 86400000, 0) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER payments_mark_new AFTER INSERT ON payments
WHEN EXISTS (SELECT 1 FROM day_sum_turns t WHERE t.workspace_id = NEW.workspace_id) BEGIN
    INSERT INTO day_marks (workspace_id, day, mark)
        SELECT b.workspace_id, b.start_ms / 86400000, 0 FROM bookings b WHERE b.id = NEW.booking_id
        ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER payments_mark_old AFTER DELETE ON payments
WHEN EXISTS (SELECT 1 FROM day_sum_turns t WHERE t.workspace_id = OLD.workspace_id) BEGIN
    INSERT INTO day_marks (workspace_id, day, mark)
        SELECT b.workspace_id, b.start_ms / 86400000, 0 FROM bookings b WHERE b.id = OLD.booking_id
        ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER payments_mark_changed AFTER UPDATE OF status, amount, refunded, currency ON payments
WHEN EXISTS (SELECT 1 FROM day_sum_turns t WHERE t.workspace_id = NEW.workspace_id) BEGIN
    INSERT INTO day_marks (workspace_id, day, mark)
        SELECT b.workspace_id, b.start_ms / 86400000, 0 FROM bookings b WHERE b.id = OLD.booking_id
        ON CONFLICT DO NOTHING;
    INSERT INTO day_marks (workspace_id, day, mark)
        SELECT b.workspace_id, b.start_ms / 86400000, 0 FROM bookings b WHERE b.id = NEW.booking_id
        ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER counter_entries_mark_new AFTER INSERT ON counter_entries
WHEN EXISTS (SELECT 1 FROM day_sum_turns t WHERE t.workspace_id = NEW.workspace_id) BEGIN
    INSERT INTO day_marks (workspace_id, day, mark)
        SELECT b.workspace_id, b.start_ms / 86400000, 0 FROM bookings b WHERE b.id = NEW.booking_id
        ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER counter_entries_mark_old AFTER DELETE ON counter_entries
WHEN EXISTS (SELECT 1 FROM day_sum_turns t WHERE t.workspace_id = OLD.workspace_id) BEGIN
    INSERT INTO day_marks (workspace_id, day, mark)
        SELECT b.workspace_id, b.start_ms / 86400000, 0 FROM bookings b WHERE b.id = OLD.booking_id
        ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER counter_entries_mark_changed AFTER UPDATE OF booking_id, method, amount, tip, currency ON counter_entries
WHEN EXISTS (SELECT 1 FROM day_sum_turns t WHERE t.workspace_id = NEW.workspace_id) BEGIN
    INSERT INTO day_marks (workspace_id, day, mark)
        SELECT b.workspace_id, b.start_ms / 86400000, 0 FROM bookings b WHERE b.id = OLD.booking_id
        ON CONFLICT DO NOTHING;
    INSERT INTO day_marks (workspace_id, day, mark)
        SELECT b.workspace_id, b.start_ms / 86400000, 0 FROM bookings b WHERE b.id = NEW.booking_id
        ON CONFLICT DO NOTHING;
END;
