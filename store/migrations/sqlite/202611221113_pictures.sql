-- Uploaded pictures (package picture), in up to three widths each. A row of pictures is written first, so that what is
-- uploaded at the same time counts; then each width in a transaction of its own; then the picture is complete.
CREATE TABLE pictures (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    hash         TEXT    NOT NULL, -- of all that is stored of it: its name in addresses
    format       TEXT    NOT NULL, -- jpeg or png
    sizes        TEXT    NOT NULL, -- the narrowest first: 320x213 800x533 1600x1066
    bytes        INTEGER NOT NULL, -- of all widths
    complete     INTEGER NOT NULL CHECK (complete IN (0, 1)),
    uploaded_ms  INTEGER NOT NULL  -- the last time
) STRICT;
CREATE UNIQUE INDEX pictures_of ON pictures (workspace_id, hash);
CREATE INDEX pictures_at ON pictures (hash);

CREATE TABLE picture_widths (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    picture_id   INTEGER NOT NULL REFERENCES pictures (id) ON DELETE CASCADE,
    width        INTEGER NOT NULL,
    data         BLOB    NOT NULL,
    PRIMARY KEY (workspace_id, picture_id, width)
) STRICT;
CREATE INDEX picture_widths_of ON picture_widths (picture_id);
