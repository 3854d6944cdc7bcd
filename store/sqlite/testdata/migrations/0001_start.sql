CREATE TABLE host (
	id       TEXT PRIMARY KEY,
	revision INTEGER NOT NULL DEFAULT 0 CHECK (revision >= 0)
) STRICT;

CREATE TABLE booking (
	id       TEXT PRIMARY KEY,
	host_id  TEXT NOT NULL REFERENCES host (id),
	start_ms INTEGER NOT NULL,
	end_ms   INTEGER NOT NULL,
	note     TEXT
) STRICT;

CREATE INDEX booking_busy ON booking (host_id, start_ms, end_ms);
