-- Cancellations of several bookings at once (package bulk). They wait for a minute, in which they can be undone; then
-- each booking is cancelled in a transaction of its own. An older binary makes none, and carries none out: it cancels at
-- once.
-- Allows: 202611230915
CREATE TABLE cancellations (
    id           BIGINT CONSTRAINT cancellations_id_made_id UNIQUE,
    workspace_id BIGINT NOT NULL,
    user_id      BIGINT NOT NULL, -- who confirmed it; 0: the business itself
    form         TEXT COLLATE "C" NOT NULL, -- the key of the form that was sent: sent again it is the same cancellation
    scope        TEXT COLLATE "C" NOT NULL, -- JSON of which bookings were listed
    message      TEXT COLLATE "C" NOT NULL, -- to the customers
    refund       BIGINT NOT NULL,
    closed       TEXT COLLATE "C", -- JSON of the time off that was given with it
    made_ms      BIGINT NOT NULL,
    due_ms       BIGINT NOT NULL,
    done_ms      BIGINT,
    state        BIGINT NOT NULL, -- see bulk.State
    seen         BIGINT NOT NULL DEFAULT 0, -- the result was looked at
    CONSTRAINT cancellations_made_id PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX cancellations_form ON cancellations (workspace_id, form);
CREATE INDEX cancellations_made ON cancellations (workspace_id, made_ms);
CREATE INDEX cancellations_due ON cancellations (due_ms) WHERE state < 2;
CREATE INDEX cancellations_old ON cancellations (made_ms);

-- The bookings that were listed, as they were shown. A booking is in one cancellation that is still to be done.
CREATE TABLE cancellation_items (
    workspace_id    BIGINT NOT NULL,
    cancellation_id BIGINT NOT NULL,
    booking_id      BIGINT NOT NULL,
    version         TEXT COLLATE "C" NOT NULL, -- of what was shown, see bulk.Version
    outcome         BIGINT NOT NULL, -- see bulk.Outcome; 0: still to be done
    why             TEXT COLLATE "C", -- it was refused
    PRIMARY KEY (workspace_id, cancellation_id, booking_id)
);
CREATE UNIQUE INDEX cancellation_items_open ON cancellation_items (workspace_id, booking_id) WHERE outcome = 0;
