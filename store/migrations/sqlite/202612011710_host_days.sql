-- When each host was at work on each day that is over, as hours, overrides, times off and holidays were then, and how much of
-- it was booked (package report). The triggers forget what was booked of a day whose bookings change later; until it is
-- counted again the bookings themselves are read.
CREATE TABLE host_days (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    host_id      INTEGER NOT NULL REFERENCES hosts (id) ON DELETE CASCADE,
    day          INTEGER NOT NULL, -- a date of the host's zone, as days since 1970
    from_ms      INTEGER NOT NULL, -- when it began
    to_ms        INTEGER NOT NULL, -- and ended
    spans        TEXT, -- the open times, in milliseconds from from_ms: 32400000-61200000,…; null: not known
    open_ms      INTEGER, -- how long they are in all
    booked_ms    INTEGER, -- the work of bookings within them; null: to be counted
    outside_ms   INTEGER, -- and outside of them
    PRIMARY KEY (workspace_id, host_id, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX host_days_of ON host_days (host_id);
CREATE INDEX host_days_changed ON host_days (workspace_id, host_id, day) WHERE booked_ms IS NULL AND spans IS NOT NULL;

-- When the next day of a host is over, to be written; 0: look now.
ALTER TABLE hosts ADD COLUMN days_ms INTEGER NOT NULL DEFAULT 0;
CREATE INDEX hosts_days ON hosts (days_ms);

-- A host's date is the UTC day of the same moment, the one before or the one after.
CREATE TRIGGER bookings_host_day_new AFTER INSERT ON bookings BEGIN
    UPDATE host_days SET booked_ms = NULL, outside_ms = NULL WHERE workspace_id = NEW.workspace_id
        AND host_id = NEW.host_id AND day >= NEW.start_ms / 86400000 - 1 AND day <= NEW.end_ms / 86400000 + 1;
END;
CREATE TRIGGER bookings_host_day_old AFTER DELETE ON bookings BEGIN
    UPDATE host_days SET booked_ms = NULL, outside_ms = NULL WHERE workspace_id = OLD.workspace_id
        AND host_id = OLD.host_id AND day >= OLD.start_ms / 86400000 - 1 AND day <= OLD.end_ms / 86400000 + 1;
END;
CREATE TRIGGER bookings_host_day_changed AFTER UPDATE OF start_ms, end_ms, status, host_id, details ON bookings
WHEN OLD.start_ms IS NOT NEW.start_ms OR OLD.end_ms IS NOT NEW.end_ms OR OLD.status IS NOT NEW.status
    OR OLD.host_id IS NOT NEW.host_id OR OLD.details IS NOT NEW.details AND (OLD.details LIKE '%"parts":%' OR NEW.details LIKE '%"parts":%')
BEGIN
    UPDATE host_days SET booked_ms = NULL, outside_ms = NULL WHERE workspace_id = OLD.workspace_id
        AND host_id = OLD.host_id AND day >= OLD.start_ms / 86400000 - 1 AND day <= OLD.end_ms / 86400000 + 1;
    UPDATE host_days SET booked_ms = NULL, outside_ms = NULL WHERE workspace_id = NEW.workspace_id
        AND host_id = NEW.host_id AND day >= NEW.start_ms / 86400000 - 1 AND day <= NEW.end_ms / 86400000 + 1;
    UPDATE host_days SET booked_ms = NULL, outside_ms = NULL WHERE workspace_id = NEW.workspace_id
        AND host_id IN (SELECT o.host_id FROM booking_others o WHERE o.workspace_id = NEW.workspace_id AND o.booking_id = NEW.id)
        AND day >= NEW.start_ms / 86400000 - 1 AND day <= NEW.end_ms / 86400000 + 1;
END;
-- A booking lasts a week at most.
CREATE TRIGGER booking_others_host_day_new AFTER INSERT ON booking_others BEGIN
    UPDATE host_days SET booked_ms = NULL, outside_ms = NULL WHERE workspace_id = NEW.workspace_id
        AND host_id = NEW.host_id AND day >= NEW.start_ms / 86400000 - 1 AND day <= NEW.start_ms / 86400000 + 8;
END;
CREATE TRIGGER booking_others_host_day_old AFTER DELETE ON booking_others BEGIN
    UPDATE host_days SET booked_ms = NULL, outside_ms = NULL WHERE workspace_id = OLD.workspace_id
        AND host_id = OLD.host_id AND day >= OLD.start_ms / 86400000 - 1 AND day <= OLD.start_ms / 86400000 + 8;
END;

-- The sums of a day have the money that was received on it, by host, and discounts. So the day of a payment is marked,
-- too, and where a booking gets another host the days of its payments.
CREATE INDEX payments_paid ON payments (workspace_id, paid_ms);
CREATE TRIGGER bookings_mark_discount AFTER UPDATE OF details ON bookings
WHEN OLD.details IS NOT NEW.details AND (OLD.details LIKE '%"discount":%' OR NEW.details LIKE '%"discount":%')
    AND EXISTS (SELECT 1 FROM day_sum_turns t WHERE t.workspace_id = NEW.workspace_id) BEGIN
    INSERT INTO day_marks (workspace_id, day, mark)
        VALUES (NEW.workspace_id, NEW.start_ms / 86400000, 0) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER bookings_mark_paid AFTER UPDATE OF host_id ON bookings
WHEN OLD.host_id IS NOT NEW.host_id
    AND EXISTS (SELECT 1 FROM day_sum_turns t WHERE t.workspace_id = NEW.workspace_id) BEGIN
    INSERT INTO day_marks (workspace_id, day, mark)
        SELECT NEW.workspace_id, c.at_ms / 86400000, 0 FROM counter_entries c WHERE c.booking_id = NEW.id
        UNION ALL SELECT NEW.workspace_id, p.paid_ms / 86400000, 0 FROM payments p WHERE p.booking_id = NEW.id AND p.paid_ms IS NOT NULL
        ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER counter_entries_mark_paid_new AFTER INSERT ON counter_entries
WHEN NEW.booking_id IS NOT NULL AND EXISTS (SELECT 1 FROM day_sum_turns t WHERE t.workspace_id = NEW.workspace_id) BEGIN
    INSERT INTO day_marks (workspace_id, day, mark)
        VALUES (NEW.workspace_id, NEW.at_ms / 86400000, 0) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER counter_entries_mark_paid_old AFTER DELETE ON counter_entries
WHEN OLD.booking_id IS NOT NULL AND EXISTS (SELECT 1 FROM day_sum_turns t WHERE t.workspace_id = OLD.workspace_id) BEGIN
    INSERT INTO day_marks (workspace_id, day, mark)
        VALUES (OLD.workspace_id, OLD.at_ms / 86400000, 0) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER counter_entries_mark_paid_changed AFTER UPDATE OF booking_id, method, amount, tip, currency, at_ms, host_id ON counter_entries
WHEN EXISTS (SELECT 1 FROM day_sum_turns t WHERE t.workspace_id = NEW.workspace_id) BEGIN
    INSERT INTO day_marks (workspace_id, day, mark)
        VALUES (OLD.workspace_id, OLD.at_ms / 86400000, 0) ON CONFLICT DO NOTHING;
    INSERT INTO day_marks (workspace_id, day, mark)
        VALUES (NEW.workspace_id, NEW.at_ms / 86400000, 0) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER payments_mark_paid_new AFTER INSERT ON payments
WHEN NEW.paid_ms IS NOT NULL AND EXISTS (SELECT 1 FROM day_sum_turns t WHERE t.workspace_id = NEW.workspace_id) BEGIN
    INSERT INTO day_marks (workspace_id, day, mark)
        VALUES (NEW.workspace_id, NEW.paid_ms / 86400000, 0) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER payments_mark_paid_old AFTER DELETE ON payments
WHEN OLD.paid_ms IS NOT NULL AND EXISTS (SELECT 1 FROM day_sum_turns t WHERE t.workspace_id = OLD.workspace_id) BEGIN
    INSERT INTO day_marks (workspace_id, day, mark)
        VALUES (OLD.workspace_id, OLD.paid_ms / 86400000, 0) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER payments_mark_paid_changed AFTER UPDATE OF status, amount, refunded, currency, paid_ms ON payments
WHEN EXISTS (SELECT 1 FROM day_sum_turns t WHERE t.workspace_id = NEW.workspace_id) BEGIN
    INSERT INTO day_marks (workspace_id, day, mark)
        SELECT OLD.workspace_id, OLD.paid_ms / 86400000, 0 WHERE OLD.paid_ms IS NOT NULL
        UNION ALL SELECT NEW.workspace_id, NEW.paid_ms / 86400000, 0 WHERE NEW.paid_ms IS NOT NULL
        ON CONFLICT DO NOTHING;
END;
