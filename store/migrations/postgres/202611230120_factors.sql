-- The second factor of members (package factor): passkeys, authenticator apps, recovery codes, and for whom the owner
-- requires one. An older binary asks nobody for theirs, so none may go on.
-- Allows: none
ALTER TABLE sessions ADD COLUMN proven_ms BIGINT NOT NULL DEFAULT 0; -- when the member last showed who they are
ALTER TABLE sessions ADD COLUMN factor_ms BIGINT; -- when they showed a second factor in it; null: not yet

CREATE TABLE passkeys (
    id           BIGINT CONSTRAINT passkeys_id_made_id UNIQUE,
    workspace_id BIGINT NOT NULL,
    user_id      BIGINT NOT NULL,
    credential   BYTEA NOT NULL, -- its id
    host         TEXT COLLATE "C" NOT NULL, -- of the server, which it belongs to
    name         TEXT COLLATE "C" NOT NULL,
    record       TEXT COLLATE "C" NOT NULL, -- public key, counter and flags, as JSON
    used_ms      BIGINT,
    CONSTRAINT passkeys_made_id PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX passkeys_credential ON passkeys (credential);
CREATE INDEX passkeys_of ON passkeys (user_id, id);

CREATE TABLE authenticators (
    workspace_id BIGINT NOT NULL,
    user_id      BIGINT NOT NULL,
    secret       TEXT COLLATE "C" NOT NULL, -- sealed
    since_ms     BIGINT NOT NULL,
    step         BIGINT NOT NULL, -- the last that was used; those up to it are spent
    PRIMARY KEY (workspace_id, user_id),
    FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX authenticators_of ON authenticators (user_id);

CREATE TABLE recovery_codes (
    workspace_id BIGINT NOT NULL,
    user_id      BIGINT NOT NULL,
    hash         BYTEA NOT NULL,
    PRIMARY KEY (workspace_id, user_id, hash),
    FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX recovery_codes_of ON recovery_codes (user_id);

CREATE TABLE factor_rules (
    workspace_id BIGINT NOT NULL PRIMARY KEY,
    roles        TEXT COLLATE "C" NOT NULL -- those that need a second factor, with commas between
);

-- What a browser was asked and has not answered yet. Each is answered once, and over after minutes.
CREATE TABLE factor_challenges (
    hash    BYTEA NOT NULL PRIMARY KEY, -- of its name
    about   BYTEA NOT NULL, -- the session that it belongs to; empty before there is one
    data    TEXT COLLATE "C" NOT NULL, -- sealed
    ends_ms BIGINT NOT NULL
);
CREATE INDEX factor_challenges_over ON factor_challenges (ends_ms);
