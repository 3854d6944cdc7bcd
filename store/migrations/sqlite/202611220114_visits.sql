-- When the invitee was marked as arrived, and the booking as done; null until then.
ALTER TABLE bookings ADD COLUMN arrived_ms INTEGER;
ALTER TABLE bookings ADD COLUMN done_ms INTEGER;
