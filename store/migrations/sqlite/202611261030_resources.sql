-- Rooms, chairs and equipment, and what takes the time of anything but a plain booking's host. An older binary beside
-- this one would book what is taken.
CREATE TABLE resources (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    name_key     TEXT    NOT NULL, -- the name as it is compared
    name         TEXT    NOT NULL,
    definition   TEXT    NOT NULL, -- JSON of catalog.Resource
    lock         INTEGER NOT NULL DEFAULT 0, -- bumped by every transaction that books it
    created_ms   INTEGER NOT NULL,
    UNIQUE (workspace_id, name_key)
) STRICT;

-- What live bookings take besides the time of their hosts, which their own rows have. kind and subject_id say whose time
-- it is: 0 is a host's, 1 a resource's.
CREATE TABLE booking_spans (
    workspace_id  INTEGER NOT NULL REFERENCES workspaces (id),
    booking_id    INTEGER NOT NULL REFERENCES bookings (id) ON DELETE CASCADE,
    kind          INTEGER NOT NULL CHECK (kind IN (0, 1)),
    subject_id    INTEGER NOT NULL,
    host_id       INTEGER NOT NULL, -- of the booking
    event_type_id INTEGER NOT NULL, -- of the booking
    start_ms      INTEGER NOT NULL,
    end_ms        INTEGER NOT NULL,
    busy_start_ms INTEGER NOT NULL,
    busy_end_ms   INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, booking_id, kind, subject_id, busy_start_ms)
) STRICT, WITHOUT ROWID;
-- Those with buffers and those without are two lists of disjoint spans, as those of bookings are.
CREATE INDEX booking_spans_busy ON booking_spans (kind, subject_id, busy_start_ms, busy_end_ms, event_type_id, start_ms,
    end_ms) WHERE busy_end_ms - busy_start_ms > end_ms - start_ms;
CREATE INDEX booking_spans_bare ON booking_spans (kind, subject_id, busy_start_ms, busy_end_ms, event_type_id)
    WHERE busy_end_ms - busy_start_ms = end_ms - start_ms;
CREATE INDEX booking_spans_of ON booking_spans (booking_id);

-- The same of holds.
CREATE TABLE hold_spans (
    workspace_id  INTEGER NOT NULL REFERENCES workspaces (id),
    hold_id       INTEGER NOT NULL REFERENCES holds (id) ON DELETE CASCADE,
    kind          INTEGER NOT NULL CHECK (kind IN (0, 1)),
    subject_id    INTEGER NOT NULL,
    host_id       INTEGER NOT NULL,
    event_type_id INTEGER NOT NULL,
    start_ms      INTEGER NOT NULL,
    end_ms        INTEGER NOT NULL,
    busy_start_ms INTEGER NOT NULL,
    busy_end_ms   INTEGER NOT NULL,
    expires_ms    INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, hold_id, kind, subject_id, busy_start_ms)
) STRICT, WITHOUT ROWID;
CREATE INDEX hold_spans_busy ON hold_spans (kind, subject_id, busy_start_ms, busy_end_ms, expires_ms);
CREATE INDEX hold_spans_of ON hold_spans (hold_id);
