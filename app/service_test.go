package app_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"daybook/app"
	"daybook/store"
)

func open(t testing.TB) *store.Store {
	t.Helper()
	db, err := store.Open(t.Context(), store.Options{Path: filepath.Join(t.TempDir(), "t.db"), Create: true, Migrations: store.Schema()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := db.Migrate(context.Background()); err != nil {
		t.Fatal(err)
	}
	return store.New(db)
}

func TestSmoke(t *testing.T) {
	st := open(t)
	now := time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)
	s := app.New(app.Config{Store: st, Clock: func() time.Time { return now }})
	ctx := t.Context()
	w, err := s.CreateWorkspace(ctx, app.WorkspaceInput{Slug: "salon", Name: "Salon", TimeZone: "Europe/Berlin"})
	if err != nil {
		t.Fatal(err)
	}
	h := app.Host{ID: app.HostID(1), WorkspaceID: w.ID, Name: "Ana", Email: "ana@x.example", TimeZone: "Europe/Berlin", Active: true,
		Hours: app.Hours{Weekly: map[string][]string{"tue": {"09:00-12:00"}}}}
	e := app.NewEventType()
	e.ID, e.WorkspaceID, e.Slug, e.Title, e.DurationMinutes, e.SlotStepMinutes = 2, w.ID, "cut", "Haircut", 45, 45
	e.Hosts = []app.HostRef{{ID: 1}}
	err = st.Write(ctx, func(tx app.Tx) error {
		if err := tx.InsertHost(&h); err != nil {
			return err
		}
		return tx.InsertEventType(&e)
	})
	if err != nil {
		t.Fatal(err)
	}
	a := app.Actor{Kind: app.ByAPI, Workspace: w.ID}
	av, err := s.Availability(ctx, a, app.AvailabilityInput{EventType: "cut", Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s", av.AppendJSON(nil))
	in := app.BookInput{EventType: "cut", Start: "2026-12-01T08:00:00Z", Invitee: app.Invitee{Name: "Bo", Email: "bo@x.example"}}
	b, err := s.Book(ctx, a, in)
	t.Logf("%+v %v", b, err)
	_, err = s.Book(ctx, a, in)
	t.Logf("%+v", err.(*app.Error).Details)
	in.Invitee.Email = "c@x.example"
	_, err = s.Book(ctx, a, in)
	t.Logf("%v %+v", err, err.(*app.Error).Details)
	b, err = s.Reschedule(ctx, a, b.ID.String(), app.RescheduleInput{Start: "2026-12-01T08:45:00Z"})
	t.Logf("%+v %v", b, err)
	b, err = s.Cancel(ctx, a, b.ID.String(), app.CancelInput{})
	t.Logf("%+v %v", b, err)
	p, err := s.Bookings(ctx, a, app.ListBookingsInput{})
	t.Logf("%+v %v", p, err)
	cs, err := s.Contacts(ctx, a, "bo", nil, "")
	t.Logf("%+v %v", cs, err)
	hist, err := s.History(ctx, a, b.ID.String())
	t.Logf("%+v %v", hist, err)
	ev, err := st.EventsAfter(w.ID, 0, 10)
	for _, e := range ev {
		t.Logf("%s", e.Body)
	}
	_ = err
}
