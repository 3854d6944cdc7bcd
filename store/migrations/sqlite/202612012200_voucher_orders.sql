-- Vouchers that somebody buys online (counter.Order). An older binary would leave those of a deleted workspace.
-- Allows: none
CREATE TABLE voucher_orders (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    session      TEXT, -- what the provider calls the payment page; null: not known yet
    intent       TEXT, -- what it calls the payment; null: not paid yet
    sale_id      INTEGER REFERENCES sales (id), -- null: not paid yet
    due_ms       INTEGER, -- when the provider is asked next; null: it needn't be
    content      TEXT NOT NULL -- JSON of counter.Order
) STRICT;
CREATE INDEX voucher_orders_by_session ON voucher_orders (workspace_id, session) WHERE session IS NOT NULL;
CREATE INDEX voucher_orders_by_intent ON voucher_orders (workspace_id, intent) WHERE intent IS NOT NULL;
CREATE INDEX voucher_orders_by_sale ON voucher_orders (sale_id) WHERE sale_id IS NOT NULL;
CREATE INDEX voucher_orders_due ON voucher_orders (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX voucher_orders_of ON voucher_orders (workspace_id);
