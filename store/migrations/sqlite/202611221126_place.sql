-- Where a booking takes place, as a number: the time for the way lies between bookings of a host at different places.
ALTER TABLE bookings ADD COLUMN place INTEGER; -- NULL for calls, and where nothing is said
