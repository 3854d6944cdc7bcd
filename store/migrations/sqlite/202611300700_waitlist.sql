-- The waitlist (package waitlist): who waits for a time that comes free, and what is still to be looked at for them.
CREATE TABLE waitlist_entries (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    contact_id   INTEGER REFERENCES contacts (id) ON DELETE SET NULL, -- null where nobody is known by the address
    email_key    TEXT NOT NULL, -- as addresses are compared
    state        INTEGER NOT NULL, -- see waitlist.State
    details      TEXT NOT NULL, -- JSON
    until_ms     INTEGER NOT NULL, -- when it ends by itself; of one that isn't confirmed, when it is deleted
    silences     INTEGER NOT NULL DEFAULT 0, -- offers that were not answered
    confirmed_ms INTEGER, -- since when it counts
    ended_ms     INTEGER
) STRICT;
CREATE INDEX waitlist_entries_of ON waitlist_entries (workspace_id, id);
CREATE INDEX waitlist_entries_live ON waitlist_entries (workspace_id, confirmed_ms, id) WHERE state > 0 AND state < 3;
CREATE INDEX waitlist_entries_person ON waitlist_entries (workspace_id, email_key);
CREATE INDEX waitlist_entries_contact ON waitlist_entries (contact_id);
CREATE INDEX waitlist_entries_until ON waitlist_entries (until_ms) WHERE state < 3;
CREATE INDEX waitlist_entries_old ON waitlist_entries (ended_ms) WHERE state >= 3;

-- What is still to be looked at: a time that came free, or something that was booked.
CREATE TABLE waitlist_queue (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    kind         INTEGER NOT NULL, -- see waitlist.Kind
    booking_id   INTEGER, -- which left the time, or was made
    host_id      INTEGER, -- whose time it is
    start_ms     INTEGER NOT NULL,
    end_ms       INTEGER NOT NULL,
    hold_id      INTEGER, -- the house hold on it
    details      TEXT NOT NULL, -- JSON
    due_ms       INTEGER NOT NULL
) STRICT;
CREATE INDEX waitlist_queue_due ON waitlist_queue (due_ms) WHERE kind < 3;
CREATE INDEX waitlist_queue_of ON waitlist_queue (workspace_id, booking_id);

-- Whether anybody waits in the workspace: where nobody does, a change of a booking looks for nobody.
ALTER TABLE workspaces ADD COLUMN waits INTEGER NOT NULL DEFAULT 0 CHECK (waits IN (0, 1));
CREATE INDEX workspaces_waiting ON workspaces (id) WHERE waits = 1;
-- What a hold is for, if not for somebody who makes up their mind: 1 an offer, 2 the house, until it is known who gets it.
ALTER TABLE holds ADD COLUMN waits INTEGER;
ALTER TABLE hold_spans ADD COLUMN waits INTEGER;
-- What an order to cancel several bookings frees is offered to who waits.
ALTER TABLE cancellations ADD COLUMN offers INTEGER NOT NULL DEFAULT 0 CHECK (offers IN (0, 1));
