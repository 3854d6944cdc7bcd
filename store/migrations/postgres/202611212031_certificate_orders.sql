-- Which server orders a certificate at present, so that no other one does.
CREATE TABLE certificate_orders (
    name     TEXT COLLATE "C" NOT NULL PRIMARY KEY, -- of the certificate
    server   BIGINT NOT NULL,
    until_ms BIGINT NOT NULL -- then another one may
);
