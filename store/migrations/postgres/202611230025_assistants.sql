-- Workspaces that people's AI assistants may find and book at (package guest). Servers of the version before go on
-- beside this one: what they save keeps the choice.
-- Allows: 202611222130
ALTER TABLE workspaces ADD COLUMN assistants BIGINT NOT NULL DEFAULT 0;
CREATE INDEX workspaces_assistants ON workspaces (slug) WHERE assistants = 1 AND gone_ms IS NULL;
