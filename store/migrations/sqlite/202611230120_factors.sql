-- The second factor of members (package factor): passkeys, authenticator apps, recovery codes, and for whom the owner
-- requires one.
ALTER TABLE sessions ADD COLUMN proven_ms INTEGER NOT NULL DEFAULT 0; -- when the member last showed who they are
ALTER TABLE sessions ADD COLUMN factor_ms INTEGER; -- when they showed a second factor in it; null: not yet

CREATE TABLE passkeys (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    user_id      INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    credential   BLOB    NOT NULL, -- its id
    host         TEXT    NOT NULL, -- of the server, which it belongs to
    name         TEXT    NOT NULL,
    record       TEXT    NOT NULL, -- public key, counter and flags, as JSON
    used_ms      INTEGER
) STRICT;
CREATE UNIQUE INDEX passkeys_credential ON passkeys (credential);
CREATE INDEX passkeys_list ON passkeys (workspace_id);
CREATE INDEX passkeys_of ON passkeys (user_id);

CREATE TABLE authenticators (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    user_id      INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    secret       TEXT    NOT NULL, -- sealed
    since_ms     INTEGER NOT NULL,
    step         INTEGER NOT NULL, -- the last that was used; those up to it are spent
    PRIMARY KEY (workspace_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX authenticators_of ON authenticators (user_id);

CREATE TABLE recovery_codes (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    user_id      INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    hash         BLOB    NOT NULL,
    PRIMARY KEY (workspace_id, user_id, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX recovery_codes_of ON recovery_codes (user_id);

CREATE TABLE factor_rules (
    workspace_id INTEGER NOT NULL PRIMARY KEY REFERENCES workspaces (id),
    roles        TEXT    NOT NULL -- those that need a second factor, with commas between
) STRICT;

-- What a browser was asked and has not answered yet. Each is answered once, and over after minutes.
CREATE TABLE factor_challenges (
    hash    BLOB    NOT NULL PRIMARY KEY, -- of its name
    about   BLOB    NOT NULL, -- the session that it belongs to; empty before there is one
    data    TEXT    NOT NULL, -- sealed
    ends_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX factor_challenges_over ON factor_challenges (ends_ms);
