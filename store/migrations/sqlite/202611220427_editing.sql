-- A note about the booking that only the business reads, and what a change of a booking replaced: its end and its event
-- type, where the change gave it others.
ALTER TABLE bookings ADD COLUMN internal_note TEXT;
ALTER TABLE booking_history ADD COLUMN previous_end_ms INTEGER;
ALTER TABLE booking_history ADD COLUMN previous_event_type_id INTEGER;
