-- Sign-ins at Google and Microsoft that somebody has begun. Each is good once, for a few minutes.
CREATE TABLE calendar_sign_ins (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    hash         BLOB    NOT NULL, -- of the state that the browser brings back
    session      BLOB    NOT NULL, -- the hash of the member's session
    kind         TEXT    NOT NULL,
    host_id      INTEGER NOT NULL,
    verifier     TEXT    NOT NULL, -- of PKCE
    until_ms     INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, hash)
) STRICT, WITHOUT ROWID;
