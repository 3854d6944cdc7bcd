-- Who does a booking beside its host, in all its states (what live ones take of their time is in booking_spans): so that
-- a host's bookings are found. An older binary would lose them where it saves such a booking.
-- Allows: none
ALTER TABLE workspaces ADD COLUMN others BIGINT NOT NULL DEFAULT 0; -- 1 once an event type needs several hosts
CREATE TABLE booking_others (
    workspace_id BIGINT NOT NULL,
    booking_id   BIGINT NOT NULL,
    host_id      BIGINT NOT NULL,
    start_ms     BIGINT NOT NULL, -- of the booking
    PRIMARY KEY (workspace_id, booking_id, host_id),
    FOREIGN KEY (workspace_id, booking_id) REFERENCES bookings (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX booking_others_start ON booking_others (host_id, start_ms, booking_id);
CREATE INDEX booking_others_of ON booking_others (booking_id);
-- The same of a change, as ids joined by commas (booking.HistoryEntry.Others); null is nobody.
ALTER TABLE booking_history ADD COLUMN others TEXT COLLATE "C";
