-- The events of a booking that an undone import removed are listed by it, too. An older binary doesn't ask for them.
-- Allows: 202611280940
CREATE INDEX events_gone ON events (gone_booking) WHERE gone_booking IS NOT NULL;
