-- A booking without buffers takes the time from its start to its end: its index need not have both twice.
-- Allows: 202611230400
DROP INDEX bookings_bare;
CREATE INDEX bookings_bare ON bookings (host_id, busy_start_ms, busy_end_ms, event_type_id)
    WHERE status < 3 AND busy_end_ms - busy_start_ms = end_ms - start_ms;
