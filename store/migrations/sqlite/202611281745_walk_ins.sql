-- Bookings of people who walk in and leave neither an e-mail address nor a telephone number belong to no contact.
ALTER TABLE bookings ALTER COLUMN contact_id DROP NOT NULL;
