-- What imports of appointments did, for a day, so that they can be undone (package movein). An older binary beside this one
-- would forget half of what such an import did, and not list what is told of bookings that are gone.
-- Allows: none
ALTER TABLE imports ADD COLUMN booked BIGINT NOT NULL DEFAULT 0; -- bookings that it made or moved
ALTER TABLE imports ADD COLUMN services BIGINT NOT NULL DEFAULT 0; -- that it made
ALTER TABLE imports ADD COLUMN lines BIGINT NOT NULL DEFAULT 0; -- that it has to save
ALTER TABLE imports ADD COLUMN come BIGINT NOT NULL DEFAULT 0; -- of lines, how far it has come
ALTER TABLE imports ADD COLUMN left_out BIGINT NOT NULL DEFAULT 0; -- lines

CREATE TABLE import_bookings (
    workspace_id  BIGINT NOT NULL,
    import_id     BIGINT NOT NULL,
    booking_id    BIGINT NOT NULL,
    outcome       BIGINT NOT NULL, -- see contact.Outcome; 0: not undone
    updated_ms    BIGINT NOT NULL, -- of the booking, as the import left it
    found_ms      BIGINT NOT NULL, -- the same as the import found it; 0: the import made it
    host_id       BIGINT NOT NULL, -- what a moved one had before, and what the other program had said of it; 0 of a made one
    event_type_id BIGINT NOT NULL,
    start_ms      BIGINT NOT NULL,
    end_ms        BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, import_id, booking_id)
);
CREATE INDEX import_bookings_open ON import_bookings (booking_id) WHERE outcome = 0;

CREATE TABLE import_services (
    workspace_id  BIGINT NOT NULL,
    import_id     BIGINT NOT NULL,
    event_type_id BIGINT NOT NULL,
    outcome       BIGINT NOT NULL,
    definition    TEXT COLLATE "C" NOT NULL, -- as it was made
    PRIMARY KEY (workspace_id, import_id, event_type_id)
);

-- The booking that an event told of, once that was removed: the list has the event all the same.
ALTER TABLE events ADD COLUMN gone_booking BIGINT;
