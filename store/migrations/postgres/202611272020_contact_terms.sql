-- Customers are found without accents, within words and by the last digits of their number: their terms are written again,
-- some at a time (contact.Service). An older binary beside this one looks for accents in terms that have none, and finds
-- fewer; what it writes is written again.
-- Allows: 202611271605
ALTER TABLE contacts ADD COLUMN terms BIGINT NOT NULL DEFAULT 0; -- see contact.TermsVersion
CREATE INDEX contacts_to_find ON contacts (id) WHERE terms < 1;
