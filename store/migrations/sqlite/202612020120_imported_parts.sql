-- Which people and services of other programs hosts and event types were, so that an import can be repeated (package movein).
CREATE TABLE imported_parts (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    source       TEXT NOT NULL, -- see booking.ImportedRef
    kind         INTEGER NOT NULL, -- 0 a host, 1 an event type
    foreign_id   TEXT NOT NULL,
    part_id      INTEGER NOT NULL, -- it may be gone
    PRIMARY KEY (workspace_id, source, kind, foreign_id)
) STRICT, WITHOUT ROWID;
