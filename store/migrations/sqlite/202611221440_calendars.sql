-- Hosts' other calendars (package calsync). Of their events only when they are busy is kept.
CREATE TABLE calendar_connections (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    host_id      INTEGER NOT NULL REFERENCES hosts (id),
    kind         TEXT    NOT NULL,
    name         TEXT    NOT NULL,
    address      TEXT    NOT NULL,
    account      TEXT    NOT NULL, -- who signs in
    secret       TEXT    NOT NULL, -- sealed
    from_file    INTEGER NOT NULL CHECK (from_file IN (0, 1)),
    state        TEXT    NOT NULL,
    problem      TEXT, -- of the last reading
    failed_ms    INTEGER, -- since when it fails
    told_ms      INTEGER, -- when its host was mailed about that
    read_ms      INTEGER, -- the last reading that went well
    due_ms       INTEGER NOT NULL, -- when it may be claimed, or when its lease ends
    tries        INTEGER NOT NULL DEFAULT 0,
    reading      INTEGER NOT NULL DEFAULT 0, -- the server that reads it
    created_ms   INTEGER NOT NULL
) STRICT;
CREATE INDEX calendar_connections_due ON calendar_connections (due_ms, id);
CREATE INDEX calendar_connections_of ON calendar_connections (workspace_id, host_id);
CREATE INDEX calendar_connections_by_host ON calendar_connections (host_id);

CREATE TABLE calendars (
    id            INTEGER PRIMARY KEY,
    workspace_id  INTEGER NOT NULL REFERENCES workspaces (id),
    connection_id INTEGER NOT NULL REFERENCES calendar_connections (id) ON DELETE CASCADE,
    remote        TEXT    NOT NULL, -- a path or an id there
    name          TEXT    NOT NULL,
    read_only     INTEGER NOT NULL CHECK (read_only IN (0, 1)),
    blocks        INTEGER NOT NULL CHECK (blocks IN (0, 1)),
    target        INTEGER NOT NULL CHECK (target IN (0, 1)),
    details       INTEGER NOT NULL, -- bits: 1 the whole name, 2 telephone, 4 notes, 8 link
    position      TEXT    NOT NULL, -- where its changes go on
    read_to_ms    INTEGER, -- the end of the window that its items cover
    read_ms       INTEGER,
    full_ms       INTEGER, -- when everything was read
    problem       TEXT
) STRICT;
CREATE UNIQUE INDEX calendars_at ON calendars (workspace_id, connection_id, remote);
CREATE INDEX calendars_of ON calendars (connection_id);

-- The events of a calendar. Spans are pairs of 64 bits, big-endian: start and end in milliseconds.
CREATE TABLE calendar_items (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    calendar_id INTEGER NOT NULL REFERENCES calendars (id) ON DELETE CASCADE,
    item        TEXT    NOT NULL, -- its path or id
    etag        TEXT    NOT NULL,
    uid         TEXT    NOT NULL,
    spans       BLOB    NOT NULL,
    start_ms    INTEGER, -- of events of ours
    end_ms      INTEGER,
    PRIMARY KEY (workspace_id, calendar_id, item)
) STRICT, WITHOUT ROWID;
CREATE INDEX calendar_items_of ON calendar_items (calendar_id);

-- When hosts are busy by the calendars that block: disjoint, of each host.
CREATE TABLE busy_times (
    workspace_id  INTEGER NOT NULL REFERENCES workspaces (id),
    host_id       INTEGER NOT NULL REFERENCES hosts (id),
    busy_start_ms INTEGER NOT NULL,
    busy_end_ms   INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, host_id, busy_start_ms),
    CHECK (busy_end_ms > busy_start_ms)
) STRICT, WITHOUT ROWID;
CREATE INDEX busy_times_of ON busy_times (host_id, busy_start_ms, busy_end_ms);

-- What is written of bookings into calendars, and what is to be.
CREATE TABLE calendar_copies (
    booking_id    INTEGER NOT NULL REFERENCES bookings (id),
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
CREATE INDEX calendar_copies_due ON calendar_copies (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX calendar_copies_of ON calendar_copies (booking_id);
CREATE INDEX calendar_copies_in ON calendar_copies (calendar_id, booking_id);
CREATE INDEX calendar_copies_wishes ON calendar_copies (workspace_id, booking_id) WHERE wish IS NOT NULL;

-- The business's own clients at Google and Microsoft.
CREATE TABLE calendar_clients (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    kind         TEXT    NOT NULL,
    client       TEXT    NOT NULL,
    secret       TEXT    NOT NULL, -- sealed
    tenant       TEXT    NOT NULL,
    PRIMARY KEY (workspace_id, kind)
) STRICT, WITHOUT ROWID;

INSERT INTO followers (name, last_number) SELECT 'calendars', COALESCE(MAX(number), 0) FROM booking_history;
