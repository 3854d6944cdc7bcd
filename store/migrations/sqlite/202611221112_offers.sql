-- What the booking page tells about a host, and the services that take another time or cost another price with them.
-- How many seats of a session a booking takes: 1 takes no byte of a row.
ALTER TABLE hosts ADD COLUMN profile TEXT NOT NULL DEFAULT '{}'; -- JSON: about, picture, terms
ALTER TABLE bookings ADD COLUMN seats INTEGER NOT NULL DEFAULT 1;
