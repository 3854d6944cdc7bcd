-- Deletion by age: what each workspace chose, and how far its nights came. A contact that never booked is as old as its
-- last change.
CREATE TABLE retentions (
    workspace_id INTEGER PRIMARY KEY REFERENCES workspaces (id),
    months       INTEGER NOT NULL,
    tax_years    INTEGER NOT NULL, -- 0: those of the country
    next_ms      INTEGER NOT NULL DEFAULT 0, -- when it goes on; 0: at the next night
    state        TEXT    NOT NULL DEFAULT '{}' -- JSON of privacy.State
) STRICT;
CREATE INDEX retentions_due ON retentions (next_ms);
ALTER TABLE contacts ADD COLUMN changed_ms INTEGER; -- null: not since it was made
CREATE INDEX contacts_by_age ON contacts (workspace_id, COALESCE(changed_ms, created_ms));
CREATE INDEX erasures_next ON erasures (workspace_id, stage, contact_id);
