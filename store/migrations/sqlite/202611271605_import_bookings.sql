-- What imports of appointments did, for a day, so that they can be undone (package movein). An older binary beside this one
-- would forget half of what such an import did, and not list what is told of bookings that are gone.
-- Allows: none
ALTER TABLE imports ADD COLUMN booked INTEGER NOT NULL DEFAULT 0; -- bookings that it made or moved
ALTER TABLE imports ADD COLUMN services INTEGER NOT NULL DEFAULT 0; -- that it made
ALTER TABLE imports ADD COLUMN lines INTEGER NOT NULL DEFAULT 0; -- that it has to save
ALTER TABLE imports ADD COLUMN come INTEGER NOT NULL DEFAULT 0; -- of lines, how far it has come
ALTER TABLE imports ADD COLUMN left_out INTEGER NOT NULL DEFAULT 0; -- lines

CREATE TABLE import_bookings (
    workspace_id  INTEGER NOT NULL,
    import_id     INTEGER NOT NULL,
    booking_id    INTEGER NOT NULL,
    outcome       INTEGER NOT NULL, -- see contact.Outcome; 0: not undone
    updated_ms    INTEGER NOT NULL, -- of the booking, as the import left it
    found_ms      INTEGER NOT NULL, -- the same as the import found it; 0: the import made it
    host_id       INTEGER NOT NULL, -- what a moved one had before, and what the other program had said of it; 0 of a made one
    event_type_id INTEGER NOT NULL,
    start_ms      INTEGER NOT NULL,
    end_ms        INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, import_id, booking_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX import_bookings_open ON import_bookings (booking_id) WHERE outcome = 0;

CREATE TABLE import_services (
    workspace_id  INTEGER NOT NULL,
    import_id     INTEGER NOT NULL,
    event_type_id INTEGER NOT NULL,
    outcome       INTEGER NOT NULL,
    definition    TEXT    NOT NULL, -- as it was made
    PRIMARY KEY (workspace_id, import_id, event_type_id)
) STRICT, WITHOUT ROWID;

-- The booking that an event told of, once that was removed: the list has the event all the same.
ALTER TABLE events ADD COLUMN gone_booking INTEGER;

-- The copy of a booking in a calendar outlives the booking until it is removed there.
CREATE TABLE calendar_copies_new (
    booking_id    INTEGER NOT NULL,
    calendar_id   INTEGER NOT NULL REFERENCES calendars (id) ON DELETE CASCADE,
    workspace_id  INTEGER NOT NULL REFERENCES workspaces (id),
    uid           TEXT    NOT NULL,
    item          TEXT    NOT NULL, -- '': nothing is there
    etag          TEXT    NOT NULL,
    start_ms      INTEGER, -- as written
    end_ms        INTEGER,
    remove        INTEGER NOT NULL CHECK (remove IN (0, 1)),
    due_ms        INTEGER, -- null: nothing is to be done
    tries         INTEGER NOT NULL DEFAULT 0,
    writing       INTEGER NOT NULL DEFAULT 0, -- the server that writes it
    problem       TEXT,
    wish          TEXT, -- what somebody did to it there
    wish_start_ms INTEGER,
    wish_end_ms   INTEGER,
    PRIMARY KEY (workspace_id, booking_id, calendar_id)
) STRICT, WITHOUT ROWID;
INSERT INTO calendar_copies_new (booking_id, calendar_id, workspace_id, uid, item, etag, start_ms, end_ms, remove, due_ms,
    tries, writing, problem, wish, wish_start_ms, wish_end_ms)
    SELECT booking_id, calendar_id, workspace_id, uid, item, etag, start_ms, end_ms, remove, due_ms,
    tries, writing, problem, wish, wish_start_ms, wish_end_ms FROM calendar_copies;
DROP TABLE calendar_copies;
ALTER TABLE calendar_copies_new RENAME TO calendar_copies;
CREATE INDEX calendar_copies_due ON calendar_copies (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX calendar_copies_of ON calendar_copies (booking_id);
CREATE INDEX calendar_copies_in ON calendar_copies (calendar_id, booking_id);
CREATE INDEX calendar_copies_wishes ON calendar_copies (workspace_id, booking_id) WHERE wish IS NOT NULL;
