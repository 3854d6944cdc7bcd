-- Allows: 202611212031
-- The language that a member reads the dashboard and mails to the team in; empty is the browser's, and of mails the
-- workspace's.
ALTER TABLE users ADD COLUMN locale TEXT COLLATE "C" NOT NULL DEFAULT '';
