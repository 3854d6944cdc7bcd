-- The hold that all holds of one visit belong to, the first of them; null is a hold of one service.
ALTER TABLE holds ADD COLUMN visit_hold_id INTEGER;
