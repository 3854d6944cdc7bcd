-- Which server orders a certificate at present, so that no other one does.
CREATE TABLE certificate_orders (
    name     TEXT    NOT NULL PRIMARY KEY, -- of the certificate
    server   INTEGER NOT NULL,
    until_ms INTEGER NOT NULL -- then another one may
) STRICT, WITHOUT ROWID;
