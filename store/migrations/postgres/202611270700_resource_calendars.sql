-- Calendars of rooms, chairs and equipment: a connection is a host's or a resource's. An older binary beside this one
-- would book a room that is busy, and can't read a connection without a host.
-- Allows: none
ALTER TABLE calendar_connections ALTER COLUMN host_id DROP NOT NULL;
ALTER TABLE calendar_connections ADD COLUMN resource_id BIGINT; -- null: a host's
CREATE INDEX calendar_connections_by_resource ON calendar_connections (resource_id) WHERE resource_id IS NOT NULL;

-- When resources are busy by the calendars that block: disjoint, of each resource.
CREATE TABLE resource_busy_times (
    workspace_id  BIGINT NOT NULL,
    resource_id   BIGINT NOT NULL,
    busy_start_ms BIGINT NOT NULL,
    busy_end_ms   BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, resource_id, busy_start_ms),
    CHECK (busy_end_ms > busy_start_ms)
);
CREATE INDEX resource_busy_times_of ON resource_busy_times (resource_id, busy_start_ms, busy_end_ms);

-- A sign-in connects calendars of a host, or of a resource; of the other it has 0.
ALTER TABLE calendar_sign_ins ADD COLUMN resource_id BIGINT NOT NULL DEFAULT 0;
