-- What is sold at the counter besides services (catalog.Product). An older binary would delete pictures that only products
-- show, and keep the products of a workspace that is deleted.
-- Allows: none
CREATE TABLE products (
    id           BIGINT UNIQUE, -- a set-up file may name it, so it may be taken
    workspace_id BIGINT NOT NULL,
    name         TEXT COLLATE "C" NOT NULL,
    name_key     TEXT COLLATE "C" NOT NULL, -- the name as it is compared
    number       TEXT COLLATE "C" NOT NULL,
    number_key   TEXT COLLATE "C", -- likewise; null: it has none
    sought       TEXT COLLATE "C" NOT NULL, -- name and number as people search, in the order of lists
    amount       BIGINT NOT NULL, -- of the price, in minor units
    currency     TEXT COLLATE "C" NOT NULL,
    tax_rate     BIGINT, -- in thousandths of a percent; null: the workspace's
    picture_id   BIGINT,
    stock        BIGINT, -- null: not counted
    active       BIGINT NOT NULL CHECK (active IN (0, 1)), -- it is on sale
    sold         BIGINT NOT NULL DEFAULT 0 CHECK (sold IN (0, 1)), -- at least once
    created_ms   BIGINT NOT NULL,
    UNIQUE (workspace_id, name_key),
    UNIQUE (workspace_id, number_key),
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX products_sought ON products (workspace_id, active, sought, id);
CREATE INDEX products_pictured ON products (workspace_id, picture_id) WHERE picture_id IS NOT NULL;
