-- Links by which one service can be booked, a hidden one, too. Only the SHA-256 of a link's token is kept.
CREATE TABLE invitation_links (
    id            INTEGER PRIMARY KEY,
    workspace_id  INTEGER NOT NULL REFERENCES workspaces (id),
    hash          BLOB    NOT NULL,
    event_type_id INTEGER NOT NULL REFERENCES event_types (id),
    host_id       INTEGER REFERENCES hosts (id), -- null: whoever is free
    email         TEXT    NOT NULL, -- who alone may book by it; '' is anybody
    email_key     TEXT    NOT NULL,
    uses          INTEGER NOT NULL,
    used          INTEGER NOT NULL DEFAULT 0,
    expires_ms    INTEGER,
    revoked_ms    INTEGER,
    forget_ms     INTEGER, -- when the row is deleted, once that is known
    CHECK (used BETWEEN 0 AND uses)
) STRICT;
CREATE UNIQUE INDEX invitation_links_at ON invitation_links (hash);
CREATE INDEX invitation_links_list ON invitation_links (workspace_id);
CREATE INDEX invitation_links_old ON invitation_links (forget_ms) WHERE forget_ms IS NOT NULL;
CREATE INDEX invitation_links_of ON invitation_links (event_type_id);
CREATE INDEX invitation_links_by_host ON invitation_links (host_id);
