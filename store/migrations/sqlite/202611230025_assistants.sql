-- Workspaces that people's AI assistants may find and book at (package guest).
ALTER TABLE workspaces ADD COLUMN assistants INTEGER NOT NULL DEFAULT 0;
CREATE INDEX workspaces_assistants ON workspaces (slug) WHERE assistants = 1 AND gone_ms IS NULL;
