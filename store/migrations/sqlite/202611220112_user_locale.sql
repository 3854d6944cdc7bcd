-- The language that a member reads the dashboard and mails to the team in; empty is the browser's, and of mails the
-- workspace's.
ALTER TABLE users ADD COLUMN locale TEXT NOT NULL DEFAULT '';
