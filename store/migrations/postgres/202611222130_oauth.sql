-- What agents' programs were allowed by members (package oauth). Of codes and tokens only the SHA-256 is kept. An older
-- binary knows none.
-- Allows: 202611221830
CREATE TABLE oauth_clients (
    id        BIGINT PRIMARY KEY,
    name      TEXT COLLATE "C" NOT NULL, -- as it calls itself
    redirects TEXT COLLATE "C" NOT NULL, -- a JSON array
    forget_ms BIGINT NOT NULL -- when the row is deleted
);
CREATE INDEX oauth_clients_old ON oauth_clients (forget_ms);

-- A grant with the one code and the tokens that stand for it at present: a family.
CREATE TABLE oauth_grants (
    id                       BIGINT CONSTRAINT oauth_grants_id_made_id UNIQUE,
    workspace_id             BIGINT NOT NULL,
    user_id                  BIGINT NOT NULL,
    role                     TEXT COLLATE "C" NOT NULL, -- and host_id: the member's when they allowed it
    host_id                  BIGINT,
    client                   TEXT COLLATE "C" NOT NULL, -- the client's id
    name                     TEXT COLLATE "C" NOT NULL,
    redirect                 TEXT COLLATE "C" NOT NULL,
    scope                    TEXT COLLATE "C" NOT NULL,
    resource                 TEXT COLLATE "C" NOT NULL,
    ends_ms                  BIGINT NOT NULL,
    over_ms                  BIGINT NOT NULL, -- when it ends unless the code or the refresh token is used before
    used_ms                  BIGINT,
    code_hash                BYTEA NOT NULL,
    challenge                TEXT COLLATE "C" NOT NULL, -- of PKCE
    family_hash              BYTEA, -- of what all refresh tokens of the family have in common; null: none yet
    refresh_hash             BYTEA,
    previous_hash            BYTEA, -- of the refresh token before
    rotated_ms               BIGINT,
    salt                     BYTEA, -- with the refresh token before it makes the present ones
    access_hash              BYTEA,
    access_until_ms          BIGINT,
    previous_access_hash     BYTEA,
    previous_access_until_ms BIGINT,
    CONSTRAINT oauth_grants_made_id PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX oauth_grants_code ON oauth_grants (code_hash);
CREATE UNIQUE INDEX oauth_grants_family ON oauth_grants (family_hash);
CREATE UNIQUE INDEX oauth_grants_access ON oauth_grants (access_hash);
CREATE UNIQUE INDEX oauth_grants_previous ON oauth_grants (previous_access_hash);
CREATE INDEX oauth_grants_of ON oauth_grants (user_id, id);
CREATE INDEX oauth_grants_over ON oauth_grants (over_ms, id);
-- Servers keep grants in memory, and drop them at this word.
CREATE TRIGGER tell_setup AFTER DELETE ON oauth_grants EXECUTE FUNCTION tell_setup();
