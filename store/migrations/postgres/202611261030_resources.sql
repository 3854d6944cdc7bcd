-- Rooms, chairs and equipment, and what takes the time of anything but a plain booking's host. An older binary beside
-- this one would book what is taken.
-- Allows: none
CREATE TABLE resources (
    id           BIGINT UNIQUE,
    workspace_id BIGINT NOT NULL,
    name_key     TEXT COLLATE "C" NOT NULL, -- the name as it is compared
    name         TEXT COLLATE "C" NOT NULL,
    definition   TEXT COLLATE "C" NOT NULL, -- JSON of catalog.Resource
    lock         BIGINT NOT NULL DEFAULT 0, -- bumped by every transaction that books it
    created_ms   BIGINT NOT NULL,
    UNIQUE (workspace_id, name_key),
    PRIMARY KEY (workspace_id, id)
) WITH (fillfactor = 50); -- room for the next lock beside this one

-- What live bookings take besides the time of their hosts, which their own rows have. kind and subject_id say whose time
-- it is: 0 is a host's, 1 a resource's.
CREATE TABLE booking_spans (
    workspace_id  BIGINT NOT NULL,
    booking_id    BIGINT NOT NULL,
    kind          BIGINT NOT NULL CHECK (kind IN (0, 1)),
    subject_id    BIGINT NOT NULL,
    host_id       BIGINT NOT NULL, -- of the booking
    event_type_id BIGINT NOT NULL, -- of the booking
    start_ms      BIGINT NOT NULL,
    end_ms        BIGINT NOT NULL,
    busy_start_ms BIGINT NOT NULL,
    busy_end_ms   BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, booking_id, kind, subject_id, busy_start_ms),
    FOREIGN KEY (workspace_id, booking_id) REFERENCES bookings (workspace_id, id) ON DELETE CASCADE
);
-- Those with buffers and those without are two lists of disjoint spans, as those of bookings are.
CREATE INDEX booking_spans_busy ON booking_spans (kind, subject_id, busy_start_ms, busy_end_ms, event_type_id, start_ms,
    end_ms) WHERE busy_end_ms - busy_start_ms > end_ms - start_ms;
CREATE INDEX booking_spans_bare ON booking_spans (kind, subject_id, busy_start_ms, busy_end_ms, event_type_id)
    WHERE busy_end_ms - busy_start_ms = end_ms - start_ms;
CREATE INDEX booking_spans_of ON booking_spans (booking_id);

-- The same of holds.
CREATE TABLE hold_spans (
    workspace_id  BIGINT NOT NULL,
    hold_id       BIGINT NOT NULL,
    kind          BIGINT NOT NULL CHECK (kind IN (0, 1)),
    subject_id    BIGINT NOT NULL,
    host_id       BIGINT NOT NULL,
    event_type_id BIGINT NOT NULL,
    start_ms      BIGINT NOT NULL,
    end_ms        BIGINT NOT NULL,
    busy_start_ms BIGINT NOT NULL,
    busy_end_ms   BIGINT NOT NULL,
    expires_ms    BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, hold_id, kind, subject_id, busy_start_ms),
    FOREIGN KEY (workspace_id, hold_id) REFERENCES holds (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX hold_spans_busy ON hold_spans (kind, subject_id, busy_start_ms, busy_end_ms, expires_ms);
CREATE INDEX hold_spans_of ON hold_spans (hold_id);
