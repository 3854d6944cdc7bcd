-- When the invitee was marked as arrived, and the booking as done; null until then. An older binary leaves both as they
-- are: it neither reads nor writes them.
-- Allows: 202611212031
ALTER TABLE bookings ADD COLUMN arrived_ms BIGINT;
ALTER TABLE bookings ADD COLUMN done_ms BIGINT;
