-- When each host was at work on each day that is over, as hours, overrides, times off and holidays were then, and how much of
-- it was booked (package report). The triggers forget what was booked of a day whose bookings change later; until it is
-- counted again the bookings themselves are read. They do so for older binaries, too, which know nothing of these days.
-- Allows: 202612011320
CREATE TABLE host_days (
    workspace_id BIGINT NOT NULL,
    host_id      BIGINT NOT NULL,
    day          BIGINT NOT NULL, -- a date of the host's zone, as days since 1970
    from_ms      BIGINT NOT NULL, -- when it began
    to_ms        BIGINT NOT NULL, -- and ended
    spans        TEXT COLLATE "C", -- the open times, in milliseconds from from_ms: 32400000-61200000,…; null: not known
    open_ms      BIGINT, -- how long they are in all
    booked_ms    BIGINT, -- the work of bookings within them; null: to be counted
    outside_ms   BIGINT, -- and outside of them
    PRIMARY KEY (workspace_id, host_id, day),
    FOREIGN KEY (workspace_id, host_id) REFERENCES hosts (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX host_days_of ON host_days (host_id);
CREATE INDEX host_days_changed ON host_days (workspace_id, host_id, day) WHERE booked_ms IS NULL AND spans IS NOT NULL;

-- When the next day of a host is over, to be written; 0: look now.
ALTER TABLE hosts ADD COLUMN days_ms BIGINT NOT NULL DEFAULT 0;
CREATE INDEX hosts_days ON hosts (days_ms);

-- A host's date is the UTC day of the same moment, the one before or the one after.
CREATE FUNCTION forget_host_days(ws BIGINT, host BIGINT, begins BIGINT, ends BIGINT) RETURNS void LANGUAGE sql AS $$
    UPDATE host_days SET booked_ms = NULL, outside_ms = NULL WHERE workspace_id = ws AND host_id = host
        AND day >= begins / 86400000 - 1 AND day <= ends / 86400000 + 1
$$;
CREATE FUNCTION booking_forgets_host_days() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        PERFORM forget_host_days(OLD.workspace_id, OLD.host_id, OLD.start_ms, OLD.end_ms);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        PERFORM forget_host_days(NEW.workspace_id, NEW.host_id, NEW.start_ms, NEW.end_ms);
    END IF;
    IF TG_OP = 'UPDATE' THEN
        PERFORM forget_host_days(o.workspace_id, o.host_id, NEW.start_ms, NEW.end_ms) FROM booking_others o
            WHERE o.workspace_id = NEW.workspace_id AND o.booking_id = NEW.id;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER bookings_host_day AFTER INSERT OR DELETE ON bookings
    FOR EACH ROW EXECUTE FUNCTION booking_forgets_host_days();
CREATE TRIGGER bookings_host_day_changed AFTER UPDATE OF start_ms, end_ms, status, host_id, details ON bookings FOR EACH ROW
    WHEN ((OLD.start_ms, OLD.end_ms, OLD.status, OLD.host_id) IS DISTINCT FROM (NEW.start_ms, NEW.end_ms, NEW.status, NEW.host_id)
        OR OLD.details IS DISTINCT FROM NEW.details AND (OLD.details LIKE '%"parts":%' OR NEW.details LIKE '%"parts":%'))
    EXECUTE FUNCTION booking_forgets_host_days();
-- A booking lasts a week at most.
CREATE FUNCTION other_forgets_host_days() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        PERFORM forget_host_days(OLD.workspace_id, OLD.host_id, OLD.start_ms, OLD.start_ms + 7 * 86400000);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        PERFORM forget_host_days(NEW.workspace_id, NEW.host_id, NEW.start_ms, NEW.start_ms + 7 * 86400000);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER booking_others_host_day AFTER INSERT OR DELETE ON booking_others
    FOR EACH ROW EXECUTE FUNCTION other_forgets_host_days();

-- The sums of a day have the money that was received on it, by host, and discounts. So the day of a payment is marked,
-- too, and where a booking gets another host the days of its payments. Where a payment of that booking is made at the same
-- time, one waits for the other (money_marks_day).
CREATE INDEX payments_paid ON payments (workspace_id, paid_ms);
CREATE FUNCTION mark_day(ws BIGINT, at BIGINT) RETURNS void LANGUAGE sql AS $$
    INSERT INTO day_marks (workspace_id, day, mark) SELECT ws, at / 86400000, CAST(random() * 4611686018427387904 AS BIGINT)
        WHERE at IS NOT NULL ON CONFLICT DO NOTHING
$$;
CREATE TRIGGER bookings_mark_discount AFTER UPDATE OF details ON bookings FOR EACH ROW
    WHEN (OLD.details IS DISTINCT FROM NEW.details AND (OLD.details LIKE '%"discount":%' OR NEW.details LIKE '%"discount":%'))
    EXECUTE FUNCTION booking_marks_day();
CREATE FUNCTION booking_marks_paid() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM mark_day(c.workspace_id, c.at_ms) FROM counter_entries c WHERE c.booking_id = NEW.id;
    PERFORM mark_day(p.workspace_id, p.paid_ms) FROM payments p WHERE p.booking_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER bookings_mark_paid AFTER UPDATE OF host_id ON bookings FOR EACH ROW
    WHEN (OLD.host_id IS DISTINCT FROM NEW.host_id) EXECUTE FUNCTION booking_marks_paid();
CREATE FUNCTION entry_marks_paid() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        PERFORM mark_day(OLD.workspace_id, OLD.at_ms);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        PERFORM mark_day(NEW.workspace_id, NEW.at_ms);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER counter_entries_mark_paid AFTER INSERT OR DELETE OR UPDATE OF booking_id, method, amount, tip, currency, at_ms, host_id
    ON counter_entries FOR EACH ROW EXECUTE FUNCTION entry_marks_paid();
CREATE FUNCTION payment_marks_paid() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        PERFORM mark_day(OLD.workspace_id, OLD.paid_ms);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        PERFORM mark_day(NEW.workspace_id, NEW.paid_ms);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER payments_mark_paid AFTER INSERT OR DELETE OR UPDATE OF status, amount, refunded, currency, paid_ms ON payments
    FOR EACH ROW EXECUTE FUNCTION payment_marks_paid();
