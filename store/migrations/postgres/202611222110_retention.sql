-- Deletion by age: what each workspace chose, and how far its nights came. A contact that never booked is as old as its
-- last change. Servers of the version before go on beside this one: they erase nobody, and a workspace that they save
-- is left without the choice.
-- Allows: 202611221830
CREATE TABLE retentions (
    workspace_id BIGINT PRIMARY KEY,
    months       BIGINT NOT NULL,
    tax_years    BIGINT NOT NULL, -- 0: those of the country
    next_ms      BIGINT NOT NULL DEFAULT 0, -- when it goes on; 0: at the next night
    state        TEXT COLLATE "C" NOT NULL DEFAULT '{}' -- JSON of privacy.State
);
CREATE INDEX retentions_due ON retentions (next_ms);
ALTER TABLE contacts ADD COLUMN changed_ms BIGINT; -- null: not since it was made
CREATE INDEX contacts_by_age ON contacts (workspace_id, (COALESCE(changed_ms, created_ms)), id);
CREATE INDEX erasures_next ON erasures (workspace_id, stage, contact_id);
