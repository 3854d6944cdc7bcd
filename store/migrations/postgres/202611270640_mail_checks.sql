-- A workspace's own mail server of which nobody has shown yet that its mails arrive (mail.Check). An older binary saves a
-- server without asking for that.
-- Allows: 202611270310
CREATE TABLE mail_checks (
    workspace_id BIGINT CONSTRAINT mail_checks_workspace_id PRIMARY KEY,
    hash         TEXT COLLATE "C" NOT NULL, -- of the digits in the latest test mail; '' before the first
    sent_to      TEXT COLLATE "C" NOT NULL,
    sent_ms      BIGINT NOT NULL,
    tries        BIGINT NOT NULL -- how often digits were typed since then
);
