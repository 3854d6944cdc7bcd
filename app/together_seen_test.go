package app_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/mail"
	"daybook/app/money"
	"daybook/app/right"
)

// Who does a booking beside its host finds it wherever they find their own, whatever became of it, and can change it;
// it stays with the host then.
func TestSecondPersonSeesTheBooking(t *testing.T) {
	w := newWorld(t)
	w.together("massage", 1, 2)
	w.solo("cut", 2, 30)
	w.solo("nails", 3, 30)
	var want []booking.BookingID
	for day := 1; day <= 3; day++ {
		want = append(want, w.Booked("massage", fmt.Sprintf("%dT09:00", day), "Mia").ID, w.Booked("cut", fmt.Sprintf("%dT11:00", day), "Bo").ID)
		w.Booked("nails", fmt.Sprintf("%dT09:00", day), "Cy")
	}
	_, err := w.Cancel(t.Context(), w.API, want[2].String(), booking.CancelInput{})
	w.Must(err)
	staff := app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID, User: 5, Role: app.StaffRole, Host: 2}
	key := w.API
	key.Limits = &right.Limits{Hosts: []catalog.HostID{2}}
	two := 2
	for name, a := range map[string]app.Actor{"staff": staff, "a key": key} {
		for _, scope := range []string{"", "all"} { // forwards and back
			var got []booking.BookingID
			in := booking.ListBookingsInput{Limit: &two, Status: booking.AllStatuses, Scope: scope}
			for again := true; again; {
				page, err := w.Bookings(t.Context(), a, in)
				w.Must(err)
				for _, b := range page.Data {
					got = append(got, b.ID)
				}
				if again = page.HasMore; again {
					in.Cursor = *page.NextCursor
				}
			}
			if scope == "all" {
				slices.Reverse(got)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s lists %v, want %v", name, got, want)
			}
		}
	}
	page, err := w.Bookings(t.Context(), key, booking.ListBookingsInput{})
	if w.Must(err); page.Data[0].EventType != "massage" { // though the key can't book it with anybody
		t.Errorf("a key reads %+v", page.Data[0])
	}
	if page, err = w.Bookings(t.Context(), staff, booking.ListBookingsInput{EventType: "massage"}); err != nil || len(page.Data) != 3 {
		t.Errorf("staff list %d massages, %v", len(page.Data), err)
	}
	for start, a := range map[string]app.Actor{"1T13:00": staff, "1T15:00": key} {
		b, err := w.Reschedule(t.Context(), a, want[0].String(), app.RescheduleInput{Start: apptest.At(start)})
		w.Must(err)
		w.wantWho(b, "1+2")
	}
	all, _, err := w.Calendar(t.Context(), w.Owner, catalog.HostID(2).String(), apptest.Monday, apptest.Monday.AddDate(0, 0, 7), true)
	w.Must(err)
	if len(all) != 5 || !slices.ContainsFunc(all, func(b booking.Booking) bool { return len(b.Hosts) == 2 && b.Hosts[1].ID == 2 }) {
		t.Errorf("their calendar has %+v", all)
	}
	if all, _, err = w.Calendar(t.Context(), w.Owner, "", apptest.Monday, apptest.Monday.AddDate(0, 0, 7), true); err != nil || len(all) != 8 {
		t.Errorf("everybody's calendar has %d, %v", len(all), err)
	}
	other := staff
	other.Host = 3
	_, err = w.Find(t.Context(), other, want[0].String())
	w.Refused(err, fault.NotFound, "")
	note := "bring oil"
	_, err = w.Edit(t.Context(), staff, want[0].String(), booking.EditInput{Notes: &note}, "")
	w.Must(err)
	_, err = w.Cancel(t.Context(), staff, want[0].String(), booking.CancelInput{})
	w.Must(err)
}

// Who does a booking beside a host whose bookings aren't theirs leaves the lead to that host, whatever they name, and
// moves a visit as it is.
func TestSecondPersonLeavesTheLead(t *testing.T) {
	w := newWorld(t)
	for _, slug := range []string{"massage", "peel"} {
		w.offer(slug, 2, func(e *catalog.EventType) {
			e.Price, e.Needs = &money.Money{Amount: 5000, Currency: "EUR"}, []catalog.Need{{Hosts: 2, Of: []catalog.HostID{1, 2}}}
		})
	}
	in := apptest.Input("massage", "1T09:00", "Mia")
	in.Host = catalog.HostID(1).String()
	b, err := w.Book(t.Context(), w.API, in)
	w.Must(err)
	w.wantWho(b, "1+2")
	staff := app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID, User: 5, Role: app.StaffRole, Host: 2}
	key := w.API
	key.Limits = &right.Limits{Hosts: []catalog.HostID{2}}
	own := catalog.HostID(2).String()
	for name, a := range map[string]app.Actor{"staff": staff, "a key": key} {
		b, err = w.Reschedule(t.Context(), a, b.ID.String(), app.RescheduleInput{Start: b.Start.String(), Host: own})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		w.wantWho(b, "1+2")
		b, err = w.Edit(t.Context(), a, b.ID.String(), booking.EditInput{Host: &own}, "")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		w.wantWho(b, "1+2")
	}
	paid, err := w.Counter.Record(t.Context(), staff, b.ID.String(), counter.Input{Amount: 5000, Method: booking.ByCash})
	w.Must(err)
	r, err := w.Counter.Receipt(t.Context(), staff, paid.Payments[0].Receipt.String())
	if w.Must(err); r.Host != 1 {
		t.Errorf("the receipt is of %v", r.Host)
	}
	stranger := staff
	stranger.Host = 3
	_, err = w.Counter.Receipt(t.Context(), stranger, r.ID.String())
	w.Refused(err, fault.NotFound, "")

	// A key of some hosts reads of no others.
	e, err := w.EventType(key, "massage")
	if w.Must(err); len(e.Needs) != 1 || !slices.Equal(e.Needs[0].Of, []catalog.HostID{2}) {
		t.Errorf("the key reads %+v", e.Needs)
	}
	for _, of := range [][]catalog.HostID{{1}, {}, nil} {
		_, err := w.Shop.ChangeEventType(t.Context(), w.Owner, "massage", func(_ *catalog.Setup, e *catalog.EventType) error {
			e.Needs = []catalog.Need{{Hosts: 2, Of: of}}
			return nil
		})
		w.Must(err)
		e, err := w.EventType(key, "massage")
		w.Must(err)
		text, err := json.Marshal(e.Needs)
		w.Must(err)
		want := `[{"hosts":2}]` // all who serve it
		if len(of) > 0 {
			want = `[{"hosts":2,"of":[]}]` // others than the key's
		}
		if n, beside := e.Others(); string(text) != want || n != 1 || len(beside) == 0 {
			t.Errorf("of %v the key reads %s, and %d of %v are taken", of, text, n, beside)
		}
	}
	w.Alter("massage", func(e *catalog.EventType) { e.Needs = []catalog.Need{{Hosts: 2, Of: []catalog.HostID{1, 2}}} })
	v := w.visited(visit("2T09:00", "Bo", "massage/1", "peel/1"))
	for start, a := range map[string]app.Actor{"3T09:00": staff, "4T09:00": key} {
		v, err = w.MoveVisit(t.Context(), a, v.ID.String(), booking.VisitMoveInput{Start: apptest.At(start)})
		w.Must(err)
		for _, b := range v.Items {
			w.wantWho(b, "1+2")
		}
	}
}

// Each of those who do a booking gets the mails that its host gets, with a calendar entry of their own; who does it no
// more is told so.
func TestSecondPersonIsTold(t *testing.T) {
	w := newWorld(t)
	w.together("massage", 1, 2, 3)
	w.solo("cut", 2, 60)
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	told := func(do func()) string {
		t.Helper()
		w.writeMails()
		w.Must(w.SQL(`DELETE FROM mails`))
		do()
		w.writeMails()
		page, err := w.Mail.Mails(t.Context(), app.Operator(w.Workspace.ID), mail.ListInput{})
		w.Must(err)
		var all []string
		for _, m := range page.Data {
			for _, h := range setup.Hosts {
				if m.To == h.Email {
					all = append(all, fmt.Sprint(int64(h.ID), " ", m.Kind, map[bool]string{true: " gone"}[m.Facts.Gone]))
				}
			}
		}
		slices.Sort(all)
		return fmt.Sprint(all)
	}
	var b booking.Booking
	if got := told(func() { b = w.Booked("massage", "1T09:00", "Mia") }); got != "[1 team_new 2 team_new]" {
		t.Errorf("of a booking: %s", got)
	}
	w.Booked("cut", "1T11:00", "Bo")
	if got := told(func() {
		b, err = w.Reschedule(t.Context(), w.API, b.ID.String(), app.RescheduleInput{Start: apptest.At("1T11:00")})
		w.Must(err)
	}); got != "[1 team_moved 2 team_moved gone 3 team_moved]" {
		t.Errorf("of a move: %s", got)
	}
	if got := told(func() {
		_, err = w.Cancel(t.Context(), w.API, b.ID.String(), booking.CancelInput{})
		w.Must(err)
	}); got != "[1 team_cancelled 3 team_cancelled]" {
		t.Errorf("of a cancellation: %s", got)
	}
}
