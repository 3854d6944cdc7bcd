-- The events of a booking that an undone import removed are listed by it, too.
CREATE INDEX events_gone ON events (gone_booking) WHERE gone_booking IS NOT NULL;
