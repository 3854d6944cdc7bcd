-- An event without a booking is a test: one endpoint is told of it, and no list shows it.
CREATE TABLE events_new (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    kind         TEXT    NOT NULL,
    booking_id   INTEGER REFERENCES bookings (id),
    created_ms   INTEGER NOT NULL,
    body         BLOB    NOT NULL -- the exact bytes that are sent
) STRICT;
INSERT INTO events_new SELECT id, workspace_id, kind, booking_id, created_ms, body FROM events;
DROP TABLE events;
ALTER TABLE events_new RENAME TO events;
CREATE INDEX events_of ON events (workspace_id, id);

CREATE TABLE webhook_endpoints (
    id                INTEGER PRIMARY KEY,
    workspace_id      INTEGER NOT NULL REFERENCES workspaces (id),
    url               TEXT    NOT NULL,
    kinds             TEXT    NOT NULL, -- joined by commas
    secret            TEXT    NOT NULL, -- sealed
    previous_secret   TEXT, -- sealed; signs too until previous_until_ms
    previous_until_ms INTEGER,
    enabled           INTEGER NOT NULL DEFAULT 1,
    disabled_reason   TEXT,
    disabled_ms       INTEGER,
    failing_since_ms  INTEGER, -- the first failure since the last success
    deleted_ms        INTEGER, -- kept, without its secrets, as long as its deliveries are
    created_ms        INTEGER NOT NULL
) STRICT;
CREATE INDEX webhook_endpoints_of ON webhook_endpoints (workspace_id, id);

CREATE TABLE deliveries (
    id              INTEGER PRIMARY KEY,
    event_id        INTEGER NOT NULL, -- of events, which are forgotten last
    endpoint_id     INTEGER NOT NULL REFERENCES webhook_endpoints (id),
    state           INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 2), -- 0 pending, 1 delivered, 2 failed
    sending         INTEGER NOT NULL DEFAULT 0, -- 1: an attempt is under way, and due_ms is when its lease ends
    due_ms          INTEGER NOT NULL, -- pending: when it may be claimed
    tries           INTEGER NOT NULL DEFAULT 0, -- attempts since it was last asked for: they choose the pause
    attempts        INTEGER NOT NULL DEFAULT 0, -- all of them
    response_status INTEGER,
    duration_ms     INTEGER,
    created_ms      INTEGER NOT NULL,
    error           TEXT,
    response        BLOB -- how the last answer began
) STRICT;
CREATE INDEX deliveries_due ON deliveries (endpoint_id, due_ms) WHERE state = 0;
CREATE INDEX deliveries_failed ON deliveries (endpoint_id, id) WHERE state = 2;
CREATE INDEX deliveries_log ON deliveries (endpoint_id, id);
