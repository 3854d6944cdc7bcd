-- A workspace that the operator has suspended: its doors are closed, and its data stays.
ALTER TABLE workspaces ADD COLUMN suspended_ms INTEGER; -- since when; null: it is open
CREATE INDEX workspaces_suspended ON workspaces (id) WHERE suspended_ms IS NOT NULL;
