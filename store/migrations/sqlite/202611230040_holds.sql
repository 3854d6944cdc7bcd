-- Times that are held for a few minutes while somebody makes up their mind (package hold).
CREATE TABLE holds (
    id            INTEGER PRIMARY KEY,
    workspace_id  INTEGER NOT NULL REFERENCES workspaces (id),
    host_id       INTEGER NOT NULL REFERENCES hosts (id),
    event_type_id INTEGER NOT NULL,
    seats         INTEGER NOT NULL CHECK (seats > 0),
    start_ms      INTEGER NOT NULL,
    end_ms        INTEGER NOT NULL,
    busy_start_ms INTEGER NOT NULL,
    busy_end_ms   INTEGER NOT NULL,
    place         INTEGER,
    host_named    INTEGER NOT NULL CHECK (host_named IN (0, 1)), -- somebody asked for that host
    maker         TEXT    NOT NULL, -- the id of a key or member, or the hash of a network address
    person        TEXT    NOT NULL, -- the hash of an e-mail address; '' is not known
    expires_ms    INTEGER NOT NULL
) STRICT;
CREATE INDEX holds_in ON holds (workspace_id, expires_ms);
CREATE INDEX holds_of ON holds (host_id, busy_start_ms, busy_end_ms, expires_ms);
CREATE INDEX holds_old ON holds (expires_ms);

-- Whether times have been held in the workspace: where none were, nobody looks for them.
ALTER TABLE workspaces ADD COLUMN holds INTEGER NOT NULL DEFAULT 0 CHECK (holds IN (0, 1));
