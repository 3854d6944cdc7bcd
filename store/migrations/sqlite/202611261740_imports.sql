-- What imports of contacts did, for a day, so that they can be undone (package contact). An older binary beside this one
-- would leave the old values of a contact that it erases.
-- Allows: none
CREATE TABLE imports (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    state        INTEGER NOT NULL, -- see contact.ImportState
    made_ms      INTEGER NOT NULL,
    until_ms     INTEGER, -- until then it can be undone, if it wasn't, and then it is forgotten; null while it is undone
    created      INTEGER NOT NULL, -- contacts that it made
    changed      INTEGER NOT NULL, -- contacts that it changed
    undone       INTEGER NOT NULL, -- contacts that are as they were before
    stays        INTEGER NOT NULL  -- contacts that could not be undone
) STRICT;
CREATE INDEX imports_of ON imports (workspace_id, id);
CREATE INDEX imports_busy ON imports (workspace_id) WHERE state < 2;
CREATE INDEX imports_old ON imports (until_ms) WHERE until_ms IS NOT NULL;

CREATE TABLE import_contacts (
    workspace_id INTEGER NOT NULL,
    import_id    INTEGER NOT NULL,
    contact_id   INTEGER NOT NULL,
    made         INTEGER NOT NULL CHECK (made IN (0, 1)), -- by the import
    outcome      INTEGER NOT NULL, -- see contact.Outcome; 0: not undone
    changes      TEXT    NOT NULL, -- JSON of fields with what they had and got; '' once nothing can be undone by it
    PRIMARY KEY (workspace_id, import_id, contact_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX import_contacts_open ON import_contacts (contact_id, import_id) WHERE outcome = 0;
