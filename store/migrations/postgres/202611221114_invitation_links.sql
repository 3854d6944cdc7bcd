-- Links by which one service can be booked, a hidden one, too. Only the SHA-256 of a link's token is kept. An older
-- binary makes and takes none.
-- Allows: 202611221112
CREATE TABLE invitation_links (
    id            BIGINT CONSTRAINT invitation_links_id_made_id UNIQUE,
    workspace_id  BIGINT NOT NULL,
    hash          BYTEA  NOT NULL,
    event_type_id BIGINT NOT NULL,
    host_id       BIGINT, -- null: whoever is free
    email         TEXT COLLATE "C" NOT NULL, -- who alone may book by it; '' is anybody
    email_key     TEXT COLLATE "C" NOT NULL,
    uses          BIGINT NOT NULL,
    used          BIGINT NOT NULL DEFAULT 0,
    expires_ms    BIGINT,
    revoked_ms    BIGINT,
    forget_ms     BIGINT, -- when the row is deleted, once that is known
    CHECK (used BETWEEN 0 AND uses),
    CONSTRAINT invitation_links_made_id PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, event_type_id) REFERENCES event_types (workspace_id, id),
    FOREIGN KEY (workspace_id, host_id) REFERENCES hosts (workspace_id, id)
);
CREATE UNIQUE INDEX invitation_links_at ON invitation_links (hash);
CREATE INDEX invitation_links_old ON invitation_links (forget_ms) WHERE forget_ms IS NOT NULL;
CREATE INDEX invitation_links_of ON invitation_links (event_type_id, id);
CREATE INDEX invitation_links_by_host ON invitation_links (host_id, id);
