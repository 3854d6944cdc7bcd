-- Whether a change of a booking was one of its whole visit (booking.HistoryEntry.WithVisit): then the customer gets one
-- mail about all of it. An older binary leaves it null: it neither reads nor writes it.
-- Allows: 202611261740
ALTER TABLE booking_history ADD COLUMN with_visit BIGINT CHECK (with_visit = 1);
