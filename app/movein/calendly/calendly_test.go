package calendly_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/movein"
	"daybook/app/movein/calendly"
	"daybook/app/movein/call"
	"daybook/app/movein/movetest"
)

var now = time.Date(2026, 10, 12, 6, 0, 0, 0, time.UTC)

// Calendly becomes a salon: hosts with hours, hidden services with questions, and what is to come; again it changes nothing.
func TestCalendlyBecomesASalon(t *testing.T) {
	s := movetest.NewCalendly(t)
	s.Studio(130, now.Add(2*time.Hour)) // more than a page
	s.Busy = 1
	waited := time.Duration(0)
	api := call.Server{Base: s.URL, Key: movetest.Token, Pause: func(_ context.Context, d time.Duration) error { waited += d; return nil }}
	read := func() movein.Business {
		t.Helper()
		b, err := calendly.Read(t.Context(), api, now)
		if err != nil {
			t.Fatal(err)
		}
		if text, _ := json.Marshal(b); strings.Contains(string(text), "hidden-") {
			t.Error("a secret was kept")
		}
		return *b
	}
	w := apptest.New(t, apptest.Options{Clock: apptest.Standing(now), Hosts: []string{}})
	figures := func(m movein.MovedBusiness) string {
		return fmt.Sprint(m.Hosts, m.Services, m.Customers, m.Upcoming, m.Waiting, m.Moved, m.Same)
	}
	m, err := w.MoveIn.MoveBusiness(t.Context(), w.Owner, read())
	w.Must(err)
	if got := figures(m); got != "{2 0} {2 0} {130 0} 130 0 0 0" || waited != 30*time.Second {
		t.Fatalf("moved %s after %v\n%+v", got, waited, m.Left)
	}
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	cut, team := setup.EventType("haircut"), setup.EventType("consultation")
	if !cut.Hidden || !team.Hidden || cut.Where.Text != "Main Street 1" || len(cut.Questions) != 1 || cut.Questions[0].Type != "choice" || len(team.Hosts) != 1 {
		t.Errorf("%+v\n%+v", cut, team)
	}
	h := setup.HostByEmail("ana@studio.example")
	if len(h.Weekly) != 1 || h.Weekly["mon"][0] != "08:30-17:00" || len(h.Overrides) != 1 || h.TimeZone != "Europe/Berlin" {
		t.Errorf("hours %+v", h.Hours)
	}
	all, err := w.Reader(t.Context()).Bookings(w.Workspace.ID, booking.BookingFilter{Limit: 200})
	w.Must(err)
	long := 0
	for i := range all {
		for _, answer := range all[i].Answers {
			if answer == "long" {
				long++
			}
		}
	}
	if len(all) != 130 || long != 117 || !strings.Contains(all[0].InternalNote, "https://zoom.example/x") {
		t.Errorf("%d bookings, %d answers, %+v", len(all), long, all[0])
	}
	if len(m.Webhooks) != 1 || m.Webhooks[0].Events[0] != "booking.created" {
		t.Errorf("webhooks %+v", m.Webhooks)
	}
	again, err := w.MoveIn.MoveBusiness(t.Context(), w.Owner, read())
	w.Must(err)
	if got := figures(again); got != "{0 2} {0 2} {0 130} 0 0 0 130" {
		t.Errorf("again %s\n%+v", got, again.Left)
	}
	if _, err := calendly.Read(t.Context(), call.Server{Base: s.URL, Key: "another"}, now); err == nil || !strings.Contains(err.Error(), "make a personal access token") {
		t.Errorf("another token: %v", err)
	}
}
