-- A booking in parts takes its host only while there is work: all its times are in booking_spans, and its own row, which
-- has the bit 8 of needs, is in neither index of what bookings take. An older binary would take all of it for taken, and
-- store none of its spans.
-- Allows: none
DROP INDEX bookings_busy;
CREATE INDEX bookings_busy ON bookings (host_id, busy_start_ms, busy_end_ms, event_type_id, start_ms, end_ms)
    WHERE status < 3 AND needs < 8 AND busy_end_ms - busy_start_ms > end_ms - start_ms;
DROP INDEX bookings_bare;
CREATE INDEX bookings_bare ON bookings (host_id, busy_start_ms, busy_end_ms, event_type_id)
    WHERE status < 3 AND needs < 8 AND busy_end_ms - busy_start_ms = end_ms - start_ms;
