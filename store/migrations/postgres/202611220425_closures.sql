-- When all hosts are away: JSON of catalog.Closures. An older binary leaves it as it is, and offers those times.
-- Allows: 202611212031
ALTER TABLE workspaces ADD COLUMN closures TEXT COLLATE "C" NOT NULL DEFAULT '{}';
