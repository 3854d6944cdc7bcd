-- Texts to telephones (package text): the queue and its log, how they are sent, who agreed to get them, what came in.
CREATE TABLE texts (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    booking_id   INTEGER REFERENCES bookings (id), -- null: of no booking
    contact_id   INTEGER REFERENCES contacts (id) ON DELETE SET NULL,
    kind         TEXT    NOT NULL, -- catalog.TextKind
    phone        TEXT    NOT NULL, -- E.164
    facts        TEXT    NOT NULL, -- JSON of text.Facts: what was true when it was queued
    visitor      INTEGER NOT NULL CHECK (visitor IN (0, 1)), -- somebody without sign-in or secret key caused it
    state        INTEGER NOT NULL DEFAULT 0, -- see text.States
    sending      INTEGER NOT NULL DEFAULT 0, -- the server that has claimed it, until due_ms
    due_ms       INTEGER NOT NULL, -- waiting: when it may be claimed
    until_ms     INTEGER NOT NULL, -- waiting: when it is given up
    begun_ms     INTEGER, -- since when the sender may have it; null again once that refused it
    tries        INTEGER NOT NULL DEFAULT 0,
    attempts     INTEGER NOT NULL DEFAULT 0,
    resends      INTEGER NOT NULL DEFAULT 0,
    segments     INTEGER NOT NULL DEFAULT 0, -- that count for the month
    answer       TEXT, -- what became of the last attempt
    sender_id    TEXT, -- the sender's own id of it
    settled_ms   INTEGER
) STRICT;
CREATE INDEX texts_due ON texts (due_ms) WHERE state = 0;
CREATE INDEX texts_of ON texts (workspace_id, id);
CREATE INDEX texts_failed ON texts (workspace_id, id) WHERE state = 4;
CREATE INDEX texts_by_booking ON texts (booking_id, id);
CREATE INDEX texts_by_contact ON texts (contact_id, id);
CREATE INDEX texts_by_phone ON texts (workspace_id, phone, id);
CREATE INDEX texts_by_sender ON texts (workspace_id, sender_id) WHERE sender_id IS NOT NULL;

-- How a workspace sends texts. Without a row it sends none.
CREATE TABLE text_senders (
    workspace_id INTEGER PRIMARY KEY REFERENCES workspaces (id),
    sender       TEXT    NOT NULL, -- JSON of sms.Sender, sealed
    listed       TEXT, -- JSON of what a set-up file says of it; NULL: it was set in the dashboard
    updated_ms   INTEGER NOT NULL
) STRICT;

-- What is known of a number, whoever has it. Its row is the lock of sending to it.
CREATE TABLE text_numbers (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    phone        TEXT    NOT NULL,
    claims       INTEGER NOT NULL DEFAULT 0, -- grows by each lock
    stopped_ms   INTEGER, -- since when it wants no texts
    wrote_ms     INTEGER, -- when it wrote last
    PRIMARY KEY (workspace_id, phone)
) STRICT, WITHOUT ROWID;

-- Whether a contact agreed to texts at a number. Nothing is known without a row.
CREATE TABLE contact_texts (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    contact_id   INTEGER NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
    phone        TEXT    NOT NULL,
    state        INTEGER NOT NULL, -- see booking.TextsStates
    at_ms        INTEGER NOT NULL,
    actor        TEXT    NOT NULL, -- who noted it, as in the history of bookings
    actor_id     TEXT    NOT NULL,
    wording      TEXT    NOT NULL, -- what was agreed to
    PRIMARY KEY (workspace_id, contact_id, phone)
) STRICT, WITHOUT ROWID;
CREATE INDEX contact_texts_gone ON contact_texts (contact_id); -- deleted with the contact
CREATE INDEX contact_texts_by_phone ON contact_texts (workspace_id, phone);

-- The segments of a calendar month of the workspace's zone.
CREATE TABLE text_months (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    month        TEXT    NOT NULL, -- 2026-12
    segments     INTEGER NOT NULL,
    visitors     INTEGER NOT NULL, -- of these, those that visitors caused
    told         INTEGER NOT NULL DEFAULT 0, -- 80 or 100: what the owners were told of
    PRIMARY KEY (workspace_id, month)
) STRICT, WITHOUT ROWID;

-- The short links in texts: found by a hash, for as long as what they open lasts.
CREATE TABLE text_links (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    hash         BLOB    NOT NULL, -- SHA-256 of the link's code
    text_id      INTEGER NOT NULL,
    until_ms     INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX text_links_by_hash ON text_links (hash);
CREATE INDEX text_links_of ON text_links (workspace_id, text_id);
CREATE INDEX text_links_until ON text_links (until_ms);

-- From where visitors have changed bookings within the last hour: who has changed many causes no more texts.
CREATE TABLE text_visits (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    of_id        INTEGER NOT NULL, -- of the booking, or of the visit or series that was changed as a whole
    at_ms        INTEGER NOT NULL,
    source       BLOB NOT NULL, -- a hash of the network address
    PRIMARY KEY (workspace_id, of_id, at_ms)
) STRICT, WITHOUT ROWID;
CREATE INDEX text_visits_from ON text_visits (workspace_id, source, at_ms);
CREATE INDEX text_visits_at ON text_visits (at_ms);

-- What came in and was neither an answer nor STOP or START.
CREATE TABLE text_messages (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    contact_id   INTEGER REFERENCES contacts (id) ON DELETE CASCADE, -- null: nobody is known by the number
    phone        TEXT    NOT NULL,
    message      TEXT    NOT NULL,
    media        INTEGER NOT NULL DEFAULT 0, -- pictures that were dropped
    sender_id    TEXT, -- the sender's own id of it
    seen_ms      INTEGER -- when somebody of the team looked at it
) STRICT;
CREATE INDEX text_messages_of ON text_messages (workspace_id, id);
CREATE INDEX text_messages_by_contact ON text_messages (contact_id, id);
CREATE INDEX text_messages_by_phone ON text_messages (workspace_id, phone, id);
CREATE UNIQUE INDEX text_messages_once ON text_messages (workspace_id, sender_id) WHERE sender_id IS NOT NULL;
CREATE INDEX text_messages_new ON text_messages (workspace_id, id) WHERE seen_ms IS NULL;

-- Whom nothing told of a change, a cancellation or an offer: somebody calls them.
CREATE TABLE text_calls (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    booking_id   INTEGER REFERENCES bookings (id),
    contact_id   INTEGER REFERENCES contacts (id) ON DELETE CASCADE,
    kind         TEXT    NOT NULL, -- catalog.TextKind
    phone        TEXT    NOT NULL,
    name         TEXT    NOT NULL,
    start_ms     INTEGER NOT NULL,
    why          TEXT    NOT NULL,
    done_ms      INTEGER,
    done_by      TEXT
) STRICT;
CREATE INDEX text_calls_of ON text_calls (workspace_id, id);
CREATE INDEX text_calls_by_booking ON text_calls (booking_id, id);
CREATE INDEX text_calls_by_contact ON text_calls (contact_id, id);

-- Whether the workspace sends texts: where it doesn't, a change of a booking looks at nothing of it.
ALTER TABLE workspaces ADD COLUMN texts INTEGER NOT NULL DEFAULT 0 CHECK (texts IN (0, 1));
