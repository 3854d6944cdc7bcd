-- The audit log of each workspace (package audit): ids, names of fields and words of fixed lists, and no contact data.
CREATE TABLE audit_log (
    id           INTEGER PRIMARY KEY, -- begins with the time
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    at_ms        INTEGER NOT NULL,
    actor_kind   TEXT    NOT NULL, -- member, key, operator, system, business or unknown
    door         TEXT    NOT NULL,
    actor        TEXT, -- the id of the member or key
    topic        TEXT    NOT NULL, -- of the action
    action       TEXT    NOT NULL,
    subject      TEXT, -- an id
    fields       TEXT, -- names, with spaces between them
    was          TEXT,
    now_is       TEXT,
    n            INTEGER,
    device       TEXT
) STRICT;
CREATE INDEX audit_log_in ON audit_log (workspace_id, id);
CREATE INDEX audit_log_about ON audit_log (workspace_id, topic, id);
CREATE INDEX audit_log_by ON audit_log (workspace_id, actor, id);
CREATE INDEX audit_log_of ON audit_log (workspace_id, subject, id);

CREATE TRIGGER audit_log_stays BEFORE UPDATE ON audit_log BEGIN
    SELECT RAISE(ABORT, 'entries of the audit log are never changed');
END;
