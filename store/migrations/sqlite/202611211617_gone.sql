-- A workspace that is deleted is gone at once; its rows go in small steps after that. The same holds for a contact.
ALTER TABLE workspaces ADD COLUMN gone_ms INTEGER; -- null: it is there
CREATE INDEX workspaces_gone ON workspaces (gone_ms) WHERE gone_ms IS NOT NULL;

CREATE TABLE erasures (
    contact_id   INTEGER PRIMARY KEY REFERENCES contacts (id),
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    addresses    TEXT    NOT NULL, -- JSON: the e-mails to forget, as they are compared
    stage        INTEGER NOT NULL DEFAULT 0, -- 0 bookings, 1 stored answers, 2 mails
    after_id     INTEGER NOT NULL DEFAULT 0, -- how far the stage came
    after_text   TEXT    NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX erasures_of ON erasures (workspace_id);

-- Without these, each deleted row reads whole tables for those that refer to it.
CREATE INDEX users_by_host ON users (host_id) WHERE host_id IS NOT NULL;
CREATE INDEX events_by_booking ON events (booking_id) WHERE booking_id IS NOT NULL;
CREATE INDEX deliveries_answered ON deliveries (event_id) WHERE response IS NOT NULL;
CREATE INDEX payment_cards_list ON payment_cards (workspace_id);
CREATE INDEX checkouts_list ON checkouts (workspace_id);
CREATE INDEX checkouts_by_booking ON checkouts (booking_id);
CREATE INDEX checkouts_by_payment ON checkouts (payment_id) WHERE payment_id IS NOT NULL;
CREATE INDEX payment_jobs_list ON payment_jobs (workspace_id);
CREATE INDEX payment_jobs_by_booking ON payment_jobs (booking_id);
CREATE INDEX payment_jobs_by_payment ON payment_jobs (payment_id) WHERE payment_id IS NOT NULL;
CREATE INDEX payment_jobs_by_checkout ON payment_jobs (checkout_id) WHERE checkout_id IS NOT NULL;

-- Of two indexes that suit, SQLite takes the one made last: these are smaller.
DROP INDEX checkouts_of;
DROP INDEX checkouts_open;
DROP INDEX payment_jobs_of;
CREATE INDEX checkouts_of ON checkouts (booking_id) WHERE state < 3;
CREATE INDEX checkouts_open ON checkouts (workspace_id) WHERE state < 3;
CREATE INDEX payment_jobs_of ON payment_jobs (booking_id) WHERE state = 0;
