-- When all hosts are away: JSON of catalog.Closures.
ALTER TABLE workspaces ADD COLUMN closures TEXT NOT NULL DEFAULT '{}';
