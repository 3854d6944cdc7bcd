package app_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/slot"
)

// everything are the names of all rules that can be waived, without some.
func everything(but ...string) []string {
	return slices.DeleteFunc(booking.OverrideNames(slot.ReasonsOf(booking.Overridable...)), func(name string) bool {
		return slices.Contains(but, name)
	})
}

// against is what a refusal says that stands against the start.
func against(t *testing.T, err error) []string {
	t.Helper()
	e := fault.As(err)
	if e == nil {
		t.Fatalf("not refused: %v", err)
	}
	all, _ := e.Details["reasons"].([]slot.Reason)
	return booking.OverrideNames(slot.ReasonsOf(all...))
}

// Each rule refuses a start, for a booking and for a move, and goes on refusing it when all other rules are waived; and
// the start is taken when just that one is. The history says who waived it. Nothing is waived for others.
func TestOverrideOfEachRule(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	w.offer("soon", 1, func(e *catalog.EventType) { e.MinimumNoticeMinutes = 120 })
	w.offer("one", 1, func(e *catalog.EventType) { e.MaxPerDay = 1 })
	w.offer("off", 1, func(e *catalog.EventType) { e.Active = false })
	w.offer("padded", 1, func(e *catalog.EventType) { e.BufferAfterMinutes = 30 })
	w.Booked("one", "2T09", "bo")
	w.Booked("padded", "5T09", "bo")
	_, err := w.Shop.AddTimeOff(t.Context(), w.Owner, catalog.HostID(1).String(), "2026-12-04T13:00", "2026-12-04T15:00", "")
	w.Must(err)
	w.at("11:00")
	for _, c := range []struct{ rule, slug, start string }{
		{"outside_hours", "cut", "1T03"},
		{"outside_hours", "cut", "1T15:30"},
		{"off_grid", "cut", "1T12:30"},
		{"too_soon", "soon", "0T12"},
		{"too_far", "cut", "90T09"},
		{"in_past", "cut", "0T10"},
		{"day_full", "one", "2T11"},
		{"time_off", "cut", "4T12"},
		{"inactive", "off", "3T09"},
		{"buffer", "cut", "5T10"},
	} {
		stands := []string{c.rule}
		if c.start == "1T15:30" {
			stands = append(stands, "off_grid")
		}
		in := apptest.Input(c.slug, c.start, "cy")
		try := func(what string, do func(rules []string) (booking.Booking, error)) booking.Booking {
			t.Helper()
			for _, rules := range [][]string{nil, everything(c.rule)} {
				if _, err := do(rules); !slices.Equal(against(t, err), stands) {
					t.Errorf("%s %+v, waiving %v: %v stands against it", what, c, rules, against(t, err))
				}
			}
			b, err := do(stands)
			if err != nil {
				t.Fatalf("%s %+v: %v", what, c, err)
			}
			history, err := w.History(t.Context(), w.Owner, b.ID.String())
			w.Must(err)
			last := history[len(history)-1]
			if !slices.Equal(last.Waived, stands) || last.Actor != booking.ByAPI {
				t.Errorf("%s %+v: the history says %+v", what, c, last)
			}
			if c.rule == "buffer" && (b.BusyStart != b.Start || b.BusyEnd != b.End) {
				t.Errorf("%s: it has buffers: %+v", what, b)
			}
			return b
		}
		b := try("book", func(rules []string) (booking.Booking, error) {
			in.Override = rules
			return w.Book(t.Context(), w.API, in)
		})
		_, err := w.Cancel(t.Context(), w.API, b.ID.String(), app.CancelInput{})
		w.Must(err)
		in.Override = []string{"inactive"}
		in.Start = apptest.Input(c.slug, "20T09", "").Start
		b, err = w.Book(t.Context(), w.API, in)
		w.Must(err)
		moved := try("move", func(rules []string) (booking.Booking, error) {
			return w.Reschedule(t.Context(), w.API, b.ID.String(),
				app.RescheduleInput{Start: apptest.Input(c.slug, c.start, "").Start, Override: rules})
		})
		_, err = w.Cancel(t.Context(), w.API, moved.ID.String(), app.CancelInput{})
		w.Must(err)
	}
}

// What is booked stays booked, whatever is waived. The past is that of today only, in the workspace's zone.
func TestOverrideHasItsBounds(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, func(e *catalog.EventType) { e.BufferAfterMinutes = 30 })
	w.offer("class", 1, func(e *catalog.EventType) { e.Seats = 2 })
	w.Booked("cut", "1T09", "bo")
	book := func(in booking.BookInput) {
		t.Helper()
		_, err := w.Book(t.Context(), w.API, in)
		w.Must(err)
	}
	in := func(slug, start, name string, rules ...string) booking.BookInput {
		b := apptest.Input(slug, start, name)
		b.Override = rules
		return b
	}
	for _, start := range []string{"1T09", "1T08:01", "1T09:59"} {
		_, err := w.Book(t.Context(), w.API, in("cut", start, "cy", everything()...))
		w.Refused(err, fault.Conflict, "slot_taken")
		if !slices.Contains(against(t, err), "booked") {
			t.Errorf("%s: %v", start, against(t, err))
		}
	}
	book(in("cut", "1T10", "cy", "buffer", "off_grid"))
	// The rule that is left over from the hours of a session holds too, and its seats are counted.
	book(in("class", "2T12:10", "p1", "off_grid"))
	book(in("class", "2T12:10", "p2", "off_grid", "buffer"))
	_, err := w.Book(t.Context(), w.API, in("class", "2T12:10", "p3", everything()...))
	w.Refused(err, fault.Conflict, "slot_taken")

	w.at("+2 23:30") // in Berlin it is the next day, 00:30
	_, err = w.Book(t.Context(), w.API, in("cut", "2T22:30", "cy", everything()...))
	if e := w.Refused(err, fault.BadRequest, "in_past"); !strings.Contains(e.Error(), "not today") {
		t.Error(e.Error())
	}
	book(in("cut", "2T23:05", "cy", everything()...))
	_, err = w.Book(t.Context(), w.API, in("cut", "900T09", "cy", "too_far", "no_rule"))
	if e := w.Refused(err, fault.BadRequest, "invalid"); e.Field != "override" || !strings.Contains(e.Error(), "day_full") {
		t.Errorf("%s: %s", e.Field, e.Error())
	}
	far := in("cut", "1T09", "cy", everything()...)
	far.Start = "9999-12-31T00:00:00Z" // beyond all times
	_, err = w.Book(t.Context(), w.API, far)
	w.Refused(err, fault.BadRequest, "too_far")
}

// Who isn't the business waives nothing, and hears of one reason only. Staff waive rules of their own calendar.
func TestOverrideIsForTheBusiness(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 2, nil)
	in := apptest.Input("cut", "1T02:10", "cy")
	guest := app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID}
	_, err := w.Book(t.Context(), guest, in)
	if e := w.Refused(err, fault.BadRequest, "outside_hours"); e.Details["reasons"] != nil {
		t.Errorf("a guest is told %v", e.Details)
	}
	in.Override = []string{"outside_hours"}
	reader := w.API
	reader.ReadOnly = true
	for _, who := range []app.Actor{guest, reader} {
		_, err := w.Book(t.Context(), who, in)
		if e := fault.As(err); e == nil || e.Code != fault.Forbidden {
			t.Errorf("%+v: %v", who, err)
		}
	}
	staff := app.Actor{Kind: booking.ByOwner, Role: app.StaffRole, Host: 2, User: 7, Workspace: w.Workspace.ID}
	in.Host = catalog.HostID(1).String()
	_, err = w.Book(t.Context(), staff, in)
	w.Refused(err, fault.Forbidden, "role")
	in.Host = ""
	b, err := w.Book(t.Context(), staff, in)
	if w.Must(err); b.Host.ID != 2 {
		t.Errorf("staff booked %s", b.Host.Name)
	}
	history, err := w.History(t.Context(), w.Owner, b.ID.String())
	w.Must(err)
	if h := history[0]; h.By != app.UserID(7).String() || !slices.Equal(h.Waived, in.Override) {
		t.Errorf("history %+v", h)
	}
	link := app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID, Booking: b.ID}
	move := app.RescheduleInput{Start: apptest.Input("cut", "1T03", "").Start, Override: []string{"outside_hours"}}
	_, err = w.Reschedule(t.Context(), link, b.ID.String(), move)
	w.Refused(err, fault.Forbidden, "")
	other := staff
	other.Host = 1
	_, err = w.Reschedule(t.Context(), other, b.ID.String(), move)
	w.Refused(err, fault.NotFound, "")
}

// Of several hosts the one takes the booking for whom the least is waived; a refusal says what that would be.
func TestOverrideWaivesTheLeast(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 2, nil)
	_, err := w.Shop.AddTimeOff(t.Context(), w.Owner, catalog.HostID(1).String(), "2026-12-01", "2026-12-01", "")
	w.Must(err)
	in := apptest.Input("cut", "1T12:30", "cy")
	_, err = w.Book(t.Context(), w.API, in)
	if all := against(t, err); !slices.Equal(all, []string{"off_grid"}) {
		t.Errorf("%v stands against it", all)
	}
	in.Override = []string{"off_grid", "time_off"}
	b, err := w.Book(t.Context(), w.API, in)
	if w.Must(err); b.Host.ID != 2 {
		t.Errorf("%s took it", b.Host.Name)
	}
	in.Invitee.Email = "di@mail.example"
	b, err = w.Book(t.Context(), w.API, in)
	if w.Must(err); b.Host.ID != 1 {
		t.Errorf("%s took it", b.Host.Name)
	}
}

// 64 at once waive everything, for one host, at two servers, by event types with and without buffers, and move what they
// have booked. No two bookings meet.
func TestContestOverridesNeverOverlap(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	w.offer("short", 1, func(e *catalog.EventType) {
		e.DurationMinutes, e.BufferBeforeMinutes, e.BufferAfterMinutes = 20, 90, 30
	})
	servers := [2]*apptest.Salon{w.Salon, w.Another()}
	at := func(r *rand.Rand) string { return fmt.Sprintf("1T%02d:%02d", 6+r.IntN(9), r.IntN(60)) }
	errs := make(chan error, 64)
	for i := range 64 {
		go func() {
			r := rand.New(rand.NewPCG(14, uint64(i)))
			in := apptest.Input([]string{"cut", "short"}[i/2%2], at(r), fmt.Sprint("p", i))
			in.Override = everything()
			if i%4 == 0 {
				in.Override = everything("buffer")
			}
			b, err := servers[i%2].Book(t.Context(), w.API, in)
			for range 2 {
				if err == nil {
					_, err = servers[i%2].Reschedule(t.Context(), w.API, b.ID.String(),
						app.RescheduleInput{Start: apptest.Input("cut", at(r), "").Start, Override: in.Override})
				}
			}
			errs <- err
		}()
	}
	for range 64 {
		if err := <-errs; err != nil {
			w.Refused(err, fault.Conflict, "slot_taken")
		}
	}
	page, err := w.Bookings(t.Context(), w.API, booking.ListBookingsInput{})
	w.Must(err)
	if len(page.Data) < 8 {
		t.Errorf("only %d were booked", len(page.Data))
	}
	for i := range page.Data[1:] {
		if a, b := &page.Data[i], &page.Data[i+1]; a.End > b.Start {
			t.Errorf("%s to %s meets %s to %s", a.Start, a.End, b.Start, b.End)
		}
	}
}
