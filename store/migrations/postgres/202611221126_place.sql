-- Where a booking takes place, as a number: the time for the way lies between bookings of a host at different places.
-- Servers of the version before go on beside this one: they book without looking at the way.
-- Allows: 202611221120
ALTER TABLE bookings ADD COLUMN place BIGINT; -- NULL for calls, and where nothing is said
