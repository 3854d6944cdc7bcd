-- A note about the booking that only the business reads, and what a change of a booking replaced: its end and its event
-- type, where the change gave it others. An older binary leaves all three as they are: it neither reads nor writes them.
-- Allows: 202611212031
ALTER TABLE bookings ADD COLUMN internal_note TEXT COLLATE "C";
ALTER TABLE booking_history ADD COLUMN previous_end_ms BIGINT;
ALTER TABLE booking_history ADD COLUMN previous_event_type_id BIGINT;
