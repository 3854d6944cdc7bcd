-- The schema of SQLite's folder as it was on 2026-11-21 17:34, for PostgreSQL; later steps have the same names in both
-- folders, and a test compares the two schemas.
--
-- Ids are made in Go (package id): the constraint of such a key ends in _made_id, so that two transactions that made
-- the same one are told from a name that is taken. (A set-up file may name hosts and event types by their ids.)
-- Instants are Unix milliseconds UTC (…_ms). Money is in minor units. A bool is 0 or 1. Texts are compared byte by
-- byte, as SQLite does. No row refers to its workspace by a foreign key: each insert would lock the workspace's row.
-- Nor does a booking to its host and event type, or its history and events to it: each insert would look them up once
-- more, and they are deleted with their workspace only, when nobody can book there any more.
--
-- Keys begin with the workspace, so that a database can be divided by it. An id is unique by itself, too: it is what
-- links, claims and the rows of tables without a workspace know.

CREATE TABLE workspaces (
    id                 BIGINT CONSTRAINT workspaces_made_id PRIMARY KEY,
    slug               TEXT COLLATE "C" NOT NULL UNIQUE,
    name               TEXT COLLATE "C" NOT NULL,
    time_zone          TEXT COLLATE "C" NOT NULL,
    currency           TEXT COLLATE "C" NOT NULL,
    settings           TEXT COLLATE "C" NOT NULL, -- JSON of catalog.Settings
    link_key           TEXT COLLATE "C" NOT NULL, -- sealed
    longest_booking_ms BIGINT NOT NULL DEFAULT 0,
    revision           BIGINT NOT NULL DEFAULT 1, -- of everything in catalog.Setup
    created_ms         BIGINT NOT NULL,
    gone_ms            BIGINT -- null: it is there; else its rows go in small steps
);
CREATE INDEX workspaces_gone ON workspaces (gone_ms) WHERE gone_ms IS NOT NULL;

CREATE TABLE hosts (
    id           BIGINT UNIQUE,
    workspace_id BIGINT NOT NULL,
    email_key    TEXT COLLATE "C" NOT NULL, -- the e-mail as it is compared
    email        TEXT COLLATE "C" NOT NULL,
    name         TEXT COLLATE "C" NOT NULL,
    time_zone    TEXT COLLATE "C" NOT NULL,
    active       BIGINT NOT NULL,
    hours        TEXT COLLATE "C" NOT NULL, -- JSON of catalog.Hours
    lock         BIGINT NOT NULL DEFAULT 0, -- bumped by every transaction that books the host
    created_ms   BIGINT NOT NULL,
    UNIQUE (workspace_id, email_key),
    PRIMARY KEY (workspace_id, id)
) WITH (fillfactor = 50); -- room for the next lock beside this one

CREATE TABLE event_types (
    id           BIGINT UNIQUE,
    workspace_id BIGINT NOT NULL,
    slug         TEXT COLLATE "C" NOT NULL,
    position     BIGINT NOT NULL,
    definition   TEXT COLLATE "C" NOT NULL, -- JSON of catalog.EventType: its rules, hosts and questions
    created_ms   BIGINT NOT NULL,
    UNIQUE (workspace_id, slug),
    PRIMARY KEY (workspace_id, id)
);

CREATE TABLE contacts (
    id           BIGINT CONSTRAINT contacts_id_made_id UNIQUE,
    workspace_id BIGINT NOT NULL,
    email_key    TEXT COLLATE "C" NOT NULL,
    email        TEXT COLLATE "C" NOT NULL,
    name         TEXT COLLATE "C" NOT NULL,
    phone        TEXT COLLATE "C" NOT NULL,
    time_zone    TEXT COLLATE "C" NOT NULL,
    notes        TEXT COLLATE "C" NOT NULL,
    created_ms   BIGINT NOT NULL,
    UNIQUE (workspace_id, email_key),
    CONSTRAINT contacts_made_id PRIMARY KEY (workspace_id, id)
);

-- What a search for a contact may begin with: the words of the name, the e-mail, the phone's digits.
CREATE TABLE contact_terms (
    workspace_id BIGINT NOT NULL,
    term         TEXT COLLATE "C" NOT NULL,
    contact_id   BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, term, contact_id),
    FOREIGN KEY (contact_id) REFERENCES contacts (id) -- alone: else the primary key is searched for each deleted contact
);
CREATE INDEX contact_terms_of ON contact_terms (contact_id, term);

CREATE TABLE bookings (
    id            BIGINT CONSTRAINT bookings_id_made_id UNIQUE,
    workspace_id  BIGINT NOT NULL,
    event_type_id BIGINT NOT NULL,
    host_id       BIGINT NOT NULL,
    contact_id    BIGINT NOT NULL,
    status        BIGINT NOT NULL CHECK (status BETWEEN 0 AND 4), -- 0 pending, 1 confirmed, 2 rescheduled: live; 3 cancelled, 4 no_show
    start_ms      BIGINT NOT NULL,
    end_ms        BIGINT NOT NULL,
    busy_start_ms BIGINT NOT NULL, -- with the buffers
    busy_end_ms   BIGINT NOT NULL,
    name          TEXT COLLATE "C" NOT NULL,
    email         TEXT COLLATE "C" NOT NULL,
    location      TEXT COLLATE "C", -- null is none
    price         BIGINT, -- null is free
    no_show_fee   BIGINT,
    currency      TEXT COLLATE "C", -- of price and fee
    needs         BIGINT NOT NULL DEFAULT 0, -- pending: 1 payment, 2 approval, 3 both
    expires_ms    BIGINT,
    created_ms    BIGINT NOT NULL,
    updated_ms    BIGINT, -- null: never changed
    details       TEXT COLLATE "C", -- JSON of what most bookings do not have and no query asks for
    uid_domain    BIGINT, -- of uid_domains; null is 1
    CHECK (busy_start_ms <= start_ms AND start_ms < end_ms AND end_ms <= busy_end_ms),
    CONSTRAINT bookings_made_id PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id)
);
-- Covers the occupied spans of a host.
CREATE INDEX bookings_busy ON bookings (host_id, busy_start_ms, busy_end_ms, event_type_id, start_ms, end_ms) WHERE status < 3;
CREATE INDEX bookings_by_contact ON bookings (contact_id, start_ms, id);
CREATE INDEX bookings_by_event_type ON bookings (event_type_id, start_ms, id);
CREATE INDEX bookings_by_host ON bookings (host_id, start_ms, id);
CREATE INDEX bookings_lapsing ON bookings (expires_ms) WHERE status = 0;
-- Lists continue behind a start and an id.
CREATE INDEX bookings_list ON bookings (workspace_id, start_ms, id);

CREATE TABLE booking_history (
    workspace_id BIGINT NOT NULL, -- only here: SQLite finds an entry by its booking
    booking_id  BIGINT NOT NULL,
    seq         BIGINT NOT NULL,
    at_ms       BIGINT NOT NULL,
    actor       TEXT COLLATE "C" NOT NULL,
    actor_id    TEXT COLLATE "C" NOT NULL,
    action      TEXT COLLATE "C" NOT NULL,
    from_status BIGINT, -- null: the booking was made
    to_status   BIGINT NOT NULL,
    start_ms    BIGINT NOT NULL,
    reason      TEXT COLLATE "C" NOT NULL,
    host_id     BIGINT,
    told        BIGINT, -- 0: its mails are not written yet; null: there is nothing to tell
    amount      BIGINT, -- what a refund gave back; null for every other entry
    currency    TEXT COLLATE "C",
    PRIMARY KEY (workspace_id, booking_id, seq)
);
COMMENT ON COLUMN booking_history.workspace_id IS 'that of bookings by booking_id'; -- how copies from SQLite find it
CREATE INDEX booking_history_untold ON booking_history (at_ms) WHERE told = 0;

-- An event without a booking is a test: one endpoint is told of it, and no list shows it.
CREATE TABLE events (
    id           BIGINT CONSTRAINT events_id_made_id UNIQUE,
    workspace_id BIGINT NOT NULL,
    kind         TEXT COLLATE "C" NOT NULL,
    booking_id   BIGINT,
    created_ms   BIGINT NOT NULL,
    body         BYTEA NOT NULL, -- the exact bytes that are sent
    CONSTRAINT events_made_id PRIMARY KEY (workspace_id, id)
);
CREATE INDEX events_by_booking ON events (booking_id) WHERE booking_id IS NOT NULL;
CREATE INDEX events_of ON events (workspace_id, id);

CREATE TABLE api_keys (
    id                BIGINT CONSTRAINT api_keys_id_made_id UNIQUE,
    workspace_id      BIGINT NOT NULL,
    name              TEXT COLLATE "C" NOT NULL,
    scope             TEXT COLLATE "C" NOT NULL,
    rate_limit        BIGINT NOT NULL,
    hint              TEXT COLLATE "C" NOT NULL,
    hash              BYTEA NOT NULL UNIQUE, -- SHA-256 of the value
    previous_hash     BYTEA UNIQUE,
    previous_until_ms BIGINT,
    created_ms        BIGINT NOT NULL,
    last_used_ms      BIGINT,
    revoked_ms        BIGINT,
    CONSTRAINT api_keys_made_id PRIMARY KEY (workspace_id, id)
);

CREATE TABLE users (
    id            BIGINT CONSTRAINT users_id_made_id UNIQUE,
    workspace_id  BIGINT NOT NULL,
    email_key     TEXT COLLATE "C" NOT NULL UNIQUE,
    email         TEXT COLLATE "C" NOT NULL,
    role          TEXT COLLATE "C" NOT NULL,
    host_id       BIGINT,
    password_hash TEXT COLLATE "C" NOT NULL, -- argon2id, or empty
    created_ms    BIGINT NOT NULL,
    CONSTRAINT users_made_id PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, host_id) REFERENCES hosts (workspace_id, id)
);
CREATE INDEX users_by_host ON users (host_id) WHERE host_id IS NOT NULL;

-- At most one row: the link with which the first owner sets the server up.
CREATE TABLE setup_links (
    hash     BYTEA NOT NULL PRIMARY KEY,
    until_ms BIGINT NOT NULL
);

CREATE TABLE answers (
    workspace_id    BIGINT NOT NULL, -- only here: SQLite finds an answer by its key
    key_id          BIGINT NOT NULL,
    idempotency_key TEXT COLLATE "C" NOT NULL,
    fingerprint     BYTEA NOT NULL,
    status          BIGINT NOT NULL,
    location        TEXT COLLATE "C" NOT NULL,
    body            BYTEA NOT NULL,
    created_ms      BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, key_id, idempotency_key),
    FOREIGN KEY (workspace_id, key_id) REFERENCES api_keys (workspace_id, id)
);
COMMENT ON COLUMN answers.workspace_id IS 'that of api_keys by key_id';
CREATE INDEX answers_old ON answers (created_ms);

-- What the server got from its certificate authority, and its account there. Sealed: private keys are in it.
CREATE TABLE certificates (
    name       TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    data       TEXT COLLATE "C" NOT NULL,
    updated_ms BIGINT NOT NULL
);

CREATE TABLE webhook_endpoints (
    id                BIGINT CONSTRAINT webhook_endpoints_id_made_id UNIQUE,
    workspace_id      BIGINT NOT NULL,
    url               TEXT COLLATE "C" NOT NULL,
    kinds             TEXT COLLATE "C" NOT NULL, -- joined by commas
    secret            TEXT COLLATE "C" NOT NULL, -- sealed
    previous_secret   TEXT COLLATE "C", -- sealed; signs too until previous_until_ms
    previous_until_ms BIGINT,
    enabled           BIGINT NOT NULL DEFAULT 1,
    disabled_reason   TEXT COLLATE "C",
    disabled_ms       BIGINT,
    failing_since_ms  BIGINT, -- the first failure since the last success
    deleted_ms        BIGINT, -- kept, without its secrets, as long as its deliveries are
    created_ms        BIGINT NOT NULL,
    CONSTRAINT webhook_endpoints_made_id PRIMARY KEY (workspace_id, id)
);

CREATE TABLE deliveries (
    id              BIGINT CONSTRAINT deliveries_id_made_id UNIQUE,
    workspace_id    BIGINT NOT NULL, -- only here: SQLite finds a delivery by its id or endpoint
    event_id        BIGINT NOT NULL, -- of events, which are forgotten last
    endpoint_id     BIGINT NOT NULL,
    state           BIGINT NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 2), -- 0 pending, 1 delivered, 2 failed
    sending         BIGINT NOT NULL DEFAULT 0, -- the server whose attempt is under way; then due_ms is when its lease ends
    due_ms          BIGINT NOT NULL, -- pending: when it may be claimed
    tries           BIGINT NOT NULL DEFAULT 0, -- attempts since it was last asked for: they choose the pause
    attempts        BIGINT NOT NULL DEFAULT 0, -- all of them
    response_status BIGINT,
    duration_ms     BIGINT,
    created_ms      BIGINT NOT NULL,
    error           TEXT COLLATE "C",
    response        BYTEA, -- how the last answer began
    CONSTRAINT deliveries_made_id PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, endpoint_id) REFERENCES webhook_endpoints (workspace_id, id)
);
COMMENT ON COLUMN deliveries.workspace_id IS 'that of webhook_endpoints by endpoint_id';
CREATE INDEX deliveries_answered ON deliveries (event_id) WHERE response IS NOT NULL;
CREATE INDEX deliveries_due ON deliveries (endpoint_id, due_ms) WHERE state = 0;
CREATE INDEX deliveries_failed ON deliveries (endpoint_id, id) WHERE state = 2;
CREATE INDEX deliveries_log ON deliveries (endpoint_id, id);

CREATE TABLE mails (
    id           BIGINT CONSTRAINT mails_id_made_id UNIQUE,
    workspace_id BIGINT NOT NULL,
    booking_id   BIGINT, -- null: of no booking
    kind         TEXT COLLATE "C" NOT NULL,
    recipient    TEXT COLLATE "C" NOT NULL,
    facts        TEXT COLLATE "C" NOT NULL, -- JSON of mail.Facts: what was true when it was written
    state        BIGINT NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 3), -- 0 waiting, 1 sent, 2 failed, 3 dropped
    sending      BIGINT NOT NULL DEFAULT 0, -- the server whose attempt is under way; then due_ms is when its lease ends
    due_ms       BIGINT NOT NULL, -- waiting: when it may be claimed
    until_ms     BIGINT NOT NULL, -- waiting: when it is given up
    tries        BIGINT NOT NULL DEFAULT 0, -- attempts since it was last asked for: they choose the pause
    attempts     BIGINT NOT NULL DEFAULT 0, -- all of them
    resends      BIGINT NOT NULL DEFAULT 0, -- how often it was asked for again: a resent mail is a message of its own
    answer       TEXT COLLATE "C", -- what became of the last attempt, in the server's words
    settled_ms   BIGINT,
    CONSTRAINT mails_made_id PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, booking_id) REFERENCES bookings (workspace_id, id)
);
CREATE INDEX mails_by_booking ON mails (booking_id, id);
CREATE INDEX mails_due ON mails (due_ms) WHERE state = 0;
CREATE INDEX mails_failed ON mails (workspace_id, id) WHERE state = 2;

-- A workspace's own way out; the others use the server's.
CREATE TABLE mail_servers (
    workspace_id BIGINT PRIMARY KEY,
    url          TEXT COLLATE "C" NOT NULL, -- sealed
    updated_ms   BIGINT NOT NULL
);

-- Who asked to be spared what does not need them.
CREATE TABLE mail_refusals (
    workspace_id BIGINT NOT NULL,
    email_key    TEXT COLLATE "C" NOT NULL,
    topic        TEXT COLLATE "C" NOT NULL, -- app.MailTopic
    created_ms   BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, email_key, topic)
);

-- Private calendar addresses: of a host, or of the whole workspace. A new address is a new row.
CREATE TABLE calendar_feeds (
    id           BIGINT CONSTRAINT calendar_feeds_id_made_id UNIQUE,
    workspace_id BIGINT NOT NULL,
    host_id      BIGINT NOT NULL DEFAULT 0, -- 0: every host
    created_ms   BIGINT NOT NULL,
    UNIQUE (workspace_id, host_id),
    CONSTRAINT calendar_feeds_made_id PRIMARY KEY (workspace_id, id)
);

-- Who is signed in to the dashboard. The token is kept as its SHA-256.
CREATE TABLE sessions (
    hash       BYTEA NOT NULL PRIMARY KEY,
    user_id    BIGINT NOT NULL REFERENCES users (id),
    agent      TEXT COLLATE "C" NOT NULL, -- the browser, as it names itself
    created_ms BIGINT NOT NULL,
    seen_ms    BIGINT NOT NULL
);
CREATE INDEX sessions_idle ON sessions (seen_ms);
CREATE INDEX sessions_of ON sessions (user_id);

-- At most one per member: the link with which an invited member chooses a password.
CREATE TABLE invitations (
    hash     BYTEA NOT NULL PRIMARY KEY,
    user_id  BIGINT NOT NULL UNIQUE REFERENCES users (id),
    until_ms BIGINT NOT NULL
);

-- A workspace's account at the payment provider.
CREATE TABLE payment_accounts (
    workspace_id   BIGINT PRIMARY KEY,
    secret_key     TEXT COLLATE "C" NOT NULL, -- sealed
    signing_secret TEXT COLLATE "C" NOT NULL, -- sealed
    live           BIGINT NOT NULL,
    account        TEXT COLLATE "C" NOT NULL,
    connected_ms   BIGINT NOT NULL,
    looked_ms      BIGINT NOT NULL, -- up to when its events have been looked through
    last_event     TEXT COLLATE "C",
    last_event_ms  BIGINT
);

CREATE TABLE payments (
    id           BIGINT CONSTRAINT payments_id_made_id UNIQUE,
    workspace_id BIGINT NOT NULL,
    booking_id   BIGINT NOT NULL,
    kind         BIGINT NOT NULL, -- 0 booking, 1 no_show_fee
    attempt      BIGINT NOT NULL,
    status       BIGINT NOT NULL, -- 0 unpaid, 1 processing, 2 paid, 3 failed, 4 requires_action, 5 void
    amount       BIGINT NOT NULL,
    currency     TEXT COLLATE "C" NOT NULL,
    refunded     BIGINT NOT NULL DEFAULT 0,
    refunding    BIGINT NOT NULL DEFAULT 0,
    unwanted     BIGINT NOT NULL DEFAULT 0,
    intent       TEXT COLLATE "C",
    dispute      TEXT COLLATE "C",
    error        TEXT COLLATE "C",
    paid_ms      BIGINT,
    created_ms   BIGINT NOT NULL,
    UNIQUE (booking_id, kind, attempt),
    CONSTRAINT payments_made_id PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, booking_id) REFERENCES bookings (workspace_id, id)
);
CREATE INDEX payments_by_intent ON payments (intent) WHERE intent IS NOT NULL;
CREATE INDEX payments_disputed ON payments (workspace_id) WHERE dispute IS NOT NULL;
CREATE INDEX payments_unsettled ON payments (workspace_id) WHERE status = 1 OR refunding > 0;

-- The cards that no-show fees are charged to, and what their holders agreed to.
CREATE TABLE payment_cards (
    booking_id   BIGINT UNIQUE,
    workspace_id BIGINT NOT NULL,
    amount       BIGINT NOT NULL,
    currency     TEXT COLLATE "C" NOT NULL,
    wording      TEXT COLLATE "C" NOT NULL,
    consent_ms   BIGINT, -- null: not given yet
    customer     TEXT COLLATE "C",
    source       TEXT COLLATE "C",
    PRIMARY KEY (workspace_id, booking_id),
    FOREIGN KEY (workspace_id, booking_id) REFERENCES bookings (workspace_id, id)
);

CREATE TABLE checkouts (
    id           BIGINT CONSTRAINT checkouts_id_made_id UNIQUE,
    workspace_id BIGINT NOT NULL,
    booking_id   BIGINT NOT NULL,
    payment_id   BIGINT, -- null: only a card is saved
    state        BIGINT NOT NULL, -- 0 asked, 1 open, 2 processing, 3 complete, 4 expired
    request      TEXT COLLATE "C" NOT NULL, -- JSON of app.CheckoutRequest
    session      TEXT COLLATE "C",
    url          TEXT COLLATE "C",
    created_ms   BIGINT NOT NULL,
    CONSTRAINT checkouts_made_id PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, booking_id) REFERENCES bookings (workspace_id, id),
    FOREIGN KEY (workspace_id, payment_id) REFERENCES payments (workspace_id, id)
);
CREATE INDEX checkouts_by_booking ON checkouts (booking_id);
CREATE INDEX checkouts_by_payment ON checkouts (payment_id) WHERE payment_id IS NOT NULL;
CREATE INDEX checkouts_by_session ON checkouts (session) WHERE session IS NOT NULL;
CREATE INDEX checkouts_of ON checkouts (booking_id) WHERE state < 3;
CREATE INDEX checkouts_open ON checkouts (workspace_id) WHERE state < 3;

-- What is to be done at the provider, written with the change that wants it.
CREATE TABLE payment_jobs (
    id           BIGINT CONSTRAINT payment_jobs_id_made_id UNIQUE,
    workspace_id BIGINT NOT NULL,
    booking_id   BIGINT NOT NULL,
    action       BIGINT NOT NULL, -- 0 charge, 1 refund, 2 expire, 3 look, 4 sync
    payment_id   BIGINT,
    checkout_id  BIGINT,
    amount       BIGINT NOT NULL DEFAULT 0,
    intent       TEXT COLLATE "C",
    state        BIGINT NOT NULL DEFAULT 0, -- 0 open, 1 done, 2 given up
    running      BIGINT NOT NULL DEFAULT 0, -- the server that does it
    due_ms       BIGINT NOT NULL, -- while running: when its lease ends
    tries        BIGINT NOT NULL DEFAULT 0,
    error        TEXT COLLATE "C",
    created_ms   BIGINT NOT NULL,
    settled_ms   BIGINT,
    CONSTRAINT payment_jobs_made_id PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, booking_id) REFERENCES bookings (workspace_id, id),
    FOREIGN KEY (workspace_id, payment_id) REFERENCES payments (workspace_id, id),
    FOREIGN KEY (workspace_id, checkout_id) REFERENCES checkouts (workspace_id, id)
);
CREATE INDEX payment_jobs_by_booking ON payment_jobs (booking_id);
CREATE INDEX payment_jobs_by_checkout ON payment_jobs (checkout_id) WHERE checkout_id IS NOT NULL;
CREATE INDEX payment_jobs_by_payment ON payment_jobs (payment_id) WHERE payment_id IS NOT NULL;
CREATE INDEX payment_jobs_due ON payment_jobs (due_ms) WHERE state = 0;
CREATE INDEX payment_jobs_of ON payment_jobs (booking_id) WHERE state = 0;
CREATE INDEX payment_jobs_over ON payment_jobs (settled_ms) WHERE state > 0;

-- The provider's events that were accepted.
CREATE TABLE provider_events (
    workspace_id BIGINT NOT NULL,
    id           TEXT COLLATE "C" NOT NULL,
    at_ms        BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX provider_events_old ON provider_events (at_ms);

-- What the servers of this database share.
CREATE TABLE server_values (
    name  TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    value TEXT COLLATE "C" NOT NULL
);

-- Contacts that are being deleted in small steps.
CREATE TABLE erasures (
    contact_id   BIGINT UNIQUE,
    workspace_id BIGINT NOT NULL,
    addresses    TEXT COLLATE "C" NOT NULL, -- JSON: the e-mails to forget, as they are compared
    stage        BIGINT NOT NULL DEFAULT 0, -- 0 bookings, 1 stored answers, 2 mails
    after_id     BIGINT NOT NULL DEFAULT 0, -- how far the stage came
    after_text   TEXT COLLATE "C" NOT NULL DEFAULT '',
    PRIMARY KEY (workspace_id, contact_id),
    FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id)
);

-- What a booking's name in calendars ends with. A booking stores the number, and never changes it.
CREATE TABLE uid_domains (
    id     BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    domain TEXT COLLATE "C" NOT NULL UNIQUE
);

-- How the servers tell each other of the requests that they let through, so that a key's rate holds over all of them.
CREATE TABLE rate_servers (
    server BIGINT PRIMARY KEY
);

CREATE TABLE key_uses (
    id     BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, -- rows are deleted, numbers never come again
    server BIGINT NOT NULL,
    key_id BIGINT NOT NULL,
    at_ms  BIGINT NOT NULL,
    n      BIGINT NOT NULL
);
CREATE INDEX key_uses_old ON key_uses (at_ms);

-- Which servers use this database at present. SQLite has a lock on its file for that.
CREATE TABLE server_leases (
    id       BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    until_at TIMESTAMPTZ NOT NULL,
    server   TEXT COLLATE "C" NOT NULL, -- its version and machine, for people
    steps    BIGINT[] NOT NULL          -- the versions of the migrations that it knows
);

-- Servers keep the set-up, keys and members in memory, and drop them at this word. What changes with every booking or
-- request (hosts.lock, last_used_ms, looked_ms) is none of it.
CREATE FUNCTION tell_setup() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('daybook_setup', '');
    RAISE NOTICE 'daybook_setup'; -- for the server that makes the change
    RETURN NULL;
END $$;
CREATE TRIGGER tell_setup AFTER INSERT OR DELETE OR UPDATE ON workspaces EXECUTE FUNCTION tell_setup();
CREATE TRIGGER tell_setup AFTER INSERT OR DELETE OR UPDATE OF email, name, time_zone, active, hours ON hosts EXECUTE FUNCTION tell_setup();
CREATE TRIGGER tell_setup AFTER INSERT OR DELETE OR UPDATE ON event_types EXECUTE FUNCTION tell_setup();
CREATE TRIGGER tell_setup AFTER INSERT OR DELETE OR UPDATE OF name, scope, rate_limit, hash, previous_hash, previous_until_ms, revoked_ms
    ON api_keys EXECUTE FUNCTION tell_setup();
CREATE TRIGGER tell_setup AFTER INSERT OR DELETE OR UPDATE ON users EXECUTE FUNCTION tell_setup();
CREATE TRIGGER tell_setup AFTER DELETE ON sessions EXECUTE FUNCTION tell_setup();
CREATE TRIGGER tell_setup AFTER INSERT OR DELETE OR UPDATE OF url, kinds, enabled, deleted_ms ON webhook_endpoints EXECUTE FUNCTION tell_setup();
CREATE TRIGGER tell_setup AFTER INSERT OR DELETE OR UPDATE OF secret_key, signing_secret, live, account ON payment_accounts EXECUTE FUNCTION tell_setup();
CREATE TRIGGER tell_setup AFTER INSERT OR DELETE OR UPDATE ON mail_servers EXECUTE FUNCTION tell_setup();
CREATE TRIGGER tell_setup AFTER INSERT OR DELETE OR UPDATE ON server_values EXECUTE FUNCTION tell_setup();
