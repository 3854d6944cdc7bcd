-- The card of a customer (package contact): tags, birthday, how they like to be told, entries, photographs and files.
ALTER TABLE contacts ADD COLUMN birthday TEXT NOT NULL DEFAULT ''; -- 1990-05-03, --05-03 without a year
ALTER TABLE contacts ADD COLUMN tell_by TEXT NOT NULL DEFAULT '';

CREATE TABLE contact_tags (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    tag_key      TEXT NOT NULL, -- as tags are compared
    contact_id   INTEGER NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
    tag          TEXT NOT NULL, -- as it was written
    PRIMARY KEY (workspace_id, tag_key, contact_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX contact_tags_of ON contact_tags (workspace_id, contact_id);
CREATE INDEX contact_tags_gone ON contact_tags (contact_id); -- deleted with the contact

CREATE TABLE contact_entries (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    contact_id   INTEGER NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
    kind         TEXT NOT NULL, -- note, formula
    text         TEXT NOT NULL,
    booking_id   INTEGER, -- the visit that it tells of
    corrects     INTEGER, -- the entry in whose place it stands
    corrected    INTEGER NOT NULL DEFAULT 0 CHECK (corrected IN (0, 1)), -- another one stands in its place
    pinned       INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
    actor        TEXT NOT NULL, -- who wrote it, as in the history of bookings
    actor_id     TEXT NOT NULL
) STRICT;
CREATE INDEX contact_entries_of ON contact_entries (workspace_id, contact_id, pinned, id);
CREATE INDEX contact_entries_gone ON contact_entries (contact_id); -- deleted with the contact
CREATE INDEX contact_entries_kind ON contact_entries (workspace_id, contact_id, kind, corrected, id);
CREATE INDEX contact_entries_at ON contact_entries (workspace_id, booking_id) WHERE booking_id IS NOT NULL;
CREATE INDEX contact_entries_corrected ON contact_entries (workspace_id, corrects) WHERE corrects IS NOT NULL;

-- A row of contact_files is written first, so that what is uploaded at the same time counts; then each part of its data
-- in a transaction of its own; then it is complete.
CREATE TABLE contact_files (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    contact_id   INTEGER NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
    media_type   TEXT NOT NULL, -- image/jpeg, image/png, application/pdf
    name         TEXT NOT NULL,
    kind         TEXT NOT NULL, -- before, after, or ''
    booking_id   INTEGER,
    width        INTEGER NOT NULL, -- 0 of a PDF
    height       INTEGER NOT NULL,
    bytes        INTEGER NOT NULL, -- of all parts
    small        INTEGER NOT NULL, -- of these the picture made small; 0 is none
    complete     INTEGER NOT NULL CHECK (complete IN (0, 1)),
    actor        TEXT NOT NULL,
    actor_id     TEXT NOT NULL
) STRICT;
CREATE INDEX contact_files_of ON contact_files (workspace_id, contact_id, id);
CREATE INDEX contact_files_gone ON contact_files (contact_id); -- deleted with the contact
CREATE INDEX contact_files_at ON contact_files (workspace_id, booking_id) WHERE booking_id IS NOT NULL;
CREATE INDEX contact_files_total ON contact_files (workspace_id, bytes);
CREATE INDEX contact_files_incomplete ON contact_files (id) WHERE complete = 0;

CREATE TABLE contact_file_parts (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    file_id      INTEGER NOT NULL REFERENCES contact_files (id) ON DELETE CASCADE,
    part         INTEGER NOT NULL, -- 0 is a picture made small, the others are the file
    data         BLOB  NOT NULL,
    PRIMARY KEY (workspace_id, file_id, part)
) STRICT;
CREATE INDEX contact_file_parts_of ON contact_file_parts (file_id);
