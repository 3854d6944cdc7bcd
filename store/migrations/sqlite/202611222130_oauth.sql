-- What agents' programs were allowed by members (package oauth). Of codes and tokens only the SHA-256 is kept.
CREATE TABLE oauth_clients (
    id        INTEGER PRIMARY KEY,
    name      TEXT    NOT NULL, -- as it calls itself
    redirects TEXT    NOT NULL, -- a JSON array
    forget_ms INTEGER NOT NULL  -- when the row is deleted
) STRICT;
CREATE INDEX oauth_clients_old ON oauth_clients (forget_ms);

-- A grant with the one code and the tokens that stand for it at present: a family.
CREATE TABLE oauth_grants (
    id                       INTEGER PRIMARY KEY,
    workspace_id             INTEGER NOT NULL REFERENCES workspaces (id),
    user_id                  INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role                     TEXT    NOT NULL, -- and host_id: the member's when they allowed it
    host_id                  INTEGER,
    client                   TEXT    NOT NULL, -- the client's id
    name                     TEXT    NOT NULL,
    redirect                 TEXT    NOT NULL,
    scope                    TEXT    NOT NULL,
    resource                 TEXT    NOT NULL,
    ends_ms                  INTEGER NOT NULL,
    over_ms                  INTEGER NOT NULL, -- when it ends unless the code or the refresh token is used before
    used_ms                  INTEGER,
    code_hash                BLOB    NOT NULL,
    challenge                TEXT    NOT NULL, -- of PKCE
    family_hash              BLOB,             -- of what all refresh tokens of the family have in common; null: none yet
    refresh_hash             BLOB,
    previous_hash            BLOB,             -- of the refresh token before
    rotated_ms               INTEGER,
    salt                     BLOB,             -- with the refresh token before it makes the present ones
    access_hash              BLOB,
    access_until_ms          INTEGER,
    previous_access_hash     BLOB,
    previous_access_until_ms INTEGER
) STRICT;
CREATE UNIQUE INDEX oauth_grants_code ON oauth_grants (code_hash);
CREATE UNIQUE INDEX oauth_grants_family ON oauth_grants (family_hash);
CREATE UNIQUE INDEX oauth_grants_access ON oauth_grants (access_hash);
CREATE UNIQUE INDEX oauth_grants_previous ON oauth_grants (previous_access_hash);
CREATE INDEX oauth_grants_list ON oauth_grants (workspace_id);
CREATE INDEX oauth_grants_of ON oauth_grants (user_id);
CREATE INDEX oauth_grants_over ON oauth_grants (over_ms);
