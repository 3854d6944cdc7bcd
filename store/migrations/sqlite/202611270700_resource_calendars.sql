-- Calendars of rooms, chairs and equipment: a connection is a host's or a resource's. An older binary beside this one
-- would book a room that is busy, and can't read a connection without a host.
DROP INDEX calendar_connections_of;
DROP INDEX calendar_connections_by_host;
ALTER TABLE calendar_connections ADD COLUMN of_host INTEGER REFERENCES hosts (id); -- null: a resource's
UPDATE calendar_connections SET of_host = host_id;
ALTER TABLE calendar_connections DROP COLUMN host_id;
ALTER TABLE calendar_connections RENAME COLUMN of_host TO host_id;
ALTER TABLE calendar_connections ADD COLUMN resource_id INTEGER REFERENCES resources (id); -- null: a host's
CREATE INDEX calendar_connections_of ON calendar_connections (workspace_id, host_id);
CREATE INDEX calendar_connections_by_host ON calendar_connections (host_id);
CREATE INDEX calendar_connections_by_resource ON calendar_connections (resource_id) WHERE resource_id IS NOT NULL;

-- When resources are busy by the calendars that block: disjoint, of each resource.
CREATE TABLE resource_busy_times (
    workspace_id  INTEGER NOT NULL REFERENCES workspaces (id),
    resource_id   INTEGER NOT NULL REFERENCES resources (id),
    busy_start_ms INTEGER NOT NULL,
    busy_end_ms   INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, resource_id, busy_start_ms),
    CHECK (busy_end_ms > busy_start_ms)
) STRICT, WITHOUT ROWID;
CREATE INDEX resource_busy_times_of ON resource_busy_times (resource_id, busy_start_ms, busy_end_ms);

-- A sign-in connects calendars of a host, or of a resource; of the other it has 0.
ALTER TABLE calendar_sign_ins ADD COLUMN resource_id INTEGER NOT NULL DEFAULT 0;
