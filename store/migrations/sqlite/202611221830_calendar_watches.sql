-- What has accounts of Google and Microsoft call this server when a calendar changes (package watch): a row for each
-- calendar that is used.
CREATE TABLE calendar_watches (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    calendar_id  INTEGER NOT NULL REFERENCES calendars (id) ON DELETE CASCADE,
    remote       TEXT, -- what the account calls it; null while there is none
    resource     TEXT, -- what Google wants to know again to end it
    hash         BLOB, -- of the token that calls carry
    ends_ms      INTEGER,
    due_ms       INTEGER NOT NULL, -- when it is made or renewed, or when its lease ends
    tries        INTEGER NOT NULL DEFAULT 0,
    making       INTEGER NOT NULL DEFAULT 0, -- the server that does so
    PRIMARY KEY (workspace_id, calendar_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX calendar_watches_due ON calendar_watches (due_ms);
CREATE INDEX calendar_watches_of ON calendar_watches (calendar_id);
CREATE INDEX calendar_watches_remote ON calendar_watches (remote) WHERE remote IS NOT NULL;
