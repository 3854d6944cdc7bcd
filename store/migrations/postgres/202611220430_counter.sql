-- What was taken at the counter for a booking, as JSON; null for most. An older binary neither reads nor writes it, nor
-- the tables below.
-- Allows: 202611220424
ALTER TABLE bookings ADD COLUMN counter TEXT COLLATE "C";

-- The ledger of the counter. Rows are only added.
CREATE TABLE counter_entries (
    id           BIGINT CONSTRAINT counter_entries_id_made_id UNIQUE,
    workspace_id BIGINT NOT NULL,
    booking_id   BIGINT NOT NULL,
    gives_back   BIGINT, -- the entry whose money this one gives back; null: it was taken
    method       BIGINT NOT NULL, -- 0 cash, 1 card, 2 transfer, 3 voucher, 4 other
    amount       BIGINT NOT NULL, -- below zero: given back
    tip          BIGINT NOT NULL, -- as amount, which does not contain it
    currency     TEXT COLLATE "C" NOT NULL,
    actor        TEXT COLLATE "C" NOT NULL,
    actor_id     TEXT COLLATE "C" NOT NULL,
    at_ms        BIGINT NOT NULL,
    CONSTRAINT counter_entries_made_id PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, booking_id) REFERENCES bookings (workspace_id, id)
);
CREATE INDEX counter_entries_of ON counter_entries (booking_id);
CREATE INDEX counter_entries_by_time ON counter_entries (workspace_id, at_ms);

-- The last number of a workspace's receipts in each year. A row is locked by its UPDATE until the transaction that
-- takes the number ends, and after the host's.
CREATE TABLE receipt_counters (
    workspace_id BIGINT NOT NULL,
    year         BIGINT NOT NULL,
    last         BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, year)
);

-- Receipts and their reversals. None is deleted, and nothing in them changes but the customer, who may be erased.
CREATE TABLE receipts (
    id           BIGINT CONSTRAINT receipts_id_made_id UNIQUE,
    workspace_id BIGINT NOT NULL,
    booking_id   BIGINT NOT NULL,
    host_id      BIGINT NOT NULL,
    year         BIGINT NOT NULL,
    number       BIGINT NOT NULL,
    reverses     BIGINT, -- the receipt that this one takes back; null: a receipt
    customer     TEXT COLLATE "C", -- null: erased, or nobody was named
    content      TEXT COLLATE "C" NOT NULL, -- JSON of counter.Receipt without the customer
    UNIQUE (workspace_id, year, number),
    CONSTRAINT receipts_made_id PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, booking_id) REFERENCES bookings (workspace_id, id),
    FOREIGN KEY (workspace_id, host_id) REFERENCES hosts (workspace_id, id)
);
CREATE INDEX receipts_of ON receipts (booking_id, id);
CREATE INDEX receipts_by_host ON receipts (host_id, id);
CREATE UNIQUE INDEX receipts_reversal ON receipts (workspace_id, reverses) WHERE reverses IS NOT NULL;

-- How the cash of a day was counted. A day that is counted again has several rows; the latest one counts.
CREATE TABLE day_closes (
    id           BIGINT CONSTRAINT day_closes_id_made_id UNIQUE,
    workspace_id BIGINT NOT NULL,
    day          TEXT COLLATE "C" NOT NULL, -- 2026-12-01, in the workspace's zone
    currency     TEXT COLLATE "C" NOT NULL,
    opening      BIGINT NOT NULL,
    cash         BIGINT NOT NULL,
    counted      BIGINT NOT NULL,
    note         TEXT COLLATE "C" NOT NULL,
    actor        TEXT COLLATE "C" NOT NULL,
    actor_id     TEXT COLLATE "C" NOT NULL,
    at_ms        BIGINT NOT NULL,
    CONSTRAINT day_closes_made_id PRIMARY KEY (workspace_id, id)
);
CREATE INDEX day_closes_by_day ON day_closes (workspace_id, day, id);
