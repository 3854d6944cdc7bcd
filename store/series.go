// The SQL of series of bookings.

package store

import (
	"encoding/json"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/store/engine"
)

// bookingsOfSeries is the term for the bookings of one series.
const bookingsOfSeries = `id IN (SELECT booking_id FROM series_bookings WHERE workspace_id = ? AND series_id = ?)`

// Series implements app.BookingReader.
func (q queries) Series(ws catalog.WorkspaceID, id booking.SeriesID) (s booking.Series, err error) {
	var repeat, dates []byte
	err = q.Scan(`SELECT id, repeat, dates FROM series WHERE workspace_id = ? AND id = ?`, []any{ws, id}, &s.ID, &repeat, &dates)
	if err != nil {
		return s, engine.Found(err)
	}
	if err := json.Unmarshal(repeat, &s.Repeat); err != nil {
		return s, err
	}
	return s, json.Unmarshal(dates, &s.Dates)
}

// SaveSeries implements app.BookingWriter.
func (t tx) SaveSeries(ws catalog.WorkspaceID, s *booking.Series) error {
	repeat, err := json.Marshal(s.Repeat)
	if err != nil {
		return err
	}
	dates, err := json.Marshal(s.Dates)
	if err != nil {
		return err
	}
	if err := t.Later(`INSERT INTO series (id, workspace_id, repeat, dates) VALUES (?, ?, ?, ?)`, s.ID, ws, string(repeat),
		string(dates)); err != nil {
		return err
	}
	for i := range s.Bookings {
		if err := t.Later(`INSERT INTO series_bookings (workspace_id, series_id, booking_id) VALUES (?, ?, ?)`, ws, s.ID,
			s.Bookings[i].ID); err != nil {
			return err
		}
	}
	return nil
}
