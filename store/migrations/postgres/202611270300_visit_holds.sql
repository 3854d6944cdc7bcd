-- The hold that all holds of one visit belong to, the first of them; null is a hold of one service. An older binary ends
-- the first alone, and the others end by themselves.
-- Allows: 202611262130
ALTER TABLE holds ADD COLUMN visit_hold_id BIGINT;
