-- Customers are found without accents, within words and by the last digits of their number: their terms are written again,
-- some at a time (contact.Service).
ALTER TABLE contacts ADD COLUMN terms INTEGER NOT NULL DEFAULT 0; -- see contact.TermsVersion
CREATE INDEX contacts_to_find ON contacts (id) WHERE terms < 1;
