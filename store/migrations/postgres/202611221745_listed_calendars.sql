-- What a set-up file says of a connection: where its secret is, and which of its calendars are still to be chosen.
-- Servers of the version before go on beside this one; they leave what is still to be chosen.
-- Allows: 202611221543
ALTER TABLE calendar_connections ADD COLUMN listed TEXT COLLATE "C" NOT NULL DEFAULT ''; -- JSON; '': no file lists it
