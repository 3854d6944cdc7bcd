-- Every history entry gets a number, in the order of commits. Whoever follows the history keeps the last number that it
-- has read. Before, each entry was marked: told was 0 until its mails were written, 1 then, and null if it had none.
CREATE TABLE followers (
    name        TEXT    NOT NULL PRIMARY KEY,
    last_number INTEGER NOT NULL -- of the last history entry that it has dealt with
) STRICT, WITHOUT ROWID;

CREATE TABLE booking_history_new (
    number      INTEGER PRIMARY KEY AUTOINCREMENT, -- given by the transaction that commits the entry, and never again
    booking_id  INTEGER NOT NULL REFERENCES bookings (id),
    seq         INTEGER NOT NULL, -- of the booking's entries, from 1
    at_ms       INTEGER NOT NULL,
    actor       TEXT    NOT NULL,
    actor_id    TEXT    NOT NULL,
    action      TEXT    NOT NULL,
    from_status INTEGER, -- null: the booking was made
    to_status   INTEGER NOT NULL,
    start_ms    INTEGER NOT NULL,
    reason      TEXT    NOT NULL,
    host_id     INTEGER, -- null: not known, the entry is older than this column
    amount      INTEGER, -- of a refund, in minor units
    currency    TEXT,
    UNIQUE (booking_id, seq)
) STRICT;
INSERT INTO booking_history_new (booking_id, seq, at_ms, actor, actor_id, action, from_status, to_status, start_ms, reason, host_id, amount, currency)
    SELECT booking_id, seq, at_ms, actor, actor_id, action, from_status, to_status, start_ms, reason, host_id, amount, currency
    FROM booking_history WHERE told IS NOT 0 ORDER BY booking_id, seq;
INSERT INTO followers (name, last_number) SELECT 'mail', COALESCE(MAX(number), 0) FROM booking_history_new;
INSERT INTO booking_history_new (booking_id, seq, at_ms, actor, actor_id, action, from_status, to_status, start_ms, reason, host_id, amount, currency)
    SELECT booking_id, seq, at_ms, actor, actor_id, action, from_status, to_status, start_ms, reason, host_id, amount, currency
    FROM booking_history WHERE told = 0 ORDER BY at_ms, booking_id, seq;
DROP TABLE booking_history;
ALTER TABLE booking_history_new RENAME TO booking_history;
