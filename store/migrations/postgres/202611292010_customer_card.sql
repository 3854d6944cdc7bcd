-- The card of a customer (package contact): tags, birthday, how they like to be told, entries, photographs and files. An
-- older binary would keep them when it erases or merges a contact.
-- Allows: none
ALTER TABLE contacts ADD COLUMN birthday TEXT COLLATE "C" NOT NULL DEFAULT ''; -- 1990-05-03, --05-03 without a year
ALTER TABLE contacts ADD COLUMN tell_by TEXT COLLATE "C" NOT NULL DEFAULT '';

CREATE TABLE contact_tags (
    workspace_id BIGINT NOT NULL,
    tag_key      TEXT COLLATE "C" NOT NULL, -- as tags are compared
    contact_id   BIGINT NOT NULL,
    tag          TEXT COLLATE "C" NOT NULL, -- as it was written
    PRIMARY KEY (workspace_id, tag_key, contact_id),
    FOREIGN KEY (contact_id) REFERENCES contacts (id) ON DELETE CASCADE
);
CREATE INDEX contact_tags_gone ON contact_tags (contact_id); -- deleted with the contact
CREATE INDEX contact_tags_of ON contact_tags (workspace_id, contact_id);

CREATE TABLE contact_entries (
    id           BIGINT CONSTRAINT contact_entries_made_id UNIQUE,
    workspace_id BIGINT NOT NULL,
    contact_id   BIGINT NOT NULL,
    kind         TEXT COLLATE "C" NOT NULL, -- note, formula
    text         TEXT COLLATE "C" NOT NULL,
    booking_id   BIGINT, -- the visit that it tells of
    corrects     BIGINT, -- the entry in whose place it stands
    corrected    BIGINT NOT NULL DEFAULT 0 CHECK (corrected IN (0, 1)), -- another one stands in its place
    pinned       BIGINT NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
    actor        TEXT COLLATE "C" NOT NULL, -- who wrote it, as in the history of bookings
    actor_id     TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (contact_id) REFERENCES contacts (id) ON DELETE CASCADE
);
CREATE INDEX contact_entries_gone ON contact_entries (contact_id); -- deleted with the contact
CREATE INDEX contact_entries_of ON contact_entries (workspace_id, contact_id, pinned, id);
CREATE INDEX contact_entries_kind ON contact_entries (workspace_id, contact_id, kind, corrected, id);
CREATE INDEX contact_entries_at ON contact_entries (workspace_id, booking_id) WHERE booking_id IS NOT NULL;
CREATE INDEX contact_entries_corrected ON contact_entries (workspace_id, corrects) WHERE corrects IS NOT NULL;

-- A row of contact_files is written first, so that what is uploaded at the same time counts; then each part of its data
-- in a transaction of its own; then it is complete.
CREATE TABLE contact_files (
    id           BIGINT CONSTRAINT contact_files_made_id UNIQUE,
    workspace_id BIGINT NOT NULL,
    contact_id   BIGINT NOT NULL,
    media_type   TEXT COLLATE "C" NOT NULL, -- image/jpeg, image/png, application/pdf
    name         TEXT COLLATE "C" NOT NULL,
    kind         TEXT COLLATE "C" NOT NULL, -- before, after, or ''
    booking_id   BIGINT,
    width        BIGINT NOT NULL, -- 0 of a PDF
    height       BIGINT NOT NULL,
    bytes        BIGINT NOT NULL, -- of all parts
    small        BIGINT NOT NULL, -- of these the picture made small; 0 is none
    complete     BIGINT NOT NULL CHECK (complete IN (0, 1)),
    actor        TEXT COLLATE "C" NOT NULL,
    actor_id     TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (contact_id) REFERENCES contacts (id) ON DELETE CASCADE
);
CREATE INDEX contact_files_gone ON contact_files (contact_id); -- deleted with the contact
CREATE INDEX contact_files_of ON contact_files (workspace_id, contact_id, id);
CREATE INDEX contact_files_at ON contact_files (workspace_id, booking_id) WHERE booking_id IS NOT NULL;
CREATE INDEX contact_files_total ON contact_files (workspace_id, bytes);
CREATE INDEX contact_files_incomplete ON contact_files (id) WHERE complete = 0;

CREATE TABLE contact_file_parts (
    workspace_id BIGINT NOT NULL,
    file_id      BIGINT NOT NULL REFERENCES contact_files (id) ON DELETE CASCADE,
    part         BIGINT NOT NULL, -- 0 is a picture made small, the others are the file
    data         BYTEA  NOT NULL,
    PRIMARY KEY (workspace_id, file_id, part)
);
CREATE INDEX contact_file_parts_of ON contact_file_parts (file_id);
ALTER TABLE contact_file_parts ALTER COLUMN data SET STORAGE EXTERNAL; -- it is packed already
