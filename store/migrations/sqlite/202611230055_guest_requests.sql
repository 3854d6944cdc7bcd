-- What people's assistants asked for and nobody has confirmed yet (package guest). Neither the code nor the link of the
-- mail is kept: both are made of the id and the workspace's key.
CREATE TABLE guest_requests (
    id            INTEGER PRIMARY KEY,
    workspace_id  INTEGER NOT NULL REFERENCES workspaces (id),
    hold          TEXT    NOT NULL, -- the id of the hold that keeps its time
    address       TEXT    NOT NULL, -- a hash of the network address that asked
    email_key     TEXT    NOT NULL, -- whom it is for
    event_type_id INTEGER NOT NULL,
    host_id       INTEGER NOT NULL,
    start_ms      INTEGER NOT NULL,
    end_ms        INTEGER NOT NULL,
    input         TEXT, -- JSON of what is booked; null once it is over
    attempts      INTEGER NOT NULL DEFAULT 0, -- at the code
    made_ms       INTEGER NOT NULL,
    expires_ms    INTEGER NOT NULL,
    booking_id    INTEGER -- what it became
) STRICT;
CREATE INDEX guest_requests_of ON guest_requests (workspace_id);
CREATE INDEX guest_requests_by_person ON guest_requests (email_key, made_ms);
CREATE INDEX guest_requests_by_address ON guest_requests (address, made_ms);
CREATE INDEX guest_requests_over ON guest_requests (expires_ms) WHERE input IS NOT NULL;
CREATE INDEX guest_requests_old ON guest_requests (made_ms);
CREATE INDEX guest_requests_lately ON guest_requests (workspace_id, made_ms);
