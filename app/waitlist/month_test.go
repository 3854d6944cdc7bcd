package waitlist_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/waitlist"
	"daybook/app/when"
)

// span is a time of a host.
type span struct {
	host       catalog.HostID
	start, end when.Instant
}

// A month of a salon: people book, cancel, move and wait, and answer their mails or don't. At its end nothing is held, every
// entry has been booked or has ended, no two bookings meet, and every time that came free was booked or is open.
func TestMonthOfASalon(t *testing.T) {
	w := opened(t)
	ctx := t.Context()
	rnd := rand.New(rand.NewPCG(7, 11))
	w.Alter("cut", func(e *catalog.EventType) { e.SlotStepMinutes = 30 })
	w.Alter("wash", func(e *catalog.EventType) { e.SlotStepMinutes = 30 })
	services, hosts := []string{"cut", "cut", "wash"}, w.hosts()
	var live []booking.Booking
	var entries []waitlist.Entry
	offers, taken := 0, 0
	var freed []span
	lets := func(b *booking.Booking) {
		if b.Start > when.At(w.Clock.Now().Add(time.Minute)) {
			freed = append(freed, span{b.Host.ID, b.Start, b.End})
		}
	}
	booked, open, later := 0, 0, 0
	refusal := func(err error) bool {
		if err != nil && fault.Refusal(err) == nil {
			t.Fatal(err)
		}
		return err != nil
	}
	end := apptest.Monday.AddDate(0, 0, 30)
	for n := 0; w.Clock.Now().Before(end); n++ {
		now := w.Clock.Now()
		at := now.Truncate(24*time.Hour).AddDate(0, 0, 1+rnd.IntN(3)).Add(time.Duration(16+rnd.IntN(14)) * 30 * time.Minute)
		switch rnd.IntN(8) {
		case 0, 1, 2:
			in := apptest.Input(services[rnd.IntN(3)], at.Format(time.RFC3339), fmt.Sprint("c", n))
			if b, err := w.Book(ctx, w.visitor(), in); !refusal(err) {
				live = append(live, b)
			}
		case 3, 4:
			if len(live) == 0 {
				break
			}
			i := rnd.IntN(len(live))
			if b, err := w.Cancel(ctx, w.Owner, live[i].ID.String(), app.CancelInput{}); !refusal(err) {
				lets(&b)
			}
			live = append(live[:i], live[i+1:]...)
		case 5:
			if len(live) > 0 {
				was := w.Again(live[rnd.IntN(len(live))])
				b, err := w.Reschedule(ctx, w.Owner, was.ID.String(), app.RescheduleInput{Start: at.Format(time.RFC3339)})
				if !refusal(err) && (b.Start != was.Start || b.Host.ID != was.Host.ID) {
					lets(&was)
				}
			}
		case 6, 7:
			from := int(now.Sub(apptest.Monday).Hours())/24 + 1
			in := input(services[rnd.IntN(3)], fmt.Sprint("w", n), wish(from, from+rnd.IntN(3)))
			if rnd.IntN(3) == 0 {
				in.Items[0].Host = hosts[0].String()
			}
			if rnd.IntN(4) == 0 {
				in.Items = []waitlist.Item{{EventType: "cut"}, {EventType: "wash"}}
			}
			e, err := w.Waitlist.Join(ctx, w.Owner, in)
			if !refusal(err) {
				entries = append(entries, e)
			}
		}
		w.carries()
		page, err := w.Waitlist.Waitlist(ctx, w.Owner, waitlist.ListInput{Status: "offered", Limit: new(100)})
		w.Must(err)
		for i := range page.Data {
			e := page.Data[i]
			switch rnd.IntN(6) {
			case 0, 1:
				offers++
				if _, err := w.Waitlist.Take(ctx, w.token(e), waitlist.TakeInput{}); !refusal(err) {
					taken++
				}
			case 2:
				offers++
				w.Must(w.Waitlist.Refuse(ctx, w.token(e)))
			}
		}
		w.carries()
		if rnd.IntN(4) == 0 {
			w.prunes()
		}
		until := w.Clock.Now().Add(time.Duration(5+rnd.IntN(55)) * time.Minute)
		slices.SortStableFunc(freed, func(a, b span) int { return cmp.Compare(a.start, b.start) })
		for len(freed) > 0 && !freed[0].start.Time().After(until) { // a minute before it begins nobody can be asked any more
			f := freed[0]
			freed = freed[1:]
			if at := f.start.Time().Add(-time.Minute); at.After(w.Clock.Now()) {
				w.Clock.Set(at)
			}
			for range 3 { // an offer ends, the next one is looked for, and it is open
				w.carries()
			}
			service := map[bool]string{true: "wash", false: "cut"}[f.host == hosts[0]]
			least := map[string]time.Duration{"wash": 30 * time.Minute, "cut": time.Hour}[service]
			switch {
			case w.isBooked(f.host, f.start, min(f.end, f.start.Add(least))):
				booked++
			case w.isOpen(service, f.start, f.host):
				open++
			case w.offersLater(f):
				later++
			default:
				t.Errorf("%v of %v came free, and is neither booked nor open", f.start, f.host)
			}
		}
		w.Clock.Set(until)
	}
	w.Clock.Advance(10 * 24 * time.Hour)
	for range 5 {
		w.carries()
		w.prunes()
		w.Clock.Advance(time.Hour)
	}
	if n := w.jobs(); n != 0 || w.held() != [3]int{} {
		t.Errorf("%d jobs are left, held %v", n, w.held())
	}
	w.apart()
	outcomes := map[string]int{}
	for _, e := range entries {
		now, err := w.Waitlist.WaitlistEntry(ctx, w.Owner, e.ID.String())
		if fault.Is(err, fault.NotFound) { // it has ended long ago
			outcomes["pruned"]++
			continue
		}
		w.Must(err)
		outcomes[now.Status.String()+" "+string(now.EndedBy)]++
		if now.Status != waitlist.Booked && now.Status != waitlist.Ended {
			t.Errorf("an entry is %v, until %v", now.Status, now.EndsAt)
		}
		if now.Status == waitlist.Booked && now.BookingID == 0 && now.VisitID == 0 {
			t.Error("an entry is booked, and nothing else")
		}
	}
	if offers < 20 || taken < 10 || booked < 20 || open < 20 || later > open/4 {
		t.Errorf("%d offers were answered, %d taken; of what came free %d were booked, %d open, %d in the way of an offer", offers, taken, booked, open, later)
	}
	t.Logf("%d entries: %v; %d offers answered, %d taken; of what came free %d were booked, %d open and %d in the way of an offer, until %v", len(entries), outcomes, offers, taken, booked, open, later, when.At(w.Clock.Now()))
}

// offersLater reports whether somebody is offered a time of the host that begins later and meets the span.
func (w *world) offersLater(f span) bool {
	w.T.Helper()
	n := 0
	w.Must(w.rows().QueryRow(fmt.Sprintf(`SELECT COUNT(*) FROM holds WHERE waits = 1 AND host_id = %d AND start_ms > %d AND start_ms < %d
		AND expires_ms > %d`, f.host, f.start, f.end, when.At(w.Clock.Now()))).Scan(&n))
	return n > 0
}
