-- The mail that took an invitation link to its recipient, by which it is sent again. Servers of the version before go on
-- beside this one: links that they make are sent again as a new mail.
-- Allows: 202611221126
ALTER TABLE invitation_links ADD COLUMN mail_id BIGINT; -- NULL where none goes out; the log may have forgotten the mail
