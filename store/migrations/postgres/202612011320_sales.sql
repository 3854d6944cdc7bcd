-- Sales (package counter): what a customer pays together, services and products, with its discounts and payments. An older
-- binary would read receipts and money without a booking, ask for what a discount took off, and pay a booking beside its sale.
-- Allows: none
CREATE TABLE sales (
    id           BIGINT CONSTRAINT sales_id_made_id UNIQUE,
    workspace_id BIGINT NOT NULL,
    host_id      BIGINT, -- who sold it; null is nobody who is a host
    contact_id   BIGINT, -- null where nobody is known
    state        BIGINT NOT NULL, -- see counter.SaleStates
    customer     TEXT COLLATE "C", -- null: erased, or nobody was named
    content      TEXT COLLATE "C" NOT NULL, -- JSON of counter.Sale without the customer
    CONSTRAINT sales_made_id PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, host_id) REFERENCES hosts (workspace_id, id),
    FOREIGN KEY (contact_id) REFERENCES contacts (id) ON DELETE SET NULL
);
CREATE INDEX sales_by_state ON sales (workspace_id, state, id);
CREATE INDEX sales_by_host ON sales (host_id, id);
CREATE INDEX sales_by_contact ON sales (contact_id);

-- The bookings in sales. One is in at most one sale that is open.
CREATE TABLE sale_bookings (
    workspace_id BIGINT NOT NULL,
    booking_id   BIGINT NOT NULL,
    sale_id      BIGINT NOT NULL,
    open         BIGINT CHECK (open = 1), -- null: the sale is paid or void, or the booking left it
    PRIMARY KEY (workspace_id, booking_id, sale_id),
    FOREIGN KEY (workspace_id, booking_id) REFERENCES bookings (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, sale_id) REFERENCES sales (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX sale_bookings_open ON sale_bookings (workspace_id, booking_id, open);
CREATE INDEX sale_bookings_by_booking ON sale_bookings (booking_id);
CREATE INDEX sale_bookings_of ON sale_bookings (sale_id);

-- Money is taken without a booking, too, and for a sale.
ALTER TABLE counter_entries ALTER COLUMN booking_id DROP NOT NULL; -- null: for what is no service
ALTER TABLE counter_entries ADD COLUMN sale_id BIGINT; -- null: of none
ALTER TABLE counter_entries ADD COLUMN host_id BIGINT; -- whose it is where there is no booking; null is nobody's
CREATE INDEX counter_entries_of_sale ON counter_entries (sale_id) WHERE sale_id IS NOT NULL;

-- A day adds up what was taken for its bookings, and what was taken on it without one.
CREATE FUNCTION sale_marks_day() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' AND OLD.booking_id IS NULL THEN
        INSERT INTO day_marks (workspace_id, day, mark) VALUES (OLD.workspace_id, OLD.at_ms / 86400000,
            CAST(random() * 4611686018427387904 AS BIGINT)) ON CONFLICT DO NOTHING;
    END IF;
    IF TG_OP <> 'DELETE' AND NEW.booking_id IS NULL THEN
        INSERT INTO day_marks (workspace_id, day, mark) VALUES (NEW.workspace_id, NEW.at_ms / 86400000,
            CAST(random() * 4611686018427387904 AS BIGINT)) ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER counter_entries_mark_sale AFTER INSERT OR DELETE OR UPDATE OF booking_id, method, amount, tip, currency
    ON counter_entries FOR EACH ROW EXECUTE FUNCTION sale_marks_day();

-- Receipts are of a booking, of a sale, or of both.
ALTER TABLE receipts ALTER COLUMN booking_id DROP NOT NULL; -- null: of a sale with none, or several
ALTER TABLE receipts ALTER COLUMN host_id DROP NOT NULL; -- null: of a sale that no host made
ALTER TABLE receipts ADD COLUMN sale_id BIGINT; -- null: of none
CREATE INDEX receipts_of_sale ON receipts (sale_id) WHERE sale_id IS NOT NULL;
