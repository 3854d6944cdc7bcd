package app_test

import (
	"daybook/app"
	"daybook/app/setup"
	"testing"
)

func TestApplySetupTouchesNoBooking(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	b := w.book("cut", "1T10:00", "bo")
	file, err := setup.Parse([]byte("workspace: {slug: salon}\nhosts: [{email: ana@salon.example, weekly: null}]\neventTypes: [{slug: cut, durationMinutes: 5, active: false}]"))
	w.must(err)
	_, err = w.SetupFile.ApplySetup(t.Context(), app.Operator(0), file, false)
	w.must(err)
	after, err := w.Booking(t.Context(), w.api, b.ID.String())
	w.must(err)
	if after.End != b.End || after.Status != b.Status || len(w.events()) != 1 {
		t.Errorf("before %+v\nafter %+v", b, after)
	}
}
