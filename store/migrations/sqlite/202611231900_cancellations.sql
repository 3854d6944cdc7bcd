-- Cancellations of several bookings at once (package bulk). They wait for a minute, in which they can be undone; then
-- each booking is cancelled in a transaction of its own.
CREATE TABLE cancellations (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    user_id      INTEGER NOT NULL, -- who confirmed it; 0: the business itself
    form         TEXT    NOT NULL, -- the key of the form that was sent: sent again it is the same cancellation
    scope        TEXT    NOT NULL, -- JSON of which bookings were listed
    message      TEXT    NOT NULL, -- to the customers
    refund       INTEGER NOT NULL,
    closed       TEXT, -- JSON of the time off that was given with it
    made_ms      INTEGER NOT NULL,
    due_ms       INTEGER NOT NULL,
    done_ms      INTEGER,
    state        INTEGER NOT NULL, -- see bulk.State
    seen         INTEGER NOT NULL DEFAULT 0 -- the result was looked at
) STRICT;
CREATE UNIQUE INDEX cancellations_form ON cancellations (workspace_id, form);
CREATE INDEX cancellations_made ON cancellations (workspace_id, made_ms);
CREATE INDEX cancellations_due ON cancellations (due_ms) WHERE state < 2;
CREATE INDEX cancellations_old ON cancellations (made_ms);

-- The bookings that were listed, as they were shown. A booking is in one cancellation that is still to be done.
CREATE TABLE cancellation_items (
    workspace_id    INTEGER NOT NULL,
    cancellation_id INTEGER NOT NULL,
    booking_id      INTEGER NOT NULL,
    version         TEXT    NOT NULL, -- of what was shown, see bulk.Version
    outcome         INTEGER NOT NULL, -- see bulk.Outcome; 0: still to be done
    why             TEXT, -- it was refused
    PRIMARY KEY (workspace_id, cancellation_id, booking_id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX cancellation_items_open ON cancellation_items (workspace_id, booking_id) WHERE outcome = 0;
