-- Ids are made in Go (app.ID). Instants are Unix milliseconds UTC (…_ms). Money is in minor units.

CREATE TABLE workspaces (
    id                 INTEGER PRIMARY KEY,
    slug               TEXT    NOT NULL UNIQUE,
    name               TEXT    NOT NULL,
    time_zone          TEXT    NOT NULL,
    currency           TEXT    NOT NULL,
    settings           TEXT    NOT NULL, -- JSON of app.Settings
    link_key           TEXT    NOT NULL, -- sealed
    longest_booking_ms INTEGER NOT NULL DEFAULT 0,
    revision           INTEGER NOT NULL DEFAULT 1, -- of everything in app.Setup
    created_ms         INTEGER NOT NULL
) STRICT;

CREATE TABLE hosts (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    email_key    TEXT    NOT NULL, -- the e-mail as it is compared
    email        TEXT    NOT NULL,
    name         TEXT    NOT NULL,
    time_zone    TEXT    NOT NULL,
    active       INTEGER NOT NULL,
    hours        TEXT    NOT NULL, -- JSON of app.Hours
    lock         INTEGER NOT NULL DEFAULT 0, -- bumped by every transaction that books the host
    created_ms   INTEGER NOT NULL,
    UNIQUE (workspace_id, email_key)
) STRICT;

CREATE TABLE event_types (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    slug         TEXT    NOT NULL,
    position     INTEGER NOT NULL,
    definition   TEXT    NOT NULL, -- JSON of app.EventType: its rules, hosts and questions
    created_ms   INTEGER NOT NULL,
    UNIQUE (workspace_id, slug)
) STRICT;

CREATE TABLE contacts (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    email_key    TEXT    NOT NULL,
    email        TEXT    NOT NULL,
    name         TEXT    NOT NULL,
    phone        TEXT    NOT NULL,
    time_zone    TEXT    NOT NULL,
    notes        TEXT    NOT NULL,
    created_ms   INTEGER NOT NULL,
    UNIQUE (workspace_id, email_key)
) STRICT;
CREATE INDEX contacts_newest ON contacts (workspace_id, id);

-- What a search for a contact may begin with: the words of the name, the e-mail, the phone's digits.
CREATE TABLE contact_terms (
    workspace_id INTEGER NOT NULL,
    term         TEXT    NOT NULL,
    contact_id   INTEGER NOT NULL REFERENCES contacts (id),
    PRIMARY KEY (workspace_id, term, contact_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX contact_terms_of ON contact_terms (contact_id, term);

CREATE TABLE bookings (
    id            INTEGER PRIMARY KEY,
    workspace_id  INTEGER NOT NULL REFERENCES workspaces (id),
    event_type_id INTEGER NOT NULL REFERENCES event_types (id),
    host_id       INTEGER NOT NULL REFERENCES hosts (id),
    contact_id    INTEGER NOT NULL REFERENCES contacts (id),
    status        INTEGER NOT NULL CHECK (status BETWEEN 0 AND 4), -- 0 pending, 1 confirmed, 2 rescheduled: live; 3 cancelled, 4 no_show
    start_ms      INTEGER NOT NULL,
    end_ms        INTEGER NOT NULL,
    busy_start_ms INTEGER NOT NULL, -- with the buffers
    busy_end_ms   INTEGER NOT NULL,
    name          TEXT    NOT NULL,
    email         TEXT    NOT NULL,
    location      TEXT, -- null is none
    price         INTEGER, -- null is free
    no_show_fee   INTEGER,
    currency      TEXT, -- of price and fee
    needs         INTEGER NOT NULL DEFAULT 0, -- pending: 1 payment, 2 approval, 3 both
    expires_ms    INTEGER,
    created_ms    INTEGER NOT NULL,
    updated_ms    INTEGER, -- null: never changed
    details       TEXT, -- JSON of what most bookings do not have and no query asks for
    CHECK (busy_start_ms <= start_ms AND start_ms < end_ms AND end_ms <= busy_end_ms)
) STRICT;
-- Covers the occupied spans of a host.
CREATE INDEX bookings_busy ON bookings (host_id, busy_start_ms, busy_end_ms, event_type_id, start_ms, end_ms) WHERE status < 3;
-- The rowid, which is the id, ends every index by itself; naming it would store it twice.
CREATE INDEX bookings_list ON bookings (workspace_id, start_ms);
CREATE INDEX bookings_by_event_type ON bookings (event_type_id, start_ms);
CREATE INDEX bookings_by_host ON bookings (host_id, start_ms);
CREATE INDEX bookings_by_contact ON bookings (contact_id, start_ms);
CREATE INDEX bookings_lapsing ON bookings (expires_ms) WHERE status = 0;

CREATE TABLE booking_history (
    booking_id  INTEGER NOT NULL REFERENCES bookings (id),
    seq         INTEGER NOT NULL,
    at_ms       INTEGER NOT NULL,
    actor       TEXT    NOT NULL,
    actor_id    TEXT    NOT NULL,
    action      TEXT    NOT NULL,
    from_status INTEGER, -- null: the booking was made
    to_status   INTEGER NOT NULL,
    start_ms    INTEGER NOT NULL,
    reason      TEXT    NOT NULL,
    PRIMARY KEY (booking_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    kind         TEXT    NOT NULL,
    booking_id   INTEGER NOT NULL REFERENCES bookings (id),
    created_ms   INTEGER NOT NULL,
    body         BLOB    NOT NULL -- the exact bytes that are sent
) STRICT;
CREATE INDEX events_of ON events (workspace_id, id);

CREATE TABLE api_keys (
    id                INTEGER PRIMARY KEY,
    workspace_id      INTEGER NOT NULL REFERENCES workspaces (id),
    name              TEXT    NOT NULL,
    scope             TEXT    NOT NULL,
    rate_limit        INTEGER NOT NULL,
    hint              TEXT    NOT NULL,
    hash              BLOB    NOT NULL UNIQUE, -- SHA-256 of the value
    previous_hash     BLOB    UNIQUE,
    previous_until_ms INTEGER,
    created_ms        INTEGER NOT NULL,
    last_used_ms      INTEGER,
    revoked_ms        INTEGER
) STRICT;
CREATE INDEX api_keys_of ON api_keys (workspace_id, id);

CREATE TABLE users (
    id            INTEGER PRIMARY KEY,
    workspace_id  INTEGER NOT NULL REFERENCES workspaces (id),
    email_key     TEXT    NOT NULL UNIQUE,
    email         TEXT    NOT NULL,
    role          TEXT    NOT NULL,
    host_id       INTEGER REFERENCES hosts (id),
    password_hash TEXT    NOT NULL, -- argon2id, or empty
    created_ms    INTEGER NOT NULL
) STRICT;
CREATE INDEX users_of ON users (workspace_id, id);

-- At most one row: the link with which the first owner sets the server up.
CREATE TABLE setup_links (
    hash     BLOB    NOT NULL PRIMARY KEY,
    until_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE answers (
    key_id          INTEGER NOT NULL REFERENCES api_keys (id),
    idempotency_key TEXT    NOT NULL,
    fingerprint     BLOB    NOT NULL,
    status          INTEGER NOT NULL,
    location        TEXT    NOT NULL,
    body            BLOB    NOT NULL,
    created_ms      INTEGER NOT NULL,
    PRIMARY KEY (key_id, idempotency_key)
) STRICT;
CREATE INDEX answers_old ON answers (created_ms);

-- What the server got from its certificate authority, and its account there. Sealed: private keys are in it.
CREATE TABLE certificates (
    name       TEXT NOT NULL PRIMARY KEY,
    data       TEXT NOT NULL,
    updated_ms INTEGER NOT NULL
) STRICT;
