-- A workspace's account at the payment provider.
CREATE TABLE payment_accounts (
    workspace_id   INTEGER PRIMARY KEY REFERENCES workspaces (id),
    secret_key     TEXT    NOT NULL, -- sealed
    signing_secret TEXT    NOT NULL, -- sealed
    live           INTEGER NOT NULL,
    account        TEXT    NOT NULL,
    connected_ms   INTEGER NOT NULL,
    looked_ms      INTEGER NOT NULL, -- up to when its events have been looked through
    last_event     TEXT,
    last_event_ms  INTEGER
) STRICT;

CREATE TABLE payments (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    booking_id   INTEGER NOT NULL REFERENCES bookings (id),
    kind         INTEGER NOT NULL, -- 0 booking, 1 no_show_fee
    attempt      INTEGER NOT NULL,
    status       INTEGER NOT NULL, -- 0 unpaid, 1 processing, 2 paid, 3 failed, 4 requires_action, 5 void
    amount       INTEGER NOT NULL,
    currency     TEXT    NOT NULL,
    refunded     INTEGER NOT NULL DEFAULT 0,
    refunding    INTEGER NOT NULL DEFAULT 0,
    unwanted     INTEGER NOT NULL DEFAULT 0,
    intent       TEXT,
    dispute      TEXT,
    error        TEXT,
    paid_ms      INTEGER,
    created_ms   INTEGER NOT NULL,
    UNIQUE (booking_id, kind, attempt)
) STRICT;
CREATE INDEX payments_list ON payments (workspace_id);
CREATE INDEX payments_by_intent ON payments (intent) WHERE intent IS NOT NULL;
CREATE INDEX payments_disputed ON payments (workspace_id) WHERE dispute IS NOT NULL;
CREATE INDEX payments_unsettled ON payments (workspace_id) WHERE status = 1 OR refunding > 0;

-- The cards that no-show fees are charged to, and what their holders agreed to.
CREATE TABLE payment_cards (
    booking_id   INTEGER PRIMARY KEY REFERENCES bookings (id),
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    amount       INTEGER NOT NULL,
    currency     TEXT    NOT NULL,
    wording      TEXT    NOT NULL,
    consent_ms   INTEGER, -- null: not given yet
    customer     TEXT,
    source       TEXT
) STRICT;

CREATE TABLE checkouts (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    booking_id   INTEGER NOT NULL REFERENCES bookings (id),
    payment_id   INTEGER REFERENCES payments (id), -- null: only a card is saved
    state        INTEGER NOT NULL, -- 0 asked, 1 open, 2 processing, 3 complete, 4 expired
    request      TEXT    NOT NULL, -- JSON of app.CheckoutRequest
    session      TEXT,
    url          TEXT,
    created_ms   INTEGER NOT NULL
) STRICT;
CREATE INDEX checkouts_of ON checkouts (booking_id) WHERE state < 3;
CREATE INDEX checkouts_open ON checkouts (workspace_id) WHERE state < 3;
CREATE INDEX checkouts_by_session ON checkouts (session) WHERE session IS NOT NULL;

-- What is to be done at the provider, written with the change that wants it.
CREATE TABLE payment_jobs (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    booking_id   INTEGER NOT NULL REFERENCES bookings (id),
    action       INTEGER NOT NULL, -- 0 charge, 1 refund, 2 expire, 3 look, 4 sync
    payment_id   INTEGER REFERENCES payments (id),
    checkout_id  INTEGER REFERENCES checkouts (id),
    amount       INTEGER NOT NULL DEFAULT 0,
    intent       TEXT,
    state        INTEGER NOT NULL DEFAULT 0, -- 0 open, 1 done, 2 given up
    running      INTEGER NOT NULL DEFAULT 0,
    due_ms       INTEGER NOT NULL, -- while running: when its lease ends
    tries        INTEGER NOT NULL DEFAULT 0,
    error        TEXT,
    created_ms   INTEGER NOT NULL,
    settled_ms   INTEGER
) STRICT;
CREATE INDEX payment_jobs_due ON payment_jobs (due_ms) WHERE state = 0;
CREATE INDEX payment_jobs_of ON payment_jobs (booking_id) WHERE state = 0;
CREATE INDEX payment_jobs_over ON payment_jobs (settled_ms) WHERE state > 0;

-- The provider's events that were accepted.
CREATE TABLE provider_events (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    id           TEXT    NOT NULL,
    at_ms        INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX provider_events_old ON provider_events (at_ms);
