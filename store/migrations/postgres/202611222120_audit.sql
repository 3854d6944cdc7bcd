-- The audit log of each workspace (package audit): ids, names of fields and words of fixed lists, and no contact data.
-- An older binary beside this one would change things without an entry.
-- Allows: none
CREATE TABLE audit_log (
    id           BIGINT CONSTRAINT audit_log_made_id UNIQUE, -- begins with the time
    workspace_id BIGINT NOT NULL,
    at_ms        BIGINT NOT NULL,
    actor_kind   TEXT COLLATE "C" NOT NULL, -- member, key, operator, system, business or unknown
    door         TEXT COLLATE "C" NOT NULL,
    actor        TEXT COLLATE "C", -- the id of the member or key
    topic        TEXT COLLATE "C" NOT NULL, -- of the action
    action       TEXT COLLATE "C" NOT NULL,
    subject      TEXT COLLATE "C", -- an id
    fields       TEXT COLLATE "C", -- names, with spaces between them
    was          TEXT COLLATE "C",
    now_is       TEXT COLLATE "C",
    n            BIGINT,
    device       TEXT COLLATE "C",
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX audit_log_about ON audit_log (workspace_id, topic, id);
CREATE INDEX audit_log_by ON audit_log (workspace_id, actor, id);
CREATE INDEX audit_log_of ON audit_log (workspace_id, subject, id);

CREATE FUNCTION audit_log_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'entries of the audit log are never changed';
END $$;
CREATE TRIGGER audit_log_stays BEFORE UPDATE ON audit_log FOR EACH ROW EXECUTE FUNCTION audit_log_stays();
