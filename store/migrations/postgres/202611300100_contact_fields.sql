-- The fields that a workspace keeps of its contacts besides the usual ones (catalog.ContactField): their values, those that
-- visitors wrote when they booked, and which fields were removed. An older binary would keep them when it erases a contact.
-- Allows: none
CREATE TABLE contact_fields (
    workspace_id BIGINT NOT NULL,
    contact_id   BIGINT NOT NULL,
    field_id     BIGINT NOT NULL, -- another one where a key was removed and made anew
    field_key    TEXT COLLATE "C" NOT NULL,
    value        TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace_id, contact_id, field_id),
    FOREIGN KEY (contact_id) REFERENCES contacts (id) ON DELETE CASCADE
);
CREATE INDEX contact_fields_of ON contact_fields (workspace_id, field_id);
CREATE INDEX contact_fields_gone ON contact_fields (contact_id); -- deleted with the contact

CREATE TABLE booking_fields (
    workspace_id BIGINT NOT NULL,
    booking_id   BIGINT NOT NULL,
    field_id     BIGINT NOT NULL,
    field_key    TEXT COLLATE "C" NOT NULL,
    value        TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace_id, booking_id, field_id),
    FOREIGN KEY (workspace_id, booking_id) REFERENCES bookings (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX booking_fields_of ON booking_fields (workspace_id, field_id);
CREATE INDEX booking_fields_gone ON booking_fields (booking_id); -- deleted with the booking

-- The values of a removed field are not seen from then on; a loop deletes them, and then the row.
CREATE TABLE removed_fields (
    workspace_id BIGINT NOT NULL,
    field_id     BIGINT NOT NULL,
    removed_ms   BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, field_id)
);
CREATE INDEX removed_fields_at ON removed_fields (removed_ms);
