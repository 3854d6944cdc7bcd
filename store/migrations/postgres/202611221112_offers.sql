-- What the booking page tells about a host, and the services that take another time or cost another price with them.
-- How many seats of a session a booking takes. Servers of the version before go on beside this one: they book by the
-- event type's length and price, and one seat at a time.
-- Allows: 202611220440
ALTER TABLE hosts ADD COLUMN profile TEXT COLLATE "C" NOT NULL DEFAULT '{}'; -- JSON: about, picture, terms
ALTER TABLE bookings ADD COLUMN seats BIGINT NOT NULL DEFAULT 1;
