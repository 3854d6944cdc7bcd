package app_test

import (
	"testing"

	"daybook/app"
	"daybook/app/setup"
)

func TestApplySetupTouchesNoBooking(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	b := w.Booked("cut", "1T10:00", "bo")
	file, err := setup.Parse([]byte("workspace: {slug: salon}\nhosts: [{email: ana@salon.example, weekly: null}]\neventTypes: [{slug: cut, durationMinutes: 5, active: false}]"))
	w.Must(err)
	_, err = w.SetupFile.ApplySetup(t.Context(), app.Operator(0), file, false)
	w.Must(err)
	after, err := w.Booking(t.Context(), w.API, b.ID.String())
	w.Must(err)
	if after.End != b.End || after.Status != b.Status || len(w.EventKinds()) != 1 {
		t.Errorf("before %+v\nafter %+v", b, after)
	}
}
