-- What people's assistants asked for and nobody has confirmed yet (package guest). Neither the code nor the link of the
-- mail is kept: both are made of the id and the workspace's key. An older binary makes and takes none.
-- Allows: 202611230025
CREATE TABLE guest_requests (
    id            BIGINT CONSTRAINT guest_requests_id_made_id UNIQUE,
    workspace_id  BIGINT NOT NULL,
    hold          TEXT COLLATE "C" NOT NULL, -- the id of the hold that keeps its time
    address       TEXT COLLATE "C" NOT NULL, -- a hash of the network address that asked
    email_key     TEXT COLLATE "C" NOT NULL, -- whom it is for
    event_type_id BIGINT NOT NULL,
    host_id       BIGINT NOT NULL,
    start_ms      BIGINT NOT NULL,
    end_ms        BIGINT NOT NULL,
    input         TEXT COLLATE "C", -- JSON of what is booked; null once it is over
    attempts      BIGINT NOT NULL DEFAULT 0, -- at the code
    made_ms       BIGINT NOT NULL,
    expires_ms    BIGINT NOT NULL,
    booking_id    BIGINT, -- what it became
    CONSTRAINT guest_requests_made_id PRIMARY KEY (workspace_id, id)
);
CREATE INDEX guest_requests_by_person ON guest_requests (email_key, made_ms);
CREATE INDEX guest_requests_by_address ON guest_requests (address, made_ms);
CREATE INDEX guest_requests_over ON guest_requests (expires_ms) WHERE input IS NOT NULL;
CREATE INDEX guest_requests_old ON guest_requests (made_ms);
CREATE INDEX guest_requests_lately ON guest_requests (workspace_id, made_ms);
