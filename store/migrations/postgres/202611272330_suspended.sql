-- A workspace that the operator has suspended: its doors are closed, and its data stays. An older binary beside this one
-- would serve it.
-- Allows: none
ALTER TABLE workspaces ADD COLUMN suspended_ms BIGINT; -- since when; null: it is open
CREATE INDEX workspaces_suspended ON workspaces (id) WHERE suspended_ms IS NOT NULL;
