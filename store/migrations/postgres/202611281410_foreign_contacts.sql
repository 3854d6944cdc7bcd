-- The number that a contact has in the program that it was imported from, so that a later file of it finds the contact
-- although the e-mail address is another one. An older binary would keep it when it erases a contact.
-- Allows: none
ALTER TABLE contacts ADD COLUMN foreign_id TEXT COLLATE "C";
CREATE INDEX contacts_foreign ON contacts (workspace_id, foreign_id) WHERE foreign_id IS NOT NULL;
