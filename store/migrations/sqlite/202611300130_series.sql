-- Series: bookings that come again (package app). A series has the number of its first booking.
CREATE TABLE series (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    repeat       TEXT NOT NULL, -- JSON of booking.SeriesRepeat
    dates        TEXT NOT NULL -- JSON of booking.SeriesDate, as they were booked
) STRICT;
CREATE INDEX series_of_workspace ON series (workspace_id);

CREATE TABLE series_bookings (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    series_id    INTEGER NOT NULL,
    booking_id   INTEGER NOT NULL REFERENCES bookings (id) ON DELETE CASCADE,
    PRIMARY KEY (workspace_id, series_id, booking_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX series_bookings_of ON series_bookings (booking_id);
-- That a change was of several dates of a series (booking.HistoryEntry.WithSeries).
ALTER TABLE booking_history ADD COLUMN with_series INTEGER CHECK (with_series = 1);
