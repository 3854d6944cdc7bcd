-- What one server remembered by itself, for all servers of the database. Rows are deleted once they have expired. A hash is
-- SHA-256, so that no address, e-mail or key can be read here.

-- Passwords that were tried, within a quarter of an hour.
CREATE TABLE attempts (
    hash     BYTEA PRIMARY KEY, -- of the account, the network address, or both
    n        BIGINT NOT NULL,
    since_ms BIGINT NOT NULL
);
CREATE INDEX attempts_old ON attempts (since_ms);

-- What a network address has booked within an hour on the booking pages.
CREATE TABLE form_addresses (
    hash    BYTEA PRIMARY KEY,
    times   BYTEA   NOT NULL, -- 8 bytes each, in milliseconds, the oldest first
    last_ms BIGINT NOT NULL
);
CREATE INDEX form_addresses_old ON form_addresses (last_ms);

-- Forms whose proof of work was used, and for what.
CREATE TABLE form_proofs (
    hash    BYTEA PRIMARY KEY, -- of the form's key
    purpose BYTEA   NOT NULL, -- a hash
    at_ms   BIGINT NOT NULL
);
CREATE INDEX form_proofs_old ON form_proofs (at_ms);

-- Forms that have booked, so that the same form sent again leads to the same booking.
CREATE TABLE forms_sent (
    hash       BYTEA PRIMARY KEY, -- of the form's key and of what it asked for
    booking_id BIGINT NOT NULL,
    at_ms      BIGINT NOT NULL
);
CREATE INDEX forms_sent_old ON forms_sent (at_ms);
