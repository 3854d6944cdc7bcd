-- What a change of a booking must be mailed of is its history entry: told is 0 until its mails are written.
ALTER TABLE booking_history ADD COLUMN host_id INTEGER; -- null before this migration
ALTER TABLE booking_history ADD COLUMN told INTEGER; -- null: there is nothing to tell
CREATE INDEX booking_history_untold ON booking_history (at_ms) WHERE told = 0;

CREATE TABLE mails (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    booking_id   INTEGER REFERENCES bookings (id), -- null: of no booking
    kind         TEXT    NOT NULL,
    recipient    TEXT    NOT NULL,
    facts        TEXT    NOT NULL, -- JSON of app.MailFacts: what was true when it was written
    state        INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 3), -- 0 waiting, 1 sent, 2 failed, 3 dropped
    sending      INTEGER NOT NULL DEFAULT 0, -- 1: an attempt is under way, and due_ms is when its lease ends
    due_ms       INTEGER NOT NULL, -- waiting: when it may be claimed
    until_ms     INTEGER NOT NULL, -- waiting: when it is given up
    tries        INTEGER NOT NULL DEFAULT 0, -- attempts since it was last asked for: they choose the pause
    attempts     INTEGER NOT NULL DEFAULT 0, -- all of them
    resends      INTEGER NOT NULL DEFAULT 0, -- how often it was asked for again: a resent mail is a message of its own
    answer       TEXT, -- what became of the last attempt, in the server's words
    settled_ms   INTEGER
) STRICT;
CREATE INDEX mails_due ON mails (due_ms) WHERE state = 0;
CREATE INDEX mails_of ON mails (workspace_id, id);
CREATE INDEX mails_failed ON mails (workspace_id, id) WHERE state = 2;
CREATE INDEX mails_by_booking ON mails (booking_id, id);

-- A workspace's own way out; the others use the server's.
CREATE TABLE mail_servers (
    workspace_id INTEGER PRIMARY KEY REFERENCES workspaces (id),
    url          TEXT    NOT NULL, -- sealed
    updated_ms   INTEGER NOT NULL
) STRICT;

-- Who asked to be spared what does not need them.
CREATE TABLE mail_refusals (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    email_key    TEXT    NOT NULL,
    topic        TEXT    NOT NULL, -- app.MailTopic
    created_ms   INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, email_key, topic)
) STRICT, WITHOUT ROWID;

-- Private calendar addresses: of a host, or of the whole workspace. A new address is a new row.
CREATE TABLE calendar_feeds (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    host_id      INTEGER NOT NULL DEFAULT 0, -- 0: every host
    created_ms   INTEGER NOT NULL,
    UNIQUE (workspace_id, host_id)
) STRICT;
