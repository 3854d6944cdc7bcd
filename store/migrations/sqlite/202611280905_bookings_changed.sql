-- Bookings are listed in the order in which they were last changed, for programs that keep a copy of them.
CREATE INDEX bookings_changed ON bookings (workspace_id, COALESCE(updated_ms, created_ms));
