-- Passes and vouchers (package pass): what was paid ahead, and the ledger of what became of it. An older binary would take a
-- booking that a pass paid for one that was paid in cash.
-- Allows: none
CREATE TABLE passes (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    contact_id   INTEGER REFERENCES contacts (id) ON DELETE SET NULL, -- whose it is; null: whoever has its code
    sale_id      INTEGER NOT NULL REFERENCES sales (id),
    balance      INTEGER NOT NULL CHECK (balance >= 0), -- the sum of its entries
    ends_ms      INTEGER, -- null: never
    blocked      INTEGER NOT NULL CHECK (blocked IN (0, 1)),
    content      TEXT NOT NULL -- JSON of pass.Pass
) STRICT;
CREATE INDEX passes_list ON passes (workspace_id);
CREATE INDEX passes_owed ON passes (workspace_id, balance) WHERE balance > 0;
CREATE INDEX passes_by_contact ON passes (contact_id);
CREATE INDEX passes_by_sale ON passes (sale_id);

-- The ledger. Rows are only added.
CREATE TABLE pass_entries (
    id           INTEGER PRIMARY KEY, -- of what pays for a booking, that payment's
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    pass_id      INTEGER NOT NULL REFERENCES passes (id),
    at_ms        INTEGER NOT NULL,
    delta        INTEGER NOT NULL, -- credits, or minor units; below zero: used
    amount       INTEGER NOT NULL, -- what of a price it paid, in minor units; below zero: that came back
    booking_id   INTEGER REFERENCES bookings (id), -- null: of none
    sale_id      INTEGER REFERENCES sales (id), -- null: of none
    takes_back   INTEGER, -- the entry whose use it takes back
    actor        TEXT NOT NULL,
    actor_id     TEXT NOT NULL
) STRICT;
CREATE INDEX pass_entries_of ON pass_entries (pass_id);
CREATE INDEX pass_entries_list ON pass_entries (workspace_id);
CREATE INDEX pass_entries_by_booking ON pass_entries (booking_id);
CREATE INDEX pass_entries_by_sale ON pass_entries (sale_id);

-- The codes that passes have and had.
CREATE TABLE pass_codes (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    hash         BLOB NOT NULL, -- SHA-256
    pass_id      INTEGER NOT NULL REFERENCES passes (id) ON DELETE CASCADE,
    sealed       TEXT, -- the code by the secret key, until it is printed or mailed
    ended_ms     INTEGER, -- when another took its place; null: it is good
    PRIMARY KEY (workspace_id, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX pass_codes_of ON pass_codes (pass_id);

ALTER TABLE products ADD COLUMN pass TEXT; -- JSON of catalog.PassTerms; null: it is a thing
