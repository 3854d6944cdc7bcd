-- Which people and services of other programs hosts and event types were, so that an import can be repeated (package
-- movein). An older binary would leave those of a deleted workspace.
-- Allows: none
CREATE TABLE imported_parts (
    workspace_id BIGINT NOT NULL,
    source       TEXT COLLATE "C" NOT NULL, -- see booking.ImportedRef
    kind         BIGINT NOT NULL, -- 0 a host, 1 an event type
    foreign_id   TEXT COLLATE "C" NOT NULL,
    part_id      BIGINT NOT NULL, -- it may be gone
    PRIMARY KEY (workspace_id, source, kind, foreign_id)
);
