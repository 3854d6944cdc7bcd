-- Whether a change of a booking was one of its whole visit (booking.HistoryEntry.WithVisit): then the customer gets one
-- mail about all of it.
ALTER TABLE booking_history ADD COLUMN with_visit INTEGER CHECK (with_visit = 1);
