-- Consents of contacts, and what is kept of their health with these (package contact). An older binary would keep them when
-- it erases or merges a contact.
-- Allows: none
CREATE TABLE contact_consents (
    id                 BIGINT CONSTRAINT contact_consents_made_id UNIQUE,
    workspace_id       BIGINT NOT NULL,
    contact_id         BIGINT NOT NULL,
    kind               TEXT COLLATE "C" NOT NULL, -- key of one of the workspace's, which may be gone
    wording            TEXT COLLATE "C" NOT NULL, -- as it was then
    given              TEXT COLLATE "C" NOT NULL, -- the day, such as 2026-12-24
    ends               TEXT COLLATE "C" NOT NULL, -- the last day on which it is valid, or ''
    sealed             TEXT COLLATE "C" NOT NULL, -- who signed, and what was drawn; '' for neither
    signed             BIGINT NOT NULL CHECK (signed IN (0, 1)), -- something was drawn
    actor              TEXT COLLATE "C" NOT NULL, -- who recorded it, as in the history of bookings
    actor_id           TEXT COLLATE "C" NOT NULL,
    withdrawn_ms       BIGINT,
    withdrawn_actor    TEXT COLLATE "C" NOT NULL, -- who wrote down that it was withdrawn
    withdrawn_actor_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (contact_id) REFERENCES contacts (id) ON DELETE CASCADE
);
CREATE INDEX contact_consents_of ON contact_consents (workspace_id, contact_id, id);
CREATE INDEX contact_consents_latest ON contact_consents (workspace_id, contact_id, kind, given, id) WHERE withdrawn_ms IS NULL;
CREATE INDEX contact_consents_gone ON contact_consents (contact_id); -- deleted with the contact

CREATE TABLE contact_health (
    id           BIGINT CONSTRAINT contact_health_made_id UNIQUE,
    workspace_id BIGINT NOT NULL,
    contact_id   BIGINT NOT NULL,
    consent_id   BIGINT NOT NULL,
    kind         TEXT COLLATE "C" NOT NULL, -- allergy, patch_test, condition
    sealed       TEXT COLLATE "C" NOT NULL, -- the text
    noted        TEXT COLLATE "C" NOT NULL, -- the day of it
    reaction     BIGINT NOT NULL CHECK (reaction IN (0, 1)),
    actor        TEXT COLLATE "C" NOT NULL,
    actor_id     TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (contact_id) REFERENCES contacts (id) ON DELETE CASCADE,
    FOREIGN KEY (consent_id) REFERENCES contact_consents (id) ON DELETE CASCADE
);
CREATE INDEX contact_health_of ON contact_health (workspace_id, contact_id, id);
CREATE INDEX contact_health_on ON contact_health (consent_id); -- deleted with the consent
CREATE INDEX contact_health_gone ON contact_health (contact_id); -- deleted with the contact

-- What is sealed on the cards of a workspace is sealed with a key of its own, and that with the server's.
CREATE TABLE card_keys (
    workspace_id BIGINT PRIMARY KEY,
    sealed       TEXT COLLATE "C" NOT NULL
);
