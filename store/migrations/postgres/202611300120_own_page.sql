-- The page of a customer's own (package own): links that open it, and devices that it was opened on. An older binary
-- would leave them open when it erases or merges a contact, or gives it another address.
-- Allows: none
CREATE TABLE own_links (
    workspace_id BIGINT NOT NULL,
    hash         BYTEA NOT NULL, -- SHA-256 of the link's secret
    contact_id   BIGINT, -- null where nobody was mailed
    made_ms      BIGINT NOT NULL,
    until_ms     BIGINT NOT NULL, -- 0 once it was opened, replaced or ended
    mail_id      BIGINT, -- which took it there
    PRIMARY KEY (workspace_id, hash),
    FOREIGN KEY (contact_id) REFERENCES contacts (id) ON DELETE CASCADE
);
CREATE INDEX own_links_of ON own_links (contact_id, made_ms);
CREATE INDEX own_links_old ON own_links (made_ms);

CREATE TABLE own_devices (
    workspace_id BIGINT NOT NULL,
    hash         BYTEA NOT NULL, -- SHA-256 of what the device's cookie has
    contact_id   BIGINT NOT NULL,
    opened_ms    BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, hash),
    FOREIGN KEY (contact_id) REFERENCES contacts (id) ON DELETE CASCADE
);
CREATE INDEX own_devices_of ON own_devices (contact_id, opened_ms);
CREATE INDEX own_devices_old ON own_devices (opened_ms);
