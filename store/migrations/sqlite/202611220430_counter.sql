-- What was taken at the counter for a booking, as JSON; null for most.
ALTER TABLE bookings ADD COLUMN counter TEXT;

-- The ledger of the counter. Rows are only added.
CREATE TABLE counter_entries (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    booking_id   INTEGER NOT NULL REFERENCES bookings (id),
    gives_back   INTEGER, -- the entry whose money this one gives back; null: it was taken
    method       INTEGER NOT NULL, -- 0 cash, 1 card, 2 transfer, 3 voucher, 4 other
    amount       INTEGER NOT NULL, -- below zero: given back
    tip          INTEGER NOT NULL, -- as amount, which does not contain it
    currency     TEXT    NOT NULL,
    actor        TEXT    NOT NULL,
    actor_id     TEXT    NOT NULL,
    at_ms        INTEGER NOT NULL
) STRICT;
CREATE INDEX counter_entries_of ON counter_entries (booking_id);
CREATE INDEX counter_entries_by_time ON counter_entries (workspace_id, at_ms);

-- The last number of a workspace's receipts in each year. A row is locked by its UPDATE until the transaction that
-- takes the number ends, and after the host's.
CREATE TABLE receipt_counters (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    year         INTEGER NOT NULL,
    last         INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, year)
) STRICT, WITHOUT ROWID;

-- Receipts and their reversals. None is deleted, and nothing in them changes but the customer, who may be erased.
CREATE TABLE receipts (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    booking_id   INTEGER NOT NULL REFERENCES bookings (id),
    host_id      INTEGER NOT NULL REFERENCES hosts (id),
    year         INTEGER NOT NULL,
    number       INTEGER NOT NULL,
    reverses     INTEGER, -- the receipt that this one takes back; null: a receipt
    customer     TEXT,    -- null: erased, or nobody was named
    content      TEXT    NOT NULL, -- JSON of counter.Receipt without the customer
    UNIQUE (workspace_id, year, number)
) STRICT;
CREATE INDEX receipts_list ON receipts (workspace_id);
CREATE INDEX receipts_of ON receipts (booking_id);
CREATE INDEX receipts_by_host ON receipts (host_id);
CREATE UNIQUE INDEX receipts_reversal ON receipts (workspace_id, reverses) WHERE reverses IS NOT NULL;

-- How the cash of a day was counted. A day that is counted again has several rows; the latest one counts.
CREATE TABLE day_closes (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    day          TEXT    NOT NULL, -- 2026-12-01, in the workspace's zone
    currency     TEXT    NOT NULL,
    opening      INTEGER NOT NULL,
    cash         INTEGER NOT NULL,
    counted      INTEGER NOT NULL,
    note         TEXT    NOT NULL,
    actor        TEXT    NOT NULL,
    actor_id     TEXT    NOT NULL,
    at_ms        INTEGER NOT NULL
) STRICT;
CREATE INDEX day_closes_by_day ON day_closes (workspace_id, day);
