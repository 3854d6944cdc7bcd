-- Series: bookings that come again (package app). A series has the number of its first booking. An older binary would lose
-- of which series a booking is when it changes it.
-- Allows: none
CREATE TABLE series (
    id           BIGINT CONSTRAINT series_id_made_id UNIQUE,
    workspace_id BIGINT NOT NULL,
    repeat       TEXT COLLATE "C" NOT NULL, -- JSON of booking.SeriesRepeat
    dates        TEXT COLLATE "C" NOT NULL, -- JSON of booking.SeriesDate, as they were booked
    CONSTRAINT series_made_id PRIMARY KEY (workspace_id, id)
);

CREATE TABLE series_bookings (
    workspace_id BIGINT NOT NULL,
    series_id    BIGINT NOT NULL,
    booking_id   BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, series_id, booking_id),
    FOREIGN KEY (workspace_id, booking_id) REFERENCES bookings (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX series_bookings_of ON series_bookings (booking_id);
-- That a change was of several dates of a series (booking.HistoryEntry.WithSeries).
ALTER TABLE booking_history ADD COLUMN with_series BIGINT CHECK (with_series = 1);
