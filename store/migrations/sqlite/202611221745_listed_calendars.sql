-- What a set-up file says of a connection: where its secret is, and which of its calendars are still to be chosen.
ALTER TABLE calendar_connections ADD COLUMN listed TEXT NOT NULL DEFAULT ''; -- JSON; '': no file lists it
