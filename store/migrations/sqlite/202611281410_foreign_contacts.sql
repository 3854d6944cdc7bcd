-- The number that a contact has in the program that it was imported from, so that a later file of it finds the contact
-- although the e-mail address is another one.
ALTER TABLE contacts ADD COLUMN foreign_id TEXT;
CREATE INDEX contacts_foreign ON contacts (workspace_id, foreign_id) WHERE foreign_id IS NOT NULL;
