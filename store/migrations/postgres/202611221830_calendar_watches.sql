-- What has accounts of Google and Microsoft call this server when a calendar changes (package watch): a row for each
-- calendar that is used.
-- Allows: none
CREATE TABLE calendar_watches (
    workspace_id BIGINT NOT NULL,
    calendar_id  BIGINT NOT NULL REFERENCES calendars (id) ON DELETE CASCADE,
    remote       TEXT COLLATE "C", -- what the account calls it; null while there is none
    resource     TEXT COLLATE "C", -- what Google wants to know again to end it
    hash         BYTEA, -- of the token that calls carry
    ends_ms      BIGINT,
    due_ms       BIGINT NOT NULL, -- when it is made or renewed, or when its lease ends
    tries        BIGINT NOT NULL DEFAULT 0,
    making       BIGINT NOT NULL DEFAULT 0, -- the server that does so
    PRIMARY KEY (workspace_id, calendar_id)
);
CREATE INDEX calendar_watches_due ON calendar_watches (due_ms);
CREATE INDEX calendar_watches_of ON calendar_watches (calendar_id);
CREATE INDEX calendar_watches_remote ON calendar_watches (remote) WHERE remote IS NOT NULL;
