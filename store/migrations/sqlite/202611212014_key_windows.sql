-- The uses of a key are written and read behind a lock of the key. So a server that has heard of one has heard of all
-- before it, whichever engine this is.
CREATE TABLE key_windows (
    key_id INTEGER PRIMARY KEY,
    lock   INTEGER NOT NULL DEFAULT 0 -- bumped by every transaction that tells of uses of the key
) STRICT;
CREATE INDEX key_uses_of ON key_uses (key_id, id);
ALTER TABLE rate_servers ADD COLUMN at_ms INTEGER NOT NULL DEFAULT 0; -- when it was last known to live
