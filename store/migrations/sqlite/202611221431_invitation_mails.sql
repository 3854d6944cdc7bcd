-- The mail that took an invitation link to its recipient, by which it is sent again.
ALTER TABLE invitation_links ADD COLUMN mail_id INTEGER; -- NULL where none goes out; the log may have forgotten the mail
