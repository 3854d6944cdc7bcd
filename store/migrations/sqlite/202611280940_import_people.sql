-- The people whom an import of appointments added to the team, so that it can be undone (package movein).
ALTER TABLE imports ADD COLUMN people INTEGER NOT NULL DEFAULT 0; -- whom it added

CREATE TABLE import_people (
    workspace_id INTEGER NOT NULL,
    import_id    INTEGER NOT NULL,
    host_id      INTEGER NOT NULL,
    outcome      INTEGER NOT NULL, -- see contact.Outcome; 0: not undone
    definition   TEXT NOT NULL, -- of the host, as it was made
    PRIMARY KEY (workspace_id, import_id, host_id)
) STRICT, WITHOUT ROWID;
