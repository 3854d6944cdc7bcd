-- What a booking's name in calendars ends with. It is stored with the booking as a number, which takes a byte or two, and
-- never changes. A booking of before without a number has number 1.
CREATE TABLE uid_domains (
    id     INTEGER PRIMARY KEY,
    domain TEXT NOT NULL UNIQUE
) STRICT;
ALTER TABLE bookings ADD COLUMN uid_domain INTEGER;

-- Bookings of before were named after the base URL of that time. Their first event still holds it, in the invitee's link;
-- the latest of those hosts is number 1. Where there is none, the first server that starts adds its own.
CREATE TABLE first_links (
    booking_id INTEGER PRIMARY KEY,
    event_id   INTEGER NOT NULL,
    place      TEXT    NOT NULL -- the link, then without its scheme, then the host and port, then the host
) STRICT;
INSERT INTO first_links
    SELECT e.booking_id, e.id, json_extract(CAST(e.body AS TEXT), '$.data.manageUrl') FROM events e
    WHERE e.id IN (SELECT MIN(id) FROM events WHERE kind LIKE 'booking.%' AND booking_id IS NOT NULL GROUP BY booking_id)
    AND instr(json_extract(CAST(e.body AS TEXT), '$.data.manageUrl'), '://') > 0;
UPDATE first_links SET place = substr(place, instr(place, '://') + 3);
UPDATE first_links SET place = substr(place, 1, instr(place || '/', '/') - 1);
UPDATE first_links SET place = CASE WHEN place LIKE '[%' THEN substr(place, 2, instr(place, ']') - 2)
    ELSE substr(place, 1, instr(place || ':', ':') - 1) END;
INSERT INTO uid_domains (domain) SELECT place FROM first_links WHERE place <> '' GROUP BY place ORDER BY MAX(event_id) DESC;
UPDATE bookings SET uid_domain = (SELECT d.id FROM first_links l JOIN uid_domains d ON d.domain = l.place WHERE l.booking_id = bookings.id)
    WHERE id IN (SELECT l.booking_id FROM first_links l JOIN uid_domains d ON d.domain = l.place WHERE d.id > 1);
DROP TABLE first_links;
