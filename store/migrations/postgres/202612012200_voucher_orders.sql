-- Vouchers that somebody buys online (counter.Order). An older binary would leave those of a deleted workspace.
-- Allows: none
CREATE TABLE voucher_orders (
    id           BIGINT CONSTRAINT voucher_orders_id_made_id UNIQUE,
    workspace_id BIGINT NOT NULL,
    session      TEXT COLLATE "C", -- what the provider calls the payment page; null: not known yet
    intent       TEXT COLLATE "C", -- what it calls the payment; null: not paid yet
    sale_id      BIGINT, -- null: not paid yet
    due_ms       BIGINT, -- when the provider is asked next; null: it needn't be
    content      TEXT COLLATE "C" NOT NULL, -- JSON of counter.Order
    CONSTRAINT voucher_orders_made_id PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, sale_id) REFERENCES sales (workspace_id, id)
);
CREATE INDEX voucher_orders_by_session ON voucher_orders (workspace_id, session) WHERE session IS NOT NULL;
CREATE INDEX voucher_orders_by_intent ON voucher_orders (workspace_id, intent) WHERE intent IS NOT NULL;
CREATE INDEX voucher_orders_by_sale ON voucher_orders (sale_id) WHERE sale_id IS NOT NULL;
CREATE INDEX voucher_orders_due ON voucher_orders (due_ms) WHERE due_ms IS NOT NULL;
