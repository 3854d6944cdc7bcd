-- Notifications of bookings on members' devices (package push). Endpoints and what belongs to them are of no use
-- without the workspace's key, which is sealed: push services take messages that it has signed only.
-- Allows: 202611212031
CREATE TABLE push_keys (
    workspace_id BIGINT PRIMARY KEY,
    public       TEXT COLLATE "C" NOT NULL, -- base64url
    private      TEXT COLLATE "C" NOT NULL  -- sealed
);

CREATE TABLE push_subscriptions (
    id            BIGINT PRIMARY KEY,
    workspace_id  BIGINT NOT NULL,
    session       BYTEA   NOT NULL REFERENCES sessions (hash) ON DELETE CASCADE, -- the sign-in that it ends with
    endpoint_hash BYTEA   NOT NULL, -- SHA-256
    endpoint      TEXT COLLATE "C" NOT NULL,
    p256dh        TEXT COLLATE "C" NOT NULL,
    auth          TEXT COLLATE "C" NOT NULL,
    locale        TEXT COLLATE "C" NOT NULL,
    kinds         BIGINT NOT NULL, -- bits: 1 new, 2 moved, 4 cancelled
    names         BIGINT NOT NULL CHECK (names IN (0, 1)), -- 1: with the customer's name
    failed        TEXT COLLATE "C" -- why the push service refused the last message
);
CREATE UNIQUE INDEX push_subscriptions_at ON push_subscriptions (workspace_id, endpoint_hash);
CREATE INDEX push_subscriptions_of ON push_subscriptions (session);

-- Messages that wait: those that were sent or given up are deleted.
CREATE TABLE push_queue (
    id              BIGINT CONSTRAINT push_queue_made_id UNIQUE,
    workspace_id    BIGINT NOT NULL,
    subscription_id BIGINT NOT NULL REFERENCES push_subscriptions (id) ON DELETE CASCADE,
    booking_id      BIGINT, -- null: of a test
    kind            TEXT COLLATE "C" NOT NULL,
    start_ms        BIGINT NOT NULL, -- of the booking, when the message was written
    due_ms          BIGINT NOT NULL, -- when it may be claimed, or when its lease ends
    until_ms        BIGINT NOT NULL, -- when it is given up
    tries           BIGINT NOT NULL DEFAULT 0,
    sending         BIGINT NOT NULL DEFAULT 0, -- the server whose attempt is under way
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX push_queue_due ON push_queue (due_ms, id);
CREATE INDEX push_queue_of ON push_queue (subscription_id);

INSERT INTO followers (name, last_number) SELECT 'push', COALESCE(MAX(number), 0) FROM booking_history;
