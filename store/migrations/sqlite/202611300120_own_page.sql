-- The page of a customer's own (package own): links that open it, and devices that it was opened on.
CREATE TABLE own_links (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    hash         BLOB NOT NULL, -- SHA-256 of the link's secret
    contact_id   INTEGER REFERENCES contacts (id) ON DELETE CASCADE, -- null where nobody was mailed
    made_ms      INTEGER NOT NULL,
    until_ms     INTEGER NOT NULL, -- 0 once it was opened, replaced or ended
    mail_id      INTEGER, -- which took it there
    PRIMARY KEY (workspace_id, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX own_links_of ON own_links (contact_id, made_ms);
CREATE INDEX own_links_old ON own_links (made_ms);

CREATE TABLE own_devices (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    hash         BLOB NOT NULL, -- SHA-256 of what the device's cookie has
    contact_id   INTEGER NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
    opened_ms    INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX own_devices_of ON own_devices (contact_id, opened_ms);
CREATE INDEX own_devices_old ON own_devices (opened_ms);
