-- Sales (package counter): what a customer pays together, services and products, with its discounts and payments.
CREATE TABLE sales (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    host_id      INTEGER REFERENCES hosts (id), -- who sold it; null is nobody who is a host
    contact_id   INTEGER REFERENCES contacts (id) ON DELETE SET NULL, -- null where nobody is known
    state        INTEGER NOT NULL, -- see counter.SaleStates
    customer     TEXT, -- null: erased, or nobody was named
    content      TEXT NOT NULL -- JSON of counter.Sale without the customer
) STRICT;
CREATE INDEX sales_list ON sales (workspace_id);
CREATE INDEX sales_by_state ON sales (workspace_id, state);
CREATE INDEX sales_by_host ON sales (host_id);
CREATE INDEX sales_by_contact ON sales (contact_id);

-- The bookings in sales. One is in at most one sale that is open.
CREATE TABLE sale_bookings (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    booking_id   INTEGER NOT NULL REFERENCES bookings (id) ON DELETE CASCADE,
    sale_id      INTEGER NOT NULL REFERENCES sales (id) ON DELETE CASCADE,
    open         INTEGER CHECK (open = 1), -- null: the sale is paid or void, or the booking left it
    PRIMARY KEY (workspace_id, booking_id, sale_id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX sale_bookings_open ON sale_bookings (workspace_id, booking_id, open);
CREATE INDEX sale_bookings_by_booking ON sale_bookings (booking_id);
CREATE INDEX sale_bookings_of ON sale_bookings (sale_id);

-- Money is taken without a booking, too, and for a sale.
CREATE TABLE counter_entries_new (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    booking_id   INTEGER REFERENCES bookings (id), -- null: for what is no service
    gives_back   INTEGER, -- the entry whose money this one gives back; null: it was taken
    method       INTEGER NOT NULL, -- 0 cash, 1 card, 2 transfer, 3 voucher, 4 other
    amount       INTEGER NOT NULL, -- below zero: given back
    tip          INTEGER NOT NULL, -- as amount, which does not contain it
    currency     TEXT    NOT NULL,
    actor        TEXT    NOT NULL,
    actor_id     TEXT    NOT NULL,
    at_ms        INTEGER NOT NULL,
    sale_id      INTEGER REFERENCES sales (id), -- null: of none
    host_id      INTEGER -- whose it is where there is no booking; null is nobody's
) STRICT;
INSERT INTO counter_entries_new (id, workspace_id, booking_id, gives_back, method, amount, tip, currency, actor, actor_id, at_ms)
    SELECT id, workspace_id, booking_id, gives_back, method, amount, tip, currency, actor, actor_id, at_ms FROM counter_entries;
DROP TABLE counter_entries;
ALTER TABLE counter_entries_new RENAME TO counter_entries;
CREATE INDEX counter_entries_of ON counter_entries (booking_id);
CREATE INDEX counter_entries_by_time ON counter_entries (workspace_id, at_ms);
CREATE INDEX counter_entries_of_sale ON counter_entries (sale_id) WHERE sale_id IS NOT NULL;

-- A day adds up what was taken for its bookings, and what was taken on it without one.
CREATE TRIGGER counter_entries_mark_new AFTER INSERT ON counter_entries
WHEN EXISTS (SELECT 1 FROM day_sum_turns t WHERE t.workspace_id = NEW.workspace_id) BEGIN
    INSERT INTO day_marks (workspace_id, day, mark)
        SELECT b.workspace_id, b.start_ms / 86400000, 0 FROM bookings b WHERE b.id = NEW.booking_id
        UNION ALL SELECT NEW.workspace_id, NEW.at_ms / 86400000, 0 WHERE NEW.booking_id IS NULL
        ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER counter_entries_mark_old AFTER DELETE ON counter_entries
WHEN EXISTS (SELECT 1 FROM day_sum_turns t WHERE t.workspace_id = OLD.workspace_id) BEGIN
    INSERT INTO day_marks (workspace_id, day, mark)
        SELECT b.workspace_id, b.start_ms / 86400000, 0 FROM bookings b WHERE b.id = OLD.booking_id
        UNION ALL SELECT OLD.workspace_id, OLD.at_ms / 86400000, 0 WHERE OLD.booking_id IS NULL
        ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER counter_entries_mark_changed AFTER UPDATE OF booking_id, method, amount, tip, currency ON counter_entries
WHEN EXISTS (SELECT 1 FROM day_sum_turns t WHERE t.workspace_id = NEW.workspace_id) BEGIN
    INSERT INTO day_marks (workspace_id, day, mark)
        SELECT b.workspace_id, b.start_ms / 86400000, 0 FROM bookings b WHERE b.id = OLD.booking_id
        UNION ALL SELECT OLD.workspace_id, OLD.at_ms / 86400000, 0 WHERE OLD.booking_id IS NULL
        ON CONFLICT DO NOTHING;
    INSERT INTO day_marks (workspace_id, day, mark)
        SELECT b.workspace_id, b.start_ms / 86400000, 0 FROM bookings b WHERE b.id = NEW.booking_id
        UNION ALL SELECT NEW.workspace_id, NEW.at_ms / 86400000, 0 WHERE NEW.booking_id IS NULL
        ON CONFLICT DO NOTHING;
END;

-- Receipts are of a booking, of a sale, or of both.
CREATE TABLE receipts_new (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    booking_id   INTEGER REFERENCES bookings (id), -- null: of a sale with none, or several
    host_id      INTEGER REFERENCES hosts (id), -- null: of a sale that no host made
    year         INTEGER NOT NULL,
    number       INTEGER NOT NULL,
    reverses     INTEGER, -- the receipt that this one takes back; null: a receipt
    customer     TEXT,    -- null: erased, or nobody was named
    content      TEXT    NOT NULL, -- JSON of counter.Receipt without the customer
    sale_id      INTEGER REFERENCES sales (id), -- null: of none
    UNIQUE (workspace_id, year, number)
) STRICT;
INSERT INTO receipts_new (id, workspace_id, booking_id, host_id, year, number, reverses, customer, content)
    SELECT id, workspace_id, booking_id, host_id, year, number, reverses, customer, content FROM receipts;
DROP TABLE receipts;
ALTER TABLE receipts_new RENAME TO receipts;
CREATE INDEX receipts_list ON receipts (workspace_id);
CREATE INDEX receipts_of ON receipts (booking_id);
CREATE INDEX receipts_of_sale ON receipts (sale_id) WHERE sale_id IS NOT NULL;
CREATE INDEX receipts_by_host ON receipts (host_id);
CREATE UNIQUE INDEX receipts_reversal ON receipts (workspace_id, reverses) WHERE reverses IS NOT NULL;
