-- Times that are held for a few minutes while somebody makes up their mind (package hold). An older binary beside this
-- one would book them for others.
-- Allows: none
CREATE TABLE holds (
    id            BIGINT CONSTRAINT holds_id_made_id UNIQUE,
    workspace_id  BIGINT NOT NULL,
    host_id       BIGINT NOT NULL,
    event_type_id BIGINT NOT NULL,
    seats         BIGINT NOT NULL CHECK (seats > 0),
    start_ms      BIGINT NOT NULL,
    end_ms        BIGINT NOT NULL,
    busy_start_ms BIGINT NOT NULL,
    busy_end_ms   BIGINT NOT NULL,
    place         BIGINT,
    host_named    BIGINT NOT NULL CHECK (host_named IN (0, 1)), -- somebody asked for that host
    maker         TEXT COLLATE "C" NOT NULL, -- the id of a key or member, or the hash of a network address
    person        TEXT COLLATE "C" NOT NULL, -- the hash of an e-mail address; '' is not known
    expires_ms    BIGINT NOT NULL,
    CONSTRAINT holds_made_id PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, host_id) REFERENCES hosts (workspace_id, id)
);
CREATE INDEX holds_in ON holds (workspace_id, expires_ms);
CREATE INDEX holds_of ON holds (host_id, busy_start_ms, busy_end_ms, expires_ms);
CREATE INDEX holds_old ON holds (expires_ms);

-- Whether times have been held in the workspace: where none were, nobody looks for them.
ALTER TABLE workspaces ADD COLUMN holds BIGINT NOT NULL DEFAULT 0 CHECK (holds IN (0, 1));
