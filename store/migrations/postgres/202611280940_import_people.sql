-- The people whom an import of appointments added to the team, so that it can be undone (package movein). An
-- older binary beside this one would undo the import without them.
-- Allows: none
ALTER TABLE imports ADD COLUMN people BIGINT NOT NULL DEFAULT 0; -- whom it added

CREATE TABLE import_people (
    workspace_id BIGINT NOT NULL,
    import_id    BIGINT NOT NULL,
    host_id      BIGINT NOT NULL,
    outcome      BIGINT NOT NULL, -- see contact.Outcome; 0: not undone
    definition   TEXT COLLATE "C" NOT NULL, -- of the host, as it was made
    PRIMARY KEY (workspace_id, import_id, host_id)
);
