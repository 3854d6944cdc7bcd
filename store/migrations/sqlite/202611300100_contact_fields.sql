-- The fields that a workspace keeps of its contacts besides the usual ones (catalog.ContactField): their values, those that
-- visitors wrote when they booked, and which fields were removed.
CREATE TABLE contact_fields (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    contact_id   INTEGER NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
    field_id     INTEGER NOT NULL, -- another one where a key was removed and made anew
    field_key    TEXT NOT NULL,
    value        TEXT NOT NULL,
    PRIMARY KEY (workspace_id, contact_id, field_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX contact_fields_of ON contact_fields (workspace_id, field_id);
CREATE INDEX contact_fields_gone ON contact_fields (contact_id); -- deleted with the contact

CREATE TABLE booking_fields (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    booking_id   INTEGER NOT NULL REFERENCES bookings (id) ON DELETE CASCADE,
    field_id     INTEGER NOT NULL,
    field_key    TEXT NOT NULL,
    value        TEXT NOT NULL,
    PRIMARY KEY (workspace_id, booking_id, field_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX booking_fields_of ON booking_fields (workspace_id, field_id);
CREATE INDEX booking_fields_gone ON booking_fields (booking_id); -- deleted with the booking

-- The values of a removed field are not seen from then on; a loop deletes them, and then the row.
CREATE TABLE removed_fields (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    field_id     INTEGER NOT NULL,
    removed_ms   INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, field_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX removed_fields_at ON removed_fields (removed_ms);
