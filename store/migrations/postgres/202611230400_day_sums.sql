-- What the bookings of each day add up to (package report), so that the figures of years need not read every booking.
-- A row of day_sums is exact unless a day of it is in day_marks: the triggers mark the UTC day of whatever changes
-- what a day adds up to, in the transaction that does it, whoever writes. Where there is no exact row the bookings themselves
-- are read, so that rows may be deleted at any time. Nothing is summed here: it is done bit by bit when somebody asks.
-- The triggers mark for older binaries, too, which know nothing of sums.
-- Allows: 202611230120

-- The days that were summed. They follow each other or lie apart, and never overlap.
CREATE TABLE day_sums (
    workspace_id BIGINT NOT NULL,
    from_ms      BIGINT NOT NULL,
    to_ms        BIGINT NOT NULL,
    sums         BYTEA NOT NULL, -- see report.daySums
    PRIMARY KEY (workspace_id, from_ms)
);

-- The UTC days (start_ms / 86400000) with bookings that changed since the day was summed. mark tells transactions that
-- run at once apart.
CREATE TABLE day_marks (
    workspace_id BIGINT NOT NULL,
    day          BIGINT NOT NULL,
    mark         BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, day, mark)
);

-- The workspaces with rows in day_sums. Whoever writes those updates the row first, and so is alone.
CREATE TABLE day_sum_turns (
    workspace_id BIGINT NOT NULL PRIMARY KEY,
    turn         BIGINT NOT NULL,
    asked_ms     BIGINT NOT NULL -- about when somebody last asked; long after that the sums are forgotten
);
CREATE INDEX day_sum_turns_old ON day_sum_turns (asked_ms);

CREATE FUNCTION booking_marks_day() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        INSERT INTO day_marks (workspace_id, day, mark) VALUES (OLD.workspace_id, OLD.start_ms / 86400000,
            CAST(random() * 4611686018427387904 AS BIGINT)) ON CONFLICT DO NOTHING;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO day_marks (workspace_id, day, mark) VALUES (NEW.workspace_id, NEW.start_ms / 86400000,
            CAST(random() * 4611686018427387904 AS BIGINT)) ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER bookings_mark AFTER INSERT OR DELETE ON bookings
    FOR EACH ROW EXECUTE FUNCTION booking_marks_day();
CREATE TRIGGER bookings_mark_changed AFTER UPDATE OF start_ms, end_ms, status, event_type_id, host_id, price, currency
    ON bookings FOR EACH ROW
    WHEN ((OLD.start_ms, OLD.end_ms, OLD.status, OLD.event_type_id, OLD.host_id, OLD.price,
            OLD.currency)
        IS DISTINCT FROM (NEW.start_ms, NEW.end_ms, NEW.status, NEW.event_type_id, NEW.host_id, NEW.price, NEW.currency))
    EXECUTE FUNCTION booking_marks_day();

-- Of a booking that is being moved at once, the time is waited for.
CREATE FUNCTION money_marks_day() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    at BIGINT;
BEGIN
    IF TG_OP <> 'INSERT' THEN
        SELECT start_ms INTO at FROM bookings WHERE id = OLD.booking_id AND workspace_id = OLD.workspace_id FOR SHARE;
        IF FOUND THEN
            INSERT INTO day_marks (workspace_id, day, mark) VALUES (OLD.workspace_id, at / 86400000,
                CAST(random() * 4611686018427387904 AS BIGINT)) ON CONFLICT DO NOTHING;
        END IF;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        SELECT start_ms INTO at FROM bookings WHERE id = NEW.booking_id AND workspace_id = NEW.workspace_id FOR SHARE;
        IF FOUND THEN
            INSERT INTO day_marks (workspace_id, day, mark) VALUES (NEW.workspace_id, at / 86400000,
                CAST(random() * 4611686018427387904 AS BIGINT)) ON CONFLICT DO NOTHING;
        END IF;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER payments_mark AFTER INSERT OR DELETE OR UPDATE OF status, amount, refunded, currency ON payments
    FOR EACH ROW EXECUTE FUNCTION money_marks_day();
CREATE TRIGGER counter_entries_mark AFTER INSERT OR DELETE OR UPDATE OF booking_id, method, amount, tip, currency
    ON counter_entries FOR EACH ROW EXECUTE FUNCTION money_marks_day();
