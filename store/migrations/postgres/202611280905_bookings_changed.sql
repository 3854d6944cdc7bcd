-- Bookings are listed in the order in which they were last changed, for programs that keep a copy of them. An older binary
-- doesn't ask for it.
-- Allows: 202611272330
CREATE INDEX bookings_changed ON bookings (workspace_id, COALESCE(updated_ms, created_ms), id);
