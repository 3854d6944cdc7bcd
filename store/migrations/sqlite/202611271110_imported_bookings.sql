-- Which appointments of other programs bookings were, and what the other program said of each when it was last imported,
-- so that a file can be imported again. An older binary beside this one would lose where bookings come from, and write
-- mails of them.
-- Allows: none
CREATE TABLE imported_bookings (
    workspace_id  INTEGER NOT NULL REFERENCES workspaces (id),
    source        TEXT NOT NULL, -- see booking.ImportedRef
    foreign_id    TEXT NOT NULL,
    booking_id    INTEGER NOT NULL REFERENCES bookings (id) ON DELETE CASCADE,
    host_id       INTEGER NOT NULL,
    event_type_id INTEGER NOT NULL,
    start_ms      INTEGER NOT NULL,
    end_ms        INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, source, foreign_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX imported_bookings_of ON imported_bookings (booking_id);
