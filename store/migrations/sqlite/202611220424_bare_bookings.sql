-- A booking without buffers may lie in the buffers of another one, so each kind has an index: the spans of one are
-- disjoint, and the last one before a time bounds what can reach past it.
DROP INDEX bookings_busy;
CREATE INDEX bookings_busy ON bookings (host_id, busy_start_ms, busy_end_ms, event_type_id, start_ms, end_ms)
    WHERE status < 3 AND busy_end_ms - busy_start_ms > end_ms - start_ms;
CREATE INDEX bookings_bare ON bookings (host_id, busy_start_ms, busy_end_ms, event_type_id, start_ms, end_ms)
    WHERE status < 3 AND busy_end_ms - busy_start_ms = end_ms - start_ms;
-- The rules that the business waived when it booked or moved, joined by commas; null for none.
ALTER TABLE booking_history ADD COLUMN waived TEXT;
