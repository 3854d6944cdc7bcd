-- Texts to telephones (package text): the queue and its log, how they are sent, who agreed to get them, what came in. An
-- older binary would keep them when it erases or merges a contact, and tell nobody by them.
-- Allows: none
CREATE TABLE texts (
    id           BIGINT CONSTRAINT texts_made_id UNIQUE,
    workspace_id BIGINT NOT NULL,
    booking_id   BIGINT, -- null: of no booking
    contact_id   BIGINT,
    kind         TEXT COLLATE "C" NOT NULL, -- catalog.TextKind
    phone        TEXT COLLATE "C" NOT NULL, -- E.164
    facts        TEXT COLLATE "C" NOT NULL, -- JSON of text.Facts: what was true when it was queued
    visitor      BIGINT NOT NULL CHECK (visitor IN (0, 1)), -- somebody without sign-in or secret key caused it
    state        BIGINT NOT NULL DEFAULT 0, -- see text.States
    sending      BIGINT NOT NULL DEFAULT 0, -- the server that has claimed it, until due_ms
    due_ms       BIGINT NOT NULL, -- waiting: when it may be claimed
    until_ms     BIGINT NOT NULL, -- waiting: when it is given up
    begun_ms     BIGINT, -- since when the sender may have it; null again once that refused it
    tries        BIGINT NOT NULL DEFAULT 0,
    attempts     BIGINT NOT NULL DEFAULT 0,
    resends      BIGINT NOT NULL DEFAULT 0,
    segments     BIGINT NOT NULL DEFAULT 0, -- that count for the month
    answer       TEXT COLLATE "C", -- what became of the last attempt
    sender_id    TEXT COLLATE "C", -- the sender's own id of it
    settled_ms   BIGINT,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (booking_id) REFERENCES bookings (id),
    FOREIGN KEY (contact_id) REFERENCES contacts (id) ON DELETE SET NULL
);
CREATE INDEX texts_due ON texts (due_ms) WHERE state = 0;
CREATE INDEX texts_failed ON texts (workspace_id, id) WHERE state = 4;
CREATE INDEX texts_by_booking ON texts (booking_id, id);
CREATE INDEX texts_by_contact ON texts (contact_id, id);
CREATE INDEX texts_by_phone ON texts (workspace_id, phone, id);
CREATE INDEX texts_by_sender ON texts (workspace_id, sender_id) WHERE sender_id IS NOT NULL;

-- How a workspace sends texts. Without a row it sends none.
CREATE TABLE text_senders (
    workspace_id BIGINT PRIMARY KEY,
    sender       TEXT COLLATE "C" NOT NULL, -- JSON of sms.Sender, sealed
    listed       TEXT COLLATE "C", -- JSON of what a set-up file says of it; NULL: it was set in the dashboard
    updated_ms   BIGINT NOT NULL
);

-- What is known of a number, whoever has it. Its row is the lock of sending to it.
CREATE TABLE text_numbers (
    workspace_id BIGINT NOT NULL,
    phone        TEXT COLLATE "C" NOT NULL,
    claims       BIGINT NOT NULL DEFAULT 0, -- grows by each lock
    stopped_ms   BIGINT, -- since when it wants no texts
    wrote_ms     BIGINT, -- when it wrote last
    PRIMARY KEY (workspace_id, phone)
);

-- Whether a contact agreed to texts at a number. Nothing is known without a row.
CREATE TABLE contact_texts (
    workspace_id BIGINT NOT NULL,
    contact_id   BIGINT NOT NULL,
    phone        TEXT COLLATE "C" NOT NULL,
    state        BIGINT NOT NULL, -- see booking.TextsStates
    at_ms        BIGINT NOT NULL,
    actor        TEXT COLLATE "C" NOT NULL, -- who noted it, as in the history of bookings
    actor_id     TEXT COLLATE "C" NOT NULL,
    wording      TEXT COLLATE "C" NOT NULL, -- what was agreed to
    PRIMARY KEY (workspace_id, contact_id, phone),
    FOREIGN KEY (contact_id) REFERENCES contacts (id) ON DELETE CASCADE
);
CREATE INDEX contact_texts_gone ON contact_texts (contact_id); -- deleted with the contact
CREATE INDEX contact_texts_by_phone ON contact_texts (workspace_id, phone);

-- The segments of a calendar month of the workspace's zone.
CREATE TABLE text_months (
    workspace_id BIGINT NOT NULL,
    month        TEXT COLLATE "C" NOT NULL, -- 2026-12
    segments     BIGINT NOT NULL,
    visitors     BIGINT NOT NULL, -- of these, those that visitors caused
    told         BIGINT NOT NULL DEFAULT 0, -- 80 or 100: what the owners were told of
    PRIMARY KEY (workspace_id, month)
);

-- The short links in texts: found by a hash, for as long as what they open lasts.
CREATE TABLE text_links (
    workspace_id BIGINT NOT NULL,
    hash         BYTEA NOT NULL, -- SHA-256 of the link's code
    text_id      BIGINT NOT NULL,
    until_ms     BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, hash)
);
CREATE INDEX text_links_by_hash ON text_links (hash);
CREATE INDEX text_links_of ON text_links (workspace_id, text_id);
CREATE INDEX text_links_until ON text_links (until_ms);

-- From where visitors have changed bookings within the last hour: who has changed many causes no more texts.
CREATE TABLE text_visits (
    workspace_id BIGINT NOT NULL,
    of_id        BIGINT NOT NULL, -- of the booking, or of the visit or series that was changed as a whole
    at_ms        BIGINT NOT NULL,
    source       BYTEA NOT NULL, -- a hash of the network address
    PRIMARY KEY (workspace_id, of_id, at_ms)
);
CREATE INDEX text_visits_from ON text_visits (workspace_id, source, at_ms);
CREATE INDEX text_visits_at ON text_visits (at_ms);

-- What came in and was neither an answer nor STOP or START.
CREATE TABLE text_messages (
    id           BIGINT CONSTRAINT text_messages_made_id UNIQUE,
    workspace_id BIGINT NOT NULL,
    contact_id   BIGINT, -- null: nobody is known by the number
    phone        TEXT COLLATE "C" NOT NULL,
    message      TEXT COLLATE "C" NOT NULL,
    media        BIGINT NOT NULL DEFAULT 0, -- pictures that were dropped
    sender_id    TEXT COLLATE "C", -- the sender's own id of it
    seen_ms      BIGINT, -- when somebody of the team looked at it
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (contact_id) REFERENCES contacts (id) ON DELETE CASCADE
);
CREATE INDEX text_messages_by_contact ON text_messages (contact_id, id);
CREATE INDEX text_messages_by_phone ON text_messages (workspace_id, phone, id);
CREATE UNIQUE INDEX text_messages_once ON text_messages (workspace_id, sender_id) WHERE sender_id IS NOT NULL;
CREATE INDEX text_messages_new ON text_messages (workspace_id, id) WHERE seen_ms IS NULL;

-- Whom nothing told of a change, a cancellation or an offer: somebody calls them.
CREATE TABLE text_calls (
    id           BIGINT CONSTRAINT text_calls_made_id UNIQUE,
    workspace_id BIGINT NOT NULL,
    booking_id   BIGINT,
    contact_id   BIGINT,
    kind         TEXT COLLATE "C" NOT NULL, -- catalog.TextKind
    phone        TEXT COLLATE "C" NOT NULL,
    name         TEXT COLLATE "C" NOT NULL,
    start_ms     BIGINT NOT NULL,
    why          TEXT COLLATE "C" NOT NULL,
    done_ms      BIGINT,
    done_by      TEXT COLLATE "C",
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (booking_id) REFERENCES bookings (id),
    FOREIGN KEY (contact_id) REFERENCES contacts (id) ON DELETE CASCADE
);
CREATE INDEX text_calls_by_booking ON text_calls (booking_id, id);
CREATE INDEX text_calls_by_contact ON text_calls (contact_id, id);

-- Whether the workspace sends texts: where it doesn't, a change of a booking looks at nothing of it.
ALTER TABLE workspaces ADD COLUMN texts BIGINT NOT NULL DEFAULT 0 CHECK (texts IN (0, 1));
