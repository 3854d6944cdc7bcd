-- Which appointments of other programs bookings were, and what the other program said of each when it was last imported,
-- so that a file can be imported again. An older binary beside this one would lose where bookings come from, and write
-- mails of them.
-- Allows: none
CREATE TABLE imported_bookings (
    workspace_id  BIGINT NOT NULL,
    source        TEXT COLLATE "C" NOT NULL, -- see booking.ImportedRef
    foreign_id    TEXT COLLATE "C" NOT NULL,
    booking_id    BIGINT NOT NULL,
    host_id       BIGINT NOT NULL,
    event_type_id BIGINT NOT NULL,
    start_ms      BIGINT NOT NULL,
    end_ms        BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, source, foreign_id),
    FOREIGN KEY (workspace_id, booking_id) REFERENCES bookings (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX imported_bookings_of ON imported_bookings (booking_id);
