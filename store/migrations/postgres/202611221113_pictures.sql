-- Uploaded pictures (package picture), in up to three widths each. A row of pictures is written first, so that what is
-- uploaded at the same time counts; then each width in a transaction of its own; then the picture is complete.
-- Allows: 202611220440
CREATE TABLE pictures (
    id           BIGINT CONSTRAINT pictures_made_id UNIQUE,
    workspace_id BIGINT NOT NULL,
    hash         TEXT COLLATE "C" NOT NULL, -- of all that is stored of it: its name in addresses
    format       TEXT COLLATE "C" NOT NULL, -- jpeg or png
    sizes        TEXT COLLATE "C" NOT NULL, -- the narrowest first: 320x213 800x533 1600x1066
    bytes        BIGINT NOT NULL, -- of all widths
    complete     BIGINT NOT NULL CHECK (complete IN (0, 1)),
    uploaded_ms  BIGINT NOT NULL, -- the last time
    PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX pictures_of ON pictures (workspace_id, hash);
CREATE INDEX pictures_at ON pictures (hash);

CREATE TABLE picture_widths (
    workspace_id BIGINT NOT NULL,
    picture_id   BIGINT NOT NULL REFERENCES pictures (id) ON DELETE CASCADE,
    width        BIGINT NOT NULL,
    data         BYTEA  NOT NULL,
    PRIMARY KEY (workspace_id, picture_id, width)
);
CREATE INDEX picture_widths_of ON picture_widths (picture_id);
ALTER TABLE picture_widths ALTER COLUMN data SET STORAGE EXTERNAL; -- it is packed already
