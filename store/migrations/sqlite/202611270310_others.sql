-- Who does a booking beside its host, in all its states (what live ones take of their time is in booking_spans): so that
-- a host's bookings are found. An older binary would lose them where it saves such a booking.
ALTER TABLE workspaces ADD COLUMN others INTEGER NOT NULL DEFAULT 0; -- 1 once an event type needs several hosts
CREATE TABLE booking_others (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    booking_id   INTEGER NOT NULL REFERENCES bookings (id) ON DELETE CASCADE,
    host_id      INTEGER NOT NULL REFERENCES hosts (id),
    start_ms     INTEGER NOT NULL, -- of the booking
    PRIMARY KEY (workspace_id, booking_id, host_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX booking_others_start ON booking_others (host_id, start_ms, booking_id);
CREATE INDEX booking_others_of ON booking_others (booking_id);
-- The same of a change, as ids joined by commas (booking.HistoryEntry.Others); null is nobody.
ALTER TABLE booking_history ADD COLUMN others TEXT;
