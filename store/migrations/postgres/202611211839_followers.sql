-- Every history entry gets a number, in the order of commits. Whoever follows the history keeps the last number that it
-- has read. Before, each entry was marked: told was 0 until its mails were written, 1 then, and null if it had none.
CREATE TABLE followers (
    name        TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    last_number BIGINT NOT NULL -- of the last history entry that it has dealt with
);

ALTER TABLE booking_history ADD COLUMN number BIGINT;
UPDATE booking_history h SET number = o.number FROM (
    SELECT booking_id, seq, row_number() OVER (ORDER BY COALESCE(told, 1) = 0, CASE WHEN told = 0 THEN at_ms END, booking_id, seq) AS number
    FROM booking_history) o
    WHERE o.booking_id = h.booking_id AND o.seq = h.seq;
INSERT INTO followers (name, last_number) SELECT 'mail', COUNT(*) FROM booking_history WHERE COALESCE(told, 1) <> 0;
CREATE SEQUENCE booking_history_numbers;
SELECT setval('booking_history_numbers', (SELECT COUNT(*) FROM booking_history) + 1, false);
ALTER TABLE booking_history ALTER COLUMN number SET NOT NULL;
ALTER TABLE booking_history ADD UNIQUE (number);
ALTER SEQUENCE booking_history_numbers OWNED BY booking_history.number;
ALTER TABLE booking_history DROP COLUMN told;
ALTER TABLE booking_history ALTER COLUMN number SET DEFAULT nextval('booking_history_numbers');
