package app_test

import (
	"encoding/json"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/availability"
	"daybook/app/fault"
)

// The alternatives of a refused attempt are searched after its transaction, so that no other write waits for them, and
// its repetition answers the same.
func TestAlternativesAreSearchedOutsideTheWriter(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	w.Booked("cut", "1T09", "mia")
	key, err := w.Account.CreateKey(t.Context(), app.Operator(w.Workspace.ID), account.KeyInput{Name: "k", Scope: account.FullScope})
	w.Must(err)
	a := w.API
	a.Key = key.ID

	runs, told := 0, ""
	attempt := func() (app.Response, bool) {
		answer, replayed, err := w.Once(t.Context(), a, app.OnceAttempt{Key: "z1", Fingerprint: []byte("f")},
			func(tx app.Tx) (app.Response, error) {
				bound := w.In(tx)
				runs++
				_, err := bound.Book(t.Context(), a, apptest.Input("cut", "1T09", "bob"))
				if e := w.Refused(err, fault.Conflict, "slot_taken"); e.Details["alternatives"] != nil {
					t.Error("the alternatives were searched inside the transaction")
				}
				return app.Response{}, err
			},
			func(err error) (app.Response, error) {
				body, encodeErr := json.Marshal(fault.As(err).DetailsObject())
				return app.Response{Status: 409, Body: body}, encodeErr
			})
		w.Must(err)
		return answer, replayed
	}
	first, replayed := attempt()
	var details struct{ Alternatives []availability.Slot }
	w.Must(json.Unmarshal(first.Body, &details))
	if replayed || len(details.Alternatives) != 3 || details.Alternatives[0].Start.Time() != time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC) {
		t.Errorf("got %s, replayed: %v", first.Body, replayed)
	}
	told = string(first.Body)
	w.Booked("cut", "1T10", "amy") // other times would be found now
	again, replayed := attempt()
	if !replayed || string(again.Body) != told || runs != 1 {
		t.Errorf("the repetition got %s after %d runs, replayed: %v", again.Body, runs, replayed)
	}
}
