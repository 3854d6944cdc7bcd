-- Sign-ins at Google and Microsoft that somebody has begun. Each is good once, for a few minutes.
-- Allows: none
CREATE TABLE calendar_sign_ins (
    workspace_id BIGINT NOT NULL,
    hash         BYTEA NOT NULL, -- of the state that the browser brings back
    session      BYTEA NOT NULL, -- the hash of the member's session
    kind         TEXT COLLATE "C" NOT NULL,
    host_id      BIGINT NOT NULL,
    verifier     TEXT COLLATE "C" NOT NULL, -- of PKCE
    until_ms     BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, hash)
);
