-- Consents of contacts, and what is kept of their health with these (package contact).
CREATE TABLE contact_consents (
    id                 INTEGER PRIMARY KEY,
    workspace_id       INTEGER NOT NULL REFERENCES workspaces (id),
    contact_id         INTEGER NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
    kind               TEXT NOT NULL, -- key of one of the workspace's, which may be gone
    wording            TEXT NOT NULL, -- as it was then
    given              TEXT NOT NULL, -- the day, such as 2026-12-24
    ends               TEXT NOT NULL, -- the last day on which it is valid, or ''
    sealed             TEXT NOT NULL, -- who signed, and what was drawn; '' for neither
    signed             INTEGER NOT NULL CHECK (signed IN (0, 1)), -- something was drawn
    actor              TEXT NOT NULL, -- who recorded it, as in the history of bookings
    actor_id           TEXT NOT NULL,
    withdrawn_ms       INTEGER,
    withdrawn_actor    TEXT NOT NULL, -- who wrote down that it was withdrawn
    withdrawn_actor_id TEXT NOT NULL
) STRICT;
CREATE INDEX contact_consents_of ON contact_consents (workspace_id, contact_id, id);
CREATE INDEX contact_consents_latest ON contact_consents (workspace_id, contact_id, kind, given, id) WHERE withdrawn_ms IS NULL;
CREATE INDEX contact_consents_gone ON contact_consents (contact_id); -- deleted with the contact

CREATE TABLE contact_health (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    contact_id   INTEGER NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
    consent_id   INTEGER NOT NULL REFERENCES contact_consents (id) ON DELETE CASCADE,
    kind         TEXT NOT NULL, -- allergy, patch_test, condition
    sealed       TEXT NOT NULL, -- the text
    noted        TEXT NOT NULL, -- the day of it
    reaction     INTEGER NOT NULL CHECK (reaction IN (0, 1)),
    actor        TEXT NOT NULL,
    actor_id     TEXT NOT NULL
) STRICT;
CREATE INDEX contact_health_of ON contact_health (workspace_id, contact_id, id);
CREATE INDEX contact_health_on ON contact_health (consent_id); -- deleted with the consent
CREATE INDEX contact_health_gone ON contact_health (contact_id); -- deleted with the contact

-- What is sealed on the cards of a workspace is sealed with a key of its own, and that with the server's.
CREATE TABLE card_keys (
    workspace_id INTEGER PRIMARY KEY REFERENCES workspaces (id),
    sealed       TEXT NOT NULL
) STRICT;
