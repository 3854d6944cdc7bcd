-- A workspace's own mail server of which nobody has shown yet that its mails arrive (mail.Check).
CREATE TABLE mail_checks (
    workspace_id INTEGER PRIMARY KEY REFERENCES workspaces (id),
    hash         TEXT    NOT NULL, -- of the digits in the latest test mail; '' before the first
    sent_to      TEXT    NOT NULL,
    sent_ms      INTEGER NOT NULL,
    tries        INTEGER NOT NULL -- how often digits were typed since then
) STRICT;
