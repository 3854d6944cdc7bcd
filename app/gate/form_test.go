package gate_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/gate"
	"daybook/app/subjects"
	"daybook/store"
	"daybook/store/enginetest"
)

// office is two servers on one database, with a host who has a free hour at any time.
type office struct {
	*testing.T
	servers []*subjects.Set
	actor   app.Actor
	now     atomic.Int64 // Unix milliseconds
}

var start = time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)

func newOffice(t *testing.T) *office {
	o := &office{T: t}
	o.now.Store(start.Add(-26 * time.Hour).UnixMilli())
	place := enginetest.Place(t)
	clock := func() time.Time { return time.UnixMilli(o.now.Load()).UTC() }
	for range 2 {
		o.servers = append(o.servers, subjects.New(subjects.Config{Config: app.Config{Store: store.New(enginetest.OpenAt(t, place)), Clock: clock}}))
	}
	s := o.servers[0]
	ws, err := s.Shop.CreateWorkspace(t.Context(), app.Operator(0), catalog.WorkspaceInput{Slug: "salon", Name: "Salon", TimeZone: "UTC"})
	o.must(err)
	o.actor = app.Actor{Kind: booking.ByInvitee, Workspace: ws.ID}
	weekly := map[string][]string{}
	for _, day := range catalog.Weekdays {
		weekly[day] = []string{"00:00-24:00"}
	}
	o.must(s.Write(t.Context(), func(tx app.Tx) error {
		h := catalog.Host{ID: 1, WorkspaceID: ws.ID, Name: "Ana", Email: "ana@salon.example", TimeZone: "UTC", Active: true,
			Hours: catalog.Hours{Weekly: weekly}}
		e := catalog.NewEventType()
		e.ID, e.WorkspaceID, e.Slug, e.Title, e.DurationMinutes, e.SlotStepMinutes = 1, ws.ID, "cut", "Cut", 60, 60
		e.Hosts = []catalog.HostRef{{ID: h.ID}}
		return errors.Join(tx.InsertHost(&h), tx.InsertEventType(&e))
	}))
	return o
}

func (o *office) must(err error) {
	o.Helper()
	if err != nil {
		o.Fatal(err)
	}
}

// contest has 16 goroutines at each server do what do says, so many times each, with a number of their own.
func (o *office) contest(times int, do func(s *subjects.Set, i int)) {
	var all sync.WaitGroup
	begin := make(chan struct{})
	for n, s := range o.servers {
		for g := range 16 {
			all.Go(func() {
				<-begin
				for i := range times {
					do(s, (n*16+g)*times+i)
				}
			})
		}
	}
	close(begin)
	all.Wait()
}

// book sends a form that asks for the hour of that number.
func (o *office) book(s *subjects.Set, f gate.Form, hour int, person string) (booking.Booking, error) {
	return s.Gate.Book(o.Context(), f, func(tx app.Tx) (booking.Booking, error) {
		return s.In(tx).Book(context.Background(), o.actor, booking.BookInput{EventType: "cut",
			Start:   start.Add(time.Duration(hour) * time.Hour).Format(time.RFC3339),
			Invitee: booking.Invitee{Name: person, Email: person + "@mail.example"}})
	})
}

func (o *office) count() int {
	p, err := o.servers[0].Bookings(o.Context(), app.Actor{Kind: booking.ByOwner, Workspace: o.actor.Workspace}, booking.ListBookingsInput{})
	o.must(err)
	return len(p.Data)
}

// A form that is sent 32 times at once to two servers books once, and all are led to that booking.
func TestContestClicksAtTwoServersBookOnce(t *testing.T) {
	o := newOffice(t)
	const forms = 10
	var led [forms]sync.Map
	o.contest(forms, func(s *subjects.Set, i int) {
		n := i % forms
		f := gate.Form{Key: fmt.Sprint("key", n), Purpose: fmt.Sprint("hour ", n)}
		b, err := o.book(s, f, n, fmt.Sprint("mia", n))
		if err != nil {
			t.Error(err)
		}
		led[n].Store(b.ID, true)
	})
	for n := range forms {
		to := 0
		led[n].Range(func(any, any) bool { to++; return true })
		if to != 1 {
			t.Errorf("form %d led to %d bookings", n, to)
		}
	}
	if n := o.count(); n != forms {
		t.Errorf("%d bookings, want %d", n, forms)
	}
}

// A form that was refused is not kept: sent again, it books.
func TestARefusedFormMayBeSentAgain(t *testing.T) {
	o := newOffice(t)
	taken, err := o.book(o.servers[0], gate.Form{}, 0, "ida")
	o.must(err)
	f := gate.Form{Key: "key", Purpose: "hour 0"}
	if _, err := o.book(o.servers[1], f, 0, "mia"); !fault.Is(err, fault.Conflict) || fault.As(err).Details["alternatives"] == nil {
		t.Fatalf("a time that is taken: %v", err)
	}
	_, err = o.servers[0].Cancel(t.Context(), app.Actor{Kind: booking.ByOwner, Workspace: o.actor.Workspace}, taken.ID.String(), app.CancelInput{})
	o.must(err)
	if _, err := o.book(o.servers[0], f, 0, "mia"); err != nil {
		t.Error(err)
	}
}

// The work that was done for a form counts for one booking, at whichever server.
func TestAProofIsSpentOnce(t *testing.T) {
	o := newOffice(t)
	var booked, spent atomic.Int64
	o.contest(1, func(s *subjects.Set, i int) {
		f := gate.Form{Key: "key", Purpose: fmt.Sprint("hour ", i), Proves: true}
		switch _, err := o.book(s, f, i, "mia"); {
		case err == nil:
			booked.Add(1)
		case errors.Is(err, gate.ErrSpent):
			spent.Add(1)
		default:
			t.Error(err)
		}
	})
	if booked.Load() != 1 || spent.Load() != 31 {
		t.Errorf("%d booked, %d refused; want 1 and 31", booked.Load(), spent.Load())
	}
}

// An address books as often in an hour as it may, over two servers, refused bookings included; loopback has no limit.
func TestAnAddressIsCountedOverServers(t *testing.T) {
	o := newOffice(t)
	c := gate.Client{Address: netip.MustParseAddr("203.0.113.9"), Most: 30}
	ask := func(times int, c gate.Client) (passed, refused int64) {
		var in, out atomic.Int64
		o.contest(times, func(s *subjects.Set, i int) {
			err := s.Gate.Count(t.Context(), c)
			switch {
			case err == nil:
				in.Add(1)
			case fault.Is(err, fault.RateLimited):
				out.Add(1)
			default:
				t.Error(err)
			}
		})
		return in.Load(), out.Load()
	}
	if passed, refused := ask(3, c); passed != 30 || refused != 66 {
		t.Errorf("%d passed and %d were refused, want 30 and 66", passed, refused)
	}
	o.now.Add(10 * 60_000)
	if e := fault.As(o.servers[1].Gate.Count(t.Context(), c)); e == nil || e.Details["retryAfter"] != 3000 {
		t.Errorf("ten minutes later: %v", e)
	}
	o.now.Add(50 * 60_000)
	if passed, _ := ask(1, c); passed != 30 {
		t.Errorf("an hour later %d passed", passed)
	}
	if passed, _ := ask(1, gate.Client{Address: netip.MustParseAddr("127.0.0.1"), Most: 1}); passed != 32 {
		t.Errorf("%d of 32 passed from loopback", passed)
	}
	two := gate.Client{Address: netip.MustParseAddr("2001:db8::1"), Most: 2}
	_, err := o.book(o.servers[0], gate.Form{Client: two}, 0, "mia")
	o.must(err)
	two.Address = netip.MustParseAddr("2001:db8::2") // the same customer
	if _, err := o.book(o.servers[1], gate.Form{Client: two}, 0, "ida"); !fault.Is(err, fault.Conflict) {
		t.Errorf("a time that is taken: %v", err)
	}
	if _, err := o.book(o.servers[0], gate.Form{Client: two}, 1, "ida"); !fault.Is(err, fault.RateLimited) {
		t.Errorf("after a booking that was refused: %v", err)
	}
}

// A workspace asks for work, at both servers, once visitors have booked sixty times within an hour, until they no longer
// have; however many the business books itself.
func TestARushIsOverServers(t *testing.T) {
	o := newOffice(t)
	ws := o.actor.Workspace
	work := func(want int) {
		t.Helper()
		for i, s := range o.servers {
			if bits, err := s.Gate.Work(t.Context(), ws, 0, 30); err != nil || bits != want {
				t.Fatalf("server %d asks for %d bits, want %d: %v", i+1, bits, want, err)
			}
		}
	}
	hour := 0
	book := func(s *subjects.Set, times int, a app.Actor) {
		t.Helper()
		for range times {
			_, err := s.Book(t.Context(), a, booking.BookInput{EventType: "cut", Start: start.Add(time.Duration(hour) * time.Hour).Format(time.RFC3339),
				Invitee: booking.Invitee{Name: "mia", Email: fmt.Sprintf("mia%d@mail.example", hour)}})
			o.must(err)
			hour++
		}
	}
	book(o.servers[0], 30, app.Actor{Kind: booking.ByOwner, Role: app.OwnerRole, Workspace: ws})
	book(o.servers[0], 59, o.actor)
	work(0)
	book(o.servers[1], 1, o.actor)
	o.now.Add(1000) // another server hears of it within a second
	work(16)
	if bits, err := o.servers[0].Gate.Work(t.Context(), ws, 20, 30); bits != 20 || err != nil {
		t.Errorf("where 20 bits are asked for always: %d, %v", bits, err)
	}
	if bits, err := o.servers[0].Gate.Work(t.Context(), ws, 0, -1); bits != 0 || err != nil {
		t.Errorf("where nobody is limited: %d, %v", bits, err)
	}
	if bits, err := o.servers[0].Gate.Work(t.Context(), ws+1, 0, 30); bits != 0 || err != nil {
		t.Errorf("another workspace: %d, %v", bits, err)
	}
	o.now.Add(2 * time.Hour.Milliseconds()) // ids never go back, so that those of other tests may be ahead of this clock
	work(0)
}
