-- How the servers of this database tell each other of the requests that they let through, so that a key's rate holds
-- over all of them.
CREATE TABLE rate_servers (
    server INTEGER PRIMARY KEY
) STRICT;
CREATE TABLE key_uses (
    id     INTEGER PRIMARY KEY AUTOINCREMENT, -- rows are deleted, numbers never come again
    server INTEGER NOT NULL,
    key_id INTEGER NOT NULL,
    at_ms  INTEGER NOT NULL,
    n      INTEGER NOT NULL
) STRICT;
CREATE INDEX key_uses_old ON key_uses (at_ms);
