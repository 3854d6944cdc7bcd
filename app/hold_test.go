package app_test

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/subjects"
	"daybook/app/when"
	"daybook/store/enginetest"
)

const (
	ana catalog.HostID = 1 + iota
	bob
)

type holdWorld struct {
	*apptest.Salon
	key, visitor app.Actor
}

// newHoldWorld is a salon that is always open, with a cut of an hour by ana, and one by either.
func newHoldWorld(t *testing.T) *holdWorld {
	t.Helper()
	w := &holdWorld{Salon: apptest.New(t, apptest.Options{Hosts: []string{"ana", "bob"}, Hours: "00:00-24:00", TimeZone: "UTC"})}
	w.Offer("cut", 60, func(e *catalog.EventType) {
		e.Hosts, e.MinimumNoticeMinutes = []catalog.HostRef{{ID: ana}}, 0
	})
	w.Offer("any", 60, func(e *catalog.EventType) {
		e.Hosts, e.MinimumNoticeMinutes = []catalog.HostRef{{ID: ana}, {ID: bob}}, 0
	})
	w.key, w.visitor = w.API, app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID}
	return w
}

func minutes(n int) *int { return &n }

func (w *holdWorld) hold(in app.HoldInput) (app.Hold, error) {
	return w.Hold(w.T.Context(), w.key, in)
}

// held holds the start.
func (w *holdWorld) held(eventType, start string) app.Hold {
	w.T.Helper()
	h, err := w.hold(app.HoldInput{EventType: eventType, Start: apptest.At(start)})
	w.Must(err)
	return h
}

// by books with a hold.
func (w *holdWorld) by(h app.Hold, eventType, start, person string) (booking.Booking, error) {
	in := apptest.Input(eventType, start, person)
	in.Hold = h.ID.String()
	return w.Book(w.T.Context(), w.key, in)
}

// open are the starts of the day that can be booked, on the quick way and with explanations.
func (w *holdWorld) open(eventType string, explain bool) (open []string, closed map[string]string) {
	w.T.Helper()
	most := 100
	a, err := w.Availability(w.T.Context(), w.key, availability.Input{EventType: eventType, Explain: explain, Limit: &most,
		From: apptest.At("1T00:00"), To: apptest.At("2T00:00")})
	w.Must(err)
	for _, s := range a.Slots() {
		open = append(open, s.Start.String())
	}
	closed = map[string]string{}
	for _, c := range a.Closed() {
		closed[c.Start.String()] = string(c.Reason)
	}
	return open, closed
}

// A hold takes the time from bookings, holds and offers until the instant of its end, and becomes a booking.
func TestHoldTakesTheTime(t *testing.T) {
	w := newHoldWorld(t)
	h := w.held("cut", "1T09:00")
	if h.EventType != "cut" || h.Host.ID != ana || h.Host.Name != "ana" || h.End-h.Start != when.Instant(time.Hour.Milliseconds()) ||
		h.ExpiresAt != when.At(w.Clock.Now().Add(10*time.Minute)) {
		t.Errorf("held %+v", h)
	}
	_, err := w.Book(t.Context(), w.key, apptest.Input("cut", "1T09:00", "mia"))
	e := w.Refused(err, fault.Conflict, "slot_taken")
	if fmt.Sprint(e.Details["reasons"]) != "[held]" || e.Details["alternatives"] == nil {
		t.Errorf("details %v", e.Details)
	}
	in := apptest.Input("cut", "1T09:00", "mia")
	in.Override = []string{"busy", "time_off", "buffer"}
	_, err = w.Book(t.Context(), w.key, in)
	w.Refused(err, fault.Conflict, "slot_taken")
	_, err = w.hold(app.HoldInput{EventType: "any", Start: apptest.At("1T09:00"), Host: ana.String()})
	w.Refused(err, fault.Conflict, "slot_taken")
	for _, explain := range []bool{false, true} {
		open, closed := w.open("cut", explain)
		if slices.Contains(open, apptest.At("1T09:00")) || explain && closed[apptest.At("1T09:00")] != "held" {
			t.Errorf("explained %v: open %v, closed %v", explain, open, closed)
		}
	}
	b := w.Booked("any", "1T09:00", "ola") // the other host is free
	if b.Host.ID != bob {
		t.Errorf("with %s", b.Host.Name)
	}
	b, err = w.by(h, "cut", "1T09:00", "mia")
	w.Must(err)
	if b.Host.ID != ana || b.HostNamed {
		t.Errorf("booked %+v", b.Host)
	}
	_, err = w.by(h, "cut", "1T09:00", "mia") // a retry
	w.Refused(err, fault.Conflict, "already_booked")
	_, err = w.by(h, "cut", "1T10:00", "zoe")
	w.Refused(err, fault.Conflict, "hold_expired")
}

// The end is exact: a hold counts a millisecond before it, and not at it, though nothing has swept it away.
func TestHoldEndsAtItsInstant(t *testing.T) {
	w := newHoldWorld(t)
	w.Clock.Advance(300 * time.Millisecond)
	h, err := w.hold(app.HoldInput{EventType: "cut", Start: apptest.At("1T09:00"), Minutes: minutes(1)})
	w.Must(err)
	until := h.ExpiresAt.Time().Sub(w.Clock.Now())
	if h.ExpiresAt%1000 != 0 || until > time.Minute || until < 59*time.Second {
		t.Errorf("it lasts %v", until)
	}
	free := func() bool {
		quick, _ := w.open("cut", false)
		slow, _ := w.open("cut", true)
		if !slices.Equal(quick, slow) {
			t.Errorf("%v, explained %v", quick, slow)
		}
		return slices.Contains(quick, apptest.At("1T09:00"))
	}
	w.Clock.Advance(until - time.Millisecond)
	_, err = w.Book(t.Context(), w.key, apptest.Input("cut", "1T09:00", "mia"))
	w.Refused(err, fault.Conflict, "slot_taken")
	if free() {
		t.Error("it is offered while it is held")
	}
	w.Clock.Advance(time.Millisecond)
	if !free() {
		t.Error("it is not offered at the end of the hold")
	}
	_, err = w.by(h, "cut", "1T09:00", "mia")
	w.Refused(err, fault.Conflict, "hold_expired")
	w.Refused(w.ReleaseHold(t.Context(), w.key, h.ID.String()), fault.NotFound, "")
	w.Booked("cut", "1T09:00", "mia")
}

// A hold is refused for what a booking is refused for, and binds the booking that uses it.
func TestHoldIsOfOneTime(t *testing.T) {
	w := newHoldWorld(t)
	for field, in := range map[string]app.HoldInput{
		"eventType": {Start: apptest.At("1T09:00")},
		"start":     {EventType: "cut"},
		"minutes":   {EventType: "cut", Start: apptest.At("1T09:00"), Minutes: minutes(16)},
		"host":      {EventType: "cut", Start: apptest.At("1T09:00"), Host: bob.String()},
		"seats":     {EventType: "cut", Start: apptest.At("1T09:00"), Seats: 2},
	} {
		_, err := w.hold(in)
		if e := fault.As(err); e == nil || e.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	_, err := w.hold(app.HoldInput{EventType: "cut", Start: apptest.At("1T09:00"), Minutes: minutes(0)})
	w.Refused(err, fault.BadRequest, "invalid")
	_, err = w.hold(app.HoldInput{EventType: "cut", Start: apptest.At("1T09:07")})
	w.Refused(err, fault.BadRequest, "off_grid")
	_, err = w.hold(app.HoldInput{EventType: "nothing", Start: apptest.At("1T09:00")})
	w.Refused(err, fault.NotFound, "")
	reader := w.key
	reader.ReadOnly = true
	_, err = w.Hold(t.Context(), reader, app.HoldInput{EventType: "cut", Start: apptest.At("1T09:00")})
	w.Refused(err, fault.Forbidden, "read_only_key")

	h := w.held("any", "1T09:00")
	w.Refused(w.ReleaseHold(t.Context(), reader, h.ID.String()), fault.Forbidden, "read_only_key")
	w.Refused(w.ReleaseHold(t.Context(), w.visitor, h.ID.String()), fault.NotFound, "")
	other := w.Beside("other", "eve")
	w.Refused(w.ReleaseHold(t.Context(), other.API, h.ID.String()), fault.NotFound, "")
	_, err = w.by(h, "cut", "1T09:00", "mia")
	if e := w.Refused(err, fault.BadRequest, "invalid"); e.Field != "eventType" {
		t.Errorf("%+v", e)
	}
	_, err = w.by(h, "any", "1T10:00", "mia")
	if e := w.Refused(err, fault.BadRequest, "invalid"); e.Field != "start" {
		t.Errorf("%+v", e)
	}
	in := apptest.Input("any", "1T09:00", "mia")
	in.Hold, in.Host = h.ID.String(), bob.String()
	_, err = w.Book(t.Context(), w.key, in)
	if e := w.Refused(err, fault.BadRequest, "invalid"); e.Field != "host" {
		t.Errorf("%+v", e)
	}
	in.Hold, in.Host = h.ID.String(), ""
	_, err = w.Book(t.Context(), w.visitor, in) // it is a key's
	w.Refused(err, fault.Conflict, "hold_expired")
	w.Must(w.ReleaseHold(t.Context(), w.key, h.ID.String()))
	w.Refused(w.ReleaseHold(t.Context(), w.key, h.ID.String()), fault.NotFound, "")
	w.Booked("cut", "1T09:00", "mia")
	named, err := w.hold(app.HoldInput{EventType: "any", Start: apptest.At("1T11:00"), Host: bob.String()})
	w.Must(err)
	b, err := w.by(named, "any", "1T11:00", "mia")
	w.Must(err)
	if b.Host.ID != bob || !b.HostNamed {
		t.Errorf("booked with %v, named %v", b.Host, b.HostNamed)
	}
}

// The notice counts when the time is held. What else has changed counts when it is booked, and leaves the hold.
func TestNoticeCountsWhenHeld(t *testing.T) {
	w := newHoldWorld(t)
	w.Alter("cut", func(e *catalog.EventType) { e.MinimumNoticeMinutes = 60 })
	start := w.Clock.Now().Add(time.Hour)
	at := start.UTC().Format(time.RFC3339)
	h, err := w.hold(app.HoldInput{EventType: "cut", Start: at})
	w.Must(err)
	w.Clock.Advance(5 * time.Minute)
	in := apptest.Input("cut", "1T09:00", "mia")
	in.Start, in.Hold = at, h.ID.String()
	w.Alter("cut", func(e *catalog.EventType) { e.Active = false })
	_, err = w.Book(t.Context(), w.key, in)
	w.Refused(err, fault.BadRequest, "inactive")
	w.Alter("cut", func(e *catalog.EventType) { e.Active = true })
	_, err = w.Book(t.Context(), w.key, in)
	w.Must(err)
}

// A hold of a session takes its seats; buffers, days and weeks count holds as they count bookings.
func TestHoldsCountAsBookings(t *testing.T) {
	w := newHoldWorld(t)
	w.Offer("class", 60, func(e *catalog.EventType) {
		e.Hosts, e.MinimumNoticeMinutes, e.Seats = []catalog.HostRef{{ID: ana}}, 0, 3
	})
	seats := func() int {
		a, err := w.Availability(t.Context(), w.key, availability.Input{EventType: "class", From: apptest.At("1T09:00"),
			To: apptest.At("1T09:01")})
		w.Must(err)
		if a.Len() == 0 {
			return 0
		}
		return a.Slots()[0].SeatsRemaining
	}
	h := w.held("class", "1T09:00")
	if seats() != 2 {
		t.Errorf("%d seats are left of 3", seats())
	}
	w.Booked("class", "1T09:00", "mia")
	two := apptest.Input("class", "1T09:00", "bo")
	two.Seats = 2
	_, err := w.Book(t.Context(), w.key, two)
	w.Refused(err, fault.Conflict, "slot_taken")
	w.held("class", "1T09:00")
	if seats() != 0 {
		t.Errorf("%d seats are left of none", seats())
	}
	_, err = w.by(h, "class", "1T09:00", "cy")
	w.Must(err)

	w.Offer("long", 60, func(e *catalog.EventType) {
		e.Hosts, e.MinimumNoticeMinutes, e.BufferAfterMinutes = []catalog.HostRef{{ID: ana}}, 0, 30
	})
	w.held("long", "1T12:00")
	_, closed := w.open("cut", true)
	if closed[apptest.At("1T13:00")] != "buffer" || closed[apptest.At("1T12:00")] != "held" {
		t.Errorf("around the hold: %v", closed)
	}
	for name, limit := range map[string]func(*catalog.EventType){
		"day_full":       func(e *catalog.EventType) { e.MaxPerDay = 1 },
		"host_week_full": func(e *catalog.EventType) { e.Limits.HostPerWeek = 1 },
		"week_full":      func(e *catalog.EventType) { e.Limits.PerWeek = 1 },
	} {
		w.Offer(name, 60, func(e *catalog.EventType) {
			e.Hosts, e.MinimumNoticeMinutes = []catalog.HostRef{{ID: bob}}, 0
			limit(e)
		})
		h := w.held(name, "3T12:00")
		_, err := w.Book(t.Context(), w.key, apptest.Input(name, "3T15:00", "mia"))
		w.Refused(err, fault.BadRequest, name)
		b, err := w.by(h, name, "3T12:00", "mia")
		w.Must(err)
		_, err = w.Cancel(t.Context(), w.Owner, b.ID.String(), app.CancelInput{})
		w.Must(err)
	}
}

// A key holds at most 20 times at once, a visitor's address 2 and an e-mail address one; visitors leave most of a day.
func TestHoldsAreBounded(t *testing.T) {
	w := newHoldWorld(t)
	for i := range app.MostHoldsPerKey {
		w.held("cut", fmt.Sprintf("%dT09:00", 1+i))
	}
	_, err := w.hold(app.HoldInput{EventType: "cut", Start: apptest.At("1T15:00")})
	if e := w.Refused(err, fault.Conflict, "too_many_holds"); !strings.Contains(e.Error(), "At most 20 times") {
		t.Error(e.Error())
	}
	ask := func(from, email, before, start string) (app.Hold, error) {
		return w.Hold(t.Context(), w.visitor, app.HoldInput{EventType: "any", Start: apptest.At(start),
			Visitor: &app.HoldVisitor{Address: netip.MustParseAddr(from), Email: email, Before: before}})
	}
	first, err := ask("2001:db8::1", "", "", "1T18:00")
	w.Must(err)
	w.Clock.Advance(time.Minute)
	again, err := ask("2001:db8::1", "", first.ID.String(), "1T18:00")
	w.Must(err)
	if !reflect.DeepEqual(again, first) && (again.ID != first.ID || again.ExpiresAt != first.ExpiresAt || again.Host != first.Host) {
		t.Errorf("%+v, then %+v", first, again)
	}
	moved, err := ask("2001:db8::1", "", first.ID.String(), "1T19:00")
	w.Must(err)
	w.Refused(w.ReleaseHold(t.Context(), w.visitor, first.ID.String()), fault.NotFound, "")
	_, err = ask("2001:db8::2", "Mia@x.example", "", "2T19:00")
	w.Must(err)
	_, err = ask("2001:db8::3", "", "", "3T19:00")
	w.Refused(err, fault.Conflict, "too_many_holds")
	_, err = ask("192.0.2.1", "mia@X.example", "", "3T19:00")
	w.Refused(err, fault.Conflict, "too_many_holds")
	w.Must(w.ReleaseHold(t.Context(), w.visitor, moved.ID.String()))
	same, err := ask("2001:db8::1", "mia@x.example", "", "2T19:00")
	w.Must(err)
	if other, err := ask("2001:db8::1", "mia@x.example", "", "2T19:00"); err != nil || other.ID != same.ID {
		t.Errorf("again %v, %v", other, err)
	}

	w.Offer("short", 180, func(e *catalog.EventType) {
		e.Hosts, e.MinimumNoticeMinutes, e.SlotStepMinutes = []catalog.HostRef{{ID: bob}}, 0, 180
	})
	n := 0
	for i := range 8 {
		_, err = w.Hold(t.Context(), w.visitor, app.HoldInput{EventType: "short", Start: apptest.At(fmt.Sprintf("9T%02d:00", 3*i)),
			Visitor: &app.HoldVisitor{Address: netip.AddrFrom4([4]byte{10, 0, 0, byte(i)})}})
		if err == nil {
			n++
		} else {
			w.Refused(err, fault.Conflict, "too_many_holds")
		}
	}
	if n != 1 {
		t.Errorf("strangers hold %d of 8 times of a day", n)
	}
}

// 64 ask at once at two servers, half of them to hold and half to book: one has the time.
func TestContestForATime(t *testing.T) {
	w := newHoldWorld(t)
	servers := []*subjects.Set{w.Set, w.Another().Set}
	const clients = 64
	for _, start := range []string{"1T09:00", "2T09:00", "3T09:00"} {
		errs := make([]error, clients)
		begin := make(chan struct{})
		var all sync.WaitGroup
		for i := range clients {
			all.Go(func() {
				<-begin
				a, at := w.key, servers[i%2]
				if i%4 < 2 {
					_, errs[i] = at.Hold(t.Context(), a, app.HoldInput{EventType: "cut", Start: apptest.At(start)})
				} else {
					_, errs[i] = at.Book(t.Context(), a, apptest.Input("cut", start, fmt.Sprint("p", i)))
				}
			})
		}
		close(begin)
		all.Wait()
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
			} else {
				w.Refused(err, fault.Conflict, "slot_taken")
			}
		}
		if won != 1 {
			t.Errorf("%s: %d have the time", start, won)
		}
	}
}

// One hold becomes one booking, however many bookings use it at once.
func TestContestForAHold(t *testing.T) {
	w := newHoldWorld(t)
	other := w.Another().Set
	h := w.held("cut", "1T09:00")
	const clients = 32
	errs := make([]error, clients)
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			in := apptest.Input("cut", "1T09:00", fmt.Sprint("p", i))
			in.Hold = h.ID.String()
			if i%8 == 7 {
				errs[i] = other.ReleaseHold(t.Context(), w.key, h.ID.String())
			} else if i%2 == 0 {
				_, errs[i] = w.Book(t.Context(), w.key, in)
			} else {
				_, errs[i] = other.Book(t.Context(), w.key, in)
			}
		})
	}
	all.Wait()
	won := 0
	for i, err := range errs {
		switch {
		case err == nil:
			won++
		case i%8 == 7:
			w.Refused(err, fault.NotFound, "")
		default:
			w.Refused(err, fault.Conflict, "hold_expired")
		}
	}
	if won != 1 {
		t.Errorf("the hold was used or released %d times", won)
	}
}

// Whatever is booked, held, released, used and waited for: what is offered are the starts that are neither booked nor
// held.
func TestOfferedIsWhatIsNeitherBookedNorHeld(t *testing.T) {
	w := newHoldWorld(t)
	random := rand.New(rand.NewPCG(1, 2))
	taken, live := map[int]bool{}, map[int]app.Hold{} // by hour of the day
	for step := range 120 {
		hour := random.IntN(24)
		start := fmt.Sprintf("1T%02d:00", hour)
		h, isHeld := live[hour]
		free := !taken[hour] && !isHeld
		switch random.IntN(5) {
		case 0, 1:
			h, err := w.hold(app.HoldInput{EventType: "cut", Start: apptest.At(start), Minutes: minutes(1 + random.IntN(15))})
			if free != (err == nil) {
				t.Fatalf("step %d: hold at %s, free %v: %v", step, start, free, err)
			}
			if err == nil {
				live[hour] = h
			}
		case 2:
			if isHeld && random.IntN(2) == 0 {
				_, err := w.by(h, "cut", start, fmt.Sprint("p", step))
				w.Must(err)
				delete(live, hour)
				taken[hour] = true
			} else if _, err := w.Book(t.Context(), w.key, apptest.Input("cut", start, fmt.Sprint("p", step))); free != (err == nil) {
				t.Fatalf("step %d: book at %s, free %v: %v", step, start, free, err)
			} else if err == nil {
				taken[hour] = true
			}
		case 3:
			if isHeld {
				w.Must(w.ReleaseHold(t.Context(), w.key, h.ID.String()))
				delete(live, hour)
			}
		case 4:
			w.Clock.Advance(time.Duration(random.IntN(200)) * time.Second)
		}
		for hour, h := range live {
			if h.ExpiresAt <= when.At(w.Clock.Now()) {
				delete(live, hour)
			}
		}
		var want []string
		for hour := range 24 {
			if _, isHeld := live[hour]; !taken[hour] && !isHeld {
				want = append(want, apptest.At(fmt.Sprintf("1T%02d:00", hour)))
			}
		}
		for _, explain := range []bool{false, true} {
			if open, _ := w.open("cut", explain); !slices.Equal(open, want) {
				t.Fatalf("step %d, explained %v: open\n%v, want\n%v", step, explain, open, want)
			}
		}
	}
}

// What has expired is deleted, and so is what would last for too long after the clock was set back.
func TestHoldsAreSwept(t *testing.T) {
	w := newHoldWorld(t)
	rows := func() (n int) {
		t.Helper()
		w.Must(enginetest.Raw(t, w.Store.Engine).QueryRow(`SELECT COUNT(*) FROM holds`).Scan(&n))
		return n
	}
	w.held("cut", "1T09:00")
	w.Clock.Advance(5 * time.Minute)
	w.held("cut", "1T10:00")
	w.Clock.Advance(5 * time.Minute)
	for _, d := range w.Duties() {
		if d.Prune != nil {
			w.Must(d.Prune(t.Context()))
		}
	}
	if n := rows(); n != 1 {
		t.Errorf("%d holds are left, want the live one", n)
	}
	w.Clock.Advance(-24 * time.Hour)
	w.Must(w.Upkeep.ReleaseLost(t.Context()))
	if n := rows(); n != 0 {
		t.Errorf("%d holds last for more than a day", n)
	}
}
