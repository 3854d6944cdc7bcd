-- Who is signed in to the dashboard. The token is kept as its SHA-256.
CREATE TABLE sessions (
    hash       BLOB    NOT NULL PRIMARY KEY,
    user_id    INTEGER NOT NULL REFERENCES users (id),
    agent      TEXT    NOT NULL, -- the browser, as it names itself
    created_ms INTEGER NOT NULL,
    seen_ms    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_of ON sessions (user_id);
CREATE INDEX sessions_idle ON sessions (seen_ms);

-- At most one per member: the link with which an invited member chooses a password.
CREATE TABLE invitations (
    hash     BLOB    NOT NULL PRIMARY KEY,
    user_id  INTEGER NOT NULL UNIQUE REFERENCES users (id),
    until_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
