-- What is sold at the counter besides services (catalog.Product).
CREATE TABLE products (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    name         TEXT    NOT NULL,
    name_key     TEXT    NOT NULL, -- the name as it is compared
    number       TEXT    NOT NULL,
    number_key   TEXT, -- likewise; null: it has none
    sought       TEXT    NOT NULL, -- name and number as people search, in the order of lists
    amount       INTEGER NOT NULL, -- of the price, in minor units
    currency     TEXT    NOT NULL,
    tax_rate     INTEGER, -- in thousandths of a percent; null: the workspace's
    picture_id   INTEGER,
    stock        INTEGER, -- null: not counted
    active       INTEGER NOT NULL CHECK (active IN (0, 1)), -- it is on sale
    sold         INTEGER NOT NULL DEFAULT 0 CHECK (sold IN (0, 1)), -- at least once
    created_ms   INTEGER NOT NULL,
    UNIQUE (workspace_id, name_key),
    UNIQUE (workspace_id, number_key)
) STRICT;
CREATE INDEX products_sought ON products (workspace_id, active, sought, id);
CREATE INDEX products_pictured ON products (workspace_id, picture_id) WHERE picture_id IS NOT NULL;
