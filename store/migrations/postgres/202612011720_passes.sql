-- Passes and vouchers (package pass): what was paid ahead, and the ledger of what became of it. An older binary would take a
-- booking that a pass paid for one that was paid in cash.
-- Allows: none
CREATE TABLE passes (
    id           BIGINT CONSTRAINT passes_id_made_id UNIQUE,
    workspace_id BIGINT NOT NULL,
    contact_id   BIGINT, -- whose it is; null: whoever has its code
    sale_id      BIGINT NOT NULL,
    balance      BIGINT NOT NULL CHECK (balance >= 0), -- the sum of its entries
    ends_ms      BIGINT, -- null: never
    blocked      BIGINT NOT NULL CHECK (blocked IN (0, 1)),
    content      TEXT COLLATE "C" NOT NULL, -- JSON of pass.Pass
    CONSTRAINT passes_made_id PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (contact_id) REFERENCES contacts (id) ON DELETE SET NULL,
    FOREIGN KEY (workspace_id, sale_id) REFERENCES sales (workspace_id, id)
);
CREATE INDEX passes_owed ON passes (workspace_id, balance) WHERE balance > 0;
CREATE INDEX passes_by_contact ON passes (contact_id);
CREATE INDEX passes_by_sale ON passes (sale_id);

-- The ledger. Rows are only added.
CREATE TABLE pass_entries (
    id           BIGINT CONSTRAINT pass_entries_id_made_id UNIQUE, -- of what pays for a booking, that payment's
    workspace_id BIGINT NOT NULL,
    pass_id      BIGINT NOT NULL,
    at_ms        BIGINT NOT NULL,
    delta        BIGINT NOT NULL, -- credits, or minor units; below zero: used
    amount       BIGINT NOT NULL, -- what of a price it paid, in minor units; below zero: that came back
    booking_id   BIGINT, -- null: of none
    sale_id      BIGINT, -- null: of none
    takes_back   BIGINT, -- the entry whose use it takes back
    actor        TEXT COLLATE "C" NOT NULL,
    actor_id     TEXT COLLATE "C" NOT NULL,
    CONSTRAINT pass_entries_made_id PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, pass_id) REFERENCES passes (workspace_id, id),
    FOREIGN KEY (workspace_id, booking_id) REFERENCES bookings (workspace_id, id),
    FOREIGN KEY (workspace_id, sale_id) REFERENCES sales (workspace_id, id)
);
CREATE INDEX pass_entries_of ON pass_entries (pass_id);
CREATE INDEX pass_entries_by_booking ON pass_entries (booking_id);
CREATE INDEX pass_entries_by_sale ON pass_entries (sale_id);

-- The codes that passes have and had.
CREATE TABLE pass_codes (
    workspace_id BIGINT NOT NULL,
    hash         BYTEA NOT NULL, -- SHA-256
    pass_id      BIGINT NOT NULL,
    sealed       TEXT COLLATE "C", -- the code by the secret key, until it is printed or mailed
    ended_ms     BIGINT, -- when another took its place; null: it is good
    PRIMARY KEY (workspace_id, hash),
    FOREIGN KEY (workspace_id, pass_id) REFERENCES passes (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX pass_codes_of ON pass_codes (pass_id);

ALTER TABLE products ADD COLUMN pass TEXT COLLATE "C"; -- JSON of catalog.PassTerms; null: it is a thing
