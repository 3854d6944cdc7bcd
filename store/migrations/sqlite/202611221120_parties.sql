-- The few bookings that take several seats of a session, by when it begins: whoever looks for free seats reads them.
CREATE INDEX bookings_parties ON bookings (event_type_id, start_ms) WHERE seats > 1;
