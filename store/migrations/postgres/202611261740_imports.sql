-- What imports of contacts did, for a day, so that they can be undone (package contact). An older binary beside this one
-- would leave the old values of a contact that it erases.
-- Allows: none
CREATE TABLE imports (
    id           BIGINT CONSTRAINT imports_id_made_id UNIQUE,
    workspace_id BIGINT NOT NULL,
    state        BIGINT NOT NULL, -- see contact.ImportState
    made_ms      BIGINT NOT NULL,
    until_ms     BIGINT, -- until then it can be undone, if it wasn't, and then it is forgotten; null while it is undone
    created      BIGINT NOT NULL, -- contacts that it made
    changed      BIGINT NOT NULL, -- contacts that it changed
    undone       BIGINT NOT NULL, -- contacts that are as they were before
    stays        BIGINT NOT NULL, -- contacts that could not be undone
    CONSTRAINT imports_made_id PRIMARY KEY (workspace_id, id)
);
CREATE INDEX imports_busy ON imports (workspace_id) WHERE state < 2;
CREATE INDEX imports_old ON imports (until_ms) WHERE until_ms IS NOT NULL;

CREATE TABLE import_contacts (
    workspace_id BIGINT NOT NULL,
    import_id    BIGINT NOT NULL,
    contact_id   BIGINT NOT NULL,
    made         BIGINT NOT NULL CHECK (made IN (0, 1)), -- by the import
    outcome      BIGINT NOT NULL, -- see contact.Outcome; 0: not undone
    changes      TEXT COLLATE "C" NOT NULL, -- JSON of fields with what they had and got; '' once nothing can be undone by it
    PRIMARY KEY (workspace_id, import_id, contact_id)
);
CREATE INDEX import_contacts_open ON import_contacts (contact_id, import_id) WHERE outcome = 0;
