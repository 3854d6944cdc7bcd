-- The few bookings that take several seats of a session, by when it begins: whoever looks for free seats reads them.
-- An older server would count such a booking as one seat, and sell the others again.
-- Allows: none
CREATE INDEX bookings_parties ON bookings (event_type_id, start_ms) WHERE seats > 1;
