-- Hosts' other calendars (package calsync). Of their events only when they are busy is kept.
-- Allows: none
CREATE TABLE calendar_connections (
    id           BIGINT CONSTRAINT calendar_connections_made_id UNIQUE,
    workspace_id BIGINT NOT NULL,
    host_id      BIGINT NOT NULL,
    kind         TEXT COLLATE "C" NOT NULL,
    name         TEXT COLLATE "C" NOT NULL,
    address      TEXT COLLATE "C" NOT NULL,
    account      TEXT COLLATE "C" NOT NULL, -- who signs in
    secret       TEXT COLLATE "C" NOT NULL, -- sealed
    from_file    BIGINT NOT NULL CHECK (from_file IN (0, 1)),
    state        TEXT COLLATE "C" NOT NULL,
    problem      TEXT COLLATE "C", -- of the last reading
    failed_ms    BIGINT, -- since when it fails
    told_ms      BIGINT, -- when its host was mailed about that
    read_ms      BIGINT, -- the last reading that went well
    due_ms       BIGINT NOT NULL, -- when it may be claimed, or when its lease ends
    tries        BIGINT NOT NULL DEFAULT 0,
    reading      BIGINT NOT NULL DEFAULT 0, -- the server that reads it
    created_ms   BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX calendar_connections_due ON calendar_connections (due_ms, id);
CREATE INDEX calendar_connections_of ON calendar_connections (workspace_id, host_id);
CREATE INDEX calendar_connections_by_host ON calendar_connections (host_id);

CREATE TABLE calendars (
    id            BIGINT CONSTRAINT calendars_made_id UNIQUE,
    workspace_id  BIGINT NOT NULL,
    connection_id BIGINT NOT NULL REFERENCES calendar_connections (id) ON DELETE CASCADE,
    remote        TEXT COLLATE "C" NOT NULL, -- a path or an id there
    name          TEXT COLLATE "C" NOT NULL,
    read_only     BIGINT NOT NULL CHECK (read_only IN (0, 1)),
    blocks        BIGINT NOT NULL CHECK (blocks IN (0, 1)),
    target        BIGINT NOT NULL CHECK (target IN (0, 1)),
    details       BIGINT NOT NULL, -- bits: 1 the whole name, 2 telephone, 4 notes, 8 link
    position      TEXT COLLATE "C" NOT NULL, -- where its changes go on
    read_to_ms    BIGINT, -- the end of the window that its items cover
    read_ms       BIGINT,
    full_ms       BIGINT, -- when everything was read
    problem       TEXT COLLATE "C",
    PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX calendars_at ON calendars (workspace_id, connection_id, remote);
CREATE INDEX calendars_of ON calendars (connection_id);

-- The events of a calendar. Spans are pairs of 64 bits, big-endian: start and end in milliseconds.
CREATE TABLE calendar_items (
    workspace_id BIGINT NOT NULL,
    calendar_id BIGINT NOT NULL REFERENCES calendars (id) ON DELETE CASCADE,
    item        TEXT COLLATE "C" NOT NULL, -- its path or id
    etag        TEXT COLLATE "C" NOT NULL,
    uid         TEXT COLLATE "C" NOT NULL,
    spans       BYTEA    NOT NULL,
    start_ms    BIGINT, -- of events of ours
    end_ms      BIGINT,
    PRIMARY KEY (workspace_id, calendar_id, item)
);
CREATE INDEX calendar_items_of ON calendar_items (calendar_id);

-- When hosts are busy by the calendars that block: disjoint, of each host.
CREATE TABLE busy_times (
    workspace_id  BIGINT NOT NULL,
    host_id       BIGINT NOT NULL,
    busy_start_ms BIGINT NOT NULL,
    busy_end_ms   BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, host_id, busy_start_ms),
    CHECK (busy_end_ms > busy_start_ms)
);
CREATE INDEX busy_times_of ON busy_times (host_id, busy_start_ms, busy_end_ms);

-- What is written of bookings into calendars, and what is to be.
CREATE TABLE calendar_copies (
    booking_id    BIGINT NOT NULL,
    calendar_id   BIGINT NOT NULL REFERENCES calendars (id) ON DELETE CASCADE,
    workspace_id  BIGINT NOT NULL,
    uid           TEXT COLLATE "C" NOT NULL,
    item          TEXT COLLATE "C" NOT NULL, -- '': nothing is there
    etag          TEXT COLLATE "C" NOT NULL,
    start_ms      BIGINT, -- as written
    end_ms        BIGINT,
    remove        BIGINT NOT NULL CHECK (remove IN (0, 1)),
    due_ms        BIGINT, -- null: nothing is to be done
    tries         BIGINT NOT NULL DEFAULT 0,
    writing       BIGINT NOT NULL DEFAULT 0, -- the server that writes it
    problem       TEXT COLLATE "C",
    wish          TEXT COLLATE "C", -- what somebody did to it there
    wish_start_ms BIGINT,
    wish_end_ms   BIGINT,
    PRIMARY KEY (workspace_id, booking_id, calendar_id)
);
CREATE INDEX calendar_copies_due ON calendar_copies (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX calendar_copies_of ON calendar_copies (booking_id);
CREATE INDEX calendar_copies_in ON calendar_copies (calendar_id, booking_id);
CREATE INDEX calendar_copies_wishes ON calendar_copies (workspace_id, booking_id) WHERE wish IS NOT NULL;

-- The business's own clients at Google and Microsoft.
CREATE TABLE calendar_clients (
    workspace_id BIGINT NOT NULL,
    kind         TEXT COLLATE "C" NOT NULL,
    client       TEXT COLLATE "C" NOT NULL,
    secret       TEXT COLLATE "C" NOT NULL, -- sealed
    tenant       TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace_id, kind)
);

INSERT INTO followers (name, last_number) SELECT 'calendars', COALESCE(MAX(number), 0) FROM booking_history;
