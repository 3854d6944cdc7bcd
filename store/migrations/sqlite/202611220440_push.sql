-- Notifications of bookings on members' devices (package push). Endpoints and what belongs to them are of no use
-- without the workspace's key, which is sealed: push services take messages that it has signed only.
CREATE TABLE push_keys (
    workspace_id INTEGER PRIMARY KEY REFERENCES workspaces (id),
    public       TEXT    NOT NULL, -- base64url
    private      TEXT    NOT NULL  -- sealed
) STRICT;

CREATE TABLE push_subscriptions (
    id            INTEGER PRIMARY KEY,
    workspace_id  INTEGER NOT NULL REFERENCES workspaces (id),
    session       BLOB    NOT NULL REFERENCES sessions (hash) ON DELETE CASCADE, -- the sign-in that it ends with
    endpoint_hash BLOB    NOT NULL, -- SHA-256
    endpoint      TEXT    NOT NULL,
    p256dh        TEXT    NOT NULL,
    auth          TEXT    NOT NULL,
    locale        TEXT    NOT NULL,
    kinds         INTEGER NOT NULL, -- bits: 1 new, 2 moved, 4 cancelled
    names         INTEGER NOT NULL CHECK (names IN (0, 1)), -- 1: with the customer's name
    failed        TEXT -- why the push service refused the last message
) STRICT;
CREATE UNIQUE INDEX push_subscriptions_at ON push_subscriptions (workspace_id, endpoint_hash);
CREATE INDEX push_subscriptions_of ON push_subscriptions (session);

-- Messages that wait: those that were sent or given up are deleted.
CREATE TABLE push_queue (
    id              INTEGER PRIMARY KEY,
    workspace_id    INTEGER NOT NULL REFERENCES workspaces (id),
    subscription_id INTEGER NOT NULL REFERENCES push_subscriptions (id) ON DELETE CASCADE,
    booking_id      INTEGER, -- null: of a test
    kind            TEXT    NOT NULL,
    start_ms        INTEGER NOT NULL, -- of the booking, when the message was written
    due_ms          INTEGER NOT NULL, -- when it may be claimed, or when its lease ends
    until_ms        INTEGER NOT NULL, -- when it is given up
    tries           INTEGER NOT NULL DEFAULT 0,
    sending         INTEGER NOT NULL DEFAULT 0 -- the server whose attempt is under way
) STRICT;
CREATE INDEX push_queue_due ON push_queue (due_ms, id);
CREATE INDEX push_queue_of ON push_queue (subscription_id);
CREATE INDEX push_queue_in ON push_queue (workspace_id, id);

INSERT INTO followers (name, last_number) SELECT 'push', COALESCE(MAX(number), 0) FROM booking_history;
