-- What a refund gave back, in minor units; null for every other entry, and for refunds from before, whose reason says it.
ALTER TABLE booking_history ADD COLUMN amount INTEGER;
ALTER TABLE booking_history ADD COLUMN currency TEXT;
